import { type ClaimList, type Unnamed, claimId, type DebugResidual, type FalsifiedBoundary, type NonIdempotentCommit, type UnresolvedHandoff, type VerifiedInvariant } from '../model/claim.ts'
import { type Key, splitKey } from '../model/key.ts'
import { type Receipt, STRENGTHS } from '../model/receipt.ts'
import { type Change, DATED, DATED_FILES, RESTS_ON_FILES, isSaid, touches } from './changes.ts'
import type { Evidence, Telemetry } from './evidence.ts'
import { worksOutside } from './outside.ts'

/** A claim's content before a receipt has been chosen and its rules are known. */
export type Body<T> = Omit<Unnamed<T>, 'verification_receipt' | 'context_independence_proof'>

export type Statement =
  | { readonly list: 'verified_invariants'; readonly body: Body<VerifiedInvariant> }
  | { readonly list: 'falsified_boundaries'; readonly body: Body<FalsifiedBoundary> }
  | { readonly list: 'non_idempotent_commits'; readonly body: Body<NonIdempotentCommit> }
  | { readonly list: 'debug_residuals'; readonly body: Body<DebugResidual> }
  | { readonly list: 'unresolved_handoffs'; readonly body: Body<UnresolvedHandoff> }

/** What could be concluded, if its evidence stands and every rule lets it pass. */
export type Candidate = Statement & {
  readonly claim_id: string
  /** Causal keys, sorted. */
  readonly keys: readonly Key[]
  /** What proves it: the strongest, then the earliest, after the last change of its keys. */
  readonly proof: Proof
  /** Keys that were seen then and may have been changed since: they must be read again, and be what they were. */
  readonly again?: readonly Key[]
  /** Kinds of ephemera that were stripped from its source, and how many. */
  readonly stripped: ReadonlyMap<string, number>
  /** Free text that a person wrote: the prose rules apply. */
  readonly declared: boolean
  /** Of a residual: how its gate was red in the session (signatures). */
  readonly reds?: readonly string[]
  /** Of a residual: ids of its patch less the first attempts. */
  readonly parts?: readonly string[]
  /** The record in which somebody declared it. */
  readonly declaration?: string
  /** Of a declared cause: why it is no residual, in words, and the record that decides it, where there is one. */
  readonly unresidual?: { readonly reason: string; readonly record_id: string | null }
}

export interface Proof {
  readonly receipt: Receipt
  readonly at: string | null
  readonly head: string | null
  readonly seen: Readonly<Record<Key, string>>
}

/** A candidate that was refused: where and why, never what. */
export interface Purge {
  readonly rule: string
  readonly reason: string
  readonly record_id: string
  readonly list: ClaimList
  /** The later record that decided against it, where there is one. */
  readonly by?: string
}

export interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly purged: readonly Purge[]
}

/** Chooses the proof, and refuses what did not happen in this repository or whose keys changed after every run of it. */
export function settle(statement: Statement, keys: readonly Key[], runs: readonly Evidence[], telemetry: Telemetry, stripped: ReadonlyMap<string, number>): Candidate | Purge {
  const last = runs.at(-1) as Evidence
  if (last.outside) return purge('other-repository', 'it happened outside this repository', last, statement.list)
  if (last.receipt.command.where !== 'here')
    return purge('unsealed', 'it ran in a container or on another host, whose environment can not be read from here', last, statement.list)
  const causal = [...new Set(keys)].sort()
  if (statement.list !== 'non_idempotent_commits' && worksOutside(last.receipt.command)) return purge('other-repository', 'it works on what lies outside this repository', last, statement.list)
  const changed = lastChange(causal, telemetry)
  const whole = runs.filter((run) => !overlapped(run, causal, telemetry))
  const standing = whole.slice(firstFrom(whole, changed)).reduce<Evidence | null>((best, run) => (best === null || stronger(run, best) ? run : best), null)
  const unsaid = whole.at(-1)
  const dated = statement.list === 'verified_invariants' ? DATED : DATED_FILES
  const mayStand = standing === null && unsaid !== undefined && againFor(unsaid, causal, telemetry, dated) !== null ? unsaid : null
  const proof = standing ?? mayStand ?? whole.findLast((run) => run.receipt.strength === 'witnessed' && againFor(run, causal, telemetry) !== null) ?? null
  if (proof === null) {
    const reason = changed > last.order ? 'something that it rests on changed afterwards' : 'something that it rests on changed while it ran'
    return purge('precondition', reason, last, statement.list, changed > last.order ? telemetry.records[Math.floor(changed)] : undefined)
  }
  const { receipt, at, head, seen } = proof
  const body = statement.list === 'non_idempotent_commits' ? { ...statement.body, outcome: receipt.outcome } : statement.body
  const again = standing === null ? (againFor(proof, causal, telemetry, proof === mayStand ? dated : null) ?? []) : []
  return { ...statement, body, claim_id: idOf(statement), keys: causal, proof: { receipt, at, head, seen }, ...(again.length > 0 && { again }), stripped, declared: false } as Candidate
}

/**
 * Which keys must be read again, since they may have been changed after a run; null: of one of them no reading would show it. `dated`:
 * probes whose reading has a date, if the log does not say that what they show was changed. Without: a file that was seen then and is the
 * same now was at most changed and put back; of programs the value would not show it (a plug-in, a right). Only what `run` witnessed is
 * asked so.
 */
function againFor({ order, seen }: Evidence, keys: readonly Key[], { changes }: Telemetry, dated: ReadonlySet<string> | null = null): readonly Key[] | null {
  const later = changes.slice(firstFrom(changes, order)).filter((change) => change.order > order)
  const again = keys.filter((key) => later.some((change) => touches(change, key)))
  const shows = (key: Key): boolean => {
    const { probe } = splitKey(key)
    if (dated === null) return RESTS_ON_FILES.has(probe) && seen[key] !== undefined
    return dated.has(probe) && !later.some((change) => isSaid(change) && touches(change, key))
  }
  return again.every(shows) ? again : null
}

/**
 * Something that it rests on changed between its start and its end; what came long before it in the log did not, and what
 * stands before it in its own text had ended.
 */
function overlapped({ began, order }: Evidence, keys: readonly Key[], { changes }: Telemetry): boolean {
  if (began === null) return false
  const end = firstFrom(changes, order)
  const beside = ({ order: at, behind }: Change): boolean => behind === true || Math.floor(at) !== Math.floor(order)
  return changes.slice(Math.max(0, end - LONGEST_OVERLAP), end).some((change) => change.time !== null && change.time > began && beside(change) && keys.some((key) => touches(change, key)))
}

/** As many changes as a session could make while one command runs. */
const LONGEST_OVERLAP = 256

/** Where the changes from this place in the log on begin: they stand in its order. */
export function firstFrom(changes: readonly { readonly order: number }[], order: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle] as { order: number }).order < order) low = middle + 1
    else high = middle
  }
  return low
}

/** When one of the keys may have changed for the last time. */
function lastChange(keys: readonly Key[], { changes }: Telemetry): number {
  const known = LAST_CHANGES.get(changes) ?? new Map<string, number>()
  LAST_CHANGES.set(changes, known)
  const name = keys.join('\n')
  const found = known.get(name) ?? changes.findLast((change) => keys.some((key) => touches(change, key)))?.order ?? -1
  known.set(name, found)
  return found
}

/** Many claims of one session rest on the same keys. */
const LAST_CHANGES = new WeakMap<readonly object[], Map<string, number>>()

const stronger = (a: Evidence, b: Evidence): boolean => STRENGTHS.indexOf(a.receipt.strength) < STRENGTHS.indexOf(b.receipt.strength)

/** `by`: the later record that decides against it. */
export const purge = (rule: string, reason: string, run: Evidence, list: ClaimList, by?: string): Purge => ({
  rule,
  reason,
  record_id: run.receipt.record_id,
  list,
  ...(by !== undefined && by !== run.receipt.record_id && { by }),
})

export const idOf = (statement: Statement): string => (claimId[statement.list] as (body: Statement['body']) => string)(statement.body)

export const NOTHING_STRIPPED: ReadonlyMap<string, number> = new Map()
