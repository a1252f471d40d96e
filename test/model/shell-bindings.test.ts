import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bindings } from '../../src/model/shell/bindings.ts'

const NAME = fc.constantFrom('a', 'b', 'c', 'd')
const STEP = fc.record({ from: fc.nat(), gone: fc.boolean(), pairs: fc.array(fc.tuple(NAME, fc.nat(9)), { maxLength: 4 }) })

const contentOf = (bindings: Bindings<number>): object => ({
  list: [...bindings.list].sort(),
  size: bindings.size,
  each: ['a', 'b', 'c', 'd'].map((name) => [bindings.has(name), bindings.get(name)]),
})

const contentIn = (map: ReadonlyMap<string, number>): object => ({
  list: [...map].sort(),
  size: map.size,
  each: ['a', 'b', 'c', 'd'].map((name) => [map.has(name), map.get(name)]),
})

describe('bindings', () => {
  it('keep every moment as it was, whichever is changed or asked next', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (steps, asked) => {
        const moments: [Bindings<number>, ReadonlyMap<string, number>][] = [[new Bindings(), new Map()]]
        for (const { from, gone, pairs } of steps) {
          const [bindings, map] = moments[from % moments.length] as (typeof moments)[number]
          const names: readonly string[] = pairs.map(([name]) => name)
          moments.push(gone ? [bindings.without(names), new Map([...map].filter(([name]) => !names.includes(name)))] : [bindings.with(pairs), new Map([...map, ...pairs])])
        }
        for (const at of [...asked.map((n) => n % moments.length), ...moments.keys()]) {
          const [bindings, map] = moments[at] as (typeof moments)[number]
          expect(contentOf(bindings)).toEqual(contentIn(map))
        }
      }),
    )
  })

  it('are another moment even where nothing changes', () => {
    const start = new Bindings<number>()
    expect(start.with([])).not.toBe(start)
    expect(start.without(['a'])).not.toBe(start)
  })

  it('go back over a long way without depth', () => {
    const start = new Bindings<number>()
    let last = start
    for (let i = 0; i < 10_000; i++) last = last.with([[`n${i}`, i]])
    expect([start.size, last.size, start.has('n0'), last.get('n7')]).toEqual([0, 10_000, false, 7])
  })
})
