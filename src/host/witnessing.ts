import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { HookEvent } from '../model/agent.ts'
import type { JournalLine } from '../model/observation.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'
import { appendToJournal, journalName, journalPath, sealedFolder } from './journals/append.ts'
import { headCommit } from './witnessing/head.ts'
import { isQuiet } from './witnessing/quiet.ts'

/** A line that stands in a journal now, and whose keys may be worth a look at this moment. */
export interface Witnessed {
  readonly line: JournalLine
  readonly repository: Repository
  /** When it ended, in ms: an entry that was made or removed in a folder later than this was not what the command saw. */
  readonly at: number
  /** In ms: what changed later than this may not be what the command saw. */
  readonly before: number
}

/** From a call's end to our hook, at most: so much earlier it may have started than its duration says. */
const HOOK_MS = 500
/** Where nobody says when a call started: what changed this shortly before its hook may have changed after it. */
const UNKNOWN_MS = 2000

/**
 * Appends what a call did to its session's journal: one durable line, before anything else is done. null: there is nothing to
 * note, or no more to be looked at. A call that can't become a claim and changes nothing leaves no line. Loads no schema.
 */
export function witness(event: HookEvent, at: Date, repository: Repository, files: Files): Witnessed | null {
  if (event.moment !== 'after' || repository.workTree === null) return null
  if (event.tool === 'shell' ? isQuiet(event.command, event.outcome) : event.edits.length === 0) return null
  const path = journalPath(event.host, event.session, repository)
  const size = files.stat(path)?.size ?? 0
  if (size > FULL) return null
  const line = lineOf(event, at, homeOf(event, size, repository, files) ?? repository.workTree, repository, files)
  appendToJournal(size > HALF_FULL ? shortened(line) : line, repository, files)
  if (size + MOST_OF_A_LINE > FULL) appendToJournal(lastLine(line), repository, files)
  return event.tool === 'shell' && size <= HALF_FULL && line.kind === 'command' ? { line, repository, at: at.getTime(), before: at.getTime() - (event.took === undefined ? UNKNOWN_MS : Math.max(0, event.took) + HOOK_MS) } : null
}

/** A call as a line of its session's journal, before it is made or after. null: there is no work tree. */
export const journalLine = (event: HookEvent, at: Date, repository: Repository, files: Files): JournalLine | null =>
  repository.workTree === null
    ? null
    : lineOf(event, at, homeOf(event, files.stat(journalPath(event.host, event.session, repository))?.size ?? 0, repository, files) ?? repository.workTree, repository, files)

/** Bytes of a session's unsealed journal: from here on lines keep the end of their outputs alone, and keys are looked at no more. */
const HALF_FULL = 8 * 1024 * 1024
/** From here on nothing is noted; the last line says so, and no claim outlives it. */
const FULL = 32 * 1024 * 1024
const MOST_OF_A_LINE = 1024 * 1024
/** The last characters of an output that are kept, as for `git remnant run`. */
const KEPT_OUTPUT = 256 * 1024
const KEPT_SHORT = 2048

function lineOf(event: HookEvent, at: Date, worktree: string, repository: Repository, files: Files): JournalLine {
  const { command, output } = event
  const cut = event.cut === true || (output !== null && output.length > KEPT_OUTPUT)
  const when = at.toISOString()
  const typed = command === null || typeof command === 'string' ? command : command.map(quoted).join(' ')
  return {
    schema: 'git-remnant/observation/1',
    worktree,
    host: event.host,
    session: event.session,
    record_id: recordId(event, typed, when),
    at: when,
    ...(event.took !== undefined && { began: new Date(at.getTime() - event.took).toISOString() }),
    kind: event.tool === 'shell' ? 'command' : 'edit',
    folder: folderIn(worktree, event.cwd),
    cwd: event.cwd.toWellFormed(),
    head: headCommit(repository, files),
    command: typed?.toWellFormed() ?? null,
    outcome: event.outcome,
    output: output === null ? null : output.slice(-KEPT_OUTPUT).toWellFormed(),
    ...(cut && { cut: true }),
    edits: event.edits.map((edit) => ({ ...edit, path: edit.path.toWellFormed() })),
    declared: null,
    keys: {},
    ...(event.transcript !== null && { transcript: event.transcript.toWellFormed(), offset: sizeOf(event.transcript, files) }),
  }
}

/** The host's own id; where it names none, one that two tellings of one call share if they come in one moment. */
const recordId = ({ call, cwd, session, edits, output }: HookEvent, command: string | null, at: string): string => {
  if (call !== null && call.length <= 200) return call
  const digest = createHash('sha256').update(call ?? JSON.stringify([session, at, cwd, command, edits, output])).digest('hex')
  return call === null ? `~${digest}` : digest
}

/** Without what only looks nice: the end of the output, and that more was there. */
const shortened = (line: JournalLine): JournalLine =>
  line.output === null || line.output.length <= KEPT_SHORT ? line : { ...line, output: line.output.slice(-KEPT_SHORT).toWellFormed(), cut: true }

const lastLine = (line: JournalLine): JournalLine => ({
  ...line,
  record_id: `${line.record_id.slice(0, 190)} full`,
  kind: 'edit',
  command: null,
  outcome: { is: 'unknown' },
  output: null,
  edits: [{ path: '.', before: null, after: null }],
})

/** The work tree in which a session began, as its first line says, open or sealed; null: there is none. */
function homeOf({ host, session }: HookEvent, size: number, repository: Repository, files: Files): string | null {
  if (size > 0) return homeIn(journalPath(host, session, repository))
  const sealed = files.list(sealedFolder(repository)).find(({ name }) => name.startsWith(journalName(host, session)))
  return sealed === undefined ? null : homeIn(join(sealedFolder(repository), sealed.name))
}

function homeIn(path: string): string | null {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(MOST_OF_A_LINE)
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.byteLength, 0))
    const found = /"worktree":("(?:[^"\\]|\\.)*")/.exec(text.split('\n', 1)[0] ?? '')?.[1]
    return found === undefined ? null : (JSON.parse(found) as string)
  } catch {
    return null
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function folderIn(worktree: string, cwd: string): string {
  const way = relative(worktree, cwd)
  return way === '' ? '.' : (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? cwd : way).split(sep).join('/').toWellFormed()
}

function sizeOf(transcript: string, files: Files): number {
  try {
    return files.stat(transcript)?.size ?? 0
  } catch {
    return 0
  }
}

const quoted = (word: string): string => (/^[A-Za-z0-9_@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
