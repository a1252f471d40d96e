import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, git, home, program, watched } from './process.mjs'
import { bundled } from './tools.mjs'

const RUNS = Number(process.env.FUZZ_RUNS ?? 10_000)
const SEED = process.env.FUZZ_SEED ?? '20260601'
const MOST_MS = 2000
const MOST_MIB = 300
/** A door that takes longer hangs at some input. */
const LONGEST_MS = 900_000
/** Inputs for a whole process each. */
const WHOLE = 12

/** Mutated inputs at every door: whether each was taken in or clearly refused, how long the slowest took, and the peak of memory. */
export async function fuzz(folder) {
  const tool = await bundled('fuzzing', folder)
  const names = spawnSync(process.execPath, [tool, home], { env, encoding: 'utf8' }).stdout.trim().split('\n')
  const rows = []
  for (const name of names) {
    const { status, peak, output } = await watched([process.execPath, '--max-semi-space-size=16', tool, home, name, String(RUNS), SEED], home, LONGEST_MS)
    if (status === null) {
      rows.push({ what: `${RUNS.toLocaleString('en')} ${name}`, value: `no end within ${LONGEST_MS / 1000} s`, target: `no crash, ${MOST_MS} ms, ${MOST_MIB} MiB`, met: false })
      continue
    }
    if (status !== 0) throw new Error(`${name} ended with ${status}`)
    const { runs, taken, slowest, crash, slow } = JSON.parse(output)
    for (const found of [crash, slow]) if (found !== null) console.error(`${name}: ${JSON.stringify(found).slice(0, 2000)}`)
    rows.push({ what: `${runs.toLocaleString('en')} ${name}`, value: `${taken} taken in, slowest ${slowest} ms, ${peak.toFixed(0)} MiB`, target: `no crash, ${MOST_MS} ms, ${MOST_MIB} MiB`, met: crash === null && slow === null && peak <= MOST_MIB && runs === RUNS })
  }
  rows.push(whole(folder))
  return { rows }
}

/** Logs that were cut, doubled, and filled with garbage, given to the program itself. */
function whole(folder) {
  const repository = join(folder, 'whole')
  git(folder, 'init', '-q', repository)
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'start')
  const logs = readdirSync(join(home, 'test/logs'), { recursive: true }).filter((name) => /\.(?:jsonl|json|md|traj)$/.test(name) && !name.endsWith('.turns.json'))
  let [runs, wrong] = [0, 0]
  for (const name of logs) {
    const bytes = readFileSync(join(home, 'test/logs', name))
    for (let i = 0; i < Math.ceil((3 * WHOLE) / logs.length); i++) {
      const at = Math.floor((bytes.byteLength * (i + 1)) / 5)
      const input = [bytes.subarray(0, at), Buffer.concat([bytes.subarray(0, at), Buffer.alloc(3000, 255), bytes.subarray(at)]), Buffer.concat([bytes, bytes.subarray(at)])][i % 3]
      const { status, stderr, signal } = spawnSync(process.execPath, [program, 'observe'], { cwd: repository, env, input, encoding: 'utf8', timeout: 20_000 })
      runs += 1
      if (signal !== null || status === 70 || (status !== 0 && !/git-remnant: /.test(stderr))) {
        wrong += 1
        console.error(`${name}, ${i}: ${status ?? signal} ${stderr.slice(0, 500)}`)
      }
    }
  }
  return { what: `${runs} spoilt logs, a process each`, value: `${wrong} wrong`, target: 'none', met: wrong === 0 }
}
