import type { Json } from '../base/canonical.ts'
import { objectOf, textOf, wordOf } from '../base/json.ts'
import { utcOf } from '../base/time.ts'
import type { About, Format, LogPlace, Shelf } from '../model/format.ts'
import { headerOf, projectOf } from './gemini-cli/project.ts'
import { openReader } from './gemini-cli/reader.ts'

export default {
  id: 'gemini-cli',
  host: 'gemini-cli',
  why: 'Gemini CLI keeps a session under ~/.gemini/tmp, as one JSON document or since April 2026 as JSON lines, and names its folder by a hash.',
  expects: 'a Gemini CLI session (a first object with "sessionId", "projectHash" and "startTime")',
  recognise: (head) => headerOf(head[0]) !== null,
  about,
  at: (value) => utcOf(objectOf(value).timestamp),
  companions: (_name: string) => [],
  logs: shelves,
  open: openReader,
} satisfies Format

function about(head: readonly Json[]): About {
  const header = headerOf(head[0])
  const project = projectOf(textOf(header?.projectHash) ?? '')
  for (const value of head) project.learn(value)
  return { session: wordOf(header?.sessionId), cwd: project.folder(), cwdSha256: textOf(header?.projectHash) }
}

/** A folder's sessions lie under its hash, or under a name that the host chose: what stands in them says whose they are. */
function shelves({ home }: LogPlace): readonly Shelf[] {
  return [{ folder: `${home}/.gemini/tmp`, depth: 2, name: SESSION_FILE, own: false }]
}

const SESSION_FILE = /^session-[^/]*\.jsonl?$/
