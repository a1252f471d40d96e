import type { Ending } from '../call.ts'

/**
 * What the model is told of a command: its output, then lines of the host's own, the last of them naming the process group.
 * A status stands there only if it is not 0. Without that last line nothing is known. `failed`: the host says that it could
 * not run it. `shown`: the output as a person saw it, where the host keeps it: what follows it is the host's own.
 */
export function endingOf(text: string, failed: boolean, shown: string | null = null): Ending {
  if (NOT_STARTED.test(text)) return { outcome: { is: 'transient' }, output: null }
  if (BROKEN_OFF.test(text)) return { outcome: { is: 'transient' }, output: text.slice(0, MOST_KEPT), cut: true }
  const start = /^(?:Command: [^]*?\nDirectory: [^\n]*\n)?(?:Output|Stdout): /.exec(text)
  if (start === null || failed) return unknown(text)
  const from = start[0].length
  const printed = shown !== null && shown.trim() !== '' && text.startsWith(shown, from) ? shown.length : null
  const end = CLOSING.exec(printed === null ? text : text.slice(from + printed))
  if (end === null || (printed !== null && end.index > 0)) return unknown(text)
  const body = printed === null ? text.slice(from, end.index) : text.slice(from, from + printed)
  const output = body === '(empty)' ? '' : body
  if (end[3] !== undefined && end[3] !== '(none)') return { outcome: { is: 'transient' }, output }
  const [, error, status] = end
  if (status?.startsWith('-')) return { outcome: { is: 'transient' }, output }
  if (status !== undefined && status !== '(none)' && status !== '0') return { outcome: { is: 'code', code: Number(status) }, output }
  // An error that the host met, and no status: nobody knows how it ended. A program may print such a line as its last, too.
  return status !== '0' && error !== undefined && error !== '(none)' ? unknown(text) : { outcome: { is: 'success' }, output }
}

const unknown = (text: string): Ending => ({ outcome: { is: 'unknown' }, output: text === '' ? null : text, cut: true })

const NOT_STARTED = /^Command was cancelled by user before it could start/
const BROKEN_OFF = /^(?:Command timed out|Command was automatically cancelled|Command was cancelled)/
const MOST_KEPT = 1024 * 1024
const CLOSING = /(?:\nError: ([^\n]*))?(?:\nExit Code: (-?\d{1,9}|\(none\)))?(?:\nSignal: ([^\n]*))?(?:\nBackground PIDs: [^\n]*)?\nProcess Group PGID: [^\n]*\s*$/
