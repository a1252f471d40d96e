import { sha256 } from '../src/base/digest.ts'
import { fingerprintOf } from '../src/model/remnant.ts'
import { isolate } from '../src/resolve/isolate.ts'

/** `node isolating.mjs N…`: milliseconds (the median of nine) of one isolation over n keys and n claims of two keys each, a tenth drifted. */
const times = process.argv.slice(2).map((size) => {
  const n = Number(size)
  const keys = Array.from({ length: n }, (_, i) => `file:src/${String(i).padStart(6, '0')}`)
  const baselines = keys.map((key): [string, string] => [key, sha256(key)])
  const map = keys.map((key, i): [string, string[]] => [sha256(`claim ${i}`), i + 1 < n ? [key, keys[i + 1] as string] : [key]]).sort(([a], [b]) => (a < b ? -1 : 1))
  const current = new Map(baselines.map(([key, hash], i) => [key, i % 10 === 0 ? sha256('other') : hash]))
  const seal = fingerprintOf(baselines)
  const runs = Array.from({ length: 9 }, () => {
    const manifest = { record_id: 'r', precondition_seal: seal, baseline_key_hashes: [...baselines], structural_keys: [], claim_dependency_map: map }
    const start = process.hrtime.bigint()
    if (isolate(manifest, current).verdict !== 'PARTIAL_REPROBE_REQUIRED') throw new Error('another verdict')
    return Number(process.hrtime.bigint() - start) / 1e6
  })
  return runs.sort((a, b) => a - b)[4]
})
console.log(JSON.stringify(times))
