import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import build from '../build/rolldown.config.mjs'
import { env, git, home, program } from './process.mjs'

/** Bundles a bench's own program (`bench/NAME.ts`) into a folder; its path. */
export async function bundled(name, folder) {
  const file = join(folder, `${name}.mjs`)
  const bundle = await rolldown({ input: join(home, 'bench', `${name}.ts`), platform: 'node', logLevel: 'silent', resolve: build.resolve })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  return file
}

/** A repository of 300 small sources in six packages, with a lockfile and a remote. */
export function project(repository) {
  mkdirSync(repository, { recursive: true })
  git(repository, 'init', '-q', '-b', 'main')
  for (let p = 0; p < 6; p++) {
    mkdirSync(join(repository, `packages/p${p}/src`), { recursive: true })
    writeFileSync(join(repository, `packages/p${p}/package.json`), `{"name":"p${p}"}\n`)
    for (let f = 0; f < 50; f++) writeFileSync(join(repository, `packages/p${p}/src/f${f}.js`), `export const x${f} = ${p * f}\n`.repeat(20))
  }
  const packages = { '': { name: 'bench' } }
  for (let i = 0; i < 300; i++) packages[`node_modules/dep-${i}`] = { version: `1.${i}.0`, resolved: `https://example.org/dep-${i}.tgz`, integrity: `sha512-${'A'.repeat(86)}==` }
  writeFileSync(join(repository, 'package-lock.json'), JSON.stringify({ name: 'bench', lockfileVersion: 3, packages }, null, 2))
  writeFileSync(join(repository, 'package.json'), '{"name":"bench","scripts":{"test":"node --test"}}\n')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'start')
}

/** Sixty keys of the project, and what they are here and now. */
export function valuesOf(repository) {
  const keys = ['platform', 'privilege', 'repository', 'os-release', 'tool:git', 'tool:node', 'tool:npm', 'file:package.json', 'file:package-lock.json', 'tree:.', 'env:CI', 'env:HOME']
  for (let i = 0; i < 6; i++) keys.push(`tree:packages/p${i}`, `file:packages/p${i}/package.json`)
  for (let i = 0; i < 8; i++) keys.push(`lock:npm/dep-${i}`, `absent:conf/none-${i}.json`)
  for (let i = 0; i < 5; i++) keys.push(`absent-tool:no-such-program-${i}`)
  for (let i = 0; keys.length < 60; i++) keys.push(`file:packages/p${i % 6}/src/f${i}.js`)
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'fingerprint'], { cwd: repository, env, encoding: 'utf8', input: `${JSON.stringify({ keys })}\n` })
  const values = JSON.parse(stdout).keys
  if (Object.keys(values).length !== 60) throw new Error(`fingerprint answered ${stdout} ${stderr}`)
  return values
}

/** Runs a program to its end and answers its output. */
export function output(argv, cwd, more = {}) {
  const { status, stdout, stderr, error } = spawnSync(argv[0], argv.slice(1), { cwd, env, encoding: 'utf8', maxBuffer: 1 << 30, ...more })
  if (status !== 0) throw new Error(`"${argv.join(' ')}" ended with ${status ?? error}: ${stderr}`)
  return stdout
}
