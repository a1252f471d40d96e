import type { JournalKeys, JournalLine, Turn } from '../../model/observation.ts'

/**
 * A journal's lines as turns: each record once, with the keys that were read for it, and a result under the id of what it was the
 * result of. The lines are gone through twice.
 */
export async function* settled(
  lines: () => AsyncIterable<JournalLine | JournalKeys>,
  turnOf: (line: JournalLine) => Turn,
  worktree: string,
): AsyncGenerator<Turn> {
  const keys = new Map<string, JournalKeys['keys']>()
  for await (const line of lines()) if (isKeys(line)) keys.set(line.record_id, { ...keys.get(line.record_id), ...line.keys })
  const seen = new Set<string>()
  const recent = new Map<string, number>()
  const open: JournalLine[] = []
  let placed = false
  for await (const line of lines()) {
    if (isKeys(line) || seen.has(`${line.kind} ${line.record_id}`) || isEcho(line, recent)) continue
    seen.add(`${line.kind} ${line.record_id}`)
    const turn = { ...turnOf({ ...line, keys: { ...line.keys, ...keys.get(line.record_id) } }), record_id: intentOf(line, open)?.record_id ?? line.record_id }
    if (!placed && line.cwd !== undefined) {
      // The first folder of an agent's session says where its repository is, and a journal knows that better.
      placed = true
      yield { ...turn, record_id: 'start', kind: 'edit', cwd: worktree, command: null, outcome: { is: 'unknown' }, output: null, edits: [], declared: null, keys: {} }
    }
    yield turn
  }
}

/** What a host that names no call was about to do: the first that waits with the same words in the same folder. null: nothing. */
function intentOf(line: JournalLine, open: JournalLine[]): JournalLine | null {
  if (!isNameless(line.record_id)) return null
  if (line.kind === 'intent') open.push(line)
  if (line.kind !== 'command') return null
  const at = open.findIndex((intent) => intent.command === line.command && intent.cwd === line.cwd)
  return at === -1 ? null : (open.splice(at, 1)[0] as JournalLine)
}

const isKeys = (line: JournalLine | JournalKeys): line is JournalKeys => !('outcome' in line)

/** A host that names no call may have told two hooks of one: the same again, at once, is one. */
function isEcho(line: JournalLine, recent: Map<string, number>): boolean {
  if (!isNameless(line.record_id) || line.at === null) return false
  const said = JSON.stringify([line.kind, line.cwd, line.command, line.outcome, line.output, line.edits])
  const at = Date.parse(line.at)
  const before = recent.get(said)
  recent.set(said, at)
  return before !== undefined && Math.abs(at - before) < ECHO_MS
}

const ECHO_MS = 2000

/** The id of a record that its host gave none. */
const NAMELESS = '~'
const isNameless = (id: string): boolean => id.startsWith(NAMELESS)
