import { table } from '../base/table.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import { programOf } from '../model/toolchain.ts'
import { verbOf } from './changes.ts'
import { sectionsOf } from './sections.ts'

/**
 * What of an output can be a command's own words on what it did outside: all of it, where nothing that ran beside it prints such
 * words, or where it succeeded by its status and none of the others shows a file or a text; else what the text marks as its own.
 */
export function wordsOf(read: ShellCommand, reading: ShellReading, output: string, alone: boolean): string {
  const loud = reading.commands.filter((one) => one !== read && !isQuiet(one, read, reading))
  if (loud.length === 0 || ((alone || read.zero === 'succeeded') && !loud.some((one) => quotes(one, read)))) return output
  const section = sectionsOf(reading, output)?.find(({ commands }) => commands.includes(read))
  return section !== undefined && loud.every((one) => !section.commands.includes(one) && isTacit(one)) ? section.text : ''
}

/** It shows what somebody wrote, says what it is told to say, reports in the same words, or reports refs with its first line cut off. */
const quotes = (one: ShellCommand, read: ShellCommand): boolean => {
  const { program, args } = programOf(one.command)
  if (program === 'git' && one.shows !== 'all' && /^(?:fetch|pull|clone|remote|submodule)$/.test(verbOf(args))) return true
  if (reportsAlike(one, read)) return true
  return SPEAKERS.has(program) || (PRINTERS.has(program) && !isOther(read, one)) || (program === 'git' && /^(?:log|show)$/.test(verbOf(args)) && args.some((arg) => /^--(?:format|pretty)\b/.test(arg)))
}

/** Two pushes, two publications, two requests: what one of them did, the other would say in the same words. */
export function reportsAlike(one: ShellCommand, read: ShellCommand): boolean {
  const [a, b] = [programOf(one.command), programOf(read.command)]
  const words = a.program === 'gh' ? 2 : 1
  return a.program === b.program && (a.program === 'git' ? verbOf(a.args) === verbOf(b.args) : a.args.slice(0, words).join(' ') === b.args.slice(0, words).join(' '))
}

/** What others wrote stands on its standard output alone: on the other one it speaks only of itself. */
const isTacit = ({ command }: ShellCommand): boolean => {
  const { program, args } = programOf(command)
  return TACIT.has(program) || (program === 'git' && /^(?:log|show|diff|blame|shortlog|ls-files|status|cat-file)$/.test(verbOf(args)))
}

/** What it prints can't be taken for the report of a push, a publication or a request. */
function isQuiet(one: ShellCommand, read: ShellCommand, reading: ShellReading): boolean {
  if (one.through === 'other') return false
  const { program, args } = programOf(one.command)
  if (SPEAKERS.has(program) || program === 'date') return saysItsWords(one)
  if (isTacit(one) && (one.through === 'count' || (one.shows === 'nothing' && !reading.commands.some(isFilled)))) return true
  if (program === 'git') return (GIT_QUIET.has(verbOf(args)) && !args.some((arg) => /^--(?:format|pretty)\b|^-n\d/.test(arg))) || (!one.symbolic && (GIT_NARROW[verbOf(args)]?.(args, one) ?? false)) || isOther(read, one)
  return QUIET.has(program) || (program === 'gh' && isOther(read, one))
}

/** A push prints no address of a request or a release alone on a line; what makes one of these prints no report of a push, and not the address of another kind. */
function isOther(read: ShellCommand, { command: { argv } }: ShellCommand): boolean {
  const [program, second = '', third] = argv
  if (program === 'git') return second === 'push' && read.command.argv[0] === 'gh'
  return /^(?:pr|issue|release)$/.test(second) && third === 'create' && !argv.includes('--dry-run') && (read.command.argv[0] === 'git' || read.command.argv[1] !== second)
}

/** Short words that look like nobody's report; what the shell puts between them comes of commands that stand in the text too. */
function saysItsWords({ command: { argv }, symbolic }: ShellCommand): boolean {
  const text = argv.join(' ')
  const words = symbolic ? text.replace(EXPANSION, '') : text
  return words.length <= 60 && !LIKE_A_REPORT.test(words) && !(symbolic && /[$`]/.test(words))
}

const LIKE_A_REPORT = /[\\\n✓✔+@]|->|:\/\/|#\d|digest:|complete!|[Ss]uccessfully |\/\S+ (?:created|configured|deleted|patched|scaled)\b/

/** A status, or a command that stands inside and has no other inside of it. */
const EXPANSION = /\$(?:\?|\{\?\}|\{(?:PIPESTATUS|pipestatus)\[\d\]\}|\((?!\()[^()`$]*\))/g

/** A word to the reader that holds what another command printed. */
const isFilled = ({ command: { argv }, symbolic }: ShellCommand): boolean => symbolic && SPEAKERS.has(argv[0] ?? '') && /\$\(|`/.test(argv.join(' '))

const SPEAKERS = new Set(['echo', 'printf'])
const PRINTERS = new Set('cat head tail less more bat sed awk grep rg jq curl wget gh python python3 node ruby perl sh bash make'.split(' '))
const TACIT = new Set('cat head tail less more sed grep egrep fgrep rg wc sort uniq jq cut tr diff ls stat file'.split(' '))
const QUIET = new Set('mkdir rm cp mv touch chmod sleep true : pwd test [ which ls wc py_compile compileall'.split(' '))

/** Git on its index, its commits and its refs. */
const GIT_QUIET = new Set('add commit status checkout switch restore reset clean tag branch rm mv init gc rev-parse config ls-files ls-remote show-ref merge-base worktree'.split(' '))

/** What they print depends on their options: one line a commit that begins with its hash, names and counts of files, a whole report of a fetch. */
const GIT_NARROW: Readonly<Record<string, (args: readonly string[], read: ShellCommand) => boolean>> = table({
  log: (args: readonly string[]) => {
    const options = args.filter((arg) => arg.startsWith('-'))
    return options.some((arg) => HASH_FIRST.test(arg)) && options.every((arg) => HASH_FIRST.test(arg) || LOG_PLAIN.test(arg))
  },
  diff: (args: readonly string[]) => args.some((arg) => /^--(?:stat|shortstat|numstat|name-only|name-status|check|quiet)(?:=|$)/.test(arg)) && !args.some((arg) => /^(?:-p|-u|--patch.*)$/.test(arg)),
  stash: (args: readonly string[]) => !args.includes('show'),
  remote: (args: readonly string[], { shows }: ShellCommand) => shows === 'all' || !args.includes('update'),
  fetch: (args: readonly string[], { shows }: ShellCommand) => shows === 'all' || args.some((arg) => arg === '-q' || arg === '--quiet'),
})
const HASH_FIRST = /^(?:--oneline|--(?:format|pretty)=(?:format:|tformat:)?%[hH](?:[^%\n]|%[hHsadDcrie]{1,2})*)$/
const LOG_PLAIN = /^(?:-\d+|-n\d*|--max-count=\d+|--no-merges|--merges|--first-parent|--decorate(?:=\w+)?|--no-decorate|--no-color|--all|--reverse|--abbrev-commit|--since=.*|--until=.*|--)$/
