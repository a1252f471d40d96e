import { type Claim, isConfirmed } from '../model/claim.ts'
import { type Rank, byRank, isTrusted } from '../model/rank.ts'

/** One remnant's word on a claim. */
export interface Word {
  readonly rank: Rank
  readonly claim: Claim
}

/**
 * For sorting words on one claim: who speaks for it comes first. That is whoever is trusted the most; but what was done stays done,
 * so that of those who may be believed one who knows what came of a deed comes before one who does not.
 */
export const byWeight = (a: Word, b: Word): number =>
  Number(isTrusted(b.rank)) - Number(isTrusted(a.rank)) || Number(isConfirmed(b.claim)) - Number(isConfirmed(a.claim)) || byRank(a.rank, b.rank)

/** Those of a claim's words, at least one, that weigh as much as the first: they speak for it, and they alone corroborate one another. */
export function speaking<W extends Word>(words: readonly W[]): readonly W[] {
  const sorted = [...words].sort(byWeight)
  return sorted.filter((one) => byWeight(one, sorted[0] as W) === 0)
}
