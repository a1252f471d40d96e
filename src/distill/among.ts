import { plainLines } from '../base/plain.ts'
import type { Observation } from '../model/observation.ts'
import { verdictOf } from '../model/outcome.ts'
import { type ShellCommand, type ShellReading, outcomesIn } from '../model/shell.ts'
import { type Toolchain, programOf } from '../model/toolchain.ts'
import { speaks } from './assess.ts'
import { verbOf } from './changes.ts'
import type { Lookup } from './known.ts'

/** Of each command of a text with several: by the status of the whole, else by its own closing lines. */
export function outcomesAmong(reading: ShellReading, { outcome, output }: Observation, lookup: Lookup): ReturnType<typeof outcomesIn> {
  const results = outcomesIn(reading, outcome, output)
  const failed = verdictOf(outcome) === false && !results.some((one) => verdictOf(one.outcome) === false)
  // Something failed, and nobody can say what: then it may have been this one, whatever it printed.
  if (outcome.is === 'transient' || failed) return results
  return results.map((one) => (verdictOf(one.outcome) === null && passedAmong(one.command, reading, output, lookup) ? { ...one, outcome: { is: 'summary', passed: true } } : one))
}

/**
 * Whether a tool's own closing lines say that it passed, where it is one of several in a text and its status nobody's: one line
 * of a script. Only if none of the others can have printed them, and they stand there once; what says that it failed is left
 * to whoever runs it alone.
 */
function passedAmong(read: ShellCommand, reading: ShellReading, output: string | null, lookup: Lookup): boolean {
  if (output === null || read.symbolic || read.zero === 'failed' || !SHOWN.has(read.shows)) return false
  const { toolchain, invocation } = lookup(read.command)
  if (toolchain === null || invocation === null || !invocation.verifies || invocation.delegates || toolchain.lastDecides !== true) return false
  if (reading.commands.some((one) => one.behind === true || (one !== read && !isApart(one, toolchain, lookup)))) return false
  return passedOnce(toolchain, plainLines(output))
}

const SHOWN = new Set<ShellCommand['shows']>(['all', 'end', 'tip'])

/** What another command prints can't be taken for these closing lines: it says little, or closes in words of its own. */
function isApart(one: ShellCommand, { id }: Toolchain, lookup: Lookup): boolean {
  const { program, args } = programOf(one.command)
  if (one.symbolic) return false
  if (WORDS.has(program)) return !speaks(one)
  if (program === 'git') return GIT_SAYS_LITTLE.has(verbOf(args)) || (verbOf(args) === 'diff' && args.some((arg) => DIFF_SAYS_LITTLE.test(arg)))
  if (SAYS_LITTLE.has(program)) return true
  const { toolchain, invocation } = lookup(one.command)
  return toolchain !== null && invocation !== null && !invocation.delegates && toolchain.lastDecides === true && toolchain.id !== id
}

const WORDS = new Set(['echo', 'printf'])
const SAYS_LITTLE = new Set('true : mkdir rm cp mv touch chmod sleep pwd date test [ which compileall py_compile'.split(' '))
const GIT_SAYS_LITTLE = new Set(['status', 'add', 'rev-parse', 'branch', 'switch', 'checkout', 'ls-files'])
const DIFF_SAYS_LITTLE = /^--(?:check|stat|shortstat|name-only|name-status|quiet)$/

/** Once a line, or a line and the one above it, say that it passed; and nowhere the lines up to one say that it failed. */
function passedOnce(toolchain: Toolchain, output: string): boolean {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MOST_LINES || output.length > MOST_CHARACTERS || SHORTENED.test(output)) return false
  const said = (from: number, to: number): boolean | null => toolchain.summary(lines.slice(Math.max(0, from), to).join('\n'))?.passed ?? null
  let times = 0
  for (const i of lines.keys()) {
    if (said(i + 1 - ABOVE, i + 1) === false) return false
    if (said(i, i + 1) === true || (said(i - 1, i) === null && said(i - 1, i + 1) === true)) times += 1
  }
  return times === 1
}

const MOST_LINES = 1000
const MOST_CHARACTERS = 200_000
const ABOVE = 60
const SHORTENED = /truncated|omitted/i
