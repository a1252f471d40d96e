import { plainLines } from '../base/plain.ts'
import { sha256 } from '../base/digest.ts'
import type { BoundaryClass } from '../model/claim.ts'
import { type CanonicalCommand, isOutside } from '../model/command.ts'
import { isOurs } from '../model/declaration.ts'
import type { SessionWorld } from '../model/ephemeron.ts'
import type { Key } from '../model/key.ts'
import { type ConfirmedMutation, type IntendedMutation, neverReached } from '../model/mutation.ts'
import type { Declared, Observation } from '../model/observation.ts'
import { type Outcome, verdictOf } from '../model/outcome.ts'
import { type HostId, MIN_HASHED_OUTPUT, type Receipt, type Strength } from '../model/receipt.ts'
import type { Sets } from '../model/sets.ts'
import { type ShellCommand, type ShellReading, outcomesIn } from '../model/shell.ts'
import type { Failure, Invocation, Toolchain } from '../model/toolchain.ts'
import { assess, isTold, principalOf } from './assess.ts'
import { type Change, changesAnything, changesOf, placeIn } from './changes.ts'
import { signatureOf } from './normalise.ts'
import { type Known, type Lookup, knowing } from './known.ts'
import type { Observed } from './observe.ts'

/** One command of one observation, and all that its output showed; the output itself is let go. */
export interface Evidence {
  /** Its place in the log; the fraction is its place within one shell text. */
  readonly order: number
  /** When it was started, in ms, where the log says so. */
  readonly began: number | null
  /** Nobody kept its status, and something in the same text failed. */
  readonly doubtful: boolean
  readonly at: string | null
  readonly head: string | null
  readonly receipt: Receipt
  readonly commandKey: string
  /** The same for every spelling of one command (`npm t`, `npm run test`). */
  readonly alias: string
  /** true: it did what it was asked · false: it failed · null: proves neither. */
  readonly verdict: boolean | null
  readonly invocation: Invocation | null
  /** It succeeded by its status, and its own closing lines say that it failed. */
  readonly contradicted: boolean
  readonly failure: Falsification | null
  readonly mutation: Deed | null
  /** It changes the work tree or the world outside, so that its success is a deed and no fact. */
  readonly changes: boolean
  readonly outside: boolean
  /** Words that the shell worked out: it can't be told from another command. */
  readonly symbolic: boolean
  /** Key values that a journal saw at that moment. */
  readonly seen: Readonly<Record<Key, string>>
  /** They are all that it depended on: it was traced. */
  readonly traced: boolean
}

/** A change of the outside that a command was to make. Neither confirmed nor `unknown`: it is known not to have been made, or again would do no harm. */
export interface Deed {
  readonly intended: IntendedMutation
  readonly confirmed: ConfirmedMutation | null
  /** It would do harm again, it may have happened, and nobody recorded whether it did. */
  readonly unknown: boolean
}

/** What failed, made comparable. */
export interface Falsification {
  readonly class: BoundaryClass | null
  readonly signature: string
  readonly keys: readonly Key[]
  readonly stripped: ReadonlyMap<string, number>
}

export interface Declaration {
  readonly order: number
  /** The call that made it went through: it ran, and the rules admitted it. */
  readonly stood: boolean
  readonly at: string | null
  readonly head: string | null
  readonly record_id: string
  readonly folder: string
  readonly declared: Declared
}

/** All that a session's log shows, small enough to be held whole. */
export interface Telemetry {
  readonly host: HostId
  readonly session: SessionWorld
  readonly evidence: readonly Evidence[]
  readonly changes: readonly Change[]
  readonly declarations: readonly Declaration[]
}

/**
 * Observations as evidence, one command each, in the order in which the log tells them: clocks jump, and a log is appended to.
 * `witnessed`: it is a journal of this clone, so that what our own wrapper says of a run was seen.
 */
export async function weigh(observations: AsyncIterable<Observed>, sets: Sets, witnessed: boolean): Promise<Telemetry | null> {
  const scales: Scales = { sets, witnessed, lookup: knowing(sets.toolchains), evidence: [], changes: [], declarations: [], failed: new Map(), steps: 0 }
  let first: Observed | null = null
  for await (const observed of observations) {
    first ??= observed
    const { host, session } = observed.observation
    if (session === first.observation.session && host === first.observation.host) weighOne(observed, scales)
  }
  if (first === null) return null
  const session: SessionWorld = { session: first.observation.session, root: first.root }
  const { changes, declarations } = scales
  return { host: first.observation.host, session, evidence: await comparable(scales, session), changes, declarations }
}

/** Evidence whose failure still stands in the tool's own words. */
type Weighed = Omit<Evidence, 'failure'> & { failure: Failure | null }

interface Scales {
  readonly sets: Sets
  readonly lookup: Lookup
  readonly evidence: Weighed[]
  readonly changes: Change[]
  readonly declarations: Declaration[]
  readonly witnessed: boolean
  /** Observations so far. */
  steps: number
  /** By command: the failed runs whose words are still held. */
  readonly failed: Map<string, Weighed[]>
}

function weighOne({ observation, reading, began, traced }: Observed, scales: Scales): void {
  const { at, head, record_id, folder, declared } = observation
  const order = scales.steps++
  const time = timeOf(at)
  for (const { path, before, after } of observation.edits) scales.changes.push({ order, time, is: 'path', path, blobs: { before, after } })
  if (declared !== null) scales.declarations.push({ order, at, head, record_id, folder, declared, stood: verdictOf(observation.outcome) === true })
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
  const results = principal === null ? outcomesIn(reading, observation.outcome) : [{ command: principal, outcome: principalOutcome(principal, reading, observation, scales) }]
  const open = results.some(({ command, outcome }) => verdictOf(outcome) === null && verifies(command.command))
  const doubtful = open && (verdictOf(observation.outcome) === false || saysRed(observation.output, scales.sets.toolchains))
  for (const { command, outcome } of results) {
    if (isOurs(command.command.argv)) continue
    const place = { order: order + placeIn(reading, command), began: timeOf(began), doubtful: doubtful && verdictOf(outcome) === null, traced }
    const weighed = { ...evidenceOf(command, outcome, observation, reading, principal !== null, scales), ...place }
    // What proves nothing, did nothing outside and casts no doubt is nobody's evidence: a long session is full of it.
    if (weighed.verdict === null && weighed.mutation === null && !weighed.doubtful && outcome.is !== 'transient') continue
    scales.evidence.push(weighed)
    holdWords(weighed, scales.failed)
  }
}

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

/** Somebody's closing lines in it say that something failed. */
const saysRed = (output: string | null, toolchains: readonly Toolchain[]): boolean => {
  if (output === null) return false
  const plain = plainLines(output)
  return toolchains.some((toolchain) => toolchain.summary(plain)?.passed === false)
}

const principalOutcome = (principal: ShellCommand, reading: ShellReading, { outcome, output, host }: Observation, { lookup }: Scales): Outcome =>
  assess({ principal, reading, outcome, output, witnessed: host === 'git-remnant', lookup })

/** Where the whole failed, the last of a list may have been passed over for what failed before it. */
const mayHaveRun = (read: ShellCommand, { commands }: ShellReading, { outcome }: Observation): boolean =>
  commands.length === 1 || verdictOf(outcome) !== false || read !== commands.at(-1)

/** The one command of a text was not to be had, as the shell or its runner says: nothing of it ran. */
const didNothing = ({ output }: Observation, reading: ShellReading): boolean =>
  principalOf(reading) !== null && reading.writes.length === 0 && output !== null && NOT_HAD.test(plainLines(output))

const NOT_HAD = /^(?:npm (?:error|ERR!) Missing script: |make(?:\[\d+\])?: \*\*\* No rule to make target |(?:\S+: )?(?:line \d+: |\d+: )?\S+: (?:command )?not found$|zsh: command not found: |error: no such command: |\S+: \S+: command not found$)/m

/** A call that was refused or cancelled: it printed nothing, not even an empty output. */
const neverRan = ({ outcome, output }: Observation): boolean => outcome.is === 'transient' && output === null

/**
 * Of a command's failures only the last two can matter, and none before it passed; of a gate's those on the way to green
 * too, up to a number: the words of the others are let go.
 */
function holdWords(weighed: Weighed, failed: Map<string, Weighed[]>): void {
  if (weighed.verdict === null || (weighed.verdict && !failed.has(weighed.commandKey))) return
  const held = failed.get(weighed.commandKey) ?? []
  const gate = weighed.invocation?.verifies === true
  const kept = weighed.verdict ? (gate ? held : []) : [...held.slice(gate ? 1 - MOST_ATTEMPTS : -1), weighed]
  for (const run of held) if (!kept.includes(run)) run.failure = null
  failed.set(weighed.commandKey, kept)
}

const MOST_ATTEMPTS = 24

function evidenceOf(read: ShellCommand, outcome: Outcome, observed: Observation, reading: ShellReading, alone: boolean, { sets, lookup, witnessed }: Scales): Omit<Weighed, 'traced' | 'order' | 'began' | 'doubtful'> {
  const output = plainLines(observed.output ?? '')
  const known = lookup(read.command)
  const mutation = neverRan(observed) ? null : mutationOf(read, outcome, wordsOf(read, reading, output, alone), sets, mayHaveRun(read, reading, observed))
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
    contradicted: verdict === true && known.invocation?.verifies === true && (checkedNothing(output) || SAYS_FAILED.test(output) || saysRed(output, alone ? known.readers : sets.toolchains)),
    failure: verdict === false && alone ? failureOf(known, read, settled, output) : null,
    mutation,
    changes: changesAnything(read) || sets.mutations.some((one) => one.intends(read.command) !== null),
    outside: isOutside(known.command.folder),
    symbolic: read.symbolic,
    seen: Object.keys(observed.keys).length === 0 ? NOTHING_SEEN : observed.keys,
  }
}

const NOTHING_SEEN: Readonly<Record<Key, string>> = {}

const receiptOf = (observed: Observation, command: CanonicalCommand, outcome: Outcome, witnessed: boolean): Receipt => ({
  host: observed.host,
  record_id: observed.record_id,
  command,
  outcome,
  output_sha256: observed.output === null || Buffer.byteLength(observed.output) < MIN_HASHED_OUTPUT ? null : sha256(observed.output),
  strength: strengthOf(witnessed && observed.host === 'git-remnant', outcome),
})

const strengthOf = (witnessed: boolean, outcome: Outcome): Strength => (outcome.is === 'summary' ? 'summary' : witnessed ? 'witnessed' : 'recorded')

/** Counters of failures, wherever they stand: a status of 0 beside them is hidden by a script. */
const SAYS_FAILED = /^(?:(?:#|ℹ) fail [1-9]\d*|Tests?:?\s.*\b[1-9]\d* failed\b.*|\s*[1-9]\d* failing|=+ .*\b[1-9]\d* failed\b.*=+|FAILED \((?:failures|errors)=.*|test result: FAILED\..*)$/m

/** A run that found nothing to check, in the words of the tools that say so. */
const checkedNothing = (output: string): boolean => NOTHING_CHECKED.test(output) && !SOMETHING_CHECKED.test(output)
const NOTHING_CHECKED = /^(?:# tests 0|ℹ tests 0|No tests? (?:files? )?found\b.*|.*\[no test files\]|.*no tests to run.*|running 0 tests|collected 0 items|Ran 0 tests? .*|.*: '?[\w.-]+'? is up to date\.|.*Nothing to be done for .*|Usage: .*|usage: .*)$/im
const SOMETHING_CHECKED = /^(?:(?:#|ℹ) tests [1-9]|ok\s+\S+\s+[\d.(]|running [1-9]|.*\b[1-9]\d* passed|Ran [1-9])/im

/**
 * What of an output can be a command's own words. Nothing, where its status is nobody's and others ran beside it, or where
 * another one printed a file or a text that could be taken for them.
 */
function wordsOf(read: ShellCommand, reading: ShellReading, output: string, alone: boolean): string {
  const others = reading.commands.filter((one) => one !== read)
  if (others.some((one) => PRINTERS.has(one.command.argv[0] ?? ''))) return ''
  const said = others.filter((one) => SPEAKERS.has(one.command.argv[0] ?? ''))
  if (said.some((one) => one.symbolic || one.command.argv.join(' ').length > 60 || /\\n|\n|->|@|:\/\//.test(one.command.argv.join(' ')))) return ''
  return alone || others.length === said.length || read.zero === 'succeeded' ? output : ''
}

const PRINTERS = new Set('cat head tail less more bat sed awk grep rg jq curl wget gh python python3 node ruby perl sh bash make'.split(' '))
const SPEAKERS = new Set(['echo', 'printf'])

/**
 * A change of the outside: confirmed where the tool's own words or its status say so; a status that nobody kept is no
 * obstacle, a failure is. `mayRun`: nothing in the text says that it was passed over because of what failed before it.
 */
function mutationOf(read: ShellCommand, outcome: Outcome, output: string, sets: Sets, mayRun: boolean): Deed | null {
  const verdict = verdictOf(outcome)
  if (verdict === false) return null
  const shown = read.shows === 'part' || read.shows === 'nothing' ? '' : output
  for (const mutation of sets.mutations) {
    const intended = mutation.intends(read.command)
    if (intended === null) continue
    const said = mutation.confirms(read.command, shown, verdict === true)
    const confirmed = said === 'not-done' ? null : said
    const open = confirmed === null && said !== 'not-done' && mayRun && !neverReached(output)
    return { intended, confirmed, unknown: open && intended.repeat === 'harmful' && intended.target !== null }
  }
  return null
}

function failureOf({ command, tellers }: Known, { shows }: ShellCommand, outcome: Outcome, output: string): Failure | null {
  if (shows === 'part' || shows === 'nothing') return null
  const ending = { command, code: outcome.is === 'code' ? outcome.code : null, output }
  for (const toolchain of tellers) {
    const failure = toolchain.failure(ending)
    if (failure !== null && failure !== 'transient') return failure
  }
  return null
}

/** The words of failures that are still held, made comparable. */
async function comparable({ evidence, declarations, sets }: Scales, session: SessionWorld): Promise<Evidence[]> {
  const weighed: Evidence[] = []
  // What a gate outlived counts for a fix whose cause was declared, and for nothing else.
  const fixes = declarations.some(({ declared }) => declared.root_cause)
  const passed = new Map(evidence.filter(({ verdict }) => verdict === true).map(({ commandKey, order }) => [commandKey, order]))
  for (const run of evidence) {
    const outlived = !fixes && run.order < (passed.get(run.commandKey) ?? -1)
    const normal = run.failure === null || outlived ? null : await signatureOf(run.failure.lines, session, sets.ephemera)
    const failure = run.failure === null || normal === null ? null : { class: run.failure.class, keys: run.failure.keys, ...normal }
    weighed.push({ ...run, failure })
  }
  return weighed
}

/** Runs of one command, however it was spelled, in order, with those that prove nothing left out. */
export function byCommand(evidence: readonly Evidence[]): readonly Evidence[][] {
  const groups = new Map<string, Evidence[]>()
  for (const run of evidence) {
    if (run.verdict === null || run.symbolic) continue
    const group = groups.get(run.alias)
    if (group === undefined) groups.set(run.alias, [run])
    else group.push(run)
  }
  return [...groups.values()]
}
