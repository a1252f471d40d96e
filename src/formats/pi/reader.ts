import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf, utcOfMilliseconds } from '../../base/time.ts'
import { type Call, DONE, type Ending, ONLY_READS, brokenOff, callsOf, coded, editOf, nameOf, untold } from '../../model/call.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'

/**
 * Joins calls with their results by id. A fork replays its parent's entries behind its own header; they count as this
 * session's. Branches of the talk's tree are read in the order in which they were written: files know no branches.
 */
export function openReader(): LogReader {
  let session: string | null = null
  let cwd: string | null = null
  const calls = callsOf('pi')

  function* message(said: JsonObject, entry: JsonObject): Iterable<Turn> {
    const at = utcOf(entry.timestamp) ?? utcOfMilliseconds(said.timestamp)
    if (said.role === 'assistant') {
      for (const block of listOf(said.content).map(objectOf)) {
        const call = block.type === 'toolCall' ? callOf(block, session ?? '', at, cwd) : null
        if (call !== null) calls.begin(call)
      }
    } else if (said.role === 'toolResult') {
      const call = calls.waiting(session ?? '', wordOf(said.toolCallId) ?? '')
      if (call === null) return
      if (call.tool === 'shell') yield* calls.finish(call, shellEnding(said), at)
      else yield* calls.finish(call, said.isError !== true ? DONE : call.tool === 'edit' ? null : untold(null), at)
    } else if (said.role === 'bashExecution') yield* typed(said, entry, at)
  }

  /** A command that the user typed in the host itself. */
  function* typed(said: JsonObject, entry: JsonObject, at: string | null): Iterable<Turn> {
    const [command, output] = [textOf(said.command), textOf(said.output) ?? '']
    if (command === null) return
    const id = wordOf(entry.id) ?? nameOf('typed', at, command, output)
    const ending = said.cancelled === true ? brokenOff(output) : Number.isInteger(said.exitCode) ? coded(said.exitCode as number, output, said.truncated === true) : untold(output)
    yield* calls.finish({ session: session ?? '', id, tool: 'shell', at, cwd, command }, ending, at)
  }

  return {
    *read({ value }: Line): Iterable<Turn> {
      const entry = objectOf(value)
      if (entry.type === 'session') {
        session ??= wordOf(entry.id)
        if (entry.id === session) cwd = wordOf(entry.cwd) ?? cwd
      } else if (session !== null && entry.type === 'message') yield* message(objectOf(entry.message), entry)
    },
    end: calls.left,
  }
}

/** A call of a tool that runs commands or may change files; null: it only reads or talks. */
function callOf(block: JsonObject, session: string, at: string | null, cwd: string | null): Call | null {
  const [id, name, input] = [wordOf(block.id), textOf(block.name) ?? '', objectOf(block.arguments)]
  if (id === null || READERS.test(name) || ONLY_READS.test(name)) return null
  const call = { session, id, at, cwd }
  if (name === 'bash') return { ...call, tool: 'shell', command: textOf(input.command) }
  if (name === 'write' || name === 'edit') return { ...call, tool: 'edit', edits: [editOf(wordOf(input.path) ?? wordOf(input.file_path))] }
  return { ...call, tool: 'other' }
}

const READERS = /^(?:|read|grep|find|ls)$/

/**
 * An error ends with the status in the host's own words. No error means that the status was 0, or that there was none,
 * because a signal ended it: only the tool's own closing lines can tell these apart.
 */
function shellEnding(result: JsonObject): Ending {
  const text = listOf(result.content).map((part) => textOf(objectOf(part).text) ?? '').join('')
  const cut = 'truncation' in objectOf(result.details) && objectOf(objectOf(result.details).truncation).truncated !== false
  if (result.isError !== true) return { outcome: { is: 'unknown' }, output: text === '(no output)' ? '' : text, ...(cut && { cut }) }
  const told = /(?:^|\n\n)Command exited with code (\d{1,9})$/.exec(text)
  if (told !== null) {
    const output = text.slice(0, told.index)
    return coded(Number(told[1]), output === '(no output)' ? '' : output, cut || SHORTENED.test(output))
  }
  return /(?:^|\n\n)Command (?:aborted|timed out after [\d.]{1,20} seconds?)$/.test(text) ? brokenOff(text) : untold(text)
}

const SHORTENED = /\n\n\[Showing (?:lines|last) [^\n\]]{1,400}\]$/
