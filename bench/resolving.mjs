import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program, watched } from './process.mjs'
import { median, ms } from './table.mjs'
import { bundled, output, project, valuesOf } from './tools.mjs'

const MANY = 10_000
const RUNS = 5

/** Reading and resolving a full store: whole processes, CPU time of the process and its children, in turn. */
export async function resolving(folder) {
  const repository = join(folder, 'repository')
  project(repository)
  const values = valuesOf(repository)
  const file = join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values))
  output([process.execPath, await bundled('filling', folder), String(MANY), file, 'refs', 'copies', 'own'], repository)
  writeFileSync(join(repository, '.git', 'info', 'exclude'), '/.remnants/\n')
  output([process.execPath, program, 'verify', '--json'], repository)
  await age(repository)

  const reader = await bundled('reading', folder)
  const floor = join(folder, 'floor.mjs')
  writeFileSync(floor, FLOOR)
  const asked = join(folder, 'keys.json')
  writeFileSync(asked, `${JSON.stringify({ keys: Object.keys(values) })}\n`)
  const resolve = [process.execPath, program, 'resolve', '--json']
  const forget = () => {
    const cache = join(repository, '.git', 'remnant', 'cache')
    for (const name of readdirSync(cache)) if (name.startsWith('verdicts')) rmSync(join(cache, name))
    rmSync(join(repository, '.git', 'remnant', 'known'), { force: true })
  }
  const changed = () => writeFileSync(join(repository, 'packages/p1/src/f1.js'), `export const x = ${process.hrtime.bigint()}\n`)
  const commands = [
    { argv: [process.execPath, floor] },
    { argv: [process.execPath, '-e', '0'] },
    { argv: [process.execPath, program, 'fingerprint', asked] },
    { argv: [process.execPath, reader] },
    { argv: resolve, before: forget },
    { argv: resolve },
    { argv: resolve, before: changed },
    { argv: resolve, before: changed },
    { argv: ['sh', '-c', CAT] },
  ]
  const found = commands.map(() => [])
  for (let run = -1; run < RUNS; run++)
    for (const [i, { argv, before }] of commands.entries()) {
      before?.()
      const one = costOf(argv, repository)
      if (run >= 0) found[i].push(one)
    }
  const cpu = found.map((all) => median(all.map((one) => one.cpu)))
  const wall = found.map((all) => median(all.map((one) => one.wall)))
  const [floorCpu, start, , reading] = cpu
  const told = (i) => `${ms(cpu[i])} (${ms(wall[i])})`
  const document = JSON.parse(output(resolve, repository))
  forget()
  const { peak } = await watched(resolve, repository)
  const readRatio = (reading - start) / (floorCpu - start)
  return {
    note: `${MANY} remnants of 3 claims, 60 distinct keys; floor: read + SHA-256 + JSON.parse of the same files in Node; CPU time of whole processes (wall time), medians of ${RUNS} in turn`,
    rows: [
      { what: 'reading all, the start of Node apart', value: told(3), floor: told(0), ratio: readRatio, target: '≤ 1.5', met: readRatio <= 1.5 },
      { what: `git cat-file --batch of the same`, value: told(8) },
      { what: '60 probes: git remnant fingerprint', value: told(2) },
      ...[['CPU', cpu], ['wall', wall]].flatMap(([kind, times]) => firstAndLater(kind, times)),
      { what: 'peak memory of a first resolve', value: `${peak.toFixed(0)} MiB`, target: '≤ 400 MiB', met: peak <= 400 },
      { what: 'remnants resolved', value: String(document.remnants.length), target: String(MANY), met: document.remnants.length === MANY },
      ...(await isolating(folder)),
    ],
  }
}

/** Rows of one kind of time, which "time" by itself does not tell: the first resolve's floor is reading, hashing and parsing, and besides it may take as long as the probes. */
function firstAndLater(kind, [floor, start, probes, , first, second, , later]) {
  const allowed = 1.5 * floor + (probes - start)
  return [
    { what: `first resolve, ${kind}; target: 1.5 floors and the probes`, value: ms(first), floor: ms(floor), ratio: first / floor, target: `≤ ${(allowed / floor).toFixed(2)}`, met: first <= allowed },
    { what: `  second, nothing changed, ${kind}`, value: ms(second), floor: ms(first), ratio: second / first, target: '≤ 0.3', met: second <= 0.3 * first },
    { what: `  a later one, one file changed, ${kind}`, value: ms(later), floor: ms(first), ratio: later / first },
  ]
}

/**
 * Delta isolation alone: n keys and n claims of two keys each, a tenth drifted. Linear: a key costs as much among many as among few, but for
 * what a Map costs that is larger than the processor's caches, which is measured beside it.
 */
async function isolating(folder) {
  const sizes = [1000, 10_000, 100_000]
  const times = JSON.parse(output([process.execPath, '--expose-gc', await bundled('isolating', folder), ...sizes.map(String)], folder))
  const each = (ms, i) => (ms * 1000) / (2 * sizes[i])
  const apart = times.map(({ isolating, looking }, i) => each(isolating - looking, i))
  return sizes.map((n, i) => ({
    what: `isolating ${n} keys and ${n} claims, CPU; looking up apart`,
    value: `${ms(times[i].isolating)}, ${each(times[i].isolating, i).toFixed(2)} µs each; looking up ${each(times[i].looking, i).toFixed(2)}`,
    ...(i > 0 && { floor: `${apart[0].toFixed(2)} µs each of ${sizes[0]}`, ratio: apart[i] / apart[0], target: '≤ 2', met: apart[i] <= 2 * apart[0] }),
  }))
}

/** CPU and wall milliseconds of a process and its children, as the shell's own `times` tells them. */
function costOf(argv, cwd) {
  const begun = process.hrtime.bigint()
  const told = output(['sh', '-c', '"$@" >/dev/null || exit; times', 'sh', ...argv], cwd)
  const wall = Number(process.hrtime.bigint() - begun) / 1e6
  const cpu = [...told.trim().split('\n').at(-1).matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
  return { wall, cpu }
}

/** What was written a moment ago is read again by the next look: the copies are to be old. */
function age(repository) {
  const past = new Date(Date.now() - 60_000)
  for (const name of readdirSync(join(repository, '.remnants'), { recursive: true })) utimesSync(join(repository, '.remnants', name), past, past)
  return new Promise((done) => setTimeout(done, 2500))
}

const CAT = `git for-each-ref refs/remnants --format='%(objectname):%(refname:lstrip=2)' | sed 's|:\\(..\\)\\(.*\\)$|:.remnants/\\1/\\1\\2.json|' | git cat-file --batch`

const FLOOR = `import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
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
if (read !== ${MANY}) throw new Error('read ' + read)
`
