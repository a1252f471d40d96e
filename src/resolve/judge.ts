import { type Claim, claimId } from '../model/claim.ts'
import { neededPath } from '../model/effect.ts'
import { type Key, type KeyValues, splitKey } from '../model/key.ts'
import type { Receipt } from '../model/receipt.ts'
import type { Doubted } from './plan.ts'

/** A claim and the causal keys on which it rests. */
export interface Keyed {
  readonly claim: Claim
  readonly keys: readonly Key[]
}

/** One way to read what a run printed: with paths of this work tree as they are, or relative to it. Hosts record the one or the other. */
export interface Telling {
  readonly receipt: Receipt
  /** null: it passed, or failed in no words of its own. */
  readonly signature: string | null
  /** What the run by itself lets one claim. */
  readonly shows: readonly Keyed[]
  /** The rule that purged the rest of what it showed; null: none did. */
  readonly purged: string | null
}

/** What came of a command that was run again, the same each time. */
export interface Shown {
  readonly passed: boolean
  /** At least one. */
  readonly tellings: readonly Telling[]
  /** Values of keys that the run itself did not change. */
  readonly values: KeyValues
}

/**
 * `held`: the claim under its new receipt · `broken`: it does not hold, and the run shows what does · `fell`: a dead end that
 * passes, or an open gate that is green · `stays`: suspended, and why.
 */
export type Judgement =
  | { readonly is: 'held'; readonly claim: Keyed }
  | { readonly is: 'broken' | 'fell'; readonly instead: readonly Keyed[] }
  | { readonly is: 'stays'; readonly reason: string }

/** Whether an outcome is the one that the claim tells. */
export function tells(claim: Claim, { passed, tellings }: Pick<Shown, 'passed' | 'tellings'>): boolean {
  const signature = signatureIn(claim)
  return signature === null ? passed : !passed && tellings.some((telling) => telling.signature === signature)
}

/** What becomes of a suspended claim after its command was run again. */
export function judge({ held, here }: Doubted, shown: Shown): Judgement {
  const claim = held.rank === 'own' ? here.claim : withoutWords(here.claim)
  const telling = tellingFor(claim, shown)
  if (!tells(claim, shown)) return overturned(claim, shown, telling)
  const same = telling.shows.find((one) => one.claim.claim_id === claim.claim_id)
  if (same === undefined && isItsRun(claim)) return telling.purged === null ? overturned(claim, shown, telling) : stays(telling.purged)
  if (telling.shows.length === 0) return stays(telling.purged ?? 'unclassified')
  const keys = [...new Set([...(same ?? (telling.shows[0] as Keyed)).keys, ...lasting(here.keys, shown.values)])].sort()
  if (!keys.every((key) => shown.values.has(key))) return stays('keys-changed')
  const needed = claim.list === 'verified_invariants' ? neededPath(claim.effect) : null
  const there = needed === null ? undefined : shown.values.get(needed)
  if (there !== undefined && 'value' in there && there.value === 'absent') return stays('precondition')
  const isDeclared = claim.verification_receipt.strength === 'asserted'
  const body = same === undefined || isDeclared ? claim : same.claim
  return { is: 'held', claim: { claim: { ...body, verification_receipt: { ...telling.receipt, strength: isDeclared ? 'asserted' : 'reproduced' } } as Claim, keys } }
}

function overturned(claim: Claim, { passed }: Shown, { shows, receipt, signature, purged }: Telling): Judgement {
  const instead = shows.map(({ claim: shown, keys }) => ({ claim: { ...shown, verification_receipt: { ...shown.verification_receipt, strength: 'reproduced' } } as Claim, keys }))
  if (signatureIn(claim) !== null && passed) return { is: 'fell', instead }
  if (instead.length === 0) return stays(purged ?? 'unclassified')
  if (claim.list !== 'unresolved_handoffs' || signature === null) return { is: 'broken', instead }
  // A gate that was left open stays open, whatever it says now.
  const open = { ...claim, terminal_error_signature: signature, verification_receipt: { ...receipt, strength: 'reproduced' as const } }
  return { is: 'broken', instead: [{ claim: { ...open, claim_id: claimId.unresolved_handoffs(open) }, keys: (instead[0] as Keyed).keys }] }
}

/** A claim that says no more than its run. */
const isItsRun = ({ list, verification_receipt: { strength } }: Claim): boolean =>
  list === 'falsified_boundaries' || (list === 'verified_invariants' && strength !== 'asserted')

/** Of others' open gates what our run shows: their words of how they tried are not ours. */
const withoutWords = (claim: Claim): Claim => (claim.list === 'unresolved_handoffs' ? { ...claim, open_since_patch: null, falsified_branches: [] } : claim)

/** The reading in which the claim was written; else the first. */
const tellingFor = (claim: Claim, { tellings }: Shown): Telling =>
  tellings.find(({ signature }) => signature !== null && signature === signatureIn(claim)) ?? (tellings[0] as Telling)

/** null: the claim rests on the command's success. */
const signatureIn = (claim: Claim): string | null =>
  claim.list === 'falsified_boundaries' || claim.list === 'unresolved_handoffs' ? claim.terminal_error_signature : null

/** What was absent and no longer is, is nothing on which the claim still rests. */
const lasting = (keys: readonly Key[], values: KeyValues): Key[] =>
  keys.filter((key) => {
    const reading = values.get(key)
    return !(splitKey(key).probe.startsWith('absent') && reading !== undefined && 'value' in reading && reading.value === 'present')
  })

const stays = (reason: string): Judgement => ({ is: 'stays', reason })
