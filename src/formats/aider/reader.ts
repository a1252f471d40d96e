import { type Call, DONE, callsOf, editOf, nameOf, untold } from '../../model/call.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'

/** How a chat begins: the time is local, so it names the chat and dates nothing. */
export const CHAT = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s{0,20}$/

export const startOf = (line: string): string | null => CHAT.exec(line)?.[1] ?? null

/**
 * Each chat is a session. The lines of the host begin with `> `, those of the user with `#### `; the model's own words
 * may look like either, so that nothing is concluded from what they say but that a file may have changed.
 */
export function openReader(): LogReader {
  let session: string | null = null
  let place = 0
  const calls = callsOf('aider')

  return {
    *read({ value }: Line): Iterable<Turn> {
      if (typeof value !== 'string') return
      const line = value.trimEnd()
      const start = startOf(line)
      if (start !== null) {
        session = start
        place = 0
      }
      if (session === null) return
      place += 1
      const call = callOf(line, { session, id: nameOf(place, line), at: null, cwd: null })
      if (call !== null) yield* calls.finish(call, call.tool === 'shell' ? untold(null) : DONE, null)
    },
    end: calls.left,
  }
}

function callOf(line: string, of: Pick<Call, 'session' | 'id' | 'at' | 'cwd'>): Call | null {
  if (!line.startsWith('> ') && !line.startsWith('#### ')) return null
  const edited = /^> Applied edit to (.{1,4096})$/.exec(line)?.[1]
  if (edited !== undefined) return { ...of, tool: 'edit', edits: [editOf(edited)] }
  const run = (/^> Running (.{1,10000})$/.exec(line) ?? /^#### (?:\/(?:run|test)[ \t]{1,20}|!)(.{1,10000})$/.exec(line))?.[1]
  if (run !== undefined) return { ...of, tool: 'shell', command: run }
  const git = /^#### \/(git[ \t].{1,10000})$/.exec(line)?.[1]
  if (git !== undefined) return { ...of, tool: 'shell', command: git }
  // These put files back, or change them in ways that are not told.
  return /^#### \/(?:undo|lint|paste|web|voice|editor|commit)\b/.test(line) ? { ...of, tool: 'other' } : null
}
