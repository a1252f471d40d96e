import { describe, expect, it } from 'vitest'
import type { World } from '../../src/model/probe.ts'
import { mutations } from '../../src/mutations.ts'
import { typed } from './table.ts'

const PACKAGE = JSON.stringify({ name: '@o/demo', version: '1.2.3' })
const CRATE = '[package]\nname = "demo" # it\nversion = "0.1.0"\n\n[dependencies]\nversion = "9"\n'

/** A world of these files and push URLs. */
const world = (files: Readonly<Record<string, string>>, urls: Readonly<Record<string, string>> = {}): World =>
  ({
    read: async (path: string) => (files[path] === undefined ? null : Buffer.from(files[path])),
    pushUrls: async () => new Map(Object.entries(urls).map(([name, url]) => [name, [url]])),
    env: () => undefined,
    homeFile: async (name: string) => (files[`~/${name}`] === undefined ? null : Buffer.from(files[`~/${name}`] as string)),
  }) as unknown as World

async function identityOf(line: string, where: World): Promise<string | null> {
  const command = typed(line)
  const [mutation] = mutations.filter((one) => one.intends(command) !== null)
  const identity = (await mutation?.identify?.(command, where)) ?? null
  return identity === null ? null : `${identity.target.kind} ${identity.target.id} ${identity.identifier}`
}

describe('what a mutation would make, before it is made', () => {
  it.each<[string, Record<string, string>, string | null]>([
    ['npm publish', { 'package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['npm publish --tag next --access public', { 'package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['pnpm publish', { 'package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['yarn npm publish', { 'package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['cd a && npm publish', { 'a/package.json': PACKAGE, 'package.json': '{}' }, 'npm @o/demo @o/demo@1.2.3'],
    ['npm publish ./a', { 'a/package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['npm pub', { 'package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['npm pu ./a', { 'a/package.json': PACKAGE }, 'npm @o/demo @o/demo@1.2.3'],
    ['bun publish', { 'package.json': PACKAGE, '.npmrc': 'registry=https://r.example\n' }, 'npm @o/demo @o/demo@1.2.3'],
    ['npm publish', { 'package.json': PACKAGE, '.npmrc': 'dry-run = true\n' }, null],
    ['npm publish', { 'package.json': PACKAGE, '~/.npmrc': 'save-exact=true\ndry-run\n' }, null],
    ['npm publish', { 'package.json': PACKAGE, '.npmrc': 'dry-run=false\n# dry-run=true\n' }, 'npm @o/demo @o/demo@1.2.3'],
    ['cd a && npm publish', { 'a/package.json': PACKAGE, '.npmrc': 'dry-run=true\n' }, null],
    ['yarn publish', { 'package.json': PACKAGE, '.npmrc': 'registry=https://r.example\n' }, 'npm @o/demo @o/demo@1.2.3'],
    ['yarn publish', { 'package.json': PACKAGE, '.yarnrc': 'registry "https://r.example"\n' }, null],
    ['yarn npm publish', { 'package.json': PACKAGE, '.yarnrc.yml': 'npmPublishRegistry: https://r.example\n' }, null],
    ['yarn npm publish', { 'package.json': PACKAGE, '.npmrc': 'registry=https://r.example\n' }, null],
    ['pnpm publish', { 'package.json': PACKAGE, 'pnpm-workspace.yaml': 'packages: [a]\n' }, 'npm @o/demo @o/demo@1.2.3'],
    ['pnpm publish', { 'package.json': PACKAGE, 'pnpm-workspace.yaml': 'registry: https://r.example\n' }, null],
    ['npm publish', {}, null],
    ['npm publish', { 'package.json': '{' }, null],
    ['npm publish', { 'package.json': '{"name":"demo"}' }, null],
    ['npm publish', { 'package.json': '{"name":"demo","version":"1.0.0","private":true}' }, null],
    ['npm publish demo-1.0.0.tgz', { 'package.json': PACKAGE }, null],
    ['npm publish -w a', { 'package.json': PACKAGE }, null],
    ['npm publish --registry https://r.example/', { 'package.json': PACKAGE }, 'npm https://r.example @o/demo @o/demo@1.2.3'],
    ['npm --registry=https://me:secret@r.example publish', { 'package.json': PACKAGE }, 'npm https://r.example @o/demo @o/demo@1.2.3'],
    ['npm --reg https://r.example publish ./a', { 'a/package.json': PACKAGE }, 'npm https://r.example @o/demo @o/demo@1.2.3'],
    ['npm_config_registry=https://r.example npm publish', { 'package.json': PACKAGE }, 'npm https://r.example @o/demo @o/demo@1.2.3'],
    ['pnpm publish --registry https://r.example', { 'package.json': PACKAGE }, 'npm https://r.example @o/demo @o/demo@1.2.3'],
    ['npm publish --registry https://r.example', { 'package.json': PACKAGE, '.npmrc': '@o:registry=https://other.example\n' }, null],
    ['npm publish --registry https://r.example', { 'package.json': PACKAGE, '~/.npmrc': '@o:registry=https://other.example\n' }, null],
    ['npm publish --registry https://r.example', { 'package.json': JSON.stringify({ name: 'demo', version: '1.0.0', publishConfig: { registry: 'https://other.example' } }) }, null],
    ['npm publish --registry http://localhost:4873', { 'package.json': PACKAGE }, null],
    ['npm publish --registry $REGISTRY', { 'package.json': PACKAGE }, null],
    ['npm publish --@o:registry=https://r.example', { 'package.json': PACKAGE }, null],
    ['npm_config_tag=next npm publish', { 'package.json': PACKAGE }, null],
    ['pnpm -r publish', { 'package.json': PACKAGE }, null],
    ['yarn publish --new-version 2.0.0', { 'package.json': PACKAGE }, null],
    ['npm publish ../elsewhere', { 'package.json': PACKAGE }, null],
    ['cargo publish', { 'Cargo.toml': CRATE }, 'crates demo demo@0.1.0'],
    ['cargo publish -p demo', { 'Cargo.toml': CRATE }, 'crates demo demo@0.1.0'],
    ['cargo publish -p other', { 'Cargo.toml': CRATE }, null],
    ['cargo publish -p other@2.0.0', {}, 'crates other other@2.0.0'],
    ['cargo publish --manifest-path a/Cargo.toml', { 'Cargo.toml': CRATE }, null],
    ['cargo publish', { 'Cargo.toml': '[package]\nname = "demo"\nversion.workspace = true\n' }, null],
    ['cargo publish', { 'Cargo.toml': '[workspace.package]\nversion = "1.0.0"\n' }, null],
    ['cargo yank demo@0.1.0', { 'Cargo.toml': CRATE }, null],
    ['twine upload dist/My_Lib-1.2.3.tar.gz', {}, 'pypi my-lib my-lib@1.2.3'],
    ['twine upload dist/*', {}, null],
    ['twine upload dist/a-1.0.tar.gz dist/*.whl', {}, null],
    ['uv publish', {}, null],
    ['gem push demo-1.0.0.gem', {}, 'rubygems demo demo@1.0.0'],
    ['gem push *.gem', {}, null],
    ['gh release create v1 -R o/r', {}, 'github o/r v1'],
    ['gh release create v1', {}, null],
    ['gh release upload v1 a.zip -R o/r', {}, null],
    ['gh release create v1 --draft -R o/r', {}, null],
    ['gh pr comment 5 --body x -R o/r', {}, null],
  ])('%s, %j → %s', async (line, files, expected) => {
    expect(await identityOf(line, world(files))).toBe(expected)
  })

  it.each<[string, Record<string, string>, string | null]>([
    ['gh pr comment 12 --body x', { origin: 'git@github.com:o/r.git' }, 'github o/r'],
    ['gh pr create --fill', { origin: 'https://token@github.com/o/r', backup: 'ssh://git@github.com/o/r.git' }, 'github o/r'],
    ['gh release upload v1 a.zip', { origin: 'git@github.com:o/r.git' }, 'github o/r'],
    ['glab mr note 12 -m x', { origin: 'git@gitlab.com:g/sub/app.git' }, 'gitlab g/sub/app'],
    ['glab release create v1', { origin: 'https://git.example.com/g/a.git' }, 'gitlab git.example.com/g/a'],
    ['gh pr comment 12 --body x', { origin: 'git@github.com:o/r.git', fork: 'git@github.com:me/r.git' }, null],
    ['gh pr comment 12 --body x', { origin: 'git@git.example.com:o/r.git' }, null],
    ['gh pr comment 12 --body x -R $R', { origin: 'git@github.com:o/r.git' }, null],
    ['GH_REPO=a/b gh pr comment 12 --body x', { origin: 'git@github.com:o/r.git' }, null],
    ['glab mr note 12 -m x', { origin: 'git@github.com:o/r.git' }, null],
    ['GITLAB_HOST=x.example glab mr note 12 -m x', { origin: 'git@gitlab.com:g/a.git' }, null],
    ['gh pr comment 12 --body x', {}, null],
  ])('%s goes where %j says: %s', async (line, urls, expected) => {
    const command = typed(line)
    const target = (await mutations.find((one) => one.intends(command) !== null)?.locate?.(command, world({}, urls))) ?? null
    expect(target && `${target.kind} ${target.id}`).toBe(expected)
  })

  it.each<[Record<string, string>, string | null]>([
    [{ origin: 'git@github.com:o/r.git' }, 'github o/r v1'],
    [{ origin: 'https://token@github.com/o/r' }, 'github o/r v1'],
    [{ origin: 'git@github.com:o/r.git', backup: 'https://github.com/o/r.git' }, 'github o/r v1'],
    [{ origin: 'git@github.com:o/r.git', fork: 'git@github.com:me/r.git' }, null],
    [{ origin: 'git@example.com:o/r.git' }, null],
  ])('a release goes where %j says: %s', async (urls, expected) => {
    expect(await identityOf('gh release create v1', world({}, urls))).toBe(expected)
  })
})
