import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { JournalKeys, JournalLine } from '../../model/observation.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'

// A hook that waits for nothing else appends here: no schema is loaded.

/** Appends one observation of this clone, durably. The journal of a session is one file, mode 0600. */
export function appendToJournal(line: JournalLine | JournalKeys, repository: Repository, files: Pick<Files, 'append'>): void {
  files.append(journalPath(line.host, line.session, repository), `${JSON.stringify(line)}\n`)
}

export const journalPath = (host: string, session: string, repository: Repository): string => join(journalFolder(repository), `${journalName(host, session)}.jsonl`)

export const journalFolder = (repository: Repository): string => join(repository.commonDir, 'remnant', 'journals')

/** Where lines of a session lie that were sealed, in case that it goes on. */
export const sealedFolder = (repository: Repository): string => join(repository.commonDir, 'remnant', 'sealed')

/** A session's file names begin so. */
export const journalName = (host: string, session: string): string => `${host}-${createHash('sha256').update(session).digest('hex')}`
