import type { CanonicalCommand } from '../command.ts'
import type { Told } from './telling.ts'

/** One simple command of a shell text, and what the status of the whole text says of it. */
export interface ShellCommand {
  readonly command: CanonicalCommand
  /** The whole ended with 0. null: that says nothing of this command. */
  readonly zero: 'succeeded' | 'failed' | null
  /** The whole ended with n ≠ 0. `code`: this command ended with n; `failed`: it failed, with a status that nobody kept. */
  readonly nonzero: 'code' | 'failed' | 'succeeded' | null
  /**
   * How much of its standard output the log can hold: all of it, surely its end (`| tail`), the few lines that end it
   * (`| tail -2`), parts (`| grep`), or none (`> FILE`).
   */
  readonly shows: 'all' | 'end' | 'tip' | 'part' | 'nothing'
  /** The log holds so many lines of it, its last ones, or all of them if there are no more (`2>&1 | tail -8`). */
  readonly lines?: number
  /** Some of its words are worked out by the shell (`$X`, `$(date)`, a here-document), so that it can't be told from another. */
  readonly symbolic: boolean
  /** Symbolic only by what it reads (a pipe, a here-document) or by variables taken from it: its words are as they stand. */
  readonly worded?: boolean
  /** What the filters behind it leave of its lines: a count of them, or other lines than it printed. */
  readonly through?: 'count' | 'other'
  /** It ran under a `timeout`, whose own statuses (124, 137) are no news of the command. */
  readonly timed?: boolean
  /** It goes on behind (`&`), beside what stands after it. */
  readonly behind?: boolean
  /** Beside others: which of the statements it stands in that run for certain, each once and one after the other. */
  readonly stage?: number
  /** It stands in an `a && b && c`: its place there. `holds`: if what stands behind it ran, it succeeded. */
  readonly chain?: { readonly id: number; readonly at: number; readonly holds: boolean }
  /** Its standard error goes where its standard output goes, or nowhere: none of it can stand elsewhere in the log. */
  readonly joined?: boolean
  /** The log holds none of its standard error. */
  readonly mute?: true
  /** Paths that its own redirections write, as in the reading's `writes`. */
  readonly writes?: readonly string[]
  /** The text that it reads, where a here-document holds it word for word. */
  readonly document?: string
  /** Where a later word of the text prints its status. */
  readonly told?: Told
}
