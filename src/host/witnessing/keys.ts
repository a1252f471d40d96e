import { wantedOf } from '../../distill/claim.ts'
import { observe } from '../../distill/observe.ts'
import { weigh } from '../../distill/weigh.ts'
import type { Config } from '../../model/config.ts'
import { type Key, STRUCTURAL } from '../../model/key.ts'
import { JOURNAL_KEYS_SCHEMA, type JournalLine, turnOf } from '../../model/observation.ts'
import type { World } from '../../model/probe.ts'
import type { Sets } from '../../model/sets.ts'
import type { Files } from '../files.ts'
import { appendToJournal } from '../journals/append.ts'
import { readKeys } from '../keys.ts'
import type { Witnessed } from '../witnessing.ts'

/** What may be opened of an agent's outside. */
interface Place {
  readonly files: Files
  config(): Promise<Config>
  world(): Promise<World>
}

/**
 * Reads the keys on which a claim about a call would rest, as they are at this moment, and appends their values behind its line.
 * What may have changed since the call started, or can't be read, is left out: nobody saw it. What the command itself wrote is no
 * precondition of it; but that a gate makes a cache or a report in a folder says nothing of the files there.
 */
export async function witnessKeys({ line, repository, at, before }: Witnessed, sets: Sets, place: Place): Promise<void> {
  const wanted = await wantedBy(line, sets)
  if (wanted.length === 0) return
  const structural = (await place.config()).structural ?? STRUCTURAL
  const keys: Record<Key, string> = {}
  for (const [key, reading] of await readKeys([...wanted, ...structural], sets.probes, await place.world()))
    if ('value' in reading && (reading.changed === undefined || ((reading.value === 'absent' || (reading.written ?? reading.changed) <= before) && reading.changed <= at))) keys[key] = reading.value
  const { worktree, host, session, record_id } = line
  appendToJournal({ schema: JOURNAL_KEYS_SCHEMA, worktree, host, session, record_id, keys }, repository, place.files)
}

/** The keys of whatever could be claimed of one call, now or with others: so it is weighed as if it had been witnessed. */
async function wantedBy(line: JournalLine, sets: Sets): Promise<readonly Key[]> {
  const turns = (async function* () {
    yield { ...turnOf(line), host: 'git-remnant' }
  })()
  return wantedOf(await weigh(observe(turns, sets.toolchains, [line.worktree]), sets, true))
}
