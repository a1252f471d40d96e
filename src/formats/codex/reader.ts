import { HEX_OID } from '../../base/digest.ts'
import { type JsonObject, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf } from '../../base/time.ts'
import { type Line, type LogReader, recordIdOf } from '../../model/format.ts'
import type { Edit, Turn } from '../../model/observation.ts'
import { UNKNOWN } from '../../model/outcome.ts'
import { type Call, callOf } from './call.ts'
import { type Ending, ended, endingOf, outputOf, parted } from '../../model/codex/ending.ts'
import { cwdInContext, isBareHeader } from './meta.ts'
import { editsOfChanges } from '../../model/codex/patch.ts'

/**
 * Joins calls with their outputs by id. The session is that of the first meta: a resumed log repeats it, a forked one
 * replays its parent's lines after its own meta. Replayed calls can't be told from own ones, so they count as this
 * session's (they ran, and the log is their evidence); what is repeated inside one log counts once.
 * `compacted` lines repeat earlier items and are not walked.
 */
export function openReader(): LogReader {
  let session: string | null = null
  let cwd: string | null = null
  let head: string | null = null
  const open = new Map<string, Call>()
  const running = new Map<string, Running>()
  const patched = new Map<string, Turn>()
  const done = new Set<string>()

  function meta(payload: JsonObject): void {
    session ??= wordOf(payload.id)
    if (wordOf(payload.id) !== session) return
    cwd = wordOf(payload.cwd) ?? cwd
    const commit = textOf(objectOf(payload.git).commit_hash)
    if (commit !== null) head = HEX_OID.test(commit) ? commit : null
  }

  function* item(payload: JsonObject, at: string | null): Iterable<Turn> {
    switch (payload.type) {
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call': {
        yield* settled()
        const call = callOf(payload, at, cwd)
        if (call !== null && !open.has(call.id) && !done.has(call.id)) open.set(call.id, call)
        return
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
        return yield* output(wordOf(payload.call_id) ?? '', outputOf(payload.output), at)
      case 'message':
        // Only a log without a cwd of its own depends on what the host told the model.
        cwd ??= cwdInContext(payload)
    }
  }

  function* output(id: string, text: string, at: string | null): Iterable<Turn> {
    const call = open.get(id)
    if (call === undefined) return
    open.delete(id)
    done.add(id)
    // What a tool that nobody knows did to the files, nobody knows.
    if (call.kind === 'other') yield editTurn(id, at, call.cwd, [{ path: '.', before: null, after: null }])
    else if (call.scripted) yield commandTurn(call, at, { outcome: UNKNOWN, output: parted(text).text, cut: true })
    else if (call.kind === 'patch') {
      if (isApplied(text)) patched.set(id, editTurn(id, at, call.cwd, call.edits))
    } else {
      const ending = endingOf(text)
      if (call.kind === 'stdin') yield* goesOn(call, ending, at)
      else if (ending?.running) yield* leave(ending.running, call, ending, at)
      else if (ending !== null) yield commandTurn(call, at, ending)
    }
  }

  function* leave(process: string, call: Call, ending: Ending, at: string | null): Iterable<Turn> {
    const forgotten = running.get(process)
    if (forgotten !== undefined) yield unfinished(forgotten, at)
    running.set(process, { call, printed: ending.output ?? '', cut: ending.cut, interrupted: false })
  }

  function* goesOn(call: Call, ending: Ending | null, at: string | null): Iterable<Turn> {
    const process = running.get(call.process ?? '')
    if (process === undefined || ending === null) return
    if (call.stops) process.interrupted = true
    if (ending.running === null && ending.outcome.is !== 'code') return
    const printed = process.printed + (ending.output ?? '')
    process.printed = printed.slice(-MAX_PRINTED)
    process.cut ||= ending.cut || printed.length > MAX_PRINTED
    if (ending.running !== null) return
    running.delete(call.process ?? '')
    yield commandTurn(process.call, at, { outcome: process.interrupted ? { is: 'transient' } : ending.outcome, output: process.printed, cut: process.cut })
  }

  /** The event tells the status of a command itself; the output that follows or went before it repeats it. */
  function* commandEnd(event: JsonObject, at: string | null): Iterable<Turn> {
    const id = wordOf(event.call_id) ?? ''
    const [process, left] = [...running].find(([, { call }]) => call.id === id) ?? []
    const call = left?.call ?? open.get(id)
    if (call === undefined || call.kind !== 'command' || call.scripted || !Number.isInteger(event.exit_code)) return
    if (process !== undefined) running.delete(process)
    open.delete(id)
    done.add(id)
    const text = textOf(event.aggregated_output) ?? [textOf(event.stdout), textOf(event.stderr)].filter((part) => part).join('\n')
    const ending = ended(event.exit_code as number, { header: '', text })
    const stopped = left?.interrupted || event.status === 'declined'
    yield commandTurn({ ...call, cwd: wordOf(event.cwd) ?? call.cwd }, at, stopped ? { ...ending, outcome: { is: 'transient' } } : ending)
  }

  function* patchEnd(event: JsonObject, at: string | null): Iterable<Turn> {
    const id = wordOf(event.call_id)
    if (id === null) return
    const waiting = patched.get(id)
    if (waiting === undefined && done.has(id)) return
    const call = open.get(id)
    open.delete(id)
    patched.delete(id)
    done.add(id)
    const edits = editsOfChanges(event.changes)
    if (event.success === true) yield editTurn(id, at, call?.cwd ?? waiting?.cwd ?? cwd, edits.length > 0 ? edits : (waiting?.edits ?? call?.edits ?? []))
  }

  /** Patches whose output came and whose event did not: what they asked for was done. */
  function* settled(): Iterable<Turn> {
    yield* patched.values()
    patched.clear()
  }

  const commandTurn = (call: Call, at: string | null, { outcome, output, cut }: Pick<Ending, 'outcome' | 'output' | 'cut'>): Turn => ({
    ...turn(call.id, at ?? call.at, call.cwd),
    ...(call.at === null ? {} : { began: call.at }),
    command: call.command,
    outcome,
    output,
    ...(cut ? { cut } : {}),
  })

  const editTurn = (id: string, at: string | null, where: string | null, edits: readonly Edit[]): Turn => ({
    ...turn(id, at, where),
    kind: 'edit',
    outcome: { is: 'success' },
    // A patch that was applied, and of which nobody can tell what it changed, may have changed anything.
    edits: edits.length > 0 ? edits : [{ path: '.', before: null, after: null }],
  })

  const unfinished = ({ call, printed, interrupted }: Running, at: string | null): Turn =>
    commandTurn(call, at, { outcome: interrupted ? { is: 'transient' } : UNKNOWN, output: printed, cut: true })

  const turn = (id: string, at: string | null, where: string | null): Turn => ({
    host: 'codex',
    session: session ?? '',
    record_id: recordIdOf(id),
    at,
    kind: 'command',
    cwd: where,
    head,
    command: null,
    outcome: UNKNOWN,
    output: null,
    edits: [],
    declared: null,
    keys: {},
  })

  return {
    *read({ value }: Line): Iterable<Turn> {
      const line = objectOf(value)
      if (!('payload' in line)) {
        if (session === null && isBareHeader(line)) meta(line)
        else if (session !== null) yield* item(line, utcOf(line.timestamp))
        return
      }
      const payload = objectOf(line.payload)
      const at = utcOf(line.timestamp)
      if (line.type === 'session_meta') meta(payload)
      else if (session === null) return
      else if (line.type === 'turn_context') cwd = wordOf(payload.cwd) ?? cwd
      else if (line.type === 'response_item') yield* item(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'exec_command_end') yield* commandEnd(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'patch_apply_end') yield* patchEnd(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'turn_aborted') for (const call of open.values()) call.interrupted = true
    },
    *end(): Iterable<Turn> {
      yield* settled()
      for (const process of running.values()) yield unfinished(process, null)
      for (const call of open.values())
        if (call.kind === 'command') yield commandTurn(call, null, { outcome: call.interrupted ? { is: 'transient' } : UNKNOWN, output: null, cut: false })
      running.clear()
      open.clear()
    },
  }
}

/** A command that its output left running, and what it has printed. */
interface Running {
  readonly call: Call
  printed: string
  cut: boolean
  interrupted: boolean
}

/** Characters kept of a command that goes on printing: its end. */
const MAX_PRINTED = 1024 * 1024

/** Whether an output says that a patch was applied; nothing else counts. */
function isApplied(output: string): boolean {
  const ending = endingOf(output)
  return ending?.outcome.is === 'code' ? ending.outcome.code === 0 : output.startsWith('Success. Updated the following files')
}
