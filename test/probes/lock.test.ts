import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import lock from '../../src/probes/lock.ts'
import { ground, read, valueOf } from './ground.ts'

const V3 = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'root', version: '1.0.0' },
    'node_modules/ms': { version: '2.1.3', integrity: 'sha512-b' },
    'node_modules/debug': { version: '4.3.4', integrity: 'sha512-c' },
    'node_modules/debug/node_modules/ms': { version: '2.1.2', integrity: 'sha512-a' },
    'node_modules/send/node_modules/ms': { version: '2.1.3', integrity: 'sha512-b' },
    'node_modules/@scope/one': { version: '1.0.0', integrity: 'sha512-d' },
    'node_modules/other-name': { name: 'real', version: '3.0.0', integrity: 'sha512-e' },
    'node_modules/from-git': { version: '1.0.0', resolved: `git+ssh://git@example.invalid/a/b.git#${'a'.repeat(40)}` },
    'node_modules/linked': { resolved: 'packages/linked', link: true },
    'packages/linked': { name: 'linked', version: '0.1.0' },
    'packages/linked/node_modules/one': { version: '9.0.0' },
  },
}
const V1 = {
  lockfileVersion: 1,
  dependencies: {
    ms: { version: '2.1.3', integrity: 'sha512-b' },
    debug: { version: '4.3.4', integrity: 'sha512-c', dependencies: { ms: { version: '2.1.2', integrity: 'sha512-a' } } },
    'other-name': { version: 'npm:real@3.0.0', integrity: 'sha512-e' },
  },
}

describe('lock', () => {
  it.each([
    ['npm/ms', '[["ms","2.1.2","sha512-a"],["ms","2.1.3","sha512-b"]]'],
    ['npm/debug', '[["debug","4.3.4","sha512-c"]]'],
    ['npm/@scope/one', '[["@scope/one","1.0.0","sha512-d"]]'],
    ['npm/one', '[["one","9.0.0",null]]'],
    ['npm/real', '[["real","3.0.0","sha512-e"]]'],
    ['npm/other-name', '[["real","3.0.0","sha512-e"]]'],
    ['npm/from-git', `[["from-git","1.0.0","#${'a'.repeat(40)}"]]`],
    ['npm/linked', '[["linked","0.1.0",null]]'],
    ['npm/root', 'absent'],
    ['npm/none', 'absent'],
  ])('%s of a lockfile 3 is %s', async (key, value) => {
    const { world } = ground({ 'package-lock.json': JSON.stringify(V3, null, 2) })
    expect(await valueOf(lock, key, world())).toBe(value)
  })

  it.each(['npm/ms', 'npm/debug', 'npm/real', 'npm/other-name'])('%s is the same in versions 1 and 2', async (key) => {
    const [one, two, three] = [V1, { ...V1, ...V3, lockfileVersion: 2 }, V3].map((each) => ground({ 'package-lock.json': JSON.stringify(each) }))
    const value = await valueOf(lock, key, three!.world())
    expect(await valueOf(lock, key, one!.world())).toBe(value)
    expect(await valueOf(lock, key, two!.world())).toBe(value)
    expect(value).not.toBe('absent')
  })

  it('does not change with the rest of the lockfile', async () => {
    const { world, write } = ground({ 'package-lock.json': JSON.stringify(V3) })
    const before = await valueOf(lock, 'npm/ms', world())
    write('package-lock.json', JSON.stringify({ ...V3, packages: { ...V3.packages, 'node_modules/new': { version: '1.0.0' } } }))
    expect(await valueOf(lock, 'npm/ms', world())).toBe(before)
    write('package-lock.json', JSON.stringify({ ...V3, packages: { ...V3.packages, 'node_modules/ms': { version: '2.1.4' } } }))
    expect(await valueOf(lock, 'npm/ms', world())).not.toBe(before)
  })

  it('reads npm-shrinkwrap.json, a lockfile that git ignores, and those of packages inside', async () => {
    const one = ground({ 'npm-shrinkwrap.json': JSON.stringify(V3) })
    expect(await valueOf(lock, 'npm/debug', one.world())).toContain('4.3.4')
    const ignored = ground({ '.gitignore': 'package-lock.json\n' })
    ignored.write('package-lock.json', JSON.stringify(V3))
    expect(await valueOf(lock, 'npm/debug', ignored.world())).toContain('4.3.4')
    const inner = ground({ 'package-lock.json': JSON.stringify(V1), 'packages/a/package-lock.json': JSON.stringify({ packages: { 'node_modules/debug': { version: '5.0.0' } } }) })
    expect(await valueOf(lock, 'npm/debug', inner.world())).toBe('[["debug","4.3.4","sha512-c"],["debug","5.0.0",null]]')
  })

  it('says when the lockfile changed last', async () => {
    const { world, top } = ground({ 'package-lock.json': JSON.stringify(V3) })
    const { mtimeMs, ctimeMs } = statSync(join(top, 'package-lock.json'))
    expect(await read(lock, 'npm/debug', world())).toMatchObject({ changed: Math.max(mtimeMs, ctimeMs) })
  })

  it.each(['maven/org.junit:junit', 'constructor/x', 'npm', 'npm/', '__proto__/x'])('can not be told for %s', async (key) => {
    expect(await valueOf(lock, key, ground().world())).toBe('unreadable: no way to read lockfiles of this kind')
  })

  it('is unreadable where the lockfile is broken, and never shows it', async () => {
    const { world } = ground({ 'package-lock.json': '{"packages": s3cret' })
    const value = await valueOf(lock, 'npm/ms', world())
    expect(value).toMatch(/^unreadable: text is not (?:complete )?JSON/)
    expect(value).not.toContain('s3cret')
  })

  it.each<[string, string, string, string]>([
    ['pnpm-lock.yaml', PNPM_5, 'npm/@scope/one', '[["@scope/one","1.0.0","sha512-a"]]'],
    ['pnpm-lock.yaml', PNPM_5, 'npm/react-dom', '[["react-dom","18.2.0","sha512-b"]]'],
    ['pnpm-lock.yaml', PNPM_9, 'npm/@scope/one', '[["@scope/one","1.0.0","sha512-a"]]'],
    ['pnpm-lock.yaml', PNPM_9, 'npm/ms', '[["ms","2.0.0","sha512-c"],["ms","2.1.3","sha512-d"]]'],
    ['pnpm-lock.yaml', PNPM_9, 'npm/fromgit', `[["fromgit","1.2.0","https://codeload.example/a/b/tar.gz/${'a'.repeat(40)}"]]`],
    ['pnpm-lock.yaml', PNPM_9, 'npm/none', 'absent'],
    ['yarn.lock', YARN_1, 'npm/ms', '[["ms","2.0.0","sha512-c"],["ms","2.1.3","sha512-d"]]'],
    ['yarn.lock', YARN_1, 'npm/@scope/one', '[["@scope/one","1.0.0","#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]]'],
    ['yarn.lock', YARN_1, 'npm/alias', '[["real","3.0.0","sha512-e"]]'],
    ['yarn.lock', YARN_1, 'npm/real', '[["real","3.0.0","sha512-e"]]'],
    ['yarn.lock', YARN_4, 'npm/@scope/one', '[["@scope/one","1.0.0","10c0/aa"]]'],
    ['yarn.lock', YARN_4, 'npm/alias', '[["real","3.0.0","10c0/bb"]]'],
    ['yarn.lock', YARN_4, '__metadata', 'unreadable: no way to read lockfiles of this kind'],
    ['bun.lock', BUN, 'npm/ms', '[["ms","2.0.0","sha512-c"],["ms","2.1.3","sha512-d"]]'],
    ['bun.lock', BUN, 'npm/@scope/one', '[["@scope/one","1.0.0","sha512-a"]]'],
    ['poetry.lock', POETRY, 'pip/Flask', '[["flask","3.0.0","sha256:aa sha256:bb"]]'],
    ['poetry.lock', POETRY, 'pip/zope.interface', '[["zope-interface","6.1",null]]'],
    ['poetry.lock', POETRY, 'pip/name', 'absent'],
    ['poetry.lock', POETRY_OLD, 'pip/flask', '[["flask","2.0.0","sha256:cc sha256:dd"]]'],
    ['uv.lock', UV, 'pip/flask', '[["flask","3.0.0","sha256:aa sha256:bb"]]'],
    ['uv.lock', UV, 'pip/tool', `[["tool","0.1","#${'b'.repeat(40)}"]]`],
    ['Pipfile.lock', PIPFILE, 'pip/flask', '[["flask","3.0.0","sha256:aa sha256:bb"]]'],
    ['Pipfile.lock', PIPFILE, 'pip/pytest', '[["pytest","8.0.0",null]]'],
    ['requirements.txt', PINS, 'pip/Flask', '[["flask","3.0.0","sha256:aa sha256:bb"]]'],
    ['requirements-dev.txt', PINS, 'pip/typing-extensions', '[["typing-extensions","4.9.0",null]]'],
    ['requirements/base.txt', PINS, 'pip/open', '[["open",">=1,<2",null]]'],
    ['requirements.txt', PINS, 'pip/r', 'absent'],
    ['Cargo.lock', CARGO, 'cargo/serde', '[["serde","1.0.1","aa"],["serde","1.0.2","bb"]]'],
    ['Cargo.lock', CARGO, 'cargo/mine', '[["mine","0.1.0",null]]'],
    ['Cargo.lock', CARGO, 'cargo/forked', `[["forked","2.0.0","#${'c'.repeat(40)}"]]`],
    ['go.sum', GO, 'go/github.com/a/b', '[["github.com/a/b","v1.0.0","h1:x="],["github.com/a/b","v1.0.0/go.mod","h1:y="]]'],
    ['Gemfile.lock', GEM, 'gem/rails', '[["rails","7.1.0","sha256=aa"]]'],
    ['Gemfile.lock', GEM, 'gem/activesupport', '[["activesupport","7.1.0",null]]'],
    ['Gemfile.lock', GEM, 'gem/ours', '[["ours","0.1.0","#abc123"]]'],
    ['composer.lock', COMPOSER, 'composer/Monolog/Monolog', '[["monolog/monolog","3.5.0","aa"]]'],
    ['composer.lock', COMPOSER, 'composer/phpunit/phpunit', '[["phpunit/phpunit","10.0.0","#cc"]]'],
    ['gradle.lockfile', GRADLE, 'gradle/org.slf4j:slf4j-api', '[["org.slf4j:slf4j-api","2.0.9",null]]'],
    ['gradle/dependency-locks/compile.lockfile', GRADLE, 'gradle/org.slf4j:slf4j-api', '[["org.slf4j:slf4j-api","2.0.9",null]]'],
  ])('of %s %# says of %s%s', async (path, text, key, value) => {
    expect(await valueOf(lock, key, ground({ [path]: text }).world())).toBe(value)
  })

  it.each(['npm', 'pip', 'cargo', 'go', 'gem', 'composer', 'gradle'])('is absent where no lockfile of %s lies', async (ecosystem) => {
    expect(await valueOf(lock, `${ecosystem}/a`, ground().world())).toBe('absent')
  })

  it('is unreadable for what no tool writes', async () => {
    expect(await valueOf(lock, 'npm/a', ground({ 'bun.lockb': '#!/usr/bin/env bun\nbun-lockfile-format-v0\n\0' }).world())).toContain('binary bun.lockb')
    expect(await valueOf(lock, 'npm/a', ground({ 'bun.lock': '{"packages": {' }).world())).toBe('unreadable: bun.lock is not what Bun writes')
    expect(await valueOf(lock, 'cargo/a', ground({ 'Cargo.lock': '[[package]]\nname = """\n[[package]]\nname = "a"\n"""\n' }).world())).toContain('unreadable')
  })

  it('reads a lockfile once, however many packages are asked for', async () => {
    const { world } = ground({ 'Cargo.lock': CARGO })
    const one = world()
    let reads = 0
    const counting = { ...one, read: (path: string) => ((reads += 1), one.read(path)) }
    for (const name of ['serde', 'mine', 'forked', 'none']) await lock.read(`cargo/${name}`, counting)
    expect(reads).toBe(1)
  })

  it.each<[string, string, string]>([
    ['package-lock.json', 'npm/a', `{"dependencies":${'{"a":{"version":"1","dependencies":'.repeat(5000)}{}${'}}'.repeat(5000)}}`],
    ['pnpm-lock.yaml', 'npm/a', `packages:\n${'  /a@1:\n    resolution: {integrity\n'.repeat(200_000)}`],
    ['pnpm-lock.yaml', 'npm/a', `packages:\n  /a@1:\n    resolution: {${'integrity '.repeat(1_000_000)}`],
    ['yarn.lock', 'npm/a', `${'"a@1", '.repeat(1_400_000)}:\n  version "1"\n`],
    ['Cargo.lock', 'cargo/a', `${'[[package]]\nname = "a"\nversion = "1"\n'.repeat(200_000)}`],
    ['uv.lock', 'pip/a', `[[package]]\nname = "a"\nwheels = [${'{ hash = "sha256:aa" },'.repeat(400_000)}`],
    ['requirements.txt', 'pip/a', `${'a==1 \\\n'.repeat(1_000_000)}`],
    ['Gemfile.lock', 'gem/a', `${'    a (1)\n'.repeat(1_000_000)}`],
    ['go.sum', 'go/a', ' '.repeat(10_000_000)],
    ['gradle.lockfile', 'gradle/a:b', `${'a:b:'.repeat(2_500_000)}`],
  ])('reads a hostile %s for %s within its time', async (path, key, text) => {
    const { world } = ground({ [path]: text })
    const at = world()
    await at.tree('.')
    const start = process.cpuUsage()
    await read(lock, key, at)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

const PNPM_5 = `lockfileVersion: 5.4

specifiers:
  react-dom: ^18.0.0

packages:

  /@scope/one/1.0.0:
    resolution: {integrity: sha512-a}
    dev: true

  /react-dom/18.2.0_react@18.2.0:
    resolution: {integrity: sha512-b}
    peerDependencies:
      react: ^18.2.0
`
const PNPM_9 = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      ms:
        specifier: ^2.1.0
        version: 2.1.3

packages:

  '@scope/one@1.0.0':
    resolution: {integrity: sha512-a}
    engines: {node: '>=18'}

  fromgit@https://codeload.example/a/b/tar.gz/${'a'.repeat(40)}:
    resolution: {tarball: https://codeload.example/a/b/tar.gz/${'a'.repeat(40)}}
    version: 1.2.0

  ms@2.0.0:
    resolution: {integrity: sha512-c}

  ms@2.1.3:
    resolution:
      integrity: sha512-d

snapshots:

  ms@2.1.3(peer@1.0.0): {}
`
const YARN_1 = `# yarn lockfile v1


"@scope/one@git+https://example.invalid/one.git":
  version "1.0.0"
  resolved "git+https://example.invalid/one.git#${'a'.repeat(40)}"

alias@npm:real@^3.0.0:
  version "3.0.0"
  resolved "https://registry.example/real/-/real-3.0.0.tgz#${'b'.repeat(40)}"
  integrity sha512-e

ms@2.0.0:
  version "2.0.0"
  integrity sha512-c
  dependencies:
    version "9"

ms@^2.1.0, ms@^2.1.1:
  version "2.1.3"
  integrity sha512-d
`
const YARN_4 = `__metadata:
  version: 8
  cacheKey: 10c0

"@scope/one@npm:^1.0.0":
  version: 1.0.0
  resolution: "@scope/one@npm:1.0.0"
  checksum: 10c0/aa
  languageName: node

"alias@npm:real@^3.0.0":
  version: 3.0.0
  resolution: "real@npm:3.0.0"
  checksum: 10c0/bb
`
const BUN = `{
  "lockfileVersion": 1,
  "workspaces": { "": { "name": "x", "dependencies": { "ms": "^2.1.0", }, }, },
  "packages": {
    "@scope/one": ["@scope/one@1.0.0", "", {}, "sha512-a"],
    "ms": ["ms@2.1.3", "", {}, "sha512-d"],
    "debug/ms": ["ms@2.0.0", "", {}, "sha512-c"],
  }
}
`
const POETRY = `# This file is automatically @generated by Poetry 1.8.2.

[[package]]
name = "flask"
version = "3.0.0"
description = "A \\"micro\\" framework"
files = [
    {file = "flask-3.0.0-py3-none-any.whl", hash = "sha256:bb"},
    {file = "flask-3.0.0.tar.gz", hash = "sha256:aa"},
]

[package.dependencies]
name = "1"
version = "2"

[[package]]
name = "zope.interface"
version = "6.1"
files = []

[metadata]
lock-version = "2.0"
name = "name"
`
const POETRY_OLD = `[[package]]
name = "Flask"
version = "2.0.0"

[metadata]
content-hash = "x"

[metadata.files]
flask = [
    {file = "flask.whl", hash = "sha256:dd"},
    {file = "flask.tar.gz", hash = "sha256:cc"},
]
`
const UV = `version = 1

[[package]]
name = "flask"
version = "3.0.0"
source = { registry = "https://registry.example/simple" }
dependencies = [
    { name = "tool" },
]
sdist = { url = "https://x/flask.tar.gz", hash = "sha256:aa", size = 1 }
wheels = [
    { url = "https://x/flask.whl", hash = "sha256:bb", size = 2 },
]

[[package]]
name = "tool"
version = "0.1"
source = { git = "https://example.invalid/tool?rev=main#${'b'.repeat(40)}" }
`
const PIPFILE = JSON.stringify({
  _meta: { hash: { sha256: 'x' } },
  default: { Flask: { hashes: ['sha256:bb', 'sha256:aa'], version: '==3.0.0' } },
  develop: { pytest: { version: '==8.0.0' } },
})
const PINS = `# pinned
-r other.txt
--index-url https://registry.example/simple
Flask[async] == 3.0.0 ; python_version > "3.8" \\
    --hash=sha256:bb \\
    --hash=sha256:aa
typing_extensions==4.9.0  # why
open >=1, <2
`
const CARGO = `version = 3

[[package]]
name = "forked"
version = "2.0.0"
source = "git+https://example.invalid/forked?branch=x#${'c'.repeat(40)}"

[[package]]
name = "mine"
version = "0.1.0"
dependencies = [
 "serde 1.0.1",
]

[[package]]
name = "serde"
version = "1.0.1"
source = "registry+https://registry.example/index"
checksum = "aa"

[[package]]
name = "serde"
version = "1.0.2"
checksum = "bb"
`
const GO = `github.com/a/b v1.0.0 h1:x=
github.com/a/b v1.0.0/go.mod h1:y=
github.com/a/bc v1.0.0 h1:z=
`
const GEM = `GIT
  remote: https://example.invalid/ours.git
  revision: abc123
  specs:
    ours (0.1.0)

GEM
  remote: https://gems.example/
  specs:
    activesupport (7.1.0)
      rails (>= 1)
    rails (7.1.0)
      activesupport (= 7.1.0)

DEPENDENCIES
  rails

CHECKSUMS
  rails (7.1.0) sha256=aa
`
const COMPOSER = JSON.stringify({
  packages: [{ name: 'monolog/monolog', version: '3.5.0', dist: { shasum: 'aa', reference: 'bb' } }],
  'packages-dev': [{ name: 'phpunit/phpunit', version: '10.0.0', source: { reference: 'cc' }, dist: { shasum: '' } }],
})
const GRADLE = `# This is a Gradle generated file for dependency locking.
org.slf4j:slf4j-api:2.0.9=compileClasspath,runtimeClasspath
empty=annotationProcessor
`
