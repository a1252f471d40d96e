import { type JsonObject, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf, utcOfMilliseconds } from '../../base/time.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'
import { UNKNOWN } from '../../model/outcome.ts'
import { type Call, callOf } from './call.ts'
import { endingOf, outputOf, parted, partsOf } from '../../model/codex/ending.ts'
import { cwdInContext, isBareHeader } from './meta.ts'
import { endingOfEvent, itemOf, typedOf } from './items.ts'
import { type Printed, printedBy } from './printed.ts'
import { deedsIn } from './script-run.ts'
import { deedsOf, interruptedBy, openScripts } from './scripts.ts'
import { editsOfChanges } from '../../model/codex/patch.ts'
import { openProcesses } from './processes.ts'
import { type Session, commandTurn, editTurn, hear } from './turns.ts'

/**
 * Joins calls with their outputs by id. Calls that a forked log replays can't be told from own ones, so they count as this
 * session's (they ran, and the log is their evidence); what is repeated inside one log counts once.
 * `compacted` lines repeat earlier items and are not walked.
 */
export function openReader(): LogReader {
  const session: Session = { id: null, cwd: null, started: null, head: null }
  const open = new Map<string, Call>()
  const processes = openProcesses(session)
  const patched = new Map<string, Turn>()
  const done = new Set<string>()
  const named = new Set<string>()
  const scripts = openScripts<Call>()
  const cells = new Map<string, Call>()
  /** What scripts that go on in a cell have printed so far. */
  const printedSo = new Map<Call, readonly string[]>()
  /** Command lines that a script printed the end of, and when it did, in ms. */
  const printedAt = new Map<string, number>()
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
        return yield* output(wordOf(payload.call_id) ?? '', payload.output, at)
      case 'message':
        // Only a log without a cwd of its own depends on what the host told the model.
        session.cwd ??= cwdInContext(payload)
    }
  }

  function* output(id: string, value: unknown, at: string | null): Iterable<Turn> {
    const call = open.get(id)
    if (call === undefined) return
    const text = outputOf(value)
    open.delete(id)
    done.add(id)
    // What a tool that nobody knows did to the files, nobody knows.
    if (call.kind === 'other') yield editTurn(session, id, at, call.cwd, [{ path: '.', before: null, after: null }])
    else if (call.scripted) yield* scriptEnd(call, text, at, partsOf(value))
    else if (call.kind === 'wait') {
      const script = cells.get(call.process ?? '')
      if (script !== undefined) yield* scriptEnd(script, text, at, partsOf(value))
    } else if (call.kind === 'patch') {
      if (isApplied(text)) patched.set(id, editTurn(session, id, at, call.cwd, call.edits))
    } else {
      const ending = endingOf(text)
      if (call.kind === 'stdin') yield* processes.goesOn(call, ending, at)
      else if (ending?.running) yield* processes.leave(ending.running, call, ending, at)
      else if (ending !== null) yield commandTurn(session, call, at, ending)
    }
  }

  function begin(script: Call, input: string, at: string | null): void {
    scripts.begin(script, deedsOf(input) ?? deedsIn(script.plain ?? null), millisecondsOf(at))
    if (script.plain == null && input.includes('write_stdin')) processes.missed()
    const ids = interruptedBy(input)
    if (ids === 'all') halted = Math.max(halted, millisecondsOf(at) ?? Infinity)
    else for (const id of ids) stopped.add(id)
  }

  /** A script that goes on in a cell ends with a later `wait`. Of one whose deeds are all told there is nothing left to tell. */
  function* scriptEnd(script: Call, text: string, at: string | null, parts: readonly string[]): Iterable<Turn> {
    const cell = IN_CELL.exec(text)?.[1]
    const [header = '', ...more] = parts
    const shown = [...(printedSo.get(script) ?? []), ...more]
    if (cell !== undefined) {
      cells.set(cell, script)
      printedSo.set(script, shown)
      return
    }
    const took = !printedSo.has(script) ? null : script.at === null || at === null ? Infinity : Date.parse(at) - Date.parse(script.at)
    printedSo.delete(script)
    const { untold: silent, items } = scripts.end(script, text)
    const printed = items === 0 && silent.every((one) => one === script) && !named.has(script.id) ? printedBy(script, [header, ...shown], took) : null
    if (printed !== null) return yield* printedEnds(printed, silent.length > 0, at)
    for (const untold of untoldOf(silent)) yield commandTurn(session, untold, at, { outcome: UNKNOWN, output: parted(text).text, cut: true })
  }

  /** `untold`: no item tells what the script started, so that its own words do. */
  function* printedEnds(printed: readonly Printed[], untold: boolean, at: string | null): Iterable<Turn> {
    for (const { call, ending } of printed) {
      const told = call.kind === 'stdin' ? processes.call(call.process ?? '') : untold ? call : null
      if (ending.running === null && told !== null) printedAt.set(lineOf(told.command), millisecondsOf(at) ?? 0)
      if (call.kind === 'stdin') yield* processes.goesOn(call, ending, at)
      else if (!untold) continue
      else if (call.kind === 'patch') yield editTurn(session, call.id, at, call.cwd, ending.outcome.is === 'success' || (ending.outcome.is === 'code' && ending.outcome.code === 0) ? call.edits : [])
      else if (ending.running !== null) yield* processes.leave(ending.running, call, ending, at)
      else yield commandTurn(session, call, at, ending)
    }
  }

  function* itemEnd(event: JsonObject, at: string | null): Iterable<Turn> {
    const item = itemOf(event)
    const id = wordOf(item?.event.call_id)
    if (item === null || id === null || done.has(id)) return
    const called = open.get(id) ?? processes.of(id)?.call
    if (called !== undefined) return yield* item.is === 'patch' ? patchEnd(item.event, at) : commandEnd(item.event, at)
    scripts.told(item.began)
    if (item.is === 'patch') return yield* patchEnd(item.event, at)
    done.add(id)
    const typed = lineOf(item.command.command)
    // What a script printed of it was told already, or need not be.
    if ((item.began ?? Infinity) <= (printedAt.get(typed) ?? -1)) return
    if (item.process !== null && lineOf(processes.call(item.process)?.command ?? null) === typed) processes.forget(item.process)
    const began = utcOfMilliseconds(item.began)
    const call: Call = { id, kind: 'command', ...item.command, cwd: wordOf(item.event.cwd) ?? session.cwd, at: began, edits: [], scripted: false, process: null, stops: false, interrupted: false }
    const ending = endingOfEvent(item.event)
    const isStopped = item.event.status === 'declined' || stopped.has(item.process ?? '') || (halted > 0 && (item.began ?? 0) <= halted)
    yield commandTurn(session, call, at, isStopped ? { ...ending, outcome: { is: 'transient' } } : ending)
  }

  /** The event tells the status of a command itself; the output that follows or went before it repeats it. */
  function* commandEnd(event: JsonObject, at: string | null): Iterable<Turn> {
    const id = wordOf(event.call_id) ?? ''
    const left = processes.of(id)
    const call = left?.call ?? open.get(id)
    if (call === undefined || call.kind !== 'command' || call.scripted || !Number.isInteger(event.exit_code)) return
    if (left !== null) processes.forget(left.process)
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
      yield* processes.rest()
      for (const script of untoldOf(scripts.rest())) yield commandTurn(session, soleOf(script), null, { outcome: UNKNOWN, output: null, cut: false })
      for (const call of open.values())
        if (call.kind === 'command' && !call.scripted) yield commandTurn(session, call, null, call.interrupted ? { outcome: { is: 'transient' }, output: '', cut: true } : { outcome: UNKNOWN, output: null, cut: false })
      open.clear()
    },
  }
}

/** The log ends before the script does: what it was about to do, its text says, if it does one thing. */
const soleOf = (script: Call): Call => (script.sole?.kind === 'command' ? { ...script.sole, interrupted: script.interrupted } : script)

/** What was typed, without the shell around it. */
const lineOf = (command: Call['command']): string => (typeof command === 'string' ? command : (command?.at(-1) ?? ''))

const millisecondsOf = (at: string | null): number | null => (at === null ? null : Date.parse(at))

/** The first line of the output of a script that goes on. */
const IN_CELL = /^Script running with cell ID (\w{1,40})\b/

/** Whether an output says that a patch was applied; nothing else counts. */
function isApplied(output: string): boolean {
  const ending = endingOf(output)
  return ending?.outcome.is === 'code' ? ending.outcome.code === 0 : output.startsWith('Success. Updated the following files')
}
