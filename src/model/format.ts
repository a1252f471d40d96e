import type { Json } from '../base/canonical.ts'
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
  /** From the first values of the log alone (at most 50 of them). */
  recognise(head: readonly Json[]): boolean
  /** Files of the same session beside a log of this name (`NAME.jsonl`). */
  companions(logName: string): readonly Companions[]
  open(): LogReader
}
