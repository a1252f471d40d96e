// The main job on the sample session: distil, seal, show, drift, and what a successor is told before and after.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(home, 'dist', 'git-remnant.cjs')
const sample = join(home, 'test', 'sample')
const repository = mkdtempSync(join(tmpdir(), 'git-remnant-demo-'))
const at = '2026-06-01T08:00:00Z'
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_AUTHOR_DATE: at,
  GIT_COMMITTER_DATE: at,
}

const start = (argv, shown) => {
  console.log(`\n$ ${shown}`)
  const { status } = spawnSync(argv[0], argv.slice(1), { cwd: repository, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`"${shown}" ended with ${status}`)
}
const remnant = (...args) => start([process.execPath, program, ...args], `git remnant ${args.map((arg) => arg.replace(sample, 'sample')).join(' ')}`)
const quietly = (...argv) => {
  const { status, stderr } = spawnSync('git', argv, { cwd: repository, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${argv[0]} failed: ${stderr}`)
}

try {
  cpSync(join(sample, 'project'), repository, { recursive: true })
  quietly('init', '-q', '-b', 'main')
  quietly('remote', 'add', 'origin', 'git@git.example.com:dev/clockwork.git')
  quietly('add', '-A')
  quietly('-c', 'user.name=Dev', '-c', 'user.email=dev@example.org', 'commit', '-q', '-m', 'Start')
  console.log('A session has ended; its log and the project as it left it lie in test/sample. A scratch repository holds a copy of the project.')
  remnant('teardown', '--transcript', join(sample, 'session.jsonl'), '--here')
  remnant('list')
  const digest = spawnSync(process.execPath, [program, 'list', '--json'], { cwd: repository, env, encoding: 'utf8' })
  remnant('show', JSON.parse(digest.stdout).remnants[0].digest.slice(0, 12))
  remnant('resolve')
  remnant('brief')
  console.log('\nNow package.json changes, on which some of these claims rest, and some do not.')
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  writeFileSync(join(repository, 'package.json'), `${JSON.stringify({ ...manifest, description: 'changed since' }, null, 2)}\n`)
  remnant('resolve')
  remnant('brief')
} finally {
  rmSync(repository, { recursive: true, force: true })
}
