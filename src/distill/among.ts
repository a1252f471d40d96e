import { plainLines } from '../base/plain.ts'
import type { Observation } from '../model/observation.ts'
import { type Outcome, UNKNOWN, verdictOf } from '../model/outcome.ts'
import { type ShellCommand, type ShellReading, outcomesIn } from '../model/shell.ts'
import { type Toolchain, programOf } from '../model/toolchain.ts'
import { assess, saidBy, speaks } from './assess.ts'
import { verbOf } from './changes.ts'
import type { Lookup } from './known.ts'
import { isQuietDocument, scriptFailed } from './documents.ts'
import { type Section, sectionsOf } from './sections.ts'
import { outcomeInShare } from './shares.ts'
import { isShortened } from './shortened.ts'

/** `said`: what of the output is its own for certain, where that is less than all. */
export type Among = ReturnType<typeof outcomesIn>[number] & { readonly said?: string }

/** Of each command of a text with several: by the status of the whole, by what is known to have run behind it, else by its own closing lines. */
export function outcomesAmong(reading: ShellReading, { outcome, output }: Observation, lookup: Lookup, inOrder: boolean): readonly Among[] {
  const results = outcomesIn(reading, outcome, output)
  if (outcome.is === 'transient' || output === null) return results
  const plain = plainLines(output)
  const failed = verdictOf(outcome) === false && !results.some((one) => verdictOf(one.outcome) === false)
  const started = reading.commands.filter((one) => one.chain !== undefined && one.chain.at > 0 && toldAmong(one, reading, plain, lookup) !== null)
  const outlived = ({ chain }: ShellCommand): boolean => chain?.holds === true && started.some((one) => one.chain?.id === chain.id && one.chain.at > chain.at)
  // Something failed, and nobody can say what: then it may have been this one, whatever it printed.
  const sections = failed ? null : sectionsOf(reading, plain)
  const succeeded = (read: ShellCommand): boolean => results.some((one) => one.command === read && verdictOf(one.outcome) === true)
  return results.map((one): Among => {
    const { command } = one
    if (verdictOf(one.outcome) !== null || one.outcome.is === 'transient') return one
    if (outlived(command) || (!failed && toldAmong(command, reading, plain, lookup) === true)) return { command, outcome: { is: 'summary', passed: true } }
    const section = sections?.find(({ commands }) => commands.includes(command))
    if (section === undefined) {
      const shared = failed ? null : outcomeInShare(command, reading, plain, inOrder, succeeded, lookup)
      return shared === null ? one : { command, outcome: shared }
    }
    return { command, outcome: outcomeInSection(command, section, reading, lookup, inOrder), said: section.text }
  })
}

/** Of the one command of a text: by its status or its closing lines, else by what the text marks as its own. */
export function outcomeOf(principal: ShellCommand, reading: ShellReading, observation: Observation, lookup: Lookup, inOrder: boolean): Among {
  const { outcome, output, host } = observation
  const own = assess({ principal, reading, outcome, output, witnessed: host === 'git-remnant', lookup })
  const headed = own.is === 'unknown' ? outcomesAmong(reading, observation, lookup, inOrder).find(({ command }) => command === principal) : undefined
  return headed?.said === undefined ? { command: principal, outcome: own } : headed
}

/** By its own closing lines, where it alone speaks in a section, and nothing that another one wrote to its standard error can stand there. */
function outcomeInSection(command: ShellCommand, { commands, text }: Section, reading: ShellReading, lookup: Lookup, inOrder: boolean): Outcome {
  const astray = !inOrder && reading.commands.some((one) => one !== command && one.joined !== true && !WORDS.has(one.command.argv[0] ?? '') && !isStill(one, command, lookup))
  return astray ? UNKNOWN : saidBy(command, commands, text, reading, lookup)
}

/** Another one that writes nothing to its standard error that could be taken for these closing lines. */
const isStill = (one: ShellCommand, { command }: ShellCommand, lookup: Lookup): boolean => {
  const { toolchain, invocation } = lookup(command)
  return toolchain !== null && invocation !== null && (invocation.delegates ? saysLittle(one) : isApart(one, toolchain, lookup))
}

/**
 * What a tool's own closing lines say, where it is one of several in a text and its status nobody's: one line of a script. Only if
 * none of the others can have printed them, and they stand there once. What stands behind it in `a && b` could have printed them
 * too: it ran only if this one had passed. `false`: they say that it failed, which is left to whoever runs it alone.
 */
function toldAmong(read: ShellCommand, reading: ShellReading, output: string, lookup: Lookup): boolean | null {
  if (reading.commands.some((one) => one.document !== undefined) && scriptFailed(output)) return null
  if (read.symbolic || read.zero === 'failed' || !SHOWN.has(read.shows)) return null
  const { toolchain, invocation } = lookup(read.command)
  if (toolchain === null || invocation === null || !invocation.verifies || invocation.delegates) return null
  const behind = ({ chain }: ShellCommand): boolean => read.chain?.holds === true && chain?.id === read.chain.id && chain.at > read.chain.at
  if (reading.commands.some((one) => one.behind === true || (one !== read && !behind(one) && !isApart(one, toolchain, lookup)))) return null
  // Where more than its last lines tell, they may stand among findings, and not among what others close in.
  if (toolchain.lastDecides !== true) {
    const findings = reading.commands.every((one) => one === read || behind(one) || saysLittle(one) || lookup(one.command).toolchain?.diagnoses === true)
    return findings && read.mute !== true && read.shows !== 'tip' && !isShortened(output) ? (toolchain.summary(output)?.passed ?? null) : null
  }
  if (passedOnce(toolchain, output)) return true
  return toolchain.summary(output)?.passed === false ? false : null
}

const SHOWN = new Set<ShellCommand['shows']>(['all', 'end', 'tip'])

/** What another command prints can't be taken for these closing lines: it says little, or closes in words of its own. */
function isApart(one: ShellCommand, { id }: Toolchain, lookup: Lookup): boolean {
  if (saysLittle(one)) return true
  if (one.symbolic) return false
  const { toolchain, invocation } = lookup(one.command)
  return toolchain !== null && invocation !== null && !invocation.delegates && (toolchain.lastDecides === true || toolchain.diagnoses === true) && toolchain.id !== id && toolchain.closesLike !== id
}

function saysLittle(one: ShellCommand): boolean {
  if (isQuietDocument(one)) return true
  const { program, args } = programOf(one.command)
  if (one.symbolic) return false
  if (WORDS.has(program)) return !speaks(one)
  if (COUNTS.has(program)) return args.some((arg) => /^-[a-zA-Z]*[cql][a-zA-Z]*$|^--(?:count|quiet|files-with-matches)$/.test(arg))
  if (program === 'git' && verbOf(args) === 'log') return args.includes('--oneline') && !args.some((arg) => /^(?:-p|-u|--patch|--format|--pretty)/.test(arg))
  if (program === 'git') return GIT_SAYS_LITTLE.has(verbOf(args)) || (verbOf(args) === 'diff' && args.some((arg) => DIFF_SAYS_LITTLE.test(arg)))
  // Without `--check` it only says what keeps it from its work.
  if (program === 'cargo') return args[0] === 'fmt' && !args.includes('--check')
  return SAYS_LITTLE.has(program)
}

const WORDS = new Set(['echo', 'printf'])
const SAYS_LITTLE = new Set('true : mkdir rm cp mv touch chmod sleep pwd date test [ which ls wc basename dirname compileall py_compile'.split(' '))
/** With an option by which they name or count what they find, and do not show it. */
const COUNTS = new Set(['grep', 'egrep', 'fgrep', 'rg'])
const GIT_SAYS_LITTLE = new Set(['status', 'add', 'rev-parse', 'branch', 'switch', 'checkout', 'ls-files'])
const DIFF_SAYS_LITTLE = /^--(?:check|stat|shortstat|name-only|name-status|quiet)$/

/** Once a line, or a line and the one above it, say that it passed; and nowhere the lines up to one say that it failed. */
function passedOnce(toolchain: Toolchain, output: string): boolean {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MOST_LINES || output.length > MOST_CHARACTERS || isShortened(output)) return false
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
