import type { Answer } from '../../command.ts'
import type { Candidate, Purge } from '../../distill/candidate.ts'
import type { Draft } from '../../distill/draft.ts'
import type { Evidence } from '../../distill/evidence.ts'
import type { Placed } from '../../distill/parse.ts'
import { reasonOf } from '../../distill/reasons.ts'
import type { Distillation, Sighting } from '../../distill/seal.ts'
import type { Claim, ClaimList } from '../../model/claim.ts'
import type { Place } from '../../model/observation.ts'
import { claimsOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import { KINDS, command as inWords, data, isDeclared, outcome, stated } from '../../resolve/words.ts'

/** Where the records of a log stand. */
export interface Places {
  readonly note: Placed
  /** null: nothing here knows the record; a journal, say, is gone once it is sealed. */
  of(record: string): Place | null
}

/** `names[i]`: the file that lines with `file` i come from. */
export function placesIn(names: readonly string[]): Places {
  const places = new Map<string, Place>()
  return {
    note: ({ record_id }, { file, number }) => {
      if (!places.has(record_id)) places.set(record_id, { file: names[file] ?? '-', line: number })
    },
    of: (record) => places.get(record) ?? null,
  }
}

/** One run of a claim's command. `decides`: nothing of that command was recorded after it. */
interface Run {
  readonly record_id: string
  readonly place: Place | null
  readonly passed: boolean
  readonly decides: boolean
}

interface ExplainedClaim {
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

/** A candidate that was purged: where, by which rule, and why there is that rule. Never a word of it. */
interface ExplainedPurge extends Purge {
  readonly place: Place | null
  readonly decided_by: Place | null
  readonly why: string | null
}

export interface Explanation {
  readonly claims: readonly ExplainedClaim[]
  readonly purged: readonly ExplainedPurge[]
}

/** What led from the log to each claim that was kept, and to each rule that purged one. */
export function explanationOf(made: Draft, { remnant, purged, sightings }: Distillation, places: Places | null, sets: Sets): Explanation {
  const at = (record: string): Place | null => places?.of(record) ?? null
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
    purged: purged.map((one) => ({ ...one, place: at(one.record_id), decided_by: one.by === undefined ? null : at(one.by), why: reasonOf(one.rule, sets) })),
  }
}

/** Prose rules judge what a person wrote, and the sentences of our own templates; of the rest only its words are screened. */
const rulesOf = (candidate: Candidate | undefined, { rules }: Draft): readonly string[] =>
  candidate === undefined || candidate.declared || candidate.list === 'verified_invariants' ? rules : ['no-ephemera', 'no-secret']

function runsOf({ verification_receipt: { record_id } }: Claim, evidence: readonly Evidence[], at: (record: string) => Place | null): Run[] {
  const its = evidence.find((run) => run.receipt.record_id === record_id && run.verdict !== null)
  const runs = its === undefined ? [] : evidence.filter((run) => run.alias === its.alias && run.verdict !== null && !run.symbolic)
  return runs.map((run, i) => ({ record_id: run.receipt.record_id, place: at(run.receipt.record_id), passed: run.verdict === true, decides: i === runs.length - 1 }))
}

/** What a teardown answers, with what led there. */
export function withExplanations(answer: Answer, sealed: readonly { readonly made: Draft; readonly distillation: Distillation; readonly places: Places | null }[], sets: Sets): Answer {
  const all = sealed.map(({ made, distillation, places }) => explanationOf(made, distillation, places, sets))
  return {
    ...answer,
    text: [answer.text ?? '', ...all.flatMap(explainedInLines)].join('\n'),
    data: { ...answer.data, explained: all.map(explainedAsData) },
  }
}

/** The explanation for a person: claims first, then what was purged. Recorded texts as data. */
const explainedInLines = ({ claims, purged }: Explanation): string[] => [...claims.flatMap(claimInLines), ...purged.flatMap(purgeInLines)]

function claimInLines({ claim, place, declared, unresidual, runs, rules, stripped, keys }: ExplainedClaim): string[] {
  const { host, record_id, command, outcome: came, strength } = claim.verification_receipt
  return [
    `kept ${claim.claim_id.slice(0, 12)}  ${KINDS[claim.list]}`,
    `  ${stated(claim)}`,
    row('proof', `${host} record ${data(record_id)}${placeInWords(place)}`),
    row('shows', `${inWords(command)} → ${outcome(came)}, ${STRENGTHS[strength]}`),
    ...(declared === null ? [] : [row('declared', `record ${data(declared.record_id)}${placeInWords(declared.place)}${isDeclared(claim.verification_receipt) ? '; the proof is the result that it leans on' : ''}`)]),
    ...(unresidual === null ? [] : [row('residual', `none: ${unresidual.reason}${unresidual.record_id === null ? '' : `: record ${data(unresidual.record_id)}${placeInWords(unresidual.place)}`}`)]),
    ...historyOf(runs),
    row('rules', rules.length === 0 ? 'none apply' : `passed ${rules.join(', ')}`),
    ...(stripped.length === 0 ? [] : [row('stripped', stripped.join(', '))]),
    ...keysInLines(keys),
  ]
}

function keysInLines(keys: ExplainedClaim['keys']): string[] {
  const by = new Map<Sighting, string[]>()
  for (const { key, seen } of keys) by.set(seen, [...(by.get(seen) ?? []), data(key)])
  return [...by].map(([seen, names]) => row('keys', `${names.join(' ')}: ${SIGHTINGS[seen]}`))
}

const STRENGTHS: Readonly<Record<Claim['verification_receipt']['strength'], string>> = {
  reproduced: 'and came out the same when it was run again',
  witnessed: 'as our own wrapper saw it',
  recorded: 'as the host recorded it',
  summary: "by the tool's own closing lines, since nobody kept its status",
  asserted: 'which somebody says shows it',
}

const SIGHTINGS: Readonly<Record<Sighting, string>> = {
  then: 'seen at that moment',
  unchanged: 'read now, and unchanged since',
  vouched: 'read now, vouched for by --here',
  'sealed-before': 'as an earlier seal of this session has it',
}

/** Which run outlived which; a single one says nothing more than the proof. */
function historyOf(runs: readonly Run[]): string[] {
  const last = runs.at(-1)
  if (last === undefined || runs.length < 2) return []
  const since = runs.slice(runs.findLastIndex(({ passed }) => passed !== last.passed) + 1)
  const outlived = runs.slice(0, runs.length - since.length).filter(({ passed }) => passed !== last.passed)
  const lines = [row('runs', `${runs.length}: the last decides, which ${last.passed ? 'passed' : 'failed'}${placeInWords(last.place)}`)]
  if (outlived.length > 0)
    lines.push(row('outlived', `${outlived.length} that ${last.passed ? 'failed' : 'passed'}, the last one in record ${data(outlived.at(-1)?.record_id ?? '')}${placeInWords(outlived.at(-1)?.place ?? null)}`))
  return lines
}

function purgeInLines({ list, record_id, place, rule, reason, why, by, decided_by }: ExplainedPurge): string[] {
  return [
    `purged  ${nameOf(list)} of record ${data(record_id)}${placeInWords(place)}`,
    row('rule', `${rule}: ${data(reason)}`),
    ...(by === undefined ? [] : [row('since', `record ${data(by)}${placeInWords(decided_by)}`)]),
    ...(why === null ? [] : [row('because', why)]),
  ]
}

const nameOf = (list: ClaimList): string => KINDS[list]
const placeInWords = (place: Place | null): string => (place === null ? '' : ` (${data(place.file)}, line ${place.line})`)
const row = (label: string, text: string): string => `  ${label.padEnd(9)} ${text}`

/** The same as data. */
const explainedAsData = ({ claims, purged }: Explanation) => ({
  claims: claims.map(({ claim, place, declared, unresidual, runs, rules, stripped, keys }) => ({
    claim_id: claim.claim_id,
    kind: claim.list,
    record_id: claim.verification_receipt.record_id,
    place,
    strength: claim.verification_receipt.strength,
    outcome: claim.verification_receipt.outcome,
    declared,
    ...(unresidual !== null && { unresidual }),
    runs,
    rules,
    stripped,
    keys,
  })),
  purged: purged.map(({ list, record_id, place, rule, reason, why, by, decided_by }) => ({ kind: list, record_id, place, rule, reason, why, decided_by: by === undefined ? null : { record_id: by, place: decided_by } })),
})
