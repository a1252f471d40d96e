import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import { readJsonl } from '../base/jsonl.ts'
import { JournalLine, type Turn, turnOf } from '../model/observation.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** One session's journal, taken for sealing: nobody appends to its files any more. */
export interface Journal {
  readonly host: string
  readonly session: string
  /** In the order in which they were written. */
  readonly paths: readonly string[]
  /** Files that may go once the session is sealed. */
  readonly open: readonly string[]
}

/** Whole days for which the lines of a sealed session are kept, in case that it goes on under its name. */
const KEPT_DAYS = 14
const DAY_MS = 86_400_000

/** Appends one observation of this clone, durably. The journal of a session is one file, mode 0600. */
export function appendToJournal(line: JournalLine, repository: Repository, files: Files): void {
  files.append(join(folderOf(repository), nameOf(line.host, line.session)), `${JSON.stringify(line)}\n`)
}

/** The session of the journal that this work tree's own commands write at the moment; null: there is none. */
export async function openSession(host: string, worktree: string, repository: Repository, files: Files): Promise<string | null> {
  for (const path of journalFiles(repository, files)) {
    const first = await firstLine(path, files)
    if (first !== null && first.host === host && first.worktree === worktree && !isTaken(path)) return first.session
  }
  return null
}

/** Takes this work tree's unsealed journals (or the one of a session) out of reach of writers. What a killed sealer had taken is taken again. */
export async function takeJournals(worktree: string, only: string | null, repository: Repository, files: Files): Promise<readonly Journal[]> {
  const journals = new Map<string, { host: string; session: string; open: string[] }>()
  for (const path of journalFiles(repository, files)) {
    const first = await firstLine(path, files)
    if (first === null || first.worktree !== worktree || (only !== null && first.session !== only)) continue
    const taken = isTaken(path) ? path : take(path, files)
    if (taken === null) continue
    const key = nameOf(first.host, first.session)
    const known = journals.get(key)
    if (known === undefined) journals.set(key, { host: first.host, session: first.session, open: [taken] })
    else if (!known.open.includes(taken)) known.open.push(taken)
  }
  return [...journals.values()].map(({ host, session, open }) => {
    const sealed = join(sealedFolder(repository), nameOf(host, session))
    return { host, session, open, paths: files.stat(sealed) === null ? open : [sealed, ...open] }
  })
}

/** The turns of a journal that belong to a work tree. A line that a crash cut short is no record. */
export async function* readJournal(journal: Journal, worktree: string, files: Files): AsyncGenerator<Turn> {
  for (const path of journal.paths)
    for await (const { value } of readJsonl(files.stream(path), 'the journal', () => {})) {
      const line = lineIn(value)
      if (line !== null && line.worktree === worktree) yield turnOf(line)
    }
}

/** Puts a sealed journal away: its lines go, or are kept for a while if the session may go on under its name. */
export function closeJournal(journal: Journal, keep: boolean, now: Date, repository: Repository, files: Files): void {
  if (keep) {
    const sealed = join(sealedFolder(repository), nameOf(journal.host, journal.session))
    const texts = journal.paths.map((path) => Buffer.from(files.read(path) ?? new Uint8Array()))
    files.write(sealed, Buffer.concat(texts), 0o600)
  }
  for (const path of journal.open) files.remove(path)
  for (const { name } of files.list(sealedFolder(repository))) {
    const path = join(sealedFolder(repository), name)
    if ((files.stat(path)?.changed ?? 0) < now.getTime() - KEPT_DAYS * DAY_MS) files.remove(path)
  }
}

const folderOf = (repository: Repository): string => join(repository.commonDir, 'remnant', 'journals')
const sealedFolder = (repository: Repository): string => join(repository.commonDir, 'remnant', 'sealed')

const nameOf = (host: string, session: string): string => `${host}-${createHash('sha256').update(session).digest('hex')}.jsonl`

const journalFiles = (repository: Repository, files: Files): string[] =>
  files
    .list(folderOf(repository))
    .filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl'))
    .map(({ name }) => join(folderOf(repository), name))
    .sort((a, b) => Number(isTaken(b)) - Number(isTaken(a)) || (a < b ? -1 : 1))

const isTaken = (path: string): boolean => path.endsWith('.taken.jsonl')

/** null: another sealer was quicker. */
function take(path: string, files: Files): string | null {
  const stamp = files.stat(path)
  const taken = path.replace(/\.jsonl$/, `.${Math.trunc(stamp?.changed ?? 0)}.taken.jsonl`)
  return files.move(path, taken) ? taken : null
}

async function firstLine(path: string, files: Files): Promise<JournalLine | null> {
  try {
    for await (const { value } of readJsonl(files.stream(path), 'the journal', () => {})) {
      const line = lineIn(value)
      if (line !== null) return line
    }
  } catch (cause) {
    if (!(cause instanceof RemnantError)) throw cause
  }
  return null
}

const lineIn = (value: unknown): JournalLine | null => {
  const result = JournalLine.safeParse(value)
  return result.success ? (value as JournalLine) : null
}
