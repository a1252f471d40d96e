import type { CanonicalCommand } from './command.ts'

/** Where a shell text is read: the folder it started in (relative to the repository, or absolute), and the repository's own absolute folder. */
export interface ShellPlace {
  readonly folder: string
  readonly root: string | null
}

/** One simple command of a shell text, and what the status of the whole text says of it. */
export interface ShellCommand {
  readonly command: CanonicalCommand
  /** The whole ended with 0. null: that says nothing of this command. */
  readonly zero: 'succeeded' | 'failed' | null
  /** The whole ended with n ≠ 0. `code`: this command ended with n; `failed`: it failed, with a status that nobody kept. */
  readonly nonzero: 'code' | 'failed' | 'succeeded' | null
  /** How much of its standard output the log can hold: all of it, surely its end (`| tail`), parts (`| grep`), or none (`> FILE`). */
  readonly shows: 'all' | 'end' | 'part' | 'nothing'
  /** Some of its words are worked out by the shell (`$X`, `$(date)`, a here-document), so that it can't be told from another. */
  readonly symbolic: boolean
}

export interface ShellReading {
  /** false: the text is no shell grammar that we can read, or over the limits; nothing may be concluded from it. */
  readonly parsed: boolean
  /** In the order in which they stand, filters and changes of folder or environment left out. */
  readonly commands: readonly ShellCommand[]
  /** Exactly one simple command is left after `cd`, assignments, `export` and output filters: the text is that command. */
  readonly single: boolean
  /** Paths of the repository that the text's redirections write. */
  readonly writes: readonly string[]
}
