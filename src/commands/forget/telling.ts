import type { Answer } from '../../command.ts'
import { plainText } from '../../model/plain.ts'
import type { Remains } from '../../store/sync/forgetting.ts'
import type { Removed } from './removal.ts'
import type { RemoteHas } from './remote.ts'

/** What came of forgetting, for a person and as data. `remote`: what the remote has of it; null: there is none. */
export function answerOf(removed: Removed, remote: RemoteHas | null): Answer {
  const { digest, gone, already, found, refs, copies, tracked, known, remains, rewritten, others } = removed
  const nothing = already && !found && refs === 0 && gone.length === 1 && remains.reachable.length === 0 && others.length === 0
  const again = [`${digest.slice(0, 12)} is forgotten already: nothing of it is here, and a tombstone keeps it away`, ...remoteLines(remote, false)]
  return {
    text: (nothing ? again : inLines(removed, remote)).join('\n'),
    data: { digest, already, refs, copies, tracked, objects: stateOf(known, remains), reachable: remains.reachable, rewritten, superseded_by_others: others, remote },
  }
}

const inLines = ({ digest, refs, tracked, known, remains, journal, rewritten, others, freed }: Removed, remote: RemoteHas | null): string[] => [
  `forgot ${digest.slice(0, 12)}: ${refs === 0 ? 'it had no ref' : 'its ref is removed'}, a tombstone keeps it away from here`,
  `  objects  ${objectsLine(known, remains, others)}`,
  ...rewritten.map(({ from, to }) => `  written anew without it  ${from.slice(0, 12)} → ${to.slice(0, 12)}`),
  ...(journal ? ['  the lines that were kept of its session are removed'] : []),
  ...freed.map((older) => `  what it had answered of ${older.slice(0, 12)} counts again: git remnant reprobe checks it`),
  ...remoteLines(remote, remains.reachable.length === 0 && tracked.length === 0),
]

const stateOf = (known: boolean, { packed, reachable }: Remains): string => (!known ? 'unknown' : reachable.length > 0 ? 'reachable' : packed ? 'packed' : 'removed')

function objectsLine(known: boolean, { packed, reachable }: Remains, others: readonly string[]): string {
  if (others.length > 0) return `stay: ${others.map((other) => other.slice(0, 12)).join(', ')} of others supersede${others.length === 1 ? 's' : ''} it, and git keeps what that leads to; forget that one too`
  if (reachable.length > 0) return `stay: ${reachable.map((one) => plainText(one, 200)).join(', ')} still ${reachable.length === 1 ? 'holds' : 'hold'} the same file`
  if (!known) return 'could not be read, so none was looked for'
  return packed ? 'stay in a pack that nothing names any more, until "git gc" finds them old enough (gc.pruneExpire, two weeks)' : 'removed'
}

/** What may be said where there is no remote to ask. */
export const NOT_SHARED = 'remnants of this clone are shared with no remote'

function remoteLines(has: RemoteHas | null, gone: boolean): string[] {
  if (has === null) return gone ? [`  ${NOT_SHARED}: unless another clone fetched it from here, nothing has it any more`] : []
  const name = plainText(has.remote, 80)
  if (has.refs === null) return [`  ${name} did not answer, and may have it`]
  if (has.refs.length === 0) return [`  ${name} does not have it`]
  return [...has.refs.map((ref) => `  ${name} still has ${ref}`), '  whoever may write there can delete that ref there; a clone that fetched it keeps it until it forgets it too']
}
