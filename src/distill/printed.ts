import { plainLines } from '../base/plain.ts'
import { table } from '../base/table.ts'
import type { Observation } from '../model/observation.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import { type Toolchain, programOf } from '../model/toolchain.ts'
import { principalOf } from './assess.ts'
import { verbOf } from './changes.ts'

/** Somebody's closing lines in it say that something failed. */
export const saysRed = (output: string | null, toolchains: readonly Toolchain[]): boolean => {
  if (output === null) return false
  const plain = plainLines(output)
  return toolchains.some((toolchain) => toolchain.summary(plain)?.passed === false)
}

/** The one command of a text, or the script that it names, was not to be had, as the shell or its runner says: nothing of it ran. */
export function didNothing({ output }: Observation, reading: ShellReading): boolean {
  const principal = principalOf(reading)
  if (principal === null || reading.writes.length > 0 || output === null) return false
  const plain = plainLines(output)
  return NOT_HAD.test(plain) || refusesItsWords(principal, plain) || lacksScript(principal, plain)
}

/** Git and node name a verb or an option of their own that they do not have, before they do anything: of an alias they would name another. */
function refusesItsWords({ command }: ShellCommand, output: string): boolean {
  const { program, args } = programOf(command)
  const word = WORDLESS[program]?.exec(output)?.[1]
  return word !== undefined && (program === 'git' ? verbOf(args) === word : args.includes(word) && args[0]?.startsWith('-') === true)
}

const WORDLESS: Readonly<Record<string, RegExp>> = table({
  git: /^git: '([^'\n]{1,100})' is not a git command\. /,
  node: /^(?:\S{0,200}\/)?node: bad option: (\S{1,100})$/m,
})

/** An interpreter says of the very script that it was given that it is not there. */
function lacksScript({ command: { argv } }: ShellCommand, output: string): boolean {
  const script = argv.slice(1).find((word) => !word.startsWith('-'))?.replace(/^\.\//, '')
  if (script === undefined || script.length < 3 || output.split('\n').length > 40) return false
  const missing = SCRIPTLESS.map((pattern) => pattern.exec(output)?.[1]).find((path) => path !== undefined)
  return missing === script || missing?.replace(/^\.\//, '') === script || missing?.endsWith(`/${script}`) === true
}

const SCRIPTLESS = [
  /^Error: Cannot find module '([^'\n]{1,400})'\n(?: {4}at [^\n]{1,400}\n){0,20} {2}code: 'MODULE_NOT_FOUND',\n {2}requireStack: \[\]$/m,
  /^\S{0,200}python[\d.]{0,6}: can't open file '([^'\n]{1,400})': \[Errno 2\] /m,
  /^(?:\S{0,200}\/)?(?:ba|da|z|k)?sh: (?:line \d{1,6}: |\d{1,6}: )?(?:cannot open |can't open )?'?([^\s':]{1,400})'?: No such file(?: or directory)?$/m,
]

const NOT_HAD = /^(?:npm (?:error|ERR!) (?:Missing script: |enoent Could not read package\.json: )|make(?:\[\d+\])?: \*\*\* No rule to make target |(?:\S+: )?(?:line \d+: |\d+: )?\S+: (?:command )?not found$|(?:zsh|\(eval\)):(?:\d+:)? command not found: |error: no such command: |\S+: \S+: command not found$)/m

/** A run that passed by its status, and says itself that it failed, or that it checked nothing. `toolchains`: whose words these may be. */
export const deniesItself = (output: string, toolchains: readonly Toolchain[]): boolean => checkedNothing(output) || SAYS_FAILED.test(output) || saysRed(output, toolchains)

/** Counters of failures, wherever they stand: a status of 0 beside them is hidden by a script. */
const SAYS_FAILED = /^(?:(?:#|ℹ) fail [1-9]\d*|Tests?:?\s.*\b[1-9]\d* failed\b.*|\s*[1-9]\d* failing|=+ .*\b[1-9]\d* failed\b.*=+|FAILED \((?:failures|errors)=.*|test result: FAILED\..*)$/m

/** A run that found nothing to check, in the words of the tools that say so. */
export const checkedNothing = (output: string): boolean => NOTHING_CHECKED.test(output) && !SOMETHING_CHECKED.test(output)
const NOTHING_CHECKED = /^(?:# tests 0|ℹ tests 0|No tests? (?:files? )?found\b.*|.*\[no test files\]|.*no tests to run.*|running 0 tests|collected 0 items|(?:=+ )?no tests ran\b.*|Ran 0 tests? .*|.*: '?[\w.-]+'? is up to date\.|.*Nothing to be done for .*|Usage: .*|usage: .*)$/im
const SOMETHING_CHECKED = /^(?:(?:#|ℹ) tests [1-9]|ok\s+\S+\s+[\d.(]|running [1-9]|.*\b[1-9]\d* passed|Ran [1-9])/im
