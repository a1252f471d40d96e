import type { Candidate, Purge } from '../../distill/candidate.ts'
import type { Draft } from '../../distill/draft.ts'
import type { Evidence, Unproof } from '../../distill/evidence.ts'
import { reasonOf } from '../../distill/reasons.ts'
import { screen } from '../../distill/screen.ts'
import type { Distillation, Sighting } from '../../distill/seal.ts'
import type { Claim } from '../../model/claim.ts'
import { type CanonicalCommand, shown } from '../../model/command.ts'
import type { Place } from '../../model/observation.ts'
import { claimsOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import { command as inWords } from '../../resolve/words.ts'
import type { Places } from './places.ts'

/** One run of a claim's command. `decides`: nothing of that command was recorded after it. */
export interface Run {
  readonly record_id: string
  readonly place: Place | null
  readonly passed: boolean
  readonly decides: boolean
}

export interface ExplainedClaim {
  readonly claim: Claim
  readonly place: Place | null
  /** Where somebody declared it. */
  readonly declared: { readonly record_id: string; readonly place: Place | null } | null
  /** Why a declared cause is no residual. */
  readonly unresidual: { readonly reason: string; readonly record_id: string | null; readonly place: Place | null } | null
  /** Of its command, in order; those before the last that ended otherwise were outlived by it. */
  readonly runs: readonly Run[]
  readonly rules: readonly string[]
  readonly stripped: readonly string[]
  readonly keys: readonly { readonly key: string; readonly seen: Sighting }[]
}

/**
 * A candidate that was purged: where, by which rule, and why there is that rule. Never a word of it; of the record the command
 * and the time, where no secret stands in it.
 */
export interface ExplainedPurge extends Purge, Told {
  readonly place: Place | null
  readonly decided_by: Place | null
  readonly why: string | null
}

/** A record as a person knows it again. null: it ran none, or none that may be said; the log has no times. */
export interface Told {
  readonly command: CanonicalCommand | null
  readonly at: string | null
}

/** A command that somebody witnessed, and of which no claim could come. */
export interface ExplainedUnproven extends Told {
  readonly record_id: string
  readonly because: Unproof
}

export interface Explanation {
  readonly claims: readonly ExplainedClaim[]
  readonly purged: readonly ExplainedPurge[]
  readonly unproven: readonly ExplainedUnproven[]
  /** How many more there are of hosts that note every command. */
  readonly others: ReadonlyMap<Unproof, number>
}

/** What led from the log to each claim that was kept, and to each rule that purged one. */
export async function explanationOf(made: Draft, { remnant, purged, sightings }: Distillation, places: Places | null, sets: Sets): Promise<Explanation> {
  const at = (record: string): Place | null => places?.of(record) ?? null
  const records = recordsIn(made)
  const sayable = async (told: Told): Promise<Told> => ({ ...told, command: told.command !== null && (await isSayable(told.command, made, sets)) ? told.command : null })
  const explained: ExplainedPurge[] = []
  for (const one of purged)
    explained.push({ ...one, ...(await sayable(records.get(one.record_id) ?? { command: null, at: null })), place: at(one.record_id), decided_by: one.by === undefined ? null : at(one.by), why: reasonOf(one.rule, sets) })
  const unproven: ExplainedUnproven[] = []
  for (const one of made.telemetry?.unproven.witnessed ?? []) unproven.push({ ...one, ...(await sayable(one)) })
  const candidates = new Map(made.candidates.map((one) => [one.claim_id, one]))
  return {
    claims: (remnant === null ? [] : claimsOf(remnant)).map((claim) => {
      const candidate = candidates.get(claim.claim_id)
      return {
        claim,
        place: at(claim.verification_receipt.record_id),
        declared: candidate?.declaration === undefined ? null : { record_id: candidate.declaration, place: at(candidate.declaration) },
        unresidual: candidate?.unresidual === undefined ? null : { ...candidate.unresidual, place: candidate.unresidual.record_id === null ? null : at(candidate.unresidual.record_id) },
        runs: runsOf(claim, made.telemetry?.evidence ?? [], at),
        rules: rulesOf(candidate, made),
        stripped: [...(candidate?.stripped.keys() ?? [])],
        keys: [...(sightings.get(claim.claim_id) ?? [])].map(([key, seen]) => ({ key, seen })).sort((a, b) => (a.key < b.key ? -1 : 1)),
      }
    }),
    purged: explained,
    unproven,
    others: made.telemetry?.unproven.counts ?? new Map(),
  }
}

/** What each record ran, where it was one command, and when. */
function recordsIn({ telemetry }: Draft): ReadonlyMap<string, Told> {
  const records = new Map<string, Told>()
  for (const { receipt: { record_id, command }, at } of telemetry?.evidence ?? []) records.set(record_id, { command: records.has(record_id) ? null : command, at })
  for (const { record_id, at } of telemetry?.declarations ?? []) records.set(record_id, { command: null, at })
  return records
}

/** Nothing is said of a command in which a rule would refuse something, whichever it was that did. */
async function isSayable(command: CanonicalCommand, { session }: Draft, { ephemera }: Sets): Promise<boolean> {
  const words = [shown(command), inWords(command), command.folder, command.where, ...command.argv, ...command.env.map(([name, value]) => `${name}=${value}`)]
  return (await screen(words.map((text) => ({ field: 'command', text })), session, ephemera)).length === 0
}

/** Prose rules judge what a person wrote, and the sentences of our own templates; of the rest only its words are screened. */
const rulesOf = (candidate: Candidate | undefined, { rules }: Draft): readonly string[] =>
  candidate === undefined || candidate.declared || candidate.list === 'verified_invariants' ? rules : ['no-ephemera', 'no-secret']

function runsOf({ verification_receipt: { record_id } }: Claim, evidence: readonly Evidence[], at: (record: string) => Place | null): Run[] {
  const its = evidence.find((run) => run.receipt.record_id === record_id && run.verdict !== null)
  const runs = its === undefined ? [] : evidence.filter((run) => run.alias === its.alias && run.verdict !== null && !run.symbolic)
  return runs.map((run, i) => ({ record_id: run.receipt.record_id, place: at(run.receipt.record_id), passed: run.verdict === true, decides: i === runs.length - 1 }))
}
