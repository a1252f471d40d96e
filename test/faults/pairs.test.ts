import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAIRS, pairGround, together } from './pairs.ts'

let set: ReturnType<typeof pairGround>
beforeAll(() => {
  set = pairGround(join(import.meta.dirname, '../..'))
})
afterAll(() => set.at.dispose())

/** `npm run bench faults` takes all. */
const SAMPLE = [['teardown', 'teardown'], ['init', 'deinit'], ['forget', 'verify --repair']]

it.each(SAMPLE)('%s and %s at once in one clone lose nothing', async (one, other) => {
  const pair = PAIRS.find(([a, b]) => (a.name === one && b.name === other) || (a.name === other && b.name === one))
  if (pair === undefined) throw new Error('no such pair')
  expect(await together(pair, set)).toEqual([])
})
