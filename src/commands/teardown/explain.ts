import type { Answer } from '../../command.ts'
import type { Candidate, Purge } from '../../distill/candidate.ts'
import type { Draft } from '../../distill/draft.ts'
import type { Evidence, Unproof } from '../../distill/evidence.ts'
import type { Placed } from '../../distill/parse.ts'
import { reasonOf } from '../../distill/reasons.ts'
import { screen } from '../../distill/screen.ts'
import type { Distillation, Sighting } from '../../distill/seal.ts'
import type { Claim, ClaimList } from '../../model/claim.ts'
import { type CanonicalCommand, shown } from '../../model/command.ts'
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

/**
 * A candidate that was purged: where, by which rule, and why there is that rule. Never a word of it; of the record the command
 * and the time, where no secret stands in it.
 */
interface ExplainedPurge extends Purge, Told {
  readonly place: Place | null
  readonly decided_by: Place | null
  readonly why: string | null
}

/** A record as a person knows it again. null: it ran none, or none that may be said; the log has no times. */
interface Told {
  readonly command: CanonicalCommand | null
  readonly at: string | null
}

/** A command that somebody witnessed, and of which no claim could come. */
interface ExplainedUnproven extends Told {
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

/** What a teardown answers, with what led there. */
export async function withExplanations(answer: Answer, sealed: readonly { readonly made: Draft; readonly distillation: Distillation; readonly places: Places | null }[], sets: Sets): Promise<Answer> {
  const all: Explanation[] = []
  for (const { made, distillation, places } of sealed) all.push(await explanationOf(made, distillation, places, sets))
  return {
    ...answer,
    text: [answer.text ?? '', ...all.flatMap(explainedInLines)].join('\n'),
    data: { ...answer.data, explained: all.map(explainedAsData) },
  }
}

/** The explanation for a person: claims first, then what was purged. Recorded texts as data. */
const explainedInLines = ({ claims, purged, unproven, others }: Explanation): string[] => [
  ...claims.flatMap(claimInLines),
  ...purged.flatMap(purgeInLines),
  ...unproven.flatMap(unprovenInLines),
  ...[...others].map(([because, count]) => `no claim of ${count} other ${count === 1 ? 'command' : 'commands'}: ${UNPROVEN[because]}`),
]

const unprovenInLines = ({ record_id, because, ...told }: ExplainedUnproven): string[] => [`no claim of ${toldInWords(told, record_id)}`, row('because', UNPROVEN[because])]

const UNPROVEN: Readonly<Record<Unproof, string>> = {
  answer: 'the status answers a question (is it there? does it match?), so that it is neither a success nor a dead end',
  transient: 'what befell it passes (a time limit, a signal, the network), so that it rules nothing out',
  unstarted: 'it could not be started, and no key here shows what would change that',
  unknown: 'its own status is not known: it was part of a pipe, a list or a text that hides it',
}

/** `\`npm test\` at 2026-06-01 10:00:00 UTC (record …)`: as much of it as is known. */
const toldInWords = ({ command, at }: Told, record: string, place: Place | null = null): string => {
  const when = at === null ? '' : ` at ${at.slice(0, 19).replace('T', ' ')}${at.endsWith('Z') ? ' UTC' : ''}`
  return command === null ? `record ${data(record)}${when}${placeInWords(place)}` : `${inWords(command)}${when}, record ${data(record)}${placeInWords(place)}`
}

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
  summary: "by the tool's own closing lines or a status that the text itself printed, since the host kept none",
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

function purgeInLines({ list, record_id, place, rule, reason, why, by, decided_by, command, at }: ExplainedPurge): string[] {
  return [
    `purged  ${nameOf(list)} of ${toldInWords({ command, at }, record_id, place)}`,
    row('rule', `${rule}: ${data(reason)}`),
    ...(by === undefined ? [] : [row('since', `record ${data(by)}${placeInWords(decided_by)}`)]),
    ...(why === null ? [] : [row('because', why)]),
  ]
}

const nameOf = (list: ClaimList): string => KINDS[list]
const placeInWords = (place: Place | null): string => (place === null ? '' : ` (${data(place.file)}, line ${place.line})`)
const row = (label: string, text: string): string => `  ${label.padEnd(9)} ${text}`

/** The same as data. */
const explainedAsData = ({ claims, purged, unproven, others }: Explanation) => ({
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
  purged: purged.map(({ list, record_id, command, at, place, rule, reason, why, by, decided_by }) => ({ kind: list, record_id, command, at, place, rule, reason, why, decided_by: by === undefined ? null : { record_id: by, place: decided_by } })),
  unproven: unproven.map(({ record_id, command, at, because }) => ({ record_id, command, at, because })),
  unproven_others: Object.fromEntries(others),
})
