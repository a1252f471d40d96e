import { HEX_OID } from '../../base/digest.ts'
import { type JsonObject, objectOf, textOf, wordOf } from '../../base/json.ts'
import { recordIdOf } from '../../model/format.ts'
import type { Edit, Turn } from '../../model/observation.ts'
import { UNKNOWN } from '../../model/outcome.ts'
import type { Ending } from '../../model/codex/ending.ts'
import type { Call } from './call.ts'
import { isMistaken, readable } from './items.ts'

/** What a log has said of its session so far. */
export interface Session {
  id: string | null
  cwd: string | null
  /** Where it was started. */
  started: string | null
  head: string | null
}

/** The session is that of the first meta: a resumed log repeats it, a forked one replays its parent's lines after its own meta. */
export function hear(session: Session, meta: JsonObject): void {
  session.id ??= wordOf(meta.id)
  if (wordOf(meta.id) !== session.id) return
  session.cwd = wordOf(meta.cwd) ?? session.cwd
  session.started ??= session.cwd
  const commit = textOf(objectOf(meta.git).commit_hash)
  if (commit !== null) session.head = HEX_OID.test(commit) ? commit : null
}

/** A command that has ended, as far as anybody knows. */
export const commandTurn = (session: Session, call: Call, at: string | null, { outcome, output, cut }: Pick<Ending, 'outcome' | 'output' | 'cut'>): Turn => ({
  ...turn(session, call.id, at ?? call.at, call.cwd),
  ...(call.at === null ? {} : { began: call.at }),
  command: readable(call),
  outcome: call.powershell && isMistaken(outcome, output) ? UNKNOWN : outcome,
  output,
  ...(cut ? { cut } : {}),
})

/** A patch that was applied. Of which nobody can tell what it changed, that may have changed anything. */
export const editTurn = (session: Session, id: string, at: string | null, where: string | null, edits: readonly Edit[]): Turn => ({
  ...turn(session, id, at, where),
  kind: 'edit',
  outcome: { is: 'success' },
  edits: edits.length > 0 ? edits : [{ path: '.', before: null, after: null }],
})

const turn = ({ id: session, started, head }: Session, id: string, at: string | null, where: string | null): Turn => ({
  host: 'codex',
  session: session ?? '',
  record_id: recordIdOf(id),
  at,
  kind: 'command',
  cwd: where,
  ...(started !== null && where !== null && where !== started && { started }),
  head,
  command: null,
  outcome: UNKNOWN,
  output: null,
  edits: [],
  declared: null,
  keys: {},
})
