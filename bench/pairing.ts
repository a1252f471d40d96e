import { PAIRS, pairGround, together } from '../test/faults/pairs.ts'

/** `node pairing.mjs HOME [TIMES [NAME]]`: two processes at once at every pair of verbs (of which one is NAME); one JSON line a pair. */
const [, , home = '', times = '1', name = ''] = process.argv
const set = pairGround(home)
try {
  for (const pair of PAIRS.filter((one) => name === '' || one.some((verb) => verb.name === name))) {
    const wrong: string[] = []
    for (let i = 0; i < Number(times); i++) wrong.push(...(await together(pair, set)))
    console.log(JSON.stringify({ pair: pair.map((verb) => verb.name), wrong }))
  }
} finally {
  set.at.dispose()
}
