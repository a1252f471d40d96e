import { objectOf, wordOf } from '../base/json.ts'
import { check } from '../base/schema.ts'
import { utcOf } from '../base/time.ts'
import type { Format, Line, LogPlace, LogReader } from '../model/format.ts'
import { JOURNAL_KEYS_SCHEMA, JournalLine, OBSERVATION_SCHEMA, Observation, type Turn, turnOf } from '../model/observation.ts'

export default {
  id: 'observation',
  host: 'git-remnant',
  why: 'What git-remnant wrote itself must be readable again: journals, and the output of `observe`.',
  expects: `observation lines (objects with "schema": "${OBSERVATION_SCHEMA}")`,
  recognise: (head) => objectOf(head[0]).schema === OBSERVATION_SCHEMA,
  about: (head) => ({ session: wordOf(objectOf(head[0]).session), cwd: null }),
  at: (value) => utcOf(objectOf(value).at),
  companions: (_name: string) => [],
  logs: (_place: LogPlace) => [],
  open: (): LogReader => ({ read, end: () => [] }),
} satisfies Format

/** A line that breaks its schema throws `malformed` with its number; the next one can be read all the same. */
function* read({ number, value }: Line): Iterable<Turn> {
  if (objectOf(value).schema === JOURNAL_KEYS_SCHEMA) return // who reads a journal as a log reads the keys himself
  const schema = Object.hasOwn(objectOf(value), 'worktree') ? JournalLine : Observation
  yield turnOf(check<Observation & Partial<JournalLine>>(schema, value, `observation in line ${number}`))
}
