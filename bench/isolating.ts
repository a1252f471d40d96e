import { sha256 } from '../src/base/digest.ts'
import { fingerprintOf } from '../src/model/remnant.ts'
import { isolate } from '../src/resolve/isolate.ts'

/**
 * `node --expose-gc isolating.mjs N…`: CPU milliseconds of one isolation over n keys and n claims of two keys each, a tenth drifted.
 * Each run does as many as make about 100,000 keys, behind a collection of garbage, so that small sizes stand as long as large ones and are
 * as warm; sizes take turns, and the least of the runs counts: what else the machine does only adds.
 */
const RUNS = 3
const KEYS = 100_000
const sizes = process.argv.slice(2).map(Number)
const isolations = sizes.map(isolationOf)
for (const run of isolations) run()
const least = sizes.map(() => Infinity)
for (let turn = 0; turn < RUNS; turn++)
  for (const [at, run] of isolations.entries()) {
    const times = Math.max(1, Math.round(KEYS / (sizes[at] as number)))
    globalThis.gc?.()
    const start = process.cpuUsage()
    for (let i = 0; i < times; i++) run()
    const { user, system } = process.cpuUsage(start)
    least[at] = Math.min(least[at] as number, (user + system) / 1000 / times)
  }
console.log(JSON.stringify(least))

function isolationOf(n: number): () => void {
  const keys = Array.from({ length: n }, (_, i) => `file:src/${String(i).padStart(6, '0')}`)
  const baselines = keys.map((key): [string, string] => [key, sha256(key)])
  const map = keys.map((key, i): [string, string[]] => [sha256(`claim ${i}`), i + 1 < n ? [key, keys[i + 1] as string] : [key]]).sort(([a], [b]) => (a < b ? -1 : 1))
  const current = new Map(baselines.map(([key, hash], i) => [key, i % 10 === 0 ? sha256('other') : hash]))
  const seal = fingerprintOf(baselines)
  return () => {
    // A list of its own each time: the seal of one that was seen before is not computed anew.
    const manifest = { record_id: 'r', precondition_seal: seal, baseline_key_hashes: [...baselines], structural_keys: [], claim_dependency_map: map }
    if (isolate(manifest, current).verdict !== 'PARTIAL_REPROBE_REQUIRED') throw new Error('another verdict')
  }
}
