import { plainLines } from '../base/plain.ts'
import { type Outcome, UNKNOWN } from './outcome.ts'
import type { ShellCommand } from './shell/command.ts'
import { changed, rootFrom } from './shell/folder.ts'
import { scopeIn } from './shell/scope.ts'
import type { Part } from './shell/status.ts'
import { outcomeTold, statusTold } from './shell/telling.ts'
import { Walk } from './shell/walk.ts'
import { literal } from './shell/words.ts'

export type { ShellCommand } from './shell/command.ts'

/** Where a shell text is read: the folder it started in (relative to the repository, or absolute), and the repository's own absolute folder. */
export interface ShellPlace {
  readonly folder: string
  readonly root: string | null
}

export interface ShellReading {
  /** false: the text is no shell grammar that we can read, or over the limits; nothing may be concluded from it. */
  readonly parsed: boolean
  /** In the order in which they stand, filters and changes of folder or environment left out. */
  readonly commands: readonly ShellCommand[]
  /** Exactly one simple command is left after `cd`, assignments, `export` and output filters: the text is that command. */
  readonly single: boolean
  /** Paths of the repository that the text's redirections write; `*` for one that only the shell knows. */
  readonly writes: readonly string[]
}

/** Longer texts are not read: no command line of use is, and no parser's time may depend on a stranger's text. */
export const MAX_SHELL_TEXT = 16 * 1024

/**
 * The simple commands of a shell text and what its status says of each (DESIGN 4 and 13): what only says where and how a command
 * runs fills the fields of its canonical form. Never throws; a text that can't be read is `parsed: false`, and never clean.
 */
export const readShell = (text: string, place: ShellPlace): ShellReading =>
  text.length > MAX_SHELL_TEXT || !isReadable(text) ? UNREAD : reading(place, (walk, folder) => walk.script(text, scopeIn(folder)))

/** The same for a command that was started from an argument list: its words are as they stand. */
export function readArgv(argv: readonly string[], place: ShellPlace): ShellReading {
  if (argv.reduce((sum, word) => sum + word.length + 1, 0) > MAX_SHELL_TEXT || !argv.every(isReadable)) return UNREAD
  if (argv.length === 0) return { ...UNREAD, parsed: true }
  return reading(place, (walk, folder) => walk.argv(argv.map(literal), scopeIn(folder)))
}

/** What the outcome of a whole text says of each of its commands, and what the text itself prints of their statuses (`; echo "exit $?"`). */
export function outcomesIn(reading: ShellReading, outcome: Outcome, output: string | null = null): readonly { readonly command: ShellCommand; readonly outcome: Outcome }[] {
  return reading.commands.map((command) => ({ command, outcome: toldOf(command, outcome, output) ?? outcomeFor(command, reading.single, outcome) }))
}

function toldOf({ told }: ShellCommand, outcome: Outcome, output: string | null): Outcome | null {
  if (told === undefined || output === null || outcome.is === 'transient') return null
  const status = statusTold(told, plainLines(output))
  return status === null ? null : outcomeTold(told, status)
}

const UNREAD: ShellReading = { parsed: false, commands: [], single: false, writes: [] }

/** Characters that no shell keeps, or that have no UTF-8. */
const isReadable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function reading(place: ShellPlace, read: (walk: Walk, folder: string) => Part): ShellReading {
  const root = rootFrom(place.root)
  const walk = new Walk(root)
  try {
    const part = read(walk, changed('.', place.folder, root))
    const commands = walk.settled(part.entries).map(({ filter: _, first: __, stage, ...command }): ShellCommand => (stage === undefined || part.entries.length === 1 ? command : { ...command, stage }))
    return { parsed: true, commands, single: part.plain && commands.length === 1, writes: [...walk.writes] }
  } catch {
    return UNREAD
  }
}

function outcomeFor(command: ShellCommand, single: boolean, outcome: Outcome): Outcome {
  switch (outcome.is) {
    case 'code':
      if (command.timed === true && (outcome.code === 124 || outcome.code === 137)) return single ? { is: 'transient' } : UNKNOWN
      return outcome.code === 0 ? ended(command.zero, outcome) : ended(command.nonzero, outcome)
    case 'success':
      return ended(command.zero, outcome)
    case 'failure':
      return ended(command.nonzero, outcome)
    default:
      return single ? outcome : UNKNOWN
  }
}

function ended(says: ShellCommand['zero'] | ShellCommand['nonzero'], outcome: Outcome): Outcome {
  if (says === 'code') return outcome
  if (says === 'succeeded') return outcome.is === 'code' && outcome.code === 0 ? outcome : { is: 'success' }
  return says === 'failed' ? { is: 'failure' } : UNKNOWN
}
