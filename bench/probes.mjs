import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asked } from './keys/asked.mjs'
import { env, git } from './process.mjs'
import { median, ms } from './table.mjs'

const FILES = 1000
const RUNS = 7

/** What each probe costs: in a new look at the world, with versions of programs not yet known and known, and again in the same look. */
export async function probing(folder) {
  const repository = realpathSync(fill(join(folder, 'repository')))
  const parts = await asked(folder)
  const unknown = await parts.costs(repository, KEYS, env)
  const known = []
  for (let i = 0; i < RUNS; i++) known.push(await parts.costs(repository, KEYS, env))
  return {
    note: `milliseconds a key, in a work tree of ${FILES} files; known: medians of ${RUNS}. The limit is 2,000 ms a key`,
    rows: KEYS.map((key, i) => {
      const times = known.map((run) => run[i])
      const first = median(times.map((time) => time.first))
      return { what: key, value: `${ms(unknown[i].first)} at first, ${ms(first)} later`, floor: `${ms(median(times.map((time) => time.again)))} again`, target: '≤ 2000 ms', met: unknown[i].first <= 2000 && first <= 2000 }
    }),
  }
}

const KEYS = [
  'platform', 'privilege', 'os-release', 'repository', 'tool:node', 'tool:npm', 'tool:git', 'tool:python3', 'tool:make', 'absent-tool:no-such-program',
  'file:package.json', 'file:folder-3/file-33.js', 'absent:nothing/here.txt', 'tree:.', 'tree:folder-3', 'names:.', 'reads:[".","node","main.js"]', 'reads:[".","node","fs.js"]', 'reads:[".","sh","run.sh"]', 'env:CI', 'target:git-remote/origin',
  'lock:npm/package-7', 'lock:pip/package-7', 'lock:cargo/package-7', 'lock:go/example.com/package-7', 'lock:gem/package-7', 'lock:composer/a/package-7', 'lock:gradle/a:package-7',
]

function fill(repository) {
  const write = (path, text) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  for (let i = 0; i < FILES; i++) write(`folder-${Math.floor(i / 100)}/file-${i % 100}.js`, `export const n = ${i}\n`)
  write('main.js', Array.from({ length: 700 }, (_, i) => `import './folder-${Math.floor(i / 100)}/file-${i % 100}.js'\n`).join(''))
  write('fs.js', "import fs from 'fs'\nexport default fs\n")
  write('run.sh', 'sort package.json | uniq | wc -l\n')
  write('package.json', '{"name":"bench"}\n')
  const lines = (one) => Array.from({ length: 1500 }, (_, i) => one(`package-${i}`, `1.${i}.0`)).join('')
  write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`node_modules/package-${i}`, { version: `1.${i}.0`, integrity: `sha512-${i}` }])) }))
  write('poetry.lock', lines((name, version) => `[[package]]\nname = "${name}"\nversion = "${version}"\nfiles = [\n    {file = "a", hash = "sha256:aa"},\n]\n\n`))
  write('Cargo.lock', lines((name, version) => `[[package]]\nname = "${name}"\nversion = "${version}"\nchecksum = "aa"\n\n`))
  write('go.sum', lines((name, version) => `example.com/${name} v${version} h1:aa=\n`))
  write('Gemfile.lock', `GEM\n  specs:\n${lines((name, version) => `    ${name} (${version})\n`)}`)
  write('composer.lock', JSON.stringify({ packages: Array.from({ length: 1500 }, (_, i) => ({ name: `a/package-${i}`, version: `1.${i}.0`, dist: { shasum: 'aa' } })) }))
  write('gradle.lockfile', lines((name, version) => `a:${name}:${version}=compileClasspath\n`))
  git(repository, 'init', '-q')
  git(repository, 'remote', 'add', 'origin', 'https://example.invalid/a/b.git')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'start')
  return repository
}
