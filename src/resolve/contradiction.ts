import { type CanonicalCommand, commandKey, commandSketch } from '../model/command.ts'
import { verdictOf } from '../model/outcome.ts'
import type { Claim } from '../model/claim.ts'
import { RANKS, type Rank, atLeast } from '../model/rank.ts'
import type { Resolved, Verdict } from '../model/verdict.ts'

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
export function contradictionsAmong(remnants: readonly Resolved[]): Map<string, Set<string>> {
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
  const key = commandKey(side.command)
  const opposes = (other: Claim): boolean => {
    const theirs = sideOf(other)
    return theirs !== null && (theirs.as === 'green') !== (side.as === 'green') && commandKey(theirs.command) === key
  }
  return remnants
    .filter((one) => atLeast(one.rank, mine.rank) && one.claims.some((here) => (here.holds || here.contradicted) && opposes(here.claim)))
    .map((one) => one.digest)
}

/** The reports with contradicted claims moved from the retained to the invalidated. */
export const withContradictions = (remnants: readonly Resolved[], contradictions: ReadonlyMap<string, ReadonlySet<string>>): Resolved[] =>
  remnants.map((resolved) => {
    const against = contradictions.get(resolved.digest)
    if (against === undefined) return resolved
    const retained = resolved.retained_claims.filter((claim) => !against.has(claim))
    const verdict: Verdict = retained.length === 0 ? 'FULL_RECONSTRUCTION_REQUIRED' : 'PARTIAL_REPROBE_REQUIRED'
    return {
      ...resolved,
      verdict,
      reason: 'contradiction',
      retained_claims: retained,
      invalidated_claims: [...resolved.invalidated_claims, ...against].sort(),
      claims: resolved.claims.map((here) => (against.has(here.claim.claim_id) ? { ...here, holds: false, contradicted: true } : here)),
    }
  })

/** Of the commands that somebody may call green and somebody red: most stores hold none. */
function testimoniesOf(remnants: readonly Resolved[]): Map<string, Testimony[]> {
  const disputed = disputedAmong(remnants)
  if (disputed.size === 0) return new Map()
  const byCommand = new Map<string, Map<string, Testimony>>()
  for (const { digest, rank, claims } of remnants)
    for (const { claim, holds } of claims) {
      const side = holds ? sideOf(claim) : null
      if (side === null) continue
      if (!disputed.has(commandSketch(side.command))) continue
      const key = commandKey(side.command)
      const said = byCommand.get(key) ?? new Map<string, Testimony>()
      const testimony = said.get(digest) ?? { digest, rank, green: [], deadEnd: [], handoff: [] }
      testimony[side.as].push(claim.claim_id)
      byCommand.set(key, said.set(digest, testimony))
    }
  return new Map([...byCommand].map(([key, said]) => [key, [...said.values()]]))
}

/** Sketches of such commands. */
function disputedAmong(remnants: readonly Resolved[]): Set<string> {
  const greens = new Set<string>()
  const reds: CanonicalCommand[] = []
  for (const { claims } of remnants)
    for (const { claim, holds } of claims) {
      const side = holds ? sideOf(claim) : null
      if (side?.as === 'green') greens.add(commandSketch(side.command))
      else if (side !== null) reds.push(side.command)
    }
  return new Set(reds.map(commandSketch).filter((sketch) => greens.has(sketch)))
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
