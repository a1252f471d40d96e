import type { Json } from '../base/canonical.ts'
import { objectOf, wordOf } from '../base/json.ts'
import { utcOf } from '../base/time.ts'
import type { About, Format, LogPlace, Shelf } from '../model/format.ts'
import { cwdInContext, isBareHeader, metaOf } from './codex/meta.ts'
import { openReader } from './codex/reader.ts'

export default {
  id: 'codex',
  host: 'codex',
  why: 'Codex keeps a session as a rollout file of JSON lines under ~/.codex/sessions; its shape changed several times.',
  expects: 'Codex rollout lines (a first object with "type": "session_meta", or before September 2025 one with "id" and "instructions")',
  recognise,
  about,
  at: (value) => utcOf(objectOf(value).timestamp),
  companions: (_name: string) => [],
  logs: shelves,
  open: openReader,
} satisfies Format

/** Wrapped lines have a payload, and one of the first is the session's meta; a bare log starts with a header that has no type. */
function recognise(head: readonly Json[]): boolean {
  const first = objectOf(head[0])
  if ('schema' in first) return false
  return isBareHeader(first) || ('payload' in first && head.some((value) => metaOf(objectOf(value)) !== null))
}

function about(head: readonly Json[]): About {
  const lines = head.map(objectOf)
  const first = lines[0] ?? {}
  if (isBareHeader(first)) return { session: wordOf(first.id), cwd: lines.map(cwdInContext).find((cwd) => cwd !== null) ?? null }
  const meta = lines.map(metaOf).find((found) => found !== null)
  return { session: wordOf(meta?.id), cwd: wordOf(meta?.cwd) }
}

function shelves({ home, env }: LogPlace): readonly Shelf[] {
  const roots = [...new Set([env.CODEX_HOME || `${home}/.codex`, `${home}/.codex`])]
  return roots.flatMap((root) => [
    { folder: `${root}/sessions`, depth: 3, name: ROLLOUT, own: false },
    { folder: `${root}/archived_sessions`, depth: 0, name: ROLLOUT, own: false },
  ])
}

const ROLLOUT = /^rollout-[^/]*\.jsonl$/
