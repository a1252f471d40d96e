/**
 * How far a remnant is trusted (DESIGN 9), the most trusted first: `own`: this clone sealed it · `signed` by an accepted key ·
 * `reported`: it came from the accepted remote, unsigned · `other`.
 */
export const RANKS = ['own', 'signed', 'reported', 'other'] as const
export type Rank = (typeof RANKS)[number]

/** Whether `rank` is `least` or above. A remnant answers, outranks or outvotes only what it is at least equal to. */
export const atLeast = (rank: Rank, least: Rank): boolean => RANKS.indexOf(rank) <= RANKS.indexOf(least)

/** For sorting: the most trusted first. */
export const byRank = (a: Rank, b: Rank): number => RANKS.indexOf(a) - RANKS.indexOf(b)

/** Whether what it says may be taken for a fact, and what it names may be run: reported claims may cause no more than a note. */
export const isTrusted = (rank: Rank): boolean => atLeast(rank, 'signed')
