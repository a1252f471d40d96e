import type { Json } from '../base/canonical.ts'
import { type JsonObject, objectOf, wordOf } from '../base/json.ts'
import { utcOf } from '../base/time.ts'
import type { Format, LogPlace, Shelf } from '../model/format.ts'
import { openReader } from './claude-code/reader.ts'

export default {
  id: 'claude-code',
  host: 'claude-code',
  why: 'Claude Code keeps a session as JSON lines under ~/.claude/projects, with the files of its sub-agents beside or below it.',
  expects: 'Claude Code session lines (objects with "type" and "sessionId")',
  recognise,
  about: (head) => ({
    session: firstOf(head, (line) => wordOf(line.sessionId)),
    cwd: firstOf(head, (line) => wordOf(line.cwd)),
  }),
  at: (value) => utcOf(objectOf(value).timestamp),
  companions: (logName) =>
    logName.startsWith('agent-')
      ? []
      : [
          { folder: '.', recursive: false, name: AGENT_FILE },
          { folder: `${logName.replace(/\.jsonl$/, '')}/subagents`, recursive: true, name: AGENT_FILE },
        ],
  logs: shelves,
  open: openReader,
} satisfies Format

const AGENT_FILE = /^agent-[^/]*\.jsonl$/
const SESSION_FILE = /^(?!agent-)[^/]*\.jsonl$/
const TALK: ReadonlySet<Json | undefined> = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])
const NOISE: ReadonlySet<Json | undefined> = new Set([
  ...['queue-operation', 'last-prompt', 'permission-mode', 'mode', 'ai-title', 'custom-title', 'agent-name', 'pr-link'],
  ...['bridge-session', 'atis-latch'],
])

/** A first line with a payload, a schema or no type is another format's; of the others one must be Claude's beyond doubt. */
function recognise(head: readonly Json[]): boolean {
  const first = objectOf(head[0])
  if (wordOf(first.type) === null || 'payload' in first || 'schema' in first) return false
  return head.some((value) => isOurs(objectOf(value)))
}

function isOurs(line: JsonObject): boolean {
  if (TALK.has(line.type)) return wordOf(line.sessionId) !== null && (wordOf(line.uuid) !== null || 'message' in line)
  if (NOISE.has(line.type)) return wordOf(line.sessionId) !== null
  if (line.type === 'summary') return wordOf(line.leafUuid) !== null
  return (line.type === 'file-history-snapshot' || line.type === 'file-history-delta') && wordOf(line.messageId) !== null
}

function firstOf(head: readonly Json[], read: (line: JsonObject) => string | null): string | null {
  for (const value of head) {
    const found = read(objectOf(value))
    if (found !== null) return found
  }
  return null
}

function shelves({ home, folder, env }: LogPlace): readonly Shelf[] {
  const project = folder.replace(/[^A-Za-z0-9]/g, '-')
  const roots = [...new Set([env.CLAUDE_CONFIG_DIR || `${home}/.claude`, `${home}/.claude`])]
  return roots.map((root) => ({ folder: `${root}/projects/${project}`, depth: 0, name: SESSION_FILE, own: true }))
}
