import type { Json } from '../base/canonical.ts'
import { objectOf } from '../base/json.ts'
import type { About, Format, LogPlace } from '../model/format.ts'
import { isTrajectory, openReader, sessionOf } from './swe-agent/reader.ts'

export default {
  id: 'swe-agent',
  host: 'swe-agent',
  why: 'SWE-agent writes a run as one trajectory that says what was typed and printed, and never with what status it ended.',
  expects: 'a SWE-agent trajectory (an object with "trajectory", whose steps have "action" and "observation")',
  recognise: (head) => isTrajectory(objectOf(head[0])),
  about,
  at: (_value: Json) => null,
  companions: (_name: string) => [],
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

function about(head: readonly Json[]): About {
  const trajectory = objectOf(head[0])
  return { session: isTrajectory(trajectory) ? sessionOf(trajectory) : null, cwd: null }
}
