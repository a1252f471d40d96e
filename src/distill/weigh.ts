import { plainLines } from '../base/plain.ts'
import { sha256 } from '../base/digest.ts'
import { type CanonicalCommand, isOutside } from '../model/command.ts'
import { isOurs } from '../model/declaration.ts'
import { REDACTED, type SessionWorld } from '../model/ephemeron.ts'
import type { Key } from '../model/key.ts'
import type { Observation } from '../model/observation.ts'
import { type Outcome, UNKNOWN, verdictOf } from '../model/outcome.ts'
import { MIN_HASHED_OUTPUT, type Receipt, type Strength } from '../model/receipt.ts'
import type { Sets } from '../model/sets.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import { outcomeOf, outcomesAmong } from './among.ts'
import { isTold, principalOf } from './assess.ts'
import { type Change, changesAnything, changesOf, placeIn } from './changes.ts'
import type { Declaration, Telemetry, Unproof, Unproven } from './evidence.ts'
import { type Weighed, comparable, failureOf, failureAmong, holdWords } from './failures.ts'
import { type Lookup, knowing } from './known.ts'
import { type Intents, intentOf, intents } from './intents.ts'
import { mutationOf } from './mutated.ts'
import type { Observed } from './observe.ts'
import { deniesItself, didNothing, saysRed } from './printed.ts'
import { storable } from './screen.ts'

/**
 * Observations as evidence, one command each, in the order in which the log tells them: clocks jump, and a log is appended to.
 * `witnessed`: it is a journal of this clone, so that what our own wrapper says of a run was seen.
 */
export async function weigh(observations: AsyncIterable<Observed>, sets: Sets, witnessed: boolean): Promise<Telemetry | null> {
  const scales: Scales = { sets, witnessed, lookup: knowing(sets.toolchains), evidence: [], changes: [], declarations: [], failed: new Map(), records: [], intents: intents(), unproven: { counts: new Map(), witnessed: [] } }
  let first: Observed | null = null
  for await (const told of observations) {
    const observed = await underStorableId(told, sets)
    first ??= observed
    const { host, session } = observed.observation
    if (session === first.observation.session && host === first.observation.host) weighOne(observed, scales)
    if (observed.observation.kind === 'command') scales.intents.answered(observed.observation.record_id)
  }
  if (first === null) return null
  const left = scales.intents.left()
  if (left.length > 0) {
    scales.evidence.push(...left)
    scales.changes.push(...left.map(({ order, at }): Change => ({ order, time: timeOf(at), is: 'all' })))
    for (const list of [scales.evidence, scales.changes]) list.sort((a, b) => a.order - b.order)
  }
  const session: SessionWorld = { session: first.observation.session, root: first.root }
  const { changes, declarations, records, unproven } = scales
  return { host: first.observation.host, session, evidence: await comparable(scales, session), changes, declarations, records, unproven }
}

/** From here on an id goes wherever its record does: into receipts, and into what is written down of purges. */
async function underStorableId(observed: Observed, { ephemera }: Sets): Promise<Observed> {
  const record_id = await storable(observed.observation.record_id, ephemera)
  return record_id === observed.observation.record_id ? observed : { ...observed, observation: { ...observed.observation, record_id } }
}

interface Scales {
  readonly sets: Sets
  readonly lookup: Lookup
  readonly evidence: Weighed[]
  readonly changes: Change[]
  readonly declarations: Declaration[]
  readonly witnessed: boolean
  /** Of each observation so far. */
  readonly records: string[]
  /** By command: the failed runs whose words are still held. */
  readonly failed: Map<string, Weighed[]>
  readonly intents: Intents
  readonly unproven: { readonly counts: Map<Unproof, number>; readonly witnessed: Unproven['witnessed'][number][] }
}

function weighOne(observed: Observed, scales: Scales): void {
  const { observation, reading, began, traced, inOrder } = observed
  const { at, head, record_id, folder, declared } = observation
  const order = scales.records.push(record_id) - 1
  const time = timeOf(at)
  for (const { path, before, after } of observation.edits) scales.changes.push({ order, time, is: 'path', path, blobs: { before, after } })
  if (declared !== null) scales.declarations.push({ order, at, head, record_id, folder, declared, seen: observation.keys, stood: verdictOf(observation.outcome) === true })
  if (observation.kind === 'intent') noteIntent(observed, order, scales)
  if (observation.kind !== 'command') return
  if (observation.command === null || reading === null) {
    if (!neverRan(observation)) scales.changes.push({ order, time, is: 'all' }, { order, time, is: 'tools' })
    return
  }
  const verifies = (command: CanonicalCommand): boolean => scales.lookup(command).invocation?.verifies === true
  if (!neverRan(observation) && !didNothing(observation, reading))
    for (const { at: place, ...change } of changesOf(reading, observation.command, verifies)) scales.changes.push({ ...change, order: order + place, time })
  if (!isTold(reading)) return
  const principal = principalOf(reading)
  const results = principal === null ? outcomesAmong(reading, observation, scales.lookup, inOrder) : [outcomeOf(principal, reading, observation, scales.lookup, inOrder)]
  const open = results.some(({ command, outcome }) => verdictOf(outcome) === null && verifies(command.command))
  const doubtful = open && (verdictOf(observation.outcome) === false || saysRed(observation.output, scales.sets.toolchains))
  for (const { command, outcome, said } of results) {
    if (isOurs(command.command.argv)) continue
    const place = { order: order + placeIn(reading, command), began: timeOf(began), doubtful: doubtful && verdictOf(outcome) === null, traced }
    const weighed = scales.intents.told(record_id, { ...evidenceOf(command, outcome, observation, reading, principal !== null, scales, said), ...place })
    if (weighed.verdict === null && weighed.mutation === null) noteUnproven(weighed, observation, scales)
    // What proves nothing, did nothing outside and casts no doubt is nobody's evidence: a long session is full of it.
    if (weighed.verdict === null && weighed.mutation === null && !weighed.doubtful && outcome.is !== 'transient') continue
    scales.evidence.push(weighed)
    holdWords(weighed, scales.failed)
  }
}

function noteUnproven({ receipt: { command, record_id }, at }: Weighed, { outcome, output, host }: Observation, { unproven: { counts, witnessed } }: Scales): void {
  const because = outcome.is === 'answer' || outcome.is === 'transient' ? outcome.is : host === 'git-remnant' && /^git-remnant: [^\n]*: Permission denied\n$/.test(output ?? '') ? 'unstarted' : 'unknown'
  if (host !== 'git-remnant') counts.set(because, (counts.get(because) ?? 0) + 1)
  else if (witnessed.push({ record_id, at, command, because }) > MOST_UNPROVEN) witnessed.shift()
}

const MOST_UNPROVEN = 100

/** A mutation that was about to be made: what it would do, it may have done, unless a result says otherwise. */
function noteIntent({ observation, reading, began, intended }: Observed, order: number, scales: Scales): void {
  if (reading === null || observation.command === null) return
  const read = reading.commands.find(({ command }) => scales.sets.mutations.some((one) => one.intends(command)?.repeat === 'harmful'))
  if (read === undefined || !isTold(reading) || isOurs(read.command.argv)) return
  const weighed = { ...evidenceOf(read, UNKNOWN, observation, reading, true, scales), order, began: timeOf(began), doubtful: false, traced: false }
  const deed = weighed.mutation
  if (deed !== null) scales.intents.open(observation.record_id, intentOf(weighed, { intended: { ...deed.intended, ...intended }, confirmed: null, unknown: true }))
}

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

/** A call that was refused or cancelled: it printed nothing, not even an empty output. */
const neverRan = ({ outcome, output }: Observation): boolean => outcome.is === 'transient' && output === null

function evidenceOf(read: ShellCommand, outcome: Outcome, observed: Observation, reading: ShellReading, alone: boolean, { sets, lookup, witnessed }: Scales, said?: string): Omit<Weighed, 'traced' | 'order' | 'began' | 'doubtful'> {
  const output = plainLines(observed.output ?? '')
  const known = lookup(read.command)
  const mutation = neverRan(observed) ? null : mutationOf(read, outcome, observed, reading, alone, sets)
  const settled: Outcome = mutation?.confirmed != null && verdictOf(outcome) === null ? { is: 'summary', passed: true } : outcome
  const verdict = verdictOf(settled)
  return {
    at: observed.at,
    head: observed.head,
    receipt: receiptOf(observed, known.command, settled, witnessed),
    commandKey: known.key,
    alias: known.alias,
    verdict,
    invocation: known.invocation,
    contradicted: verdict === true && known.invocation?.verifies === true && deniesItself(said ?? output, alone || settled.is === 'summary' ? known.readers : sets.toolchains),
    failure: verdict === false ? (alone ? failureOf(known, read, settled, said ?? observed.output) : failureAmong(known, read, reading, settled, output)) : null,
    mutation,
    // A gate that logs into a file is a gate; of anything else, a file that its text writes is what it is there for.
    changes: reading.writes.length > 0 || changesAnything(read) || sets.mutations.some((one) => one.intends(read.command) !== null),
    outside: isOutside(known.command.folder),
    symbolic: read.symbolic,
    worded: read.worded === true,
    seen: Object.keys(observed.keys).length === 0 ? NOTHING_SEEN : observed.keys,
  }
}

const NOTHING_SEEN: Readonly<Record<Key, string>> = {}

const receiptOf = (observed: Observation, command: CanonicalCommand, outcome: Outcome, witnessed: boolean): Receipt => ({
  host: observed.host,
  record_id: observed.record_id,
  command,
  outcome,
  output_sha256: observed.output === null || observed.output.includes(REDACTED) || Buffer.byteLength(observed.output) < MIN_HASHED_OUTPUT ? null : sha256(observed.output),
  strength: strengthOf(witnessed && observed.host === 'git-remnant', outcome),
})

const strengthOf = (witnessed: boolean, outcome: Outcome): Strength => (outcome.is === 'summary' ? 'summary' : witnessed ? 'witnessed' : 'recorded')
