import { HARMS, spoilGround, spoilt } from '../test/faults/spoiling.ts'

/** `node spoiling.mjs HOME`: every file of local state, and a ref, spoilt in every way, before every verb; one JSON line a file and way. */
const [, , home = ''] = process.argv
const set = spoilGround(home)
try {
  for (const path of set.paths) for (const harm of Object.keys(HARMS)) console.log(JSON.stringify({ path, harm, wrong: spoilt(path, harm, set) }))
} finally {
  set.at.dispose()
}
