import type { Claim, FalsifiedBoundary, UnresolvedHandoff } from '../model/claim.ts'
import { type CanonicalCommand, commandKey, commandSketch } from '../model/command.ts'
import type { Key } from '../model/key.ts'
import { verdictOf } from '../model/outcome.ts'
import { RANKS, type Rank, atLeast, isTrusted } from '../model/rank.ts'
import { claimsOf, type Remnant } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import type { Live } from './claims.ts'

/**
 * The remnants that have a live claim, in the order given, each with those claims.
 * A claim is live until a remnant of its own rank or above answers it in `supersedes`, a failure also until its command later
 * passed here with the same keys; of one session's remnants of one rank only the greatest (`observed_until`, digest) stands.
 */
export function liveAmong(stored: readonly Held[]): Live[] {
  const answers = answersIn(stored)
  const passes = passesIn(stored)
  return lastOfEachSession(stored).flatMap((held) => {
    const claims = claimsOf(held.remnant).filter((claim) => !answers.settle(held, claim.claim_id) && passes.lastLike(held, claim) === null)
    return claims.length === 0 ? [] : [{ ...held, claims }]
  })
}

/** The digests of the remnants that answer this claim of this remnant, of its own rank or above. */
export const answerersOf = (held: Held, claim: string, stored: readonly Held[]): string[] =>
  stored
    .filter(({ rank, remnant }) => atLeast(rank, held.rank) && remnant.supersedes.some(([digest, claims]) => digest === held.digest && claims.includes(claim)))
    .map(({ digest }) => digest)

/**
 * The digest of the last trusted remnant of its own rank or above in which a failing command passed, later, although every key on
 * which the failure rests was as it was then: no boundary any more, or a gate that is no longer open (DESIGN 4). Empty: none.
 */
export const outlivedBy = (held: Held, claim: Claim, stored: readonly Held[]): string[] => {
  const last = passesIn(stored).lastLike(held, claim)
  return last === null ? [] : [last.digest]
}

interface Passes {
  lastLike(held: Held, claim: Claim): Held | null
}

/** Passing runs are looked up by what their seals say of a failure's keys, so that many runs of one command cost no more than reading them. */
function passesIn(stored: readonly Held[]): Passes {
  const failed = new Set<string>()
  for (const { remnant } of stored) for (const claim of failuresIn(remnant)) failed.add(commandSketch(failingCommand(claim)))
  const passed = new Map<string, Held[]>()
  if (failed.size > 0)
    for (const held of stored)
      if (isTrusted(held.rank))
        for (const command of passingCommands(held.remnant)) {
          if (!failed.has(commandSketch(command))) continue
          const key = commandKey(command)
          const known = passed.get(key)
          if (known?.at(-1) !== held) {
            if (known === undefined) passed.set(key, [held])
            else known.push(held)
          }
        }
  const indices = new Map<string, Map<string, Held>>()
  const indexFor = (command: string, keys: readonly Key[], least: Rank): Map<string, Held> => {
    const name = JSON.stringify([command, keys, least])
    const known = indices.get(name)
    if (known !== undefined) return known
    const index = new Map<string, Held>()
    for (const held of passed.get(command) ?? []) {
      if (!atLeast(held.rank, least)) continue
      const says = whatSays(held.remnant, keys)
      const other = says === null ? undefined : index.get(says)
      if (says !== null && (other === undefined || instant(other.remnant) < instant(held.remnant))) index.set(says, held)
    }
    indices.set(name, index)
    return index
  }
  return {
    lastLike: (held, claim) => {
      if (passed.size === 0 || (claim.list !== 'falsified_boundaries' && claim.list !== 'unresolved_handoffs')) return null
      const command = commandKey(failingCommand(claim))
      const causal = passed.has(command) ? held.remnant.claim_dependency_map.find(([id]) => id === claim.claim_id)?.[1] : undefined
      if (causal === undefined) return null
      const keys = [...new Set([...causal, ...held.remnant.structural_keys])].sort()
      const says = whatSays(held.remnant, keys)
      const last = says === null ? undefined : indexFor(command, keys, held.rank === 'own' ? 'own' : 'signed').get(says)
      return last !== undefined && instant(last.remnant) > instant(held.remnant) ? last : null
    },
  }
}

const failuresIn = ({ falsified_boundaries, unresolved_handoffs }: Remnant): readonly (FalsifiedBoundary | UnresolvedHandoff)[] =>
  unresolved_handoffs.length === 0 ? falsified_boundaries : [...falsified_boundaries, ...unresolved_handoffs]

const failingCommand = (claim: Pick<FalsifiedBoundary, 'path'> | Pick<UnresolvedHandoff, 'failing_gate'>): CanonicalCommand => ('path' in claim ? claim.path : claim.failing_gate)

const passingCommands = ({ verified_invariants, debug_residuals }: Remnant): CanonicalCommand[] => [
  ...verified_invariants.filter(({ verification_receipt: { outcome } }) => verdictOf(outcome) === true).map(({ verification_receipt }) => verification_receipt.command),
  ...debug_residuals.map(({ regression_gate_signature }) => regression_gate_signature),
]

/** What a seal says of these keys, as one text; null: not of all of them. */
function whatSays({ baseline_key_hashes }: Remnant, keys: readonly Key[]): string | null {
  const hashes = new Map(baseline_key_hashes)
  return keys.every((key) => hashes.has(key)) ? keys.map((key) => hashes.get(key)).join(' ') : null
}

function answersIn(stored: readonly Held[]): { settle(held: Held, claim: string): boolean } {
  const by = new Map<Rank, Map<string, Set<string>>>(RANKS.map((rank) => [rank, new Map()]))
  for (const { remnant, rank } of stored) {
    const answered = by.get(rank) as Map<string, Set<string>>
    for (const [digest, claims] of remnant.supersedes) {
      const known = answered.get(digest) ?? new Set()
      for (const claim of claims) known.add(claim)
      answered.set(digest, known)
    }
  }
  return { settle: (held, claim) => RANKS.some((rank) => atLeast(rank, held.rank) && by.get(rank)?.get(held.digest)?.has(claim) === true) }
}

function lastOfEachSession(stored: readonly Held[]): Held[] {
  const last = new Map<string, Held>()
  for (const held of stored) {
    const session = sessionOf(held)
    const known = last.get(session)
    if (known === undefined || order(known) < order(held)) last.set(session, held)
  }
  const standing = new Set([...last.values()].map(({ digest }) => digest))
  return stored.filter(({ digest }) => standing.has(digest))
}

/** The remnant of the same session and rank that stands in this one's place; none where it stands itself. */
export const successorOf = (held: Held, stored: readonly Held[]): string[] =>
  lastOfEachSession(stored.filter((one) => sessionOf(one) === sessionOf(held))).map(({ digest }) => digest).filter((digest) => digest !== held.digest)

/** Neither a rank nor a host's id holds a space. */
const sessionOf = ({ rank, remnant }: Held): string => `${rank} ${remnant.provenance.host} ${remnant.session_id}`

const order = ({ digest, remnant }: Held): string => `${instant(remnant)} ${digest}`

/** Times may have fractions or none, so that their texts do not sort as they are. */
function instant({ provenance }: Remnant): string {
  const [whole, fraction = ''] = provenance.observed_until.slice(0, -1).split('.')
  return `${whole}.${fraction.padEnd(9, '0')}`
}
