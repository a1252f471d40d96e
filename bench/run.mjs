// What is fast, shown: `npm run bench [NAME…]`. Every figure stands beside its floor, measured in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distilling } from './distilling.mjs'
import { faults } from './faults.mjs'
import { fuzz } from './fuzz.mjs'
import { guarding } from './guarding.mjs'
import { guardtruth } from './guardtruth.mjs'
import { keys } from './keys.mjs'
import { probing } from './probes.mjs'
import { replay } from './replay.mjs'
import { resolving } from './resolving.mjs'
import { secrets } from './secrets.mjs'
import { signatures } from './signatures.mjs'
import { starting } from './starting.mjs'
import { storing } from './storing.mjs'
import { print } from './table.mjs'
import { truth } from './truth.mjs'

/** They look for what is wrong and not for what is fast, and take long: by name alone. */
const long = { faults, fuzz }
const benches = { guard: guarding, starting, distilling, resolving, storing, signatures, keys, probing, truth, guardtruth, replay, secrets }
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches) && !(name in long))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys({ ...benches, ...long }).join(', ')}`)
  process.exit(64)
}

for (const [name, bench] of Object.entries({ ...benches, ...long })) {
  if (asked.length > 0 ? !asked.includes(name) : name in long) continue
  const folder = mkdtempSync(join(tmpdir(), `git-remnant-bench-${name}-`))
  try {
    print(name, await bench(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
