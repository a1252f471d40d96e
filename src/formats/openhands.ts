import type { Json } from '../base/canonical.ts'
import type { About, Format, LogPlace } from '../model/format.ts'
import { openReader } from './openhands/reader.ts'
import { recordsIn } from './openhands/record.ts'

export default {
  id: 'openhands',
  host: 'openhands',
  why: 'OpenHands writes a session as a list of events, of which its benchmarks keep one a line for each task; its shell goes on from call to call.',
  expects: 'OpenHands events (a list of objects with "action" or "observation", or of "kind" "ActionEvent"), or benchmark lines with a "history" of them',
  recognise: (head) => head[0] !== undefined && recordsIn(head[0], true) !== null,
  about,
  at: (_value: Json) => null,
  companions: (_name: string) => [],
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

function about(head: readonly Json[]): About {
  return { session: head[0] === undefined ? null : (recordsIn(head[0], true)?.session ?? null), cwd: null }
}
