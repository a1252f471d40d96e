import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { type Stage, gitIn, stage } from '../stage.ts'
import { all } from './store-suite.ts'

const REMNANTS = ['one', 'two', 'three', 'four'].map((gate) => aRemnant([gate]))
const refsOf = (staged: Stage): string => gitIn(staged.dir, 'for-each-ref', 'refs/remnants')
const fetch = (to: Stage, from: Stage): string => gitIn(to.dir, 'fetch', '-q', '--no-prune', from.dir, 'refs/remnants/*:refs/remnants/*')

it('makes one and the same union of two clones, in whatever order they fetch', async () => {
  const picks = fc.subarray(REMNANTS)
  await fc.assert(
    fc.asyncProperty(picks, picks, fc.boolean(), async (here, there, turned) => {
      const [a, b] = [stage(), stage()]
      try {
        for (const remnant of here) await a.store.write(remnant)
        for (const remnant of [...there].reverse()) await b.store.write(remnant)
        if (turned) fetch(b, a)
        fetch(a, b)
        fetch(b, a)
        expect(refsOf(a)).toBe(refsOf(b))
        const union = [...new Set([...here, ...there].map(digestOfRemnant))].sort()
        expect(await a.store.digests()).toEqual(union)
        const read = async (staged: Stage) => (await all(staged.store)).map((each) => ({ digest: each.digest, remnant: 'remnant' in each && each.remnant }))
        expect(await read(a)).toEqual(await read(b))
      } finally {
        a.dispose()
        b.dispose()
      }
    }),
    { numRuns: 4, examples: [[REMNANTS.slice(0, 3), REMNANTS.slice(1), false]] },
  )
}, 60_000)

it('knows its own remnants from fetched ones', async () => {
  const [a, b] = [stage(), stage()]
  await a.store.write(REMNANTS[0] as (typeof REMNANTS)[0])
  await b.store.write(REMNANTS[1] as (typeof REMNANTS)[0])
  fetch(a, b)
  const own = (await all(a.store)).map((each) => [each.digest, 'rank' in each && each.rank])
  expect(Object.fromEntries(own)).toEqual({ [digestOfRemnant(REMNANTS[0] as never)]: 'own', [digestOfRemnant(REMNANTS[1] as never)]: 'other' })
})
