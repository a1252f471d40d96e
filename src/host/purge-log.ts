import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Purge } from '../distill/candidate.ts'
import { CLAIM_LISTS } from '../model/claim.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** Writes down what a teardown refused: rule, reason and record ids, never the text. One file a session; the last teardown's word. */
export function writePurgeLog(host: string, session: string, purged: readonly Purge[], repository: Repository, files: Files): void {
  const name = `${host}-${createHash('sha256').update(session).digest('hex')}.jsonl`
  files.write(join(folderOf(repository), name), purged.map((purge) => `${JSON.stringify(purge)}\n`).join(''), 0o600)
}

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
