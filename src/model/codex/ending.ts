import { type JsonObject, listOf, objectOf, textOf } from '../../base/json.ts'
import type { Outcome } from '../outcome.ts'

/** What the output of a shell call says. `running`: the id of a process that goes on; its status comes with later output. */
export interface Ending {
  readonly outcome: Outcome
  readonly output: string | null
  readonly cut: boolean
  readonly running: string | null
}

/**
 * The status in a tool's output, which every era of Codex writes differently; the order of the questions matters.
 * null: the call was not valid and nothing ran.
 */
export function endingOf(output: string): Ending | null {
  const parsed = inMetadata(output)
  if (parsed !== null) return parsed
  const coded = /^Exit code: (-?\d{1,9})(?:\r?\n|$)/.exec(output)
  if (coded !== null) return ended(Number(coded[1]), parted(output))
  const unified = inHeader(output)
  if (unified !== null) return unified
  return withoutStatus(output)
}

/** Text of an output that is a string, a list of parts, or an object around a string. */
export function outputOf(value: unknown): string {
  if (!Array.isArray(value)) return textOf(value) ?? textOf(objectOf(value).content) ?? ''
  const parts = listOf(value).map((part) => textOf(objectOf(part).text) ?? '')
  return parts.reduce((text, part) => (text === '' || text.endsWith('\n') || part === '' ? text + part : `${text}\n${part}`), '')
}

/** The host's own header, which ends with the first line `Output:`, and the text under it; no header, if there is no such line. */
export function parted(output: string): { readonly header: string; readonly text: string } {
  const at = /(?:^|\n)Output:(?:\r?\n|$)/.exec(output)
  return at === null ? { header: '', text: output } : { header: output.slice(0, at.index), text: output.slice(at.index + at[0].length) }
}

/** How a command ended whose status is known. */
export function ended(code: number, { header, text }: ReturnType<typeof parted>): Ending {
  if (isStopped(text)) return { outcome: { is: 'transient' }, output: text, cut: true, running: null }
  return { outcome: { is: 'code', code }, output: text, cut: isShortened(header, text), running: null }
}

/** What is printed of a command whose status nobody tells: its output alone. */
export const endingOfText = (text: string): Ending => ({ outcome: UNKNOWN, output: text, cut: isShortened('', text), running: null })

/** The parts of an output that is a list of texts. */
export const partsOf = (value: unknown): readonly string[] => listOf(value).map((part) => textOf(objectOf(part).text) ?? '')

/** `{"output":"…","metadata":{"exit_code":0}}`, written as a text. */
function inMetadata(output: string): Ending | null {
  if (!output.startsWith('{')) return null
  let value: JsonObject
  try {
    value = objectOf(JSON.parse(output))
  } catch {
    return null
  }
  const code = objectOf(value.metadata).exit_code
  return Number.isInteger(code) ? ended(code as number, { header: '', text: textOf(value.output) ?? '' }) : null
}

function inHeader(output: string): Ending | null {
  const from = output.startsWith('Command: ') ? /\n(?=Chunk ID: |Wall time: |Process )/.exec(output) : null
  const rest = from === null ? output : output.slice(from.index + 1)
  const found = HEADER.exec(rest)
  if (found === null) return null
  const { header, text } = parted(rest)
  if (found[1] !== undefined) return ended(Number(found[1]), { header, text })
  return { outcome: UNKNOWN, output: text, cut: isShortened(header, text), running: found[2] ?? null }
}

const HEADER = /^(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?Process (?:exited with code (-?\d{1,9})|running with session ID (\d{1,18}))(?:\r?\n|$)/

function withoutStatus(output: string): Ending | null {
  if (output.startsWith('failed to parse function arguments') || output.startsWith('unsupported call')) return null
  if (isStopped(output)) return { outcome: { is: 'transient' }, output, cut: true, running: null }
  if (isDenied(output)) return { outcome: { is: 'transient' }, output: null, cut: false, running: null }
  const failed = output.startsWith('exec_command failed') || output.startsWith('execution error')
  return { outcome: failed ? { is: 'failure' } : UNKNOWN, output, cut: !failed, running: null }
}

/** The user, or a limit of time, ended it while it ran: what it had changed by then stays changed. */
const isStopped = (output: string): boolean =>
  /^(?:command timed out after \d|aborted by user\b|aborted$|command aborted|execution timed out)/.test(output)

const DENIALS = [/\bRejected\(/, /rejected by user/, /(?:blocked|denied) by policy/, /failed in sandbox|[Ss]andbox(?: denied| error|\(Denied)/, /^execution denied/]

/** A policy, a sandbox or a person kept it from running, in the host's own words at the start of the text. */
const isDenied = (output: string): boolean => {
  const start = output.slice(0, output.startsWith('exec_command failed') ? 2000 : 200)
  return DENIALS.some((denial) => denial.test(start))
}

const isShortened = (header: string, text: string): boolean =>
  /(?:^|\n)Total output lines: \d/.test(header) || /^Total output lines: \d/.test(text) || SHORTENED.test(text)

const SHORTENED = /…\d{1,12} (?:tokens|chars|characters|lines) truncated…|\[\.\.\. (?:omitted|output truncated)[^\n\]]{0,60} \.\.\.\]/

/** The schema of outcomes is not loaded for it: hooks read endings too, and have no time. */
const UNKNOWN: Outcome = { is: 'unknown' }
