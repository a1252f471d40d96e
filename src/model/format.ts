import type { Json } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import type { Turn } from './observation.ts'
import type { HostId } from './receipt.ts'

/** One JSON value of a session's log. `file` 0 is the log itself, higher ones are its sub-agents' files. */
export interface Line {
  readonly file: number
  readonly number: number
  readonly offset: number
  readonly value: Json
}

/** Where files that belong to the same session lie, relative to the log's own folder. */
export interface Companions {
  readonly folder: string
  readonly recursive: boolean
  readonly name: RegExp
}

/**
 * What the first values of a log say of it; null where they don't. `cwd`: the folder in which the session was started;
 * `cwdSha256` instead of it where the host keeps no more of it than its SHA-256 (hex).
 */
export interface About {
  readonly session: string | null
  readonly cwd: string | null
  readonly cwdSha256?: string | null
}

/** From what a host decides where it keeps the logs of a folder's sessions. */
export interface LogPlace {
  readonly home: string
  /** Absolute, without a slash at its end. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A folder (absolute) in which a host keeps logs, `depth` levels below it. */
export interface Shelf {
  readonly folder: string
  readonly depth: number
  readonly name: RegExp
  /** Its name says that the logs are of the place's folder; else only what stands in them does. */
  readonly own: boolean
}

/** Reads one session's lines in order. It holds what is open (calls that wait for their results), never the whole log. */
export interface LogReader {
  read(line: Line): Iterable<Turn>
  /** What is still open when the log ends: calls without a result have an unknown outcome. */
  end(): Iterable<Turn>
}

/** One way in which a host writes its sessions down. Exactly one format may recognise a log. */
export interface Format {
  readonly id: string
  readonly host: HostId
  readonly why: string
  /** What a log of this format looks like, for an error message. */
  readonly expects: string
  /** The first line of a log that is no JSON: every line of it is then a value, a string. */
  readonly text?: RegExp
  /** From the first values of the log alone (at most 50 of them). */
  recognise(head: readonly Json[]): boolean
  /** From the first values of a log that it recognises. */
  about(head: readonly Json[]): About
  /** When a line was written, in UTC, by which a session's files are put in one order; null: it does not say. */
  at(value: Json): string | null
  /** Files of the same session beside a log of this name (`NAME.jsonl`). */
  companions(logName: string): readonly Companions[]
  /** Where the host itself keeps logs of sessions in a folder; empty for a format that has no such place. */
  logs(place: LogPlace): readonly Shelf[]
  open(): LogReader
}

/** How many values of a log a format may look at to recognise it. */
export const HEAD = 50

/** A host's own id of a record, as a receipt can carry it: one that is too long stands as its SHA-256. */
export const recordIdOf = (id: string): string => (id.length <= 200 ? id : sha256(id))
