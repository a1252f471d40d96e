import { join } from 'node:path'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'
import { journalName, sealedFolder } from './append.ts'

/** Takes away the kept lines of a sealed session: what it does next is sealed without them. How many files that were. */
export function dropSealedLines(host: string, session: string, repository: Repository, files: Files): number {
  const name = journalName(host, session)
  const kept = files.list(sealedFolder(repository)).filter((entry) => entry.kind === 'file' && (entry.name === `${name}.jsonl` || entry.name.startsWith(`${name}.`)))
  for (const entry of kept) files.remove(join(sealedFolder(repository), entry.name))
  return kept.length
}
