import { plainLines } from '../base/plain.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Outcome, UNKNOWN, verdictOf } from '../model/outcome.ts'
import { type ShellCommand, type ShellReading, outcomesIn } from '../model/shell.ts'
import { type Toolchain, programOf } from '../model/toolchain.ts'
import { keepsGoing } from './keeps-going.ts'
import type { Known, Lookup } from './known.ts'

/** The one command that a text is about: what is left besides words to the reader (`echo done`, `|| true`); null if there is none, or more. */
export function principalOf(reading: ShellReading): ShellCommand | null {
  if (!isTold(reading)) return null
  const telling = reading.commands.filter(({ command: { argv } }) => !ASIDE.has(argv[0] ?? ''))
  return telling.length === 1 ? (telling[0] as ShellCommand) : null
}

/** Whether a text's words mean what they say: it was read, and redefines no program by its name. */
export const isTold = ({ parsed, commands }: ShellReading): boolean => parsed && !commands.some(({ command: { argv, env } }) => REDEFINES.has(argv[0] ?? '') || env.some(([name]) => name === 'CDPATH'))

const REDEFINES = new Set(['alias', 'unalias', 'hash', 'enable'])
const ASIDE = new Set(['echo', 'printf', 'true', ':', 'exit', 'sleep'])

export interface Assessment {
  readonly principal: ShellCommand
  readonly reading: ShellReading
  /** Of the whole text, as the host logged it. */
  readonly outcome: Outcome
  readonly output: string | null
  /** Run by our own wrapper, which knows the status for certain. */
  readonly witnessed: boolean
  readonly lookup: Lookup
}

/**
 * What a text's outcome proves of its one command, in the order in which tools get this wrong: what passes (time-outs,
 * signals, the network), a status that is an answer, a status that is another's, the tool's own closing lines.
 * Assessing an assessed outcome changes nothing.
 */
export function assess({ principal, reading, outcome, output, witnessed, lookup }: Assessment): Outcome {
  if (outcome.is === 'transient' || outcome.is === 'answer' || outcome.is === 'summary') return outcome
  const own = outcomesIn(reading, outcome, output).find(({ command }) => command === principal)?.outcome ?? UNKNOWN
  if (own.is === 'code' && isStopped(own.code, principal.command)) return { is: 'transient' }
  const verdict = verdictOf(own)
  if (principal.zero === 'failed') return UNKNOWN // `!`: read twice it would be turned twice
  if (output !== null && NEVER_ENTERED.test(output)) return UNKNOWN
  if (answers(principal.command, verdict, output)) return witnessed && verdict === true ? own : { is: 'answer' }
  if (verdict === false && passes(lookup(principal.command), own, output)) return { is: 'transient' }
  if (verdict !== null) return own
  if (principal.shows === 'part' || principal.shows === 'nothing' || asidesSpeak(reading, principal)) return own
  if (output !== null && neverFound(principal.command, plainLines(output))) return { is: 'summary', passed: false }
  const closing = closingLines(lookup(principal.command), output, principal)
  if (closing === null) return own
  return verdictOf(closing) === true && asidesDoubt(reading, principal, output) ? own : closing
}

/** What a command's own closing lines say in a part of the output in which these commands alone can have spoken. */
export function saidBy(command: ShellCommand, commands: readonly ShellCommand[], text: string, reading: ShellReading, lookup: Lookup): Outcome {
  const within: ShellReading = { ...reading, commands, single: false }
  if (command.symbolic || principalOf(within) !== command) return UNKNOWN
  if (lookup(command.command).invocation === null) return UNKNOWN
  return assess({ principal: command, reading: within, outcome: UNKNOWN, output: text, witnessed: false, lookup })
}

/** A time limit or a signal ended it. 128 is no signal's, and git says by 129 that it was misused. */
const isStopped = (code: number, command: CanonicalCommand): boolean =>
  code >= 124 && code !== 126 && code !== 127 && code !== 128 && !(code === 129 && programOf(command).program === 'git')

/** Words beside the command that could be taken for its closing lines. */
const asidesSpeak = (reading: ShellReading, principal: ShellCommand): boolean =>
  reading.commands.some((one) => one !== principal && speaks(one))

/** Its words could be taken for somebody's closing lines. */
export const speaks = ({ symbolic, command: { argv } }: ShellCommand): boolean => {
  const words = argv.slice(1).join(' ')
  return symbolic ? !TELLS_STATUS.test(words) : SPEAKS.test(words)
}
const SPEAKS = /\\n|\n|pass|fail|\bok\b|tests?\b|\d/i
const TELLS_STATUS = /\$(?:\?|\{?PIPESTATUS|\{?(?:rc|ret|ec|code|status|exit_?code|result)\b)/i

/** `echo "exit: $?"` behind a pipe ends the output with what the pipe hid: closing lines that say otherwise are not believed. */
function asidesDoubt(reading: ShellReading, principal: ShellCommand, output: string | null): boolean {
  if (!reading.commands.some((one) => one !== principal && one.symbolic)) return false
  const last = (output ?? '').trimEnd().split('\n').at(-1) ?? ''
  const told = /(-?\d+)\D*$/.exec(last)?.[1]
  return told === undefined || Number(told) !== 0
}

/** The folder in which it should have run was not there: the status is that of `cd`. */
const NEVER_ENTERED = /(?:^|: )(?:cd|pushd): [^\n]{1,400}(?:No such file or directory|Not a directory|Permission denied)|: can't cd to |^(?:\S{0,40}:)?cd:(?:\d+:)? (?:no such file or directory|not a directory|permission denied): /im

/** What the tool's own closing lines say, where its standard error can't have said otherwise unseen, if the command is one whose closing lines they can be. */
function closingLines({ command, invocation, toolchain, readers }: Known, output: string | null, { shows, mute }: ShellCommand): Outcome | null {
  if (output === null || invocation?.verifies !== true) return null
  const plain = plainLines(output)
  if (SEVERAL_STEPS.test(plain)) return null
  const last = invocation.delegates ? lastStep(plain) : plain
  const found = readers.filter((one) => shows !== 'tip' || one.lastDecides === true).map((one) => {
    const summary = one.summary(plain)
    return summary?.passed === true && invocation.delegates && !(one.summary(last)?.passed === true && ((toolchain?.headsSteps === true && HEADING.test(plain)) || isLast(one, last))) ? 'not last' : summary
  })
  const said = found.filter((summary) => summary !== null)
  if (said.length === 0) return null
  const passed = said.every((summary) => summary === 'not last' || summary.passed)
  if (passed && mute === true && (invocation.delegates || toolchain?.lastDecides !== true)) return null
  if (passed && invocation.delegates && (MADE_RED.test(plain) || keepsGoing(command))) return null
  return passed && said.includes('not last') ? null : { is: 'summary', passed }
}

/** A runner's own line above a script shows that it goes on behind the tool whose closing lines these would be. */
const SEVERAL_STEPS = /^(?:>|(?:~\S{0,300})?\$) [^\n]*(?:&&|\|\||;|\|)/m

/** A runner's own word that a step failed, wherever it stands: others may have ended behind it. */
const MADE_RED = /^(?:\S{0,200}make(?:\[\d+\])?: \*\*\* |npm (?:error|ERR!) |\s*ELIFECYCLE\b|\s*ERR_PNPM_)/m

/** What stands behind the last line with which a runner of scripts heads what it starts. */
const lastStep = (output: string): string => output.slice([...output.matchAll(HEADINGS)].at(-1)?.index ?? 0)
const HEADING = /^(?:> \S+@\S+ \S|(?:~\S{0,300})?\$ \S)/m
const HEADINGS = new RegExp(HEADING, 'gm')

/** Whether the output ends with its closing lines: a runner of several steps may have gone on behind them. */
function isLast(toolchain: Toolchain, output: string): boolean {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  for (let end = lines.length - 1; end >= 0; end--) {
    if (toolchain.summary(`${lines.slice(0, end).join('\n')}\n`)?.passed !== true) return true
    if (!BEHIND.test(lines[end] as string)) return false
  }
  return false
}

/** What some tools print behind their counts, and make behind all: how long it took, and where it was. */
const BEHIND = /^[\s\d.()hmsKMGBbi:,]+$|^\s*(?:Time|Duration|Snapshots|Ran all test suites|Finished in)\b|^\S*make(?:\[\d+\])?: (?:Leaving|Entering) directory /

/** All that was printed is the shell's own word that there is no such program: whatever a filter made of its status, it never ran. */
function neverFound({ argv }: CanonicalCommand, output: string): boolean {
  const found = NOT_FOUND.map((form) => form.exec(output.trim())?.[1]).find((name) => name !== undefined)
  return found !== undefined && found === argv[0]
}
const NOT_FOUND = [/^(?:zsh|\(eval\)):(?:\d{1,6}:)? command not found: (\S{1,200})$/, /^(?:\/(?:usr\/)?bin\/)?(?:ba)?sh: (?:line )?\d{1,6}: ([^\s:]{1,200}): (?:command )?not found$/]

/** The failing tool itself says that what befell it passes. */
function passes({ command, readers }: Known, own: Outcome, output: string | null): boolean {
  const ending = { command, code: own.is === 'code' ? own.code : null, output: plainLines(output ?? '') }
  return readers.some((toolchain) => toolchain.failure(ending) === 'transient')
}

/** Whether the status is the answer to a question: of a search, a comparison, a test; or of looking at what is not there. */
function answers(command: CanonicalCommand, verdict: boolean | null, output: string | null): boolean {
  if (verdict === null) return false
  const { program, args } = programOf(command)
  if (ASKS.has(program)) return true
  if (program === 'command' || program === 'type' || program === 'hash') return true
  if (program === 'git') return GIT_ASKS.some((asks) => asks(args))
  if (LOOKS.has(program)) return verdict === false && (output === null || /no such file|cannot access|not a directory|is a directory/i.test(output))
  return false
}

const ASKS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'diff', 'cmp', 'test', '[', '[[', 'which', 'whereis', 'pgrep', 'colordiff', 'zgrep', 'pidof'])
const LOOKS = new Set(['ls', 'cat', 'find', 'stat', 'head', 'tail', 'file', 'readlink', 'realpath', 'wc', 'less', 'tree', 'du', 'bat', 'sed', 'awk', 'jq'])
const GIT_ASKS: readonly ((args: readonly string[]) => boolean)[] = [
  ([verb, ...rest]) => (verb === 'diff' || verb === 'diff-index' || verb === 'diff-files') && rest.some((a) => a === '--exit-code' || a === '--quiet' || a === '--check'),
  ([verb, ...rest]) => verb === 'merge-base' && rest.includes('--is-ancestor'),
  ([verb]) => verb === 'grep' || verb === 'check-ignore' || verb === 'show-ref',
  ([verb, ...rest]) => verb === 'rev-parse' && rest.some((a) => a === '--verify' || a === '-q' || a === '--quiet'),
  ([verb, ...rest]) => verb === 'config' && rest.some((a) => a.startsWith('--get')),
  ([verb, ...rest]) => (verb === 'ls-files' && rest.includes('--error-unmatch')) || (verb === 'ls-remote' && rest.includes('--exit-code')),
]
