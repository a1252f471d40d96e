import { sha256 } from '../base/digest.ts'
import { recordIdOf } from './format.ts'
import type { Edit, Turn } from './observation.ts'
import type { Outcome } from './outcome.ts'
import type { HostId } from './receipt.ts'

/**
 * A tool's call as a log tells of it. `id` is its record id. `edits`: the files that the tool names; of `other`, a tool that
 * nobody knows, none is needed, since it may have changed any.
 */
export interface Call {
  readonly session: string
  readonly id: string
  readonly tool: 'shell' | 'edit' | 'other'
  readonly at: string | null
  readonly cwd: string | null
  readonly folder?: string
  readonly head?: string | null
  readonly command?: string | null
  readonly edits?: readonly Edit[]
}

/** How a call ended. Of an edit: success, done; anything that is neither success nor failure, it may have been. */
export interface Ending {
  readonly outcome: Outcome
  readonly output: string | null
  /** The host kept only part of the output, or what it says of the status can't be trusted to be the end of it. */
  readonly cut?: boolean
}

/** The calls of one log: each counts once, by session and id, whatever repeats it. */
export interface Calls {
  begin(call: Call): void
  /** The call that waits for its result under this id. */
  waiting(session: string, id: string): Call | null
  /** A call and its end. `ending` null: it never ran, and changed nothing. `edits`: what the result knows better than the call. */
  finish(call: Call, ending: Ending | null, at: string | null, edits?: readonly Edit[]): Iterable<Turn>
  /** Calls without a result, in the order in which they were made: what became of them nobody knows. */
  left(): Iterable<Turn>
}

export function callsOf(host: HostId): Calls {
  const open = new Map<string, Call>()
  const done = new Set<string>()
  const keyOf = (session: string, id: string): string => `${session}\n${id}`

  function* finish(call: Call, ending: Ending | null, at: string | null, edits = call.edits): Iterable<Turn> {
    const key = keyOf(call.session, call.id)
    open.delete(key)
    if (done.has(key)) return
    done.add(key)
    if (ending === null) return
    const turn = turnOf(host, call, at)
    if (call.tool === 'shell') yield { ...turn, command: call.command ?? null, outcome: ending.outcome, output: ending.output, ...(ending.cut === true && { cut: true }) }
    else if (ending.outcome.is !== 'failure') {
      const changed = call.tool === 'other' || edits === undefined || edits.length === 0 ? [ANY_FILE] : edits
      yield { ...turn, kind: 'edit', outcome: ending.outcome, edits: changed }
    }
  }

  return {
    begin(call) {
      const key = keyOf(call.session, call.id)
      if (!done.has(key) && !open.has(key)) open.set(key, call)
    },
    waiting: (session, id) => open.get(keyOf(session, id)) ?? null,
    finish,
    *left() {
      for (const call of [...open.values()]) yield* finish(call, UNTOLD, call.at)
    },
  }
}

const turnOf = (host: HostId, { session, id, at: began, cwd, folder, head }: Call, at: string | null): Turn => ({
  host,
  session,
  record_id: recordIdOf(id),
  at: at ?? began,
  ...(began === null ? {} : { began }),
  kind: 'command',
  cwd,
  ...(folder === undefined ? {} : { folder }),
  head: head ?? null,
  command: null,
  outcome: { is: 'unknown' },
  output: null,
  edits: [],
  declared: null,
  keys: {},
})

/** An exit status that the host recorded. A negative one is a signal's number; one that no system has is none. */
export function coded(code: number, output: string | null, cut = false): Ending {
  if (!Number.isSafeInteger(code)) return untold(output)
  return code < 0 ? brokenOff(output) : { outcome: { is: 'code', code }, output, ...(cut && { cut }) }
}

/** It ran, or may have, and how it ended nobody recorded. Its words prove nothing either. */
export const untold = (output: string | null): Ending => ({ outcome: { is: 'unknown' }, output, cut: true })

/** It was kept from running, by a person, a rule, or the failure of another call. */
export const STOPPED: Ending = { outcome: { is: 'transient' }, output: null }

/** It was ended while it ran: what it had changed by then stays changed. */
export const brokenOff = (output: string | null): Ending => ({ outcome: { is: 'transient' }, output: output ?? '', cut: true })

export const DONE: Ending = { outcome: { is: 'success' }, output: null }

const UNTOLD: Ending = { outcome: { is: 'unknown' }, output: null }

/** What a tool that nobody knows did to the files, nobody knows. */
export const ANY_FILE: Edit = { path: '.', before: null, after: null }

/** An edit of a file, as far as a call says: nothing of what stood there before or after. */
export const editOf = (path: string | null): Edit => (path === null ? ANY_FILE : { path, before: null, after: null })

/** The name of something that its host gave none: the same texts at the same place have the same. */
export const nameOf = (...texts: readonly (string | number | null)[]): string => sha256(JSON.stringify(texts))

/** Tools of MCP servers and extensions that by their name only read. */
export const ONLY_READS = /^(?:mcp_{1,2}\w{1,100}?_{1,2})?(?:get|list|search|read|find|fetch|query|describe|view|show|lookup|resolve)\w{0,100}$/

/** The folder that a text enters with its first words, where it names it in full; null: it names none. */
export const enteredBy = (command: string): string | null => /^\s{0,20}cd\s{1,20}(["']?)((?:\/|[A-Za-z]:\/)[\w@%+=:,./ -]{0,4000})\1\s{0,20}&&/.exec(command)?.[2]?.trimEnd() ?? null
