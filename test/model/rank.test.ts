import { expect, it } from 'vitest'
import { RANKS, type Rank, atLeast, byRank, isTrusted } from '../../src/model/rank.ts'

it.each<[Rank, Rank[]]>([
  ['own', ['own', 'signed', 'reported', 'other']],
  ['signed', ['signed', 'reported', 'other']],
  ['reported', ['reported', 'other']],
  ['other', ['other']],
])('%s is at least %j', (rank, least) => {
  expect(RANKS.filter((each) => atLeast(rank, each))).toEqual(least)
})

it('sorts the most trusted first', () => {
  expect([...RANKS].reverse().sort(byRank)).toEqual(RANKS)
})

it('takes own and signed for facts, and no others', () => {
  expect(RANKS.filter(isTrusted)).toEqual(['own', 'signed'])
})
