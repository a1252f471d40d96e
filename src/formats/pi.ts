import type { Json } from '../base/canonical.ts'
import { type JsonObject, objectOf, wordOf } from '../base/json.ts'
import { utcOf } from '../base/time.ts'
import type { Format, LogPlace, Shelf } from '../model/format.ts'
import { openReader } from './pi/reader.ts'

export default {
  id: 'pi',
  host: 'pi',
  why: 'Pi keeps a session as JSON lines under ~/.pi/agent/sessions; that a command did not fail there may mean that a signal ended it.',
  expects: 'Pi session lines (a first object with "type": "session", an "id" and a "cwd")',
  recognise: (head) => headerIn(head) !== null,
  about: (head) => ({ session: wordOf(headerIn(head)?.id), cwd: wordOf(headerIn(head)?.cwd) }),
  at: (value) => utcOf(objectOf(value).timestamp),
  companions: (_name: string) => [],
  logs: shelves,
  open: openReader,
} satisfies Format

function headerIn(head: readonly Json[]): JsonObject | null {
  const first = objectOf(head[0])
  return first.type === 'session' && wordOf(first.id) !== null && wordOf(first.cwd) !== null && !('data' in first) && !('payload' in first) ? first : null
}

/** The name of a folder's shelf is its path, with every separator as a dash. */
function shelves({ home, folder, env }: LogPlace): readonly Shelf[] {
  const name = `--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
  const roots = [...new Set([env.PI_CODING_AGENT_DIR || `${home}/.pi/agent`, `${home}/.pi/agent`])]
  return roots.map((root) => ({ folder: `${root}/sessions/${name}`, depth: 0, name: /^[^/]*\.jsonl$/, own: true }))
}
