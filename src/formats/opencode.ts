import type { Json } from '../base/canonical.ts'
import { objectOf, wordOf } from '../base/json.ts'
import { utcOfMilliseconds } from '../base/time.ts'
import type { Format, LogPlace } from '../model/format.ts'
import { openReader } from './opencode/reader.ts'

export default {
  id: 'opencode',
  host: 'opencode',
  why: 'opencode keeps sessions in a store of its own, and `opencode export` writes one as a JSON document.',
  expects: 'an opencode export (an object with "info", which has an "id" and a "directory", and "messages")',
  recognise,
  about: (head) => ({ session: wordOf(infoIn(head).id), cwd: wordOf(infoIn(head).directory) }),
  at: (value) => utcOfMilliseconds(objectOf(objectOf(objectOf(value).info).time).created),
  companions: (_name: string) => [],
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

function recognise(head: readonly Json[]): boolean {
  const [first, info] = [objectOf(head[0]), infoIn(head)]
  return wordOf(info.id) !== null && (wordOf(info.directory) !== null || wordOf(info.projectID) !== null) && Array.isArray(first.messages) && !('type' in first)
}

const infoIn = (head: readonly Json[]) => objectOf(objectOf(head[0]).info)
