import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Purge } from '../distill/candidate.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** Writes down what a teardown refused: rule, reason and record id, never the text. One file a session; the last teardown's word. */
export function writePurgeLog(host: string, session: string, purged: readonly Purge[], repository: Repository, files: Files): void {
  const name = `${host}-${createHash('sha256').update(session).digest('hex')}.jsonl`
  files.write(join(repository.commonDir, 'remnant', 'purged', name), purged.map((purge) => `${JSON.stringify(purge)}\n`).join(''), 0o600)
}
