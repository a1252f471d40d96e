import { basename, dirname, join } from 'node:path'
import type { Json } from '../base/canonical.ts'
import { RemnantError } from '../base/errors.ts'
import type { Record as JsonRecord } from '../base/jsonl.ts'
import { readValues } from '../base/values.ts'
import { expected, recognise } from '../distill/parse.ts'
import { type Companions, type Format, HEAD, type Line } from '../model/format.ts'
import type { Files } from './files.ts'
import { woven } from './log/weave.ts'

/** What reading logs needs of the file system. */
export type LogFiles = Pick<Files, 'list' | 'stat' | 'stream'>

/** A session's log, recognised. `names[i]` is the file that lines with `file` i come from. */
export interface OpenLog {
  readonly format: Format
  /** Which one it is of, by its first values; null: they do not say. */
  readonly session: string | null
  readonly names: readonly string[]
  /** Streamed; the files of sub-agents are woven in where their lines were written, as far as times tell. */
  readonly lines: AsyncIterable<Line>
}

/** Told of a line that can't be read and is left out. */
export type Report = (fault: RemnantError) => void

/**
 * Opens the log of a session and the files that belong to it. `path` is absolute.
 * Throws `malformed` for a file that is missing, empty, not text, or of no format that is known; so does reading on where
 * a later line can't be read, unless there is a `report`. The message says where reading stopped, the hint what was expected.
 */
export async function openLog(path: string, formats: readonly Format[], files: LogFiles, report?: Report): Promise<OpenLog> {
  const what = `log "${path}"`
  const hint = expected(formats)
  const stat = files.stat(path)
  if (stat === null) throw new RemnantError('malformed', `${what} is not there`, { hint: 'name a log that exists' })
  if (stat.kind === 'folder') return openFolder(path, formats, files, report)
  if (stat.kind !== 'file') throw new RemnantError('malformed', `${what} is not a file`, { hint })
  const head = await headOf(path, formats, files, report && (() => {}))
  const format = known(head, formats, what)
  const { session } = format.about(head)
  const names = [path]
  const starts = [firstTime(head, format)]
  for (const companion of companionsOf(path, format, files)) {
    const start = await startOf(companion, session, format, formats, files)
    if (start === null) continue
    names.push(companion)
    starts.push(start)
  }
  const sources = names.map((name, file) => ({ start: starts[file] as number, open: () => linesOf(name, file, formats, files, report) }))
  return { format, session, names, lines: names.length === 1 ? linesOf(path, 0, formats, files, report) : woven(sources, ({ value }) => timeOf(value, format)) }
}

/** A session that is a folder of events, a file each, numbered: as OpenHands keeps a conversation. */
async function openFolder(path: string, formats: readonly Format[], files: LogFiles, report?: Report): Promise<OpenLog> {
  const what = `log "${path}"`
  const names = [path, join(path, 'events')].map((folder) => eventsIn(folder, files)).find((found) => found.length > 0) ?? []
  if (names.length === 0)
    throw new RemnantError('malformed', `${what} is a folder without events`, { hint: 'name a file, or the folder of an OpenHands conversation, which holds files "event-N-….json"' })
  const lines = async function* (silent?: Report): AsyncGenerator<Line> {
    for (const [file, name] of names.entries()) yield* linesOf(name, file, formats, files, silent)
  }
  const head: Json[] = []
  for await (const { value } of lines(report && (() => {}))) {
    head.push(value)
    if (head.length === HEAD) break
  }
  const format = known(head, formats, what)
  return { format, session: format.about(head).session, names, lines: lines(report) }
}

const EVENT = /^event-(\d{1,9})\b[^/]*\.json$/

/** In the order of their numbers. */
const eventsIn = (folder: string, files: LogFiles): string[] =>
  files
    .list(folder)
    .flatMap(({ name, kind }) => (kind === 'file' && EVENT.test(name) ? [{ name, number: Number(EVENT.exec(name)?.[1]) }] : []))
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1))
    .map(({ name }) => join(folder, name))

/** The same for a log that comes as a stream, and so alone. It can be read once. */
export async function openLogFrom(bytes: AsyncIterable<Uint8Array>, formats: readonly Format[], report?: Report): Promise<OpenLog> {
  const records = recordsOf(bytes, 'log on standard input', formats, report)
  const first: JsonRecord[] = []
  while (first.length < HEAD) {
    const next = await records.next()
    if (next.done) break
    first.push(next.value)
  }
  const head = first.map(({ value }) => value)
  const format = known(head, formats, 'log on standard input')
  return { format, session: format.about(head).session, names: ['-'], lines: resumed(first, records) }
}

/** The first values of a log (at most 50). Throws `malformed` as `openLog` does. */
export async function headOf(path: string, formats: readonly Format[], files: LogFiles, report?: Report): Promise<readonly Json[]> {
  const head: Json[] = []
  for await (const { value } of recordsOf(files.stream(path), `log "${path}"`, formats, report)) {
    head.push(value)
    if (head.length === HEAD) break
  }
  return head
}

function known(head: readonly Json[], formats: readonly Format[], what: string): Format {
  if (head.length === 0) throw new RemnantError('malformed', `${what} is empty: it has not one whole line`, { hint: expected(formats) })
  try {
    return recognise(head, formats)
  } catch (cause) {
    if (!(cause instanceof RemnantError)) throw cause
    const read = head.length === 1 ? 'its only value' : `its first ${head.length} values`
    throw new RemnantError('malformed', `${what} was not recognised by ${read}: ${cause.message}`, { hint: expected(formats), cause })
  }
}

/** Records whose faults also say what was expected. Where not one can be read, the first fault is thrown all the same. */
async function* recordsOf(bytes: AsyncIterable<Uint8Array>, what: string, formats: readonly Format[], report?: Report): AsyncGenerator<JsonRecord> {
  const explained = ({ fault, message }: RemnantError) => new RemnantError(fault, message, { hint: expected(formats) })
  const isText = (firstLine: string): boolean => formats.some(({ text }) => text?.test(firstLine) === true)
  const early: RemnantError[] = []
  let any = false
  const told = (fault: RemnantError): void => (any ? report?.(explained(fault)) : void early.push(fault))
  try {
    for await (const record of readValues(bytes, what, isText, report && told)) {
      if (!any) for (const fault of early) report?.(explained(fault))
      any = true
      yield record
    }
    if (!any && early[0] !== undefined) throw early[0]
  } catch (cause) {
    throw cause instanceof RemnantError ? explained(cause) : cause
  }
}

async function* linesOf(name: string, file: number, formats: readonly Format[], files: LogFiles, report?: Report): AsyncGenerator<Line> {
  for await (const record of recordsOf(files.stream(name), `log "${name}"`, formats, report)) yield { file, ...record }
}

function timeOf(value: Json, format: Format): number | null {
  const at = format.at(value)
  return at === null ? null : Date.parse(at)
}

function firstTime(head: readonly Json[], format: Format): number {
  for (const value of head) {
    const time = timeOf(value, format)
    if (time !== null) return time
  }
  return 0
}

async function* resumed(first: readonly JsonRecord[], rest: AsyncIterable<JsonRecord>): AsyncGenerator<Line> {
  for (const record of first) yield { file: 0, ...record }
  for await (const record of rest) yield { file: 0, ...record }
}

/** Files that by their place and name may belong to the log's session, sorted by path. */
function companionsOf(path: string, format: Format, files: LogFiles): readonly string[] {
  const found = format.companions(basename(path)).flatMap((companions) => [...filesIn(join(dirname(path), companions.folder), companions, files)])
  return [...new Set(found)].filter((name) => name !== path).sort()
}

function* filesIn(folder: string, companions: Companions, files: LogFiles): Iterable<string> {
  for (const { name, kind } of files.list(folder)) {
    if (kind === 'folder' && companions.recursive) yield* filesIn(join(folder, name), companions, files)
    if (kind === 'file' && companions.name.test(name)) yield join(folder, name)
  }
}

/** When a sub-agent's file of this session starts. A folder may hold those of many sessions: null for one that names another, or none. */
async function startOf(path: string, session: string | null, format: Format, formats: readonly Format[], files: LogFiles): Promise<number | null> {
  try {
    const head = await headOf(path, formats, files)
    return head.length > 0 && session !== null && format.recognise(head) && format.about(head).session === session ? firstTime(head, format) : null
  } catch (thrown) {
    // What can't be read at all says of no session that it belongs to it.
    if (thrown instanceof RemnantError) return null
    throw thrown
  }
}
