import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sha256 } from '../base/digest.ts'
import type { Purge } from '../distill/candidate.ts'
import { CLAIM_LISTS } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { sameKey } from '../model/temporary-caches.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** What a teardown says to this clone alone. */
export interface Unsealed {
  readonly purged: readonly Purge[]
  /** Checks that ended red, of which nothing was sealed. */
  readonly reds: readonly CanonicalCommand[]
}

/** Writes down what a teardown refused: rule, reason and record ids, digests of commands, never the text. One file a session; the last teardown's word. */
export function writePurgeLog(host: string, session: string, { purged, reds }: Unsealed, repository: Repository, files: Files): void {
  const lines = [...purged, ...[...new Set(reds.map(digestOf))].map((red) => ({ red }))]
  files.write(join(folderOf(repository), nameOf(host, session)), lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 0o600)
}

/** Whether the last teardown of a session here found that a check had ended red, and sealed nothing of it. */
export function endedRedIn(host: string, session: string, repository: Repository, files: Files): (command: CanonicalCommand) => boolean {
  const text = Buffer.from(files.read(join(folderOf(repository), nameOf(host, session))) ?? []).toString('utf8')
  const reds = new Set([...text.matchAll(/^\{"red":"([0-9a-f]{64})"\}$/gm)].map(([, red]) => red))
  return (command) => reds.has(digestOf(command))
}

const digestOf = (command: CanonicalCommand): string => sha256(sameKey(command))
const nameOf = (host: string, session: string): string => `${host}-${createHash('sha256').update(session).digest('hex')}.jsonl`

/** What was refused of a record, in whatever session; what is no line of ours is none. */
export function purgesOf(record: string, repository: Repository, files: Files): readonly Purge[] {
  return files.list(folderOf(repository)).flatMap(({ name, kind }) => {
    if (kind !== 'file' || !name.endsWith('.jsonl')) return []
    const lines = Buffer.from(files.read(join(folderOf(repository), name)) ?? []).toString('utf8').split('\n')
    return lines.filter((line) => line.includes(record)).flatMap((line) => purgeIn(line) ?? []).filter((purge) => purge.record_id === record)
  })
}

function purgeIn(line: string): Purge | null {
  try {
    const { rule, reason, record_id, list, by } = JSON.parse(line) as Partial<Record<keyof Purge, unknown>>
    const kind = CLAIM_LISTS.find((one) => one === list)
    if (typeof rule !== 'string' || typeof reason !== 'string' || typeof record_id !== 'string' || kind === undefined) return null
    return { rule, reason, record_id, list: kind, ...(typeof by === 'string' && { by }) }
  } catch {
    return null
  }
}

const folderOf = (repository: Repository): string => join(repository.commonDir, 'remnant', 'purged')
