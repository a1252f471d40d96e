import { relative, sep } from 'node:path'
import { harmfulIn } from '../../guard/certain.ts'
import type { HookEvent } from '../../model/agent.ts'
import { type Key, STRUCTURAL } from '../../model/key.ts'
import type { JournalKeys, JournalLine, Observation } from '../../model/observation.ts'
import type { Mutation } from '../../model/mutation.ts'
import type { Probe, World } from '../../model/probe.ts'
import { readArgv, readShell } from '../../model/shell.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'
import { appendToJournal } from '../journals/append.ts'
import { readKeys } from '../keys.ts'
import { journalLine } from '../witnessing.ts'
import { type Harmful, harmfulOf } from './harmful.ts'

interface Place {
  readonly repository: Repository
  readonly files: Files
  /** What reads keys: asked for only once the line is safe. */
  reading(): Promise<{ readonly probes: readonly Probe[]; readonly world: World }>
}

/** No call waits longer for the keys of what it is about to do. */
const PATIENCE_MS = 1000

/** Writes down a mutation before it is made: one durable line in its session's journal, then the keys on which a claim about it would rest. */
export async function noteIntent(event: HookEvent, harmful: Harmful, at: Date, place: Place): Promise<void> {
  const line = journalLine(event, at, place.repository, place.files)
  if (line !== null) await appendIntent({ ...line, kind: 'intent', outcome: { is: 'unknown' }, output: null, ...(harmful.named !== null && { intended: harmful.named }) }, harmful, place)
}

/** The line of an intent. `base`: the command as an observation that has not happened yet. */
export const intentLine = (base: Omit<Observation, 'outcome' | 'output' | 'keys'>, { named }: Harmful, at: Date, worktree: string): JournalLine => ({
  ...base,
  at: at.toISOString(),
  kind: 'intent',
  outcome: { is: 'unknown' },
  output: null,
  keys: {},
  worktree,
  ...(named !== null && { intended: named }),
})

/** The same for a line that is made already. */
export async function appendIntent(line: JournalLine, { target }: Harmful, { repository, files, reading }: Place): Promise<void> {
  appendToJournal(line, repository, files)
  const { probes, world } = await reading()
  const readings = await readKeys([...STRUCTURAL, ...(target === null ? [] : [`target:${target.kind}/${target.id}`])], probes, world, PATIENCE_MS)
  const keys: Record<Key, string> = {}
  for (const [key, reading] of readings) if ('value' in reading) keys[key] = reading.value
  const { worktree, host, session, record_id } = line
  const later: JournalKeys = { schema: 'git-remnant/journal-keys/1', worktree, host, session, record_id, keys }
  appendToJournal(later, repository, files)
}

/** The mutation of a command line that would do harm again, and what it would make; null: there is none that its words tell. `cwd` is absolute. */
export async function harmfulAt(typed: string | readonly string[], cwd: string, workTree: string, mutations: readonly Mutation[], world: World): Promise<Harmful | null> {
  const way = relative(workTree, cwd).split(sep).join('/')
  const place = { folder: way === '' ? '.' : way, root: workTree }
  const [found] = harmfulIn(typeof typed === 'string' ? readShell(typed, place) : readArgv(typed, place), mutations)
  return found === undefined ? null : harmfulOf(found, world)
}
