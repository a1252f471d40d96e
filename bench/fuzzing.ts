import { join } from 'node:path'
import { doors } from '../test/faults/doors.ts'
import { fuzz } from '../test/faults/fuzzing.ts'

/** `node fuzzing.mjs HOME`: names of the doors, one a line · `node fuzzing.mjs HOME DOOR RUNS SEED`: what came of so many mutants at one, as JSON. */
const [, , home = '', name, runs = '10000', seed = '1'] = process.argv
const all = doors(join(home, 'test/logs'))
if (name === undefined) console.log(all.map((door) => door.name).join('\n'))
else {
  const door = all.find((one) => one.name === name)
  if (door === undefined) throw new Error(`no door "${name}"`)
  console.log(JSON.stringify(await fuzz(door, Number(runs), Number(seed))))
}
for (const door of all) door.close?.()
