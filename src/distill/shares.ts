import { type Outcome, verdictOf } from '../model/outcome.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import { programOf } from '../model/toolchain.ts'
import { saidBy } from './assess.ts'
import { isQuietDocument, scriptFailed } from './documents.ts'
import type { Lookup } from './known.ts'
import { isShortened } from './shortened.ts'

/**
 * Of the last one that prints, where all before it print a known number of lines at most: by its own closing lines, if they say the
 * same wherever its share of the output may begin. Its own lines are counted too: in a loop they are not. null: nobody can say.
 */
export function outcomeInShare(command: ShellCommand, reading: ShellReading, output: string, inOrder: boolean, succeeded: (one: ShellCommand) => boolean, lookup: Lookup): Outcome | null {
  const invocation = lookup(command.command).invocation
  if (invocation?.verifies !== true || command.symbolic || command.lines === undefined || !(inOrder || command.joined === true)) return null
  if (reading.commands.some(({ behind, stage, document }) => behind === true || stage === undefined || (document !== undefined && scriptFailed(output)))) return null
  const at = reading.commands.indexOf(command)
  const lines = withoutWords(output.trimEnd().split('\n'), reading, at, succeeded, lookup)
  const before = reading.commands.slice(0, at).reduce((sum, one) => sum + mostLines(one, succeeded(one), lookup), 0)
  if (lines === null || lines.length <= before || isShortened(output) || before > MOST_BEFORE) return null
  const from = Math.max(0, lines.length - command.lines)
  if (from > before) return null
  const said = Array.from({ length: before - from + 1 }, (_, i) => saidBy(command, [command], lines.slice(from + i).join('\n'), reading, lookup))
  return said.every((one) => verdictOf(one) === true) ? (said[0] ?? null) : null
}

/** Lines without those that plain words behind them print for certain, where nothing else behind them prints any; null: something may. */
function withoutWords(lines: readonly string[], { commands }: ShellReading, at: number, succeeded: (one: ShellCommand) => boolean, lookup: Lookup): readonly string[] | null {
  let left = lines
  for (const one of commands.slice(at + 1).toReversed()) {
    if (mostLines(one, succeeded(one), lookup) === 0) continue
    const { command: { argv: [program, ...words] }, symbolic, shows, stage } = one
    const line = words.join(' ')
    const plain = program === 'echo' && !symbolic && shows === 'all' && (succeeded(one) || commands.every((other) => other === one || other.stage !== stage)) && /^[^-\\\s][^\\\n]*$/.test(line)
    if (!plain || left.at(-1) !== line) return null
    left = left.slice(0, -1)
  }
  return left
}

/** How many lines another one can have printed. */
function mostLines(one: ShellCommand, succeeded: boolean, lookup: Lookup): number {
  const { command, symbolic, shows, joined, lines } = one
  const { program } = programOf(command)
  if (lines !== undefined && joined === true) return lines
  if (shows === 'nothing' && joined === true) return 0
  if (isQuietDocument(one)) return /\b(?:print|console)\b/.test(one.document ?? '') && program !== 'cat' ? Infinity : A_WORD
  if (symbolic) return Infinity
  if (STILL.has(program)) return succeeded ? 0 : A_WORD
  const { toolchain, invocation } = lookup(command)
  if (succeeded && toolchain?.still === true && invocation?.verifies === true && !command.argv.some((word) => TELLS_MORE.test(word))) return 0
  return program === 'echo' && command.argv.every((word) => !/[\n\\]/.test(word)) ? 1 : Infinity
}

/** What keeps one of these from its work it says in a line or two. */
const A_WORD = 2
const MOST_BEFORE = 100
const TELLS_MORE = /^--?(?:v|version|b|build|verbose|list\w*|\w*diagnostics|trace\w*|explain\w*|benchmark)$/i
const STILL = new Set('true : mkdir rm cp mv touch chmod sleep'.split(' '))
