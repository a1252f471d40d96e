import type { Json } from '../base/canonical.ts'
import { type JsonObject, objectOf, wordOf } from '../base/json.ts'
import { utcOf } from '../base/time.ts'
import type { Format, LogPlace, Shelf } from '../model/format.ts'
import { openReader } from './copilot-cli/reader.ts'

export default {
  id: 'copilot-cli',
  host: 'copilot-cli',
  why: 'Copilot CLI keeps a session as a stream of events under ~/.copilot/session-state; "success" there means that a tool ran.',
  expects: 'Copilot CLI events (objects with "type" and "data", one of them "session.start")',
  recognise,
  about: (head) => ({ session: wordOf(objectOf(startIn(head)?.data).sessionId), cwd: wordOf(objectOf(objectOf(startIn(head)?.data).context).cwd) }),
  at: (value) => utcOf(objectOf(value).timestamp),
  companions: (_name: string) => [],
  logs: shelves,
  open: openReader,
} satisfies Format

/** The first line is an event already, whichever. */
function recognise(head: readonly Json[]): boolean {
  const first = objectOf(head[0])
  return wordOf(first.type) !== null && 'data' in first && !('schema' in first) && !('payload' in first) && startIn(head) !== null
}

function startIn(head: readonly Json[]): JsonObject | null {
  return head.map(objectOf).find((event) => event.type === 'session.start' && wordOf(objectOf(event.data).sessionId) !== null) ?? null
}

/** A folder a session, named by its id: only what stands in the file says whose it is. */
function shelves({ home }: LogPlace): readonly Shelf[] {
  return [{ folder: `${home}/.copilot/session-state`, depth: 1, name: /^events\.jsonl$/, own: false }]
}
