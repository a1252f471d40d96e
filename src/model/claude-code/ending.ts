import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import type { Outcome } from '../outcome.ts'

/** How a shell call ended. `cut`: the host kept only part of the output. */
export interface Ending {
  readonly outcome: Outcome
  readonly output: string | null
  readonly cut: boolean
  /** The output is one stream: each line stands where it was printed, errors among them. */
  readonly inOrder?: true
}

/**
 * What became of a shell call, from its result block, the line around it and the call's own input.
 * null: it never ran, because the call itself was not valid.
 */
export function endingOf(block: JsonObject, line: JsonObject, input: JsonObject): Ending | null {
  if (wordOf(line.toolDenialKind) !== null) return STOPPED
  return block.is_error === true ? failed(block, line) : finished(block, line, input)
}

export const isInterruption = (text: string): boolean => text.startsWith('[Request interrupted by user')

/** It never ran. */
const STOPPED: Ending = { outcome: { is: 'transient' }, output: null, cut: false }
/** It was ended while it ran, or may have been: what it had changed by then stays changed. */
export const BROKEN_OFF: Ending = { outcome: { is: 'transient' }, output: '', cut: true }

function finished(block: JsonObject, line: JsonObject, input: JsonObject): Ending {
  const result = objectOf(line.toolUseResult)
  const [stdout, stderr] = [textOf(result.stdout), textOf(result.stderr)]
  const content = contentOf(block)
  if (stdout === null) return stopIn(content) ?? { outcome: UNKNOWN, output: content || null, cut: true }
  const output = result.isImage === true ? null : withoutNotes([stdout, stderr ?? ''].filter((text) => text !== '').join('\n'))
  const outcome = statusOf(result, input)
  const kept = wordOf(result.persistedOutputPath) !== null || content.startsWith('<persisted-output>') || isShortened(stdout)
  const cut = kept || outcome.is === 'transient' || outcome.is === 'unknown' || result.isImage === true
  return { outcome, output, cut, ...(withoutNotes(stderr ?? '') === '' && { inOrder: true as const }) }
}

function statusOf(result: JsonObject, input: JsonObject): Outcome {
  if (typeof result.timedOutAfterMs === 'number' || result.interrupted === true) return { is: 'transient' }
  const background = wordOf(result.backgroundTaskId) !== null || result.assistantAutoBackgrounded === true || result.backgroundedByUser === true
  if (background || input.run_in_background === true) return UNKNOWN
  if (wordOf(result.returnCodeInterpretation) !== null) return { is: 'answer' }
  return { is: 'success' }
}

function failed(block: JsonObject, line: JsonObject): Ending | null {
  const text = contentOf(block) || (textOf(line.toolUseResult) ?? '').replace(/^Error: /, '')
  const coded = /^(?:Error: )?Exit code (-?\d{1,9})(?:\r?\n|$)/.exec(text)
  if (coded === null) return failedWithoutCode(text, line)
  const output = withoutNotes(text.slice(coded[0].length))
  const late = output.startsWith(TIMED_OUT) || SANDBOXED.test(output)
  return { outcome: late ? { is: 'transient' } : { is: 'code', code: Number(coded[1]) }, output, cut: late || isShortened(output) }
}

function failedWithoutCode(text: string, line: JsonObject): Ending | null {
  const stop = stopIn(text)
  if (stop !== null) return stop
  if (text.startsWith('<tool_use_error>') || text.startsWith('InputValidationError')) return null
  if (text.startsWith(TIMED_OUT)) return { outcome: { is: 'transient' }, output: withoutNotes(text), cut: true }
  // Since 2.0.64 a command that ran and failed has its code there; before, no failure has one.
  return { outcome: isBeforeCodes(textOf(line.version)) ? { is: 'failure' } : UNKNOWN, output: withoutNotes(text), cut: isShortened(text) }
}

const TIMED_OUT = 'Command timed out after'
/** The host's own note that its sandbox kept the command from something, on a line of its own. */
const SANDBOXED = /(?:^|\n)<sandbox_violations>\n/

const REFUSALS = [
  "The user doesn't want to proceed with this tool use",
  "The user doesn't want to take this action right now",
  'User rejected tool use',
  'Permission to use ',
  'Claude requested permissions to ',
  'This command requires approval',
  '<tool_use_error>Sibling tool call errored',
  '<tool_use_error>Cancelled:',
  'Sibling tool call errored',
  'Cancelled: parallel tool call',
  'PreToolUse:',
  'Hook PreToolUse:',
]
const BREAKS = ['[Request interrupted by user', '<error>Command was aborted', 'Command was aborted']

/** The command was kept from running by the user, a rule, a hook, or the failure of a call beside it, or was broken off. null: neither. */
function stopIn(text: string): Ending | null {
  const begins = (starts: readonly string[]): boolean => starts.some((start) => text.startsWith(start) || text.startsWith(`Error: ${start}`))
  return begins(REFUSALS) ? STOPPED : begins(BREAKS) ? BROKEN_OFF : null
}

function isBeforeCodes(version: string | null): boolean {
  const parts = /^(\d{1,4})\.(\d{1,4})\.(\d{1,6})/.exec(version ?? '')
  if (parts === null) return false
  const [major, minor, patch] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return major < 2 || (major === 2 && minor === 0 && patch < 64)
}

/** Whether the host left something out of an output. */
export const isShortened = (output: string): boolean =>
  output.startsWith('<persisted-output>') || /\.\.\. \[\d{1,12} (?:lines?|characters?) truncated\] \.\.\./.test(output)

/** The host's own last line under a command's output says that the shell went back to its folder. */
const withoutNotes = (output: string): string => {
  const at = output.lastIndexOf('\n') + 1
  return output.startsWith('Shell cwd was reset to ', at) ? output.slice(0, Math.max(at - 1, 0)) : output
}

const contentOf = (block: JsonObject): string =>
  textOf(block.content) ??
  listOf(block.content)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .filter((text) => text !== '')
    .join('\n')

/** The schema of outcomes is not loaded for it: hooks read endings too, and have no time. */
const UNKNOWN: Outcome = { is: 'unknown' }
