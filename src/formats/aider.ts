import type { Json } from '../base/canonical.ts'
import type { About, Format, LogPlace } from '../model/format.ts'
import { CHAT, openReader, startOf } from './aider/reader.ts'

export default {
  id: 'aider',
  host: 'aider',
  why: 'aider keeps all chats of a folder in one Markdown file, for people: who said what is told by how a line begins, and no status is kept.',
  expects: 'an aider chat history (Markdown that starts with "# aider chat started at")',
  text: CHAT,
  recognise: (head) => startIn(head) !== null,
  about: (head): About => ({ session: startIn(head), cwd: null }),
  at: (_value: Json) => null,
  companions: (_name: string) => [],
  // It proves nothing, so it must never be what a seal without a name takes as the newest log.
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

/** Only blank lines may stand before it. */
function startIn(head: readonly Json[]): string | null {
  const first = head.find((line) => typeof line !== 'string' || line.trim() !== '')
  return typeof first === 'string' ? startOf(first) : null
}
