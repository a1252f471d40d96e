import type { Json } from '../base/canonical.ts'
import type { About, Format, LogPlace } from '../model/format.ts'
import { conversationIn, openReader } from './cline/reader.ts'

export default {
  id: 'cline',
  host: 'cline',
  why: 'Cline keeps the talk of a task as a list of messages, in which results are plain words without a status.',
  expects: 'the conversation of a Cline task (a list of messages with "tool_use" blocks or "<environment_details>")',
  recognise: (head) => head[0] !== undefined && conversationIn(head[0]) !== null,
  about,
  at: (_value: Json) => null,
  companions: (_name: string) => [],
  // It proves nothing, so it must never be what a seal without a name takes as the newest log.
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

function about(head: readonly Json[]): About {
  const conversation = head[0] === undefined ? null : conversationIn(head[0])
  return { session: conversation?.session ?? null, cwd: conversation?.cwd ?? null }
}
