import { plainLines } from '../base/plain.ts'
import type { SessionWorld } from '../model/ephemeron.ts'
import type { Outcome } from '../model/outcome.ts'
import { refusalsIn } from '../model/refusal.ts'
import type { Sets } from '../model/sets.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import type { Failure } from '../model/toolchain.ts'
import type { Declaration, Evidence } from './evidence.ts'
import type { Known } from './known.ts'
import { signatureOf } from './normalise.ts'

/** Evidence whose failure still stands in the tool's own words. */
export type Weighed = Omit<Evidence, 'failure'> & { failure: Failure | null }

/** What a failed run says, in the words of the toolchain that knows it best. null: nothing that tells of it, or what is shown may leave it out. */
export function failureOf(known: Known, { shows }: ShellCommand, outcome: Outcome, printed: string | null): Failure | null {
  if (shows !== 'all' && shows !== 'end') return null
  const { command, tellers } = known
  const output = plainLines(printed ?? '')
  const ending = { command, code: outcome.is === 'code' ? outcome.code : null, output }
  let passes = false
  for (const toolchain of tellers) {
    const failure = toolchain.failure(ending)
    // What a program of the repository was refused elsewhere is no matter of its files. A gate's own words may speak of anything.
    if (failure !== null && failure !== 'transient') return failure.class === 'red' && known.invocation?.verifies !== true && refusalsIn(output).length > 0 ? { ...failure, class: null } : failure
    passes ||= failure === 'transient'
  }
  return passes || printed === null ? null : wordless(known, outcome)
}

/** The same of a command that ended a text with a status of its own, where it can be told from what the others said; null: it can't. */
export function failureAmong(known: Known, read: ShellCommand, { commands }: ShellReading, outcome: Outcome, output: string): Failure | null {
  if (outcome.is !== 'code' || read !== commands.at(-1) || read.shows !== 'all' || commands.some(({ behind }) => behind === true)) return null
  const { command, toolchain } = known
  const own = toolchain?.own?.({ command, code: outcome.code, output }) ?? null
  if (toolchain === null || own === null) return null
  const told = toolchain.failure({ command, code: outcome.code, output: own })
  return told !== null && told !== 'transient' && told.class !== 'red' ? told : failureOf(known, read, outcome, own)
}

/** A check, or a program of the repository, that failed without a word: its status is all that it says. null: some other command, or not its own status. */
export function wordless({ invocation }: Known, outcome: Outcome): Failure | null {
  const own = invocation !== null && (invocation.verifies || invocation.readsSources)
  return own && outcome.is === 'code' && outcome.code > 0 && outcome.code < 124 ? { class: 'red', lines: [`exit status ${outcome.code}`], keys: [] } : null
}

/** The words of failures that are still held, made comparable. */
export async function comparable({ evidence, declarations, sets }: { readonly evidence: readonly Weighed[]; readonly declarations: readonly Declaration[]; readonly sets: Sets }, session: SessionWorld): Promise<Evidence[]> {
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

/**
 * Of a command's failures only the last two can matter, and none before it passed; of a gate's those on the way to green
 * too, up to a number: the words of the others are let go.
 */
export function holdWords(weighed: Weighed, failed: Map<string, Weighed[]>): void {
  if (weighed.verdict === null || (weighed.verdict && !failed.has(weighed.commandKey))) return
  const held = failed.get(weighed.commandKey) ?? []
  const gate = weighed.invocation?.verifies === true
  const kept = weighed.verdict ? (gate ? held : []) : [...held.slice(gate ? 1 - MOST_ATTEMPTS : -1), weighed]
  for (const run of held) if (!kept.includes(run)) run.failure = null
  failed.set(weighed.commandKey, kept)
}

const MOST_ATTEMPTS = 24
