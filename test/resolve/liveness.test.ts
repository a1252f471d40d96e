import { describe, expect, it } from 'vitest'
import { liveAmong, outlivedBy, successorOf } from '../../src/resolve/liveness.ts'
import type { Held } from '../../src/model/store.ts'
import { type Shape, SEALED, deadEnd, gate, handoff, held, idOf, residual } from './records.ts'

const RED = deadEnd(['npm', 'test'], 'ERR', [['tree:.', null]])
const OPEN = handoff(['npm', 'test'], 'ERR', ['tree:.'])
const GREEN = gate(['npm', 'test'], ['file:package.json'])
const early: Shape = { session: 'red', until: '2026-06-01T09:00:00Z' }
const late: Shape = { session: 'green', until: '2026-06-01T10:00:00.5Z' }

const live = (stored: readonly Held[]): string[] => liveAmong(stored).flatMap(({ claims }) => claims.map(({ claim_id }) => claim_id))

describe('a failure whose command later passed', () => {
  it.each([
    ['a dead end, by a gate', RED, GREEN],
    ['an open gate', OPEN, GREEN],
    ['a dead end, by a residual\'s gate', RED, residual('a list is sorted before it is cut', ['npm', 'test'], ['file:package.json'])],
  ])('with the same keys has fallen: %s', (_, red, green) => {
    const [before, after] = [held([red], early), held([green], late)]
    expect(live([before, after])).toEqual([idOf(green)])
    expect(outlivedBy(before, liveAmong([before])[0]?.claims[0] as never, [before, after])).toEqual([after.digest])
  })

  it('has fallen where the runs differ in temporary caches alone', () => {
    const [a, b] = ['/tmp/a', '/tmp/b'].map((folder) => ['ruff', 'check', '--cache-dir', folder]) as [string[], string[]]
    expect(live([held([deadEnd(a, 'ERR', [['tree:.', null]])], early), held([gate(b, ['file:package.json'])], late)])).toEqual([idOf(gate(b, ['file:package.json']))])
    const others = ['.a', '.b'].map((folder) => ['ruff', 'check', '--cache-dir', folder]) as [string[], string[]]
    expect(live([held([deadEnd(others[0], 'ERR', [['tree:.', null]])], early), held([gate(others[1], ['file:package.json'])], late)])).toHaveLength(2)
  })

  it.each([
    ['earlier', { ...late, until: '2026-06-01T08:00:00Z' }, RED, early],
    ['at the same time', { ...late, until: '2026-06-01T09:00:00Z' }, RED, early],
    ['under another value of its key', { ...late, sealed: { ...SEALED, 'tree:.': 'tree-9' } }, RED, early],
    ['where nobody looked at its key', { ...late, sealed: Object.fromEntries(Object.entries(SEALED).filter(([key]) => key !== 'tree:.')) }, RED, early],
    ['on another machine', { ...late, sealed: { ...SEALED, platform: 'other' } }, RED, early],
    ['for a stranger', { ...late, rank: 'other' as const }, RED, early],
    ['in another folder', late, deadEnd(['npm', 'test'], 'ERR', [['tree:.', null]], { folder: 'packages/a' }), early],
  ])('%s still stands', (_, shape, red, first) => {
    expect(live([held([red], first), held([GREEN], shape)])).toContain(idOf(red))
  })

  it('falls for strangers by this clone\'s own runs', () => {
    expect(live([held([RED], { ...early, rank: 'other' }), held([GREEN], late)])).toEqual([idOf(GREEN)])
  })
})

describe('the remnant that stands in another\'s place', () => {
  it('is the latest of its session, and none for itself', () => {
    const [one, two, other] = [held([RED], early), held([RED, GREEN], { ...early, until: '2026-06-01T11:00:00Z' }), held([GREEN], late)]
    expect([successorOf(one, [one, two, other]), successorOf(two, [one, two, other])]).toEqual([[two.digest], []])
  })

  /** Of many seals of one moment, told apart by a value of a key, one whose digest is as wished beside that of another. */
  const sealedSo = (claims: Parameters<typeof held>[0], fits: (digest: string) => boolean): Held => {
    for (let i = 0; i < 200; i++) {
      const one = held(claims, { ...early, sealed: { ...SEALED, 'os-release': `${i}` } })
      if (fits(one.digest)) return one
    }
    throw new Error('no digest fits')
  }

  it('is of the same moment the one that has all its claims and more, whichever digest is greater', () => {
    for (const isGreater of [true, false]) {
      const few = held([RED], early)
      const all = sealedSo([RED, GREEN], (digest) => digest > few.digest === isGreater)
      for (const stored of [[few, all], [all, few]]) {
        expect([successorOf(few, stored), successorOf(all, stored)]).toEqual([[all.digest], []])
        expect(live(stored).sort()).toEqual([idOf(RED), idOf(GREEN)].sort())
      }
    }
  })

  it('is of the same moment the one with the greatest digest where none has all claims of the other, or both have the same', () => {
    for (const claims of [[GREEN], [RED]]) {
      const red = held([RED], { ...early, sealed: { ...SEALED, 'os-release': 'x' } })
      const greater = sealedSo(claims, (digest) => digest > red.digest)
      expect([successorOf(red, [red, greater]), successorOf(greater, [greater, red])]).toEqual([[greater.digest], []])
    }
  })

  it('is one and the same in whatever order three are read that outdo each other in a circle', () => {
    const few = sealedSo([RED], (digest) => digest > 'c')
    const all = sealedSo([RED, GREEN], (digest) => digest < '4')
    const apart = sealedSo([OPEN], (digest) => digest > '4' && digest < 'c')
    for (const stored of [[few, all, apart], [few, apart, all], [all, few, apart], [all, apart, few], [apart, few, all], [apart, all, few]])
      expect(stored.map((one) => successorOf(one, stored)[0] ?? one.digest)).toEqual([apart.digest, apart.digest, apart.digest])
  })
})
