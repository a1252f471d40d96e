// What is fast, shown: `npm run bench [NAME…]`. Every figure stands beside its floor, measured in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distilling } from './distilling.mjs'
import { keys } from './keys.mjs'
import { probing } from './probes.mjs'
import { resolving } from './resolving.mjs'
import { signatures } from './signatures.mjs'
import { starting } from './starting.mjs'
import { print } from './table.mjs'

const benches = { starting, distilling, resolving, signatures, keys, probing }
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(64)
}

for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const folder = mkdtempSync(join(tmpdir(), `git-remnant-bench-${name}-`))
  try {
    print(name, await bench(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
