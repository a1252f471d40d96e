import { type Call, DONE, type Ending, STOPPED, type Calls, brokenOff, callsOf, coded, editOf, enteredBy, untold } from '../../model/call.ts'
import type { Line, LogReader } from '../../model/format.ts'
import { type KeptShell, afterTyping } from '../../model/kept-shell.ts'
import type { Turn } from '../../model/observation.ts'
import { type Asked, type Shown, askedBy, blobOf, shownBy } from './event.ts'
import { recordsIn } from './record.ts'

/** Joins actions with their observations, for each session of the log: a benchmark writes many into one. */
export function openReader(): LogReader {
  const calls = callsOf('openhands')
  const sessions = new Map<string, Session>()
  let named: string | null = null

  return {
    *read({ value }: Line): Iterable<Turn> {
      const found = recordsIn(value, named === null)
      if (found === null) return
      named = found.session ?? named
      const name = named ?? ''
      const session = sessions.get(name) ?? openSession(name, calls)
      sessions.set(name, session)
      for (const event of found.events) {
        const asked = askedBy(event)
        if (asked !== null) session.ask(asked)
        const shown = asked === null ? shownBy(event) : null
        if (shown !== null) yield* session.show(shown)
      }
    },
    end: calls.left,
  }
}

interface Session {
  ask(asked: Asked): void
  show(shown: Shown): Iterable<Turn>
}

/**
 * One session, whose shell goes on from call to call: where an earlier command altered its environment, no status of a
 * later one says what the same words would do elsewhere. A command that outlasts the host's patience has its status
 * shown by the words that are sent to it after.
 */
function openSession(session: string, calls: Calls): Session {
  const inputs = new Map<string, Asked>()
  const seen = new Set<string>()
  const unsure = new Set<string>()
  let shell: KeptShell = { folder: null, altered: false }
  let lost = false
  let running: { readonly call: Call; printed: string; stopped: boolean } | null = null

  function callOf(asked: Asked): Call | null {
    const of = { session, id: asked.id, at: asked.at, cwd: shell.folder }
    if (asked.is === 'edit') return { ...of, tool: 'edit', edits: [editOf(asked.path)] }
    if (asked.is === 'other') return { ...of, tool: 'other' }
    return asked.is === 'run' ? { ...of, cwd: shell.folder ?? enteredBy(asked.command), tool: 'shell', command: asked.command } : null
  }

  function ask(asked: Asked): void {
    if (seen.has(asked.id)) return
    seen.add(asked.id)
    if (asked.is === 'run' && (asked.input || asked.command.trim() === '')) return void inputs.set(asked.id, asked)
    if (asked.anew) shell = { folder: null, altered: false }
    const call = callOf(asked)
    if (call === null) return
    if (shell.altered && call.tool === 'shell') unsure.add(call.id)
    if (call.tool === 'shell') shell = afterTyping(shell, asked.command)
    calls.begin(call)
  }

  function* show(shown: Shown): Iterable<Turn> {
    const input = inputs.get(shown.id)
    if (input !== undefined) {
      inputs.delete(shown.id)
      yield* goesOn(input, shown)
    } else {
      const call = calls.waiting(session, shown.id)
      if (call === null || running?.call.id === call.id) return
      if (call.tool === 'shell') yield* ranUntil(call, shown)
      else if (shown.is !== 'result') yield* calls.finish(call, call.tool === 'edit' || shown.is === 'refused' ? null : untold(null), shown.at)
      else yield* calls.finish(call, DONE, shown.at, call.edits?.map((edit) => ({ ...edit, before: blobOf(shown.before), after: blobOf(shown.after) })))
    }
    if (shown.cwd !== null) shell = { ...shell, folder: shown.cwd }
  }

  function* ranUntil(call: Call, shown: Shown): Iterable<Turn> {
    const placed = call.cwd !== null || shown.cwd === null ? call : { ...call, cwd: startOf(call.command ?? '', shown.cwd) }
    // Where a shell started that was first seen elsewhere nobody knows, and so not what lies where from there.
    if (placed.cwd === null && shown.cwd !== null) lost = true
    if (shown.is === 'refused') yield* calls.finish(placed, STOPPED, shown.at)
    else if (NOT_RUN.test(shown.text)) yield* calls.finish(placed, null, shown.at)
    else if (shown.code === -1) running = { call: placed, printed: shown.text, stopped: false }
    else {
      running = null
      yield* calls.finish(placed, endingOf(placed, shown.is === 'error' ? null : shown.code, shown.text, false), shown.at)
    }
  }

  function* goesOn(input: Asked, shown: Shown): Iterable<Turn> {
    if (running === null) return
    if (/^C-[a-z\\]$/.test(input.command.trim())) running.stopped = true
    running.printed = `${running.printed}\n${shown.text}`.slice(-MOST_PRINTED)
    if (shown.code === null || shown.code < 0 || shown.is !== 'result') return
    const { call, printed, stopped } = running
    running = null
    yield* calls.finish(call, stopped ? brokenOff(printed) : endingOf(call, shown.code, printed, true), shown.at)
  }

  const endingOf = (call: Call, code: number | null, text: string, cut: boolean): Ending =>
    code === null || lost || unsure.has(call.id) ? untold(text) : coded(code, text, cut || SHORTENED.test(text))

  return { ask, show }
}

/** Where a shell stood before a command behind which it stood at `end`; null: the command's words do not tell. */
function startOf(command: string, end: string): string | null {
  if (afterTyping({ folder: '', altered: false }, command).folder === '') return end
  const entered = /^\s{0,20}cd\s{1,20}([\w@%+=:,-][\w@%+=:,.-]{0,200}(?:\/[\w@%+=:,-][\w@%+=:,.-]{0,200}){0,20})\/?\s{0,20}(?:&&|$)/.exec(command)?.[1]
  const moves = [...command.matchAll(/\b(?:cd|pushd|popd)\b/g)].length
  return moves === 1 && entered !== undefined && end.endsWith(`/${entered}`) ? end.slice(0, -entered.length - 1) || '/' : null
}

/** A command that was typed while another ran, or several at once: the host refuses them. */
const NOT_RUN = /\[Your command "[^]{0,4000}" is NOT executed|^(?:ERROR: )?Cannot execute multiple commands at once/
const SHORTENED = /\[\.\.\. Observation truncated due to length \.\.\.\]|<response clipped>/
const MOST_PRINTED = 1024 * 1024
