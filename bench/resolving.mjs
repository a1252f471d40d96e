import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import build from '../build/rolldown.config.mjs'
import { env, git, home, interleaved, program } from './process.mjs'
import { median, ms } from './table.mjs'

const REMNANTS = 1000
const RUNS = 15

/** Reading and resolving a full store. */
export async function resolving(folder) {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  git(repository, 'init', '-q')
  writeFileSync(join(repository, 'package.json'), '{"name":"bench","scripts":{"test":"node --test"}}\n')
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', 'start')
  fill(repository)
  const reader = join(folder, 'reading.mjs')
  const bundle = await rolldown({ input: join(home, 'bench', 'reading.ts'), platform: 'node', logLevel: 'silent', resolve: build.resolve })
  await bundle.write({ file: reader, format: 'esm', codeSplitting: false })
  const floorFile = join(folder, 'floor.mjs')
  writeFileSync(floorFile, FLOOR)
  const [ours, floors] = [[], []]
  for (let i = -2; i < RUNS; i++)
    for (const [file, into] of [[reader, ours], [floorFile, floors]]) {
      const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: repository, env, encoding: 'utf8' })
      if (stdout === '') throw new Error(stderr)
      const { read, ms: time } = JSON.parse(stdout)
      if (read !== REMNANTS) throw new Error(`${file} read ${read} of ${REMNANTS}`)
      if (i >= 0) into.push(time)
    }
  const ratio = median(ours.map((time, i) => time / floors[i]))
  const [start, resolve] = interleaved([[process.execPath, '-e', '0'], [process.execPath, program, 'resolve', '--json']], 7, repository)
  const document = JSON.parse(spawnSync(process.execPath, [program, 'resolve', '--json'], { cwd: repository, env, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout)
  return {
    note: `${REMNANTS} remnants of 2 claims; floor: read + SHA-256 + JSON.parse of the same files in Node; medians of ${RUNS} processes in turn, their start apart`,
    rows: [
      { what: 'reading all', value: ms(median(ours)), floor: ms(median(floors)), ratio, target: '≤ 1.5', met: ratio <= 1.5 },
      { what: `resolving all: the whole process, ${REMNANTS + 9} keys probed once each`, value: ms(median(resolve)), floor: ms(median(start)) },
      { what: 'remnants resolved', value: String(document.remnants.length), target: String(REMNANTS), met: document.remnants.length === REMNANTS },
    ],
  }
}

const FLOOR = `import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
const start = process.hrtime.bigint()
let read = 0
for (const folder of readdirSync('.remnants')) {
  if (folder.length !== 2) continue
  for (const name of readdirSync('.remnants/' + folder)) {
    const bytes = readFileSync('.remnants/' + folder + '/' + name)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const value = JSON.parse(bytes.toString('utf8'))
    if (digest + '.json' === name && typeof value === 'object') read += 1
  }
}
console.log(JSON.stringify({ read, ms: Number(process.hrtime.bigint() - start) / 1e6 }))
`

/** Stores as many remnants as sessions: each a gate and a dead end of its own, from journals that one teardown seals. */
function fill(repository) {
  const journals = join(repository, '.git', 'remnant', 'journals')
  mkdirSync(journals, { recursive: true })
  for (let i = 0; i < REMNANTS; i++) {
    const session = `session-${i}`
    const line = (record, command, code, output) => ({
      ...{ schema: 'git-remnant/observation/1', host: 'claude-code', session, record_id: record },
      ...{ at: new Date(Date.UTC(2026, 0, 1) + i * 60000).toISOString(), kind: 'command', folder: '.', head: null, command },
      ...{ outcome: { is: 'code', code }, output, edits: [], declared: null, keys: {}, worktree: repository },
    })
    const lines = [line('a', `npm test -- suite-${i}`, 0, '# pass 3\n'), line('b', `tool-${i}-absent --run`, 127, `bash: line 1: tool-${i}-absent: command not found\n`)]
    const name = `claude-code-${createHash('sha256').update(session).digest('hex')}.jsonl`
    writeFileSync(join(journals, name), lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
  }
  const { status, stderr } = spawnSync(process.execPath, [program, 'teardown', '--here', '--json'], { cwd: repository, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`teardown ended with ${status}: ${stderr}`)
}
