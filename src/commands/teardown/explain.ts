import type { Answer } from '../../command.ts'
import type { Draft } from '../../distill/draft.ts'
import type { Unproof } from '../../distill/evidence.ts'
import type { Distillation, Sighting } from '../../distill/seal.ts'
import type { Claim } from '../../model/claim.ts'
import type { Place } from '../../model/observation.ts'
import type { Sets } from '../../model/sets.ts'
import { KINDS, command as inWords, data, isDeclared, outcome, stated } from '../../resolve/words.ts'
import { type ExplainedClaim, type ExplainedPurge, type ExplainedUnproven, type Explanation, type Run, type Told, explanationOf } from './explanation.ts'
import type { Places } from './places.ts'

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
    `purged  ${KINDS[list]} of ${toldInWords({ command, at }, record_id, place)}`,
    row('rule', `${rule}: ${data(reason)}`),
    ...(by === undefined ? [] : [row('since', `record ${data(by)}${placeInWords(decided_by)}`)]),
    ...(why === null ? [] : [row('because', why)]),
  ]
}

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
