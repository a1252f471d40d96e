import { type JsonObject, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf, utcOfMilliseconds } from '../../base/time.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'
import { UNKNOWN } from '../../model/outcome.ts'
import { type Call, callOf } from './call.ts'
import { type Ending, endingOf, outputOf, parted } from '../../model/codex/ending.ts'
import { cwdInContext, isBareHeader } from './meta.ts'
import { endingOfEvent, itemOf, typedOf } from './items.ts'
import { interruptedBy, openScripts } from './scripts.ts'
import { editsOfChanges } from '../../model/codex/patch.ts'
import { type Session, commandTurn, editTurn, hear } from './turns.ts'

/**
 * Joins calls with their outputs by id. Calls that a forked log replays can't be told from own ones, so they count as this
 * session's (they ran, and the log is their evidence); what is repeated inside one log counts once.
 * `compacted` lines repeat earlier items and are not walked.
 */
export function openReader(): LogReader {
  const session: Session = { id: null, cwd: null, started: null, head: null }
  const open = new Map<string, Call>()
  const running = new Map<string, Running>()
  const patched = new Map<string, Turn>()
  const done = new Set<string>()
  const named = new Set<string>()
  const scripts = openScripts<Call>()
  const cells = new Map<string, Call>()
  const stopped = new Set<string>()
  /** When all that ran was stopped, in ms. */
  let halted = 0

  function* item(payload: JsonObject, at: string | null): Iterable<Turn> {
    switch (payload.type) {
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call': {
        yield* settled()
        const call = callOf(payload, at, session.cwd)
        if (call === null || open.has(call.id) || done.has(call.id)) return
        open.set(call.id, call)
        if (call.scripted) begin(call, textOf(payload.input) ?? '', at)
        return
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
        return yield* output(wordOf(payload.call_id) ?? '', outputOf(payload.output), at)
      case 'message':
        // Only a log without a cwd of its own depends on what the host told the model.
        session.cwd ??= cwdInContext(payload)
    }
  }

  function* output(id: string, text: string, at: string | null): Iterable<Turn> {
    const call = open.get(id)
    if (call === undefined) return
    open.delete(id)
    done.add(id)
    // What a tool that nobody knows did to the files, nobody knows.
    if (call.kind === 'other') yield editTurn(session, id, at, call.cwd, [{ path: '.', before: null, after: null }])
    else if (call.scripted) yield* scriptEnd(call, text, at)
    else if (call.kind === 'wait') {
      const script = cells.get(call.process ?? '')
      if (script !== undefined) yield* scriptEnd(script, text, at)
    } else if (call.kind === 'patch') {
      if (isApplied(text)) patched.set(id, editTurn(session, id, at, call.cwd, call.edits))
    } else {
      const ending = endingOf(text)
      if (call.kind === 'stdin') yield* goesOn(call, ending, at)
      else if (ending?.running) yield* leave(ending.running, call, ending, at)
      else if (ending !== null) yield commandTurn(session, call, at, ending)
    }
  }

  function begin(script: Call, input: string, at: string | null): void {
    scripts.begin(script, input, millisecondsOf(at))
    const ids = interruptedBy(input)
    if (ids === 'all') halted = Math.max(halted, millisecondsOf(at) ?? Infinity)
    else for (const id of ids) stopped.add(id)
  }

  /** A script that goes on in a cell ends with a later `wait`. Of one whose deeds are all told there is nothing left to tell. */
  function* scriptEnd(script: Call, text: string, at: string | null): Iterable<Turn> {
    const cell = IN_CELL.exec(text)?.[1]
    if (cell !== undefined) return void cells.set(cell, script)
    for (const untold of untoldOf(scripts.end(script, text))) yield commandTurn(session, untold, at, { outcome: UNKNOWN, output: parted(text).text, cut: true })
  }

  function* itemEnd(event: JsonObject, at: string | null): Iterable<Turn> {
    const item = itemOf(event)
    const id = wordOf(item?.event.call_id)
    if (item === null || id === null || done.has(id)) return
    const called = open.get(id) ?? [...running.values()].find(({ call }) => call.id === id)?.call
    if (called !== undefined) return yield* item.is === 'patch' ? patchEnd(item.event, at) : commandEnd(item.event, at)
    scripts.told(item.began)
    if (item.is === 'patch') return yield* patchEnd(item.event, at)
    done.add(id)
    const began = utcOfMilliseconds(item.began)
    const call: Call = { id, kind: 'command', ...item.command, cwd: wordOf(item.event.cwd) ?? session.cwd, at: began, edits: [], scripted: false, process: null, stops: false, interrupted: false }
    const ending = endingOfEvent(item.event)
    const isStopped = item.event.status === 'declined' || stopped.has(item.process ?? '') || (halted > 0 && (item.began ?? 0) <= halted)
    yield commandTurn(session, call, at, isStopped ? { ...ending, outcome: { is: 'transient' } } : ending)
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
    yield commandTurn(session, process.call, at, { outcome: process.interrupted ? { is: 'transient' } : ending.outcome, output: process.printed, cut: process.cut })
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
    const ending = endingOfEvent(event)
    const isStopped = left?.interrupted || event.status === 'declined'
    const { powershell } = Array.isArray(event.command) ? typedOf(event.command) : call
    yield commandTurn(session, { ...call, powershell, cwd: wordOf(event.cwd) ?? call.cwd }, at, isStopped ? { ...ending, outcome: { is: 'transient' } } : ending)
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
    if (call?.scripted === true) named.add(id)
    if (event.success === true) yield editTurn(session, id, at, call?.cwd ?? waiting?.cwd ?? session.cwd, edits.length > 0 ? edits : (waiting?.edits ?? call?.edits ?? []))
  }

  /** Scripts but those under whose own id something was told: a record is told once. */
  const untoldOf = (ended: readonly Call[]): Call[] => ended.filter(({ id }) => !named.has(id))

  /** Patches whose output came and whose event did not: what they asked for was done. */
  function* settled(): Iterable<Turn> {
    yield* patched.values()
    patched.clear()
  }

  const unfinished = ({ call, printed, interrupted }: Running, at: string | null): Turn =>
    commandTurn(session, call, at, { outcome: interrupted ? { is: 'transient' } : UNKNOWN, output: printed, cut: true })

  return {
    *read({ value }: Line): Iterable<Turn> {
      const line = objectOf(value)
      if (!('payload' in line)) {
        if (session.id === null && isBareHeader(line)) hear(session, line)
        else if (session.id !== null) yield* item(line, utcOf(line.timestamp))
        return
      }
      const payload = objectOf(line.payload)
      const at = utcOf(line.timestamp)
      if (line.type === 'session_meta') hear(session, payload)
      else if (session.id === null) return
      else if (line.type === 'turn_context') session.cwd = wordOf(payload.cwd) ?? session.cwd
      else if (line.type === 'response_item') yield* item(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'exec_command_end') yield* commandEnd(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'patch_apply_end') yield* patchEnd(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'item_completed') yield* itemEnd(payload, at)
      else if (line.type === 'event_msg' && payload.type === 'turn_aborted') {
        for (const call of open.values()) call.interrupted = true
        halted = Math.max(halted, millisecondsOf(at) ?? 0)
      }
    },
    *end(): Iterable<Turn> {
      yield* settled()
      for (const process of running.values()) yield unfinished(process, null)
      for (const script of untoldOf(scripts.rest())) yield commandTurn(session, soleOf(script), null, { outcome: UNKNOWN, output: null, cut: false })
      for (const call of open.values())
        if (call.kind === 'command' && !call.scripted) yield commandTurn(session, call, null, call.interrupted ? { outcome: { is: 'transient' }, output: '', cut: true } : { outcome: UNKNOWN, output: null, cut: false })
      running.clear()
      open.clear()
    },
  }
}

/** The log ends before the script does: what it was about to do, its text says, if it does one thing. */
const soleOf = (script: Call): Call => (script.sole?.kind === 'command' ? { ...script.sole, interrupted: script.interrupted } : script)

const millisecondsOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

/** The first line of the output of a script that goes on. */
const IN_CELL = /^Script running with cell ID (\w{1,40})\b/

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
