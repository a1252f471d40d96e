import type { Json } from '../base/canonical.ts'
import type { Format, LogPlace } from '../model/format.ts'
import { openReader, trajectoryIn } from './mini-swe-agent/reader.ts'

export default {
  id: 'mini-swe-agent',
  host: 'mini-swe-agent',
  why: 'mini-swe-agent writes a run as one trajectory, in which each command is a block of text and its status stands before its output.',
  expects: 'a mini-swe-agent trajectory (an object with "trajectory_format" or "mini_version" and "messages", or a list of messages with "<returncode>")',
  recognise: (head) => trajectoryIn(head[0]) !== null,
  about,
  at: (_value: Json) => null,
  companions: (_name: string) => [],
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

function about(head: readonly Json[]) {
  const trajectory = trajectoryIn(head[0])
  return { session: trajectory?.session ?? null, cwd: trajectory?.cwd ?? null }
}
