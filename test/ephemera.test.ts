import { describe, expect, it } from 'vitest'
import { ephemera } from '../src/ephemera.ts'

describe('the ephemera', () => {
  it('have each a kind of their own and a reason', () => {
    expect(new Set(ephemera.map(({ kind }) => kind)).size).toBe(ephemera.length)
    for (const { kind, why } of ephemera) {
      expect(kind).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
      expect(why).toMatch(/^[A-Z].{20,}\.$/)
    }
  })

  it('leave one sign for every secret, so that its kind tells nothing', () =>
    expect(new Set(ephemera.filter(({ weight }) => weight === 'secret').map(({ placeholder }) => placeholder))).toEqual(new Set(['<secret>'])))

  it('leave placeholders that no other of them takes for its own', async () => {
    for (const { placeholder, weight } of ephemera.filter((one) => one.placeholder !== ''))
      for (const other of ephemera)
        for (const text of [placeholder, `in ${placeholder}/x.ts:`, `--a=${placeholder} b`, `"${placeholder}"`]) expect([weight, other.kind, text, await other.find(text, { session: 'session-7f3a', root: null })]).toEqual([weight, other.kind, text, []])
  })
})
