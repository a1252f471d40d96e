import type { Claim } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { verdictOf } from '../model/outcome.ts'
import type { Outlined, OutlinedClaim } from '../model/outline.ts'
import { RANKS, type Rank, atLeast } from '../model/rank.ts'
import type { Resolved, Verdict } from '../model/verdict.ts'
import type { Judged } from './judged.ts'
import { sameKey } from '../model/temporary-caches.ts'

/** What one remnant says of one command: the claims that rest on its being green, and those that it is red. */
interface Testimony {
  readonly digest: string
  readonly rank: Rank
  readonly green: string[]
  readonly deadEnd: string[]
  readonly handoff: string[]
}

/**
 * The claims that equally good evidence contradicts, by digest: the same canonical command green and red, where the keys of
 * both match here. Neither is believed until probed. A remnant is contradicted by its own rank or above only. A handoff is its
 * gate's last run, so within one remnant it follows the green and does not contradict it. A done deed is never contradicted:
 * that the same command failed another time undoes nothing.
 */
export function contradictionsAmong(remnants: readonly Judged[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const testimonies of testimoniesOf(remnants).values()) {
    const greens = rankOf(testimonies, ({ green }) => green.length > 0)
    const reds = rankOf(testimonies, ({ deadEnd, handoff }) => deadEnd.length + handoff.length > 0)
    for (const said of testimonies) {
      const suspended = [
        ...(said.deadEnd.length > 0 || reds.besides(said) ? said.green : []),
        ...(said.green.length > 0 || greens.besides(said) ? said.deadEnd : []),
        ...(greens.besides(said) ? said.handoff : []),
      ]
      if (suspended.length === 0) continue
      const against = found.get(said.digest) ?? new Set()
      for (const claim of suspended) against.add(claim)
      found.set(said.digest, against)
    }
  }
  return found
}

/** The digests of the remnants that contradict a contradicted claim, of its own rank or above. */
export function opponentsOf(digest: string, claim: Claim, remnants: readonly Resolved[]): string[] {
  const side = sideOf(claim)
  const mine = remnants.find((one) => one.digest === digest)
  if (side === null || mine === undefined) return []
  const key = sameKey(side.command)
  const opposes = (other: Claim): boolean => {
    const theirs = sideOf(other)
    return theirs !== null && (theirs.as === 'green') !== (side.as === 'green') && sameKey(theirs.command) === key
  }
  return remnants
    .filter((one) => atLeast(one.rank, mine.rank) && one.claims.some((here) => (here.holds || here.contradicted) && opposes(here.claim)))
    .map((one) => one.digest)
}

/** The reports with contradicted claims moved from the retained to the invalidated. */
export const withContradictions = <T extends Outlined>(remnants: readonly Judged<T>[], contradictions: ReadonlyMap<string, ReadonlySet<string>>): Judged<T>[] => {
  if (contradictions.size === 0) return remnants.slice()
  return remnants.map((judged) => {
    const against = contradictions.get(judged.one.digest)
    if (against === undefined) return judged
    const { report, claims } = judged
    const retained = report.retained_claims.filter((claim) => !against.has(claim))
    const verdict: Verdict = retained.length === 0 ? 'FULL_RECONSTRUCTION_REQUIRED' : 'PARTIAL_REPROBE_REQUIRED'
    const isAgainst = ({ id }: OutlinedClaim): boolean => against.has(id)
    return {
      ...judged,
      report: { ...report, verdict, reason: 'contradiction', retained_claims: retained, invalidated_claims: [...report.invalidated_claims, ...against].sort() },
      holding: judged.holding.filter((claim) => !isAgainst(claim)),
      contradicted: claims.filter(isAgainst),
    }
  })
}

/** Of the commands that somebody calls green and somebody red: most stores hold none. */
function testimoniesOf(remnants: readonly Judged[]): Map<string, Testimony[]> {
  const disputed = disputedAmong(remnants.map(({ holding }) => holding))
  if (disputed.size === 0) return new Map()
  const byCommand = new Map<string, Map<string, Testimony>>()
  for (const { one, holding } of remnants)
    for (const { id, says, command } of holding) {
      if (says === 'nothing' || !disputed.has(command)) continue
      const said = byCommand.get(command) ?? new Map<string, Testimony>()
      const testimony = said.get(one.digest) ?? { digest: one.digest, rank: one.rank, green: [], deadEnd: [], handoff: [] }
      testimony[says].push(id)
      byCommand.set(command, said.set(one.digest, testimony))
    }
  return new Map([...byCommand].map(([command, said]) => [command, [...said.values()]]))
}

/** The commands that some of these claims call green and some red. */
export function disputedAmong(remnants: readonly (readonly OutlinedClaim[])[]): Set<string> {
  const reds = new Set<string>()
  for (const claims of remnants) for (const { says, command } of claims) if (says === 'deadEnd' || says === 'handoff') reds.add(command)
  const disputed = new Set<string>()
  if (reds.size > 0) for (const claims of remnants) for (const { says, command } of claims) if (says === 'green' && reds.has(command)) disputed.add(command)
  return disputed
}

function sideOf(claim: Claim): { command: CanonicalCommand; as: 'green' | 'deadEnd' | 'handoff' } | null {
  switch (claim.list) {
    case 'verified_invariants':
      return verdictOf(claim.verification_receipt.outcome) === true ? { command: claim.verification_receipt.command, as: 'green' } : null
    case 'debug_residuals':
      return { command: claim.regression_gate_signature, as: 'green' }
    case 'falsified_boundaries':
      return { command: claim.path, as: 'deadEnd' }
    case 'unresolved_handoffs':
      return { command: claim.failing_gate, as: 'handoff' }
    case 'non_idempotent_commits':
      return null
  }
}

/** Counts, so that many remnants about one command cost no more than reading them. */
function rankOf(testimonies: readonly Testimony[], says: (said: Testimony) => boolean): { besides(said: Testimony): boolean } {
  const saying = testimonies.filter(says)
  const upTo = new Map(RANKS.map((least) => [least, saying.filter(({ rank }) => atLeast(rank, least)).length]))
  return { besides: (said) => (upTo.get(said.rank) as number) - (says(said) ? 1 : 0) > 0 }
}
