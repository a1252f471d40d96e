import { basename, join } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import { readJsonl } from '../base/jsonl.ts'
import { redacted } from '../distill/redact.ts'
import { storable } from '../distill/screen.ts'
import type { Ephemeron } from '../model/ephemeron.ts'
import { JournalKeys, JournalLine, type Turn, isLoose, turnOf } from '../model/observation.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'
import { journalFolder, journalName, sealedFolder } from './journals/append.ts'
import { settled } from './journals/settle.ts'

export { appendToJournal } from './journals/append.ts'

/** One session's journal, taken for sealing: nobody appends to its files any more, but who had opened one before. */
export interface Journal {
  readonly host: string
  readonly session: string
  /** In the order in which they were written. */
  readonly paths: readonly string[]
  /** Files that may go once the session is sealed, and their size when they were taken. */
  readonly open: ReadonlyMap<string, number>
}

/** Whole days for which the lines of a sealed session are kept, in case that it goes on under its name. */
const KEPT_DAYS = 14
const DAY_MS = 86_400_000

/** The session of the journal that this work tree's own commands write at the moment, where nobody named one; null: there is none. */
export async function openSession(host: string, worktree: string, repository: Repository, files: Files): Promise<string | null> {
  for (const path of journalFiles(repository, files)) {
    const first = await firstLine(path, files)
    if (first !== null && first.host === host && first.worktree === worktree && isGenerated(first.session) && !isTaken(path)) return first.session
  }
  return null
}

/** A session's name that nobody gave: it ends with its seal. */
export const isGenerated = (session: string): boolean => /^run-[0-9a-f-]{36}$/.test(session)

/**
 * Takes this work tree's unsealed journals (or the one of a session) out of reach of writers. What a killed sealer had taken is taken
 * again. A journal belongs to the work tree of its session's first line.
 */
export async function takeJournals(worktree: string, only: string | null, repository: Repository, files: Files): Promise<readonly Journal[]> {
  const journals = new Map<string, { host: string; session: string; open: Map<string, number> }>()
  for (const path of journalFiles(repository, files)) {
    const first = await firstLine(path, files)
    if (first === null || first.worktree !== worktree || (only !== null && first.session !== only)) continue
    const taken = isTaken(path) ? path : take(path, files)
    if (taken === null) continue
    const key = journalName(first.host, first.session)
    const known = journals.get(key) ?? { host: first.host, session: first.session, open: new Map<string, number>() }
    journals.set(key, known)
    known.open.set(taken, files.stat(taken)?.size ?? 0)
  }
  return [...journals.values()].map(({ host, session, open }) => ({
    host,
    session,
    open,
    paths: [...sealedParts(host, session, repository, files), ...[...open.keys()].sort((a, b) => stampOf(a) - stampOf(b))],
  }))
}

/** A session of this work tree that was sealed and whose lines are still kept; null: there are none. Nothing of it is taken. */
export async function sealedJournal(worktree: string, session: string, repository: Repository, files: Files): Promise<Journal | null> {
  for (const { name, kind } of files.list(sealedFolder(repository))) {
    const first = kind === 'file' && name.endsWith('.jsonl') ? await firstLine(join(sealedFolder(repository), name), files) : null
    if (first !== null && first.worktree === worktree && first.session === session) return { host: first.host, session, open: new Map(), paths: sealedParts(first.host, session, repository, files) }
  }
  return null
}

/** The turns of a journal that belong to a work tree. A line that a crash cut short is no record. */
export const readJournal = (journal: Journal, worktree: string, files: Files): AsyncGenerator<Turn> => settled(() => linesOf(journal, worktree, files), turnOf, worktree)

/** Mutations that were about to be made and of which a journal has no result, by the host's id of the call, and the log that the host said tells of it. */
export async function unanswered(journal: Journal, worktree: string, files: Files): Promise<ReadonlyMap<string, string>> {
  const open = new Map<string, string>()
  for await (const line of linesOf(journal, worktree, files))
    if (!('kind' in line) || isLoose(line.record_id)) continue
    else if (line.kind === 'command') open.delete(line.record_id)
    else if (line.kind === 'intent' && line.transcript !== undefined) open.set(line.record_id, line.transcript)
  return open
}

async function* linesOf(journal: Journal, worktree: string, files: Files): AsyncGenerator<JournalLine | JournalKeys> {
  for (const path of journal.paths) for await (const line of linesIn(path, journal, files)) if (line.worktree === worktree) yield line
}

async function* linesIn(path: string, { host, session }: Journal, files: Files): AsyncGenerator<JournalLine | JournalKeys> {
  for await (const { value } of readJsonl(files.stream(path), 'the journal', () => {})) {
    const line = JournalLine.safeParse(value).success ? (value as JournalLine) : JournalKeys.safeParse(value).success ? (value as JournalKeys) : null
    if (line !== null && line.session === session && line.host === host) yield line
  }
}

/**
 * Puts a sealed journal away: its lines go, or are kept for a while, without their secrets, if the session may go on under its name.
 * A file that grew after it was taken stays where it is: the next seal reads it again. `secrets`: null, nothing is kept.
 */
export async function closeJournal(journal: Journal, secrets: readonly Ephemeron[] | null, now: Date, repository: Repository, files: Files): Promise<void> {
  for (const [path, size] of journal.open) {
    const kept = secrets === null || (await storable(journal.session, secrets)) !== journal.session ? null : await keptLines(journal, path, secrets, files)
    const place = kept === null ? null : freeName(journal, stampOf(path), repository, files)
    if (place !== null) files.write(place, kept as string, 0o600)
    if ((files.stat(path)?.size ?? 0) <= size) files.remove(path)
    else if (place !== null) files.remove(place)
  }
  for (const { name } of files.list(sealedFolder(repository))) {
    const path = join(sealedFolder(repository), name)
    if ((files.stat(path)?.changed ?? 0) < now.getTime() - KEPT_DAYS * DAY_MS) files.remove(path)
  }
}

/** What a crash or a stranger left between the lines is not kept. */
async function keptLines(journal: Journal, path: string, secrets: readonly Ephemeron[], files: Files): Promise<string> {
  const lines: string[] = []
  for await (const line of linesIn(path, journal, files)) lines.push(`${JSON.stringify(await redacted(line, secrets))}\n`)
  return lines.join('')
}

function freeName({ host, session }: Journal, stamp: number, repository: Repository, files: Files): string {
  for (let at = stamp; ; at++) {
    const path = join(sealedFolder(repository), `${journalName(host, session)}.${at}.jsonl`)
    if (files.stat(path) === null) return path
  }
}

/** Whole files of a session that were sealed, in the order in which they were. */
function sealedParts(host: string, session: string, repository: Repository, files: Files): string[] {
  const name = journalName(host, session)
  return files
    .list(sealedFolder(repository))
    .filter((entry) => entry.kind === 'file' && (entry.name === `${name}.jsonl` || (entry.name.startsWith(`${name}.`) && entry.name.endsWith('.jsonl'))))
    .map((entry) => join(sealedFolder(repository), entry.name))
    .sort((a, b) => stampOf(a) - stampOf(b))
}

const journalFiles = (repository: Repository, files: Files): string[] =>
  files
    .list(journalFolder(repository))
    .filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl'))
    .map(({ name }) => join(journalFolder(repository), name))
    .sort((a, b) => Number(isTaken(b)) - Number(isTaken(a)) || (a < b ? -1 : 1))

const isTaken = (path: string): boolean => path.endsWith('.taken.jsonl')

/** When a file was taken, in ms; 0: it was not. */
const stampOf = (path: string): number => Number(/\.(\d{1,15})(?:\.taken)?\.jsonl$/.exec(basename(path))?.[1] ?? 0)

/** So many sealers are not killed within one tick. */
const MOST_TAKEN = 1000

/** null: another sealer was quicker. */
function take(path: string, files: Files): string | null {
  const named = (stamp: number): string => path.replace(/\.jsonl$/, `.${stamp}.taken.jsonl`)
  // What was taken within the same tick of the clock, by a sealer that was killed, stays.
  let stamp = Math.trunc(files.stat(path)?.changed ?? 0)
  for (const last = stamp + MOST_TAKEN; files.stat(named(stamp)) !== null; stamp += 1) if (stamp === last) return null
  return files.move(path, named(stamp)) ? named(stamp) : null
}

async function firstLine(path: string, files: Files): Promise<JournalLine | null> {
  try {
    for await (const { value } of readJsonl(files.stream(path), 'the journal', () => {})) if (JournalLine.safeParse(value).success) return value as JournalLine
  } catch (cause) {
    if (!(cause instanceof RemnantError)) throw cause
  }
  return null
}
