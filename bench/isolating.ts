import { sha256 } from '../src/base/digest.ts'
import { fingerprintOf } from '../src/model/remnant.ts'
import { isolate } from '../src/resolve/isolate.ts'

/**
 * `node --expose-gc isolating.mjs N…`: CPU milliseconds of one isolation over n keys and n claims of two keys each, a tenth drifted, and
 * of looking each key and each claim's keys up in a Map and nothing else: `[{isolating, looking}…]`. What it is given is as a parser leaves it.
 * Each run does as many as make about 100,000 keys, behind a collection of garbage, so that small sizes stand as long as large ones and are
 * as warm; sizes take turns, and the least of the runs counts: what else the machine does only adds.
 */
const RUNS = 5
const KEYS = 100_000
const sizes = process.argv.slice(2).map(Number)
const works = sizes.map(worksOf)
for (const { isolating, looking } of works) {
  isolating()
  looking()
}
const least = sizes.map(() => ({ isolating: Infinity, looking: Infinity }))
for (let turn = 0; turn < RUNS; turn++)
  for (const [at, work] of works.entries())
    for (const name of ['isolating', 'looking'] as const) {
      const times = Math.max(1, Math.round(KEYS / (sizes[at] as number)))
      const found = least[at] as (typeof least)[number]
      globalThis.gc?.()
      const start = process.cpuUsage()
      for (let i = 0; i < times; i++) work[name]()
      const { user, system } = process.cpuUsage(start)
      found[name] = Math.min(found[name], (user + system) / 1000 / times)
    }
console.log(JSON.stringify(least))

function worksOf(n: number): { isolating(): void; looking(): void } {
  const names = Array.from({ length: n }, (_, i) => `file:src/${String(i).padStart(6, '0')}`)
  const claims = names.map((key, i): [string, string[]] => [sha256(`claim ${i}`), i + 1 < n ? [key, names[i + 1] as string] : [key]]).sort(([a], [b]) => (a < b ? -1 : 1))
  const baselines = asParsed(names.map((key): [string, string] => [key, sha256(key)]))
  const map = asParsed(claims)
  const current = new Map(asParsed(baselines.map(([key, hash], i): [string, string] => [key, i % 10 === 0 ? sha256('other') : hash])))
  const seal = fingerprintOf(baselines)
  return {
    isolating: () => {
      // A list of its own each time: the seal of one that was seen before is not computed anew.
      const manifest = { record_id: 'r', precondition_seal: seal, baseline_key_hashes: [...baselines], structural_keys: [], claim_dependency_map: map }
      if (isolate(manifest, current).verdict !== 'PARTIAL_REPROBE_REQUIRED') throw new Error('another verdict')
    },
    looking: () => {
      let found = 0
      for (const [key] of baselines) if (current.has(key)) found += 1
      for (const [, keys] of map) for (const key of keys) if (current.has(key)) found += 1
      if (found !== 3 * n - 1) throw new Error('another number of keys')
    },
  }
}

function asParsed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
