import { type CanonicalCommand, isOutside } from '../model/command.ts'
import type { Mutation } from '../model/mutation.ts'
import { type ShellCommand, type ShellPlace, type ShellReading, readArgv, readShell } from '../model/shell.ts'
import { isGateName } from '../model/toolchain.ts'

/** A text as its shell would read it. What is plain words and no word of the shell's own is taken as it stands: the grammar costs more than all else. */
export const readingOf = (text: string, place: ShellPlace): ShellReading => (PLAIN.test(text) && !WORDS.has(text.slice(0, `${text} `.indexOf(' '))) ? readArgv(text.split(' '), place) : readShell(text, place))

const PLAIN = /^[A-Za-z0-9_./@%+:,-]+(?: [A-Za-z0-9_./@%+=:,-]+)*$/

/** Whatever a shell does by itself, or begins a construct with. */
const WORDS = new Set(
  ('if then elif else fi for while until do done case esac in select function time coproc cd pushd popd export declare typeset local readonly unset set shopt ' +
    'source . eval exec command builtin trap return exit break continue alias unalias hash enable true false : test [ wait umask ulimit read getopts shift let').split(' '),
)

/**
 * The one command of a text that is sure to run, and sure to run in the world as it is now: nothing before it changes anything.
 * null: there is none, or its words leave open what it is.
 */
export function certainIn(text: string, reading: ShellReading): CanonicalCommand | null {
  const read = firstTelling(reading, (one) => isAside(one) || isReading(one))
  return read === null || UNSURE_FOLDER.test(text) || UNSURE_PROGRAM.test(text) ? null : told(read, reading)
}

/** The same for a mutation: it may stand behind checks too, which leave alone what would name it. */
export function certainMutation(text: string, reading: ShellReading, mutations: readonly Mutation[]): { readonly command: CanonicalCommand; readonly mutation: Mutation } | null {
  const read = firstTelling(reading, (one) => isAside(one) || isReading(one) || isCheck(one))
  const command = read === null || UNSURE_FOLDER.test(text) ? null : told(read, reading)
  const mutation = command === null ? undefined : mutations.find((one) => one.intends(command)?.repeat === 'harmful')
  return command === null || mutation === undefined ? null : { command, mutation }
}

/** All that a text may do and that would do harm again: be it sure to run or not. */
export const harmfulIn = (reading: ShellReading, mutations: readonly Mutation[]): readonly { readonly command: CanonicalCommand; readonly mutation: Mutation }[] =>
  reading.parsed && !redefines(reading)
    ? reading.commands.flatMap(({ command, symbolic }) => {
        const mutation = symbolic ? undefined : mutations.find((one) => one.intends(command)?.repeat === 'harmful')
        return mutation === undefined ? [] : [{ command, mutation }]
      })
    : []

/** What a command does, less what it does it to: the program and the words before the first that names a thing. */
export function operationOf({ argv }: CanonicalCommand): string {
  const [program = '', ...words] = argv
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  return [program.slice(program.lastIndexOf('/') + 1), ...words.slice(0, end === -1 ? 2 : Math.min(end, 2))].join(' ')
}

function firstTelling(reading: ShellReading, passes: (read: ShellCommand) => boolean): ShellCommand | null {
  if (!reading.parsed || redefines(reading)) return null
  // What only looks may be the very call.
  const read = reading.commands.find((one) => !passes(one)) ?? (reading.single ? (reading.commands.find((one) => !isAside(one)) ?? null) : null)
  if (read === null) return null
  const alone = reading.single || reading.commands.every((one) => one === read || isAside(one))
  return alone || read.zero === 'succeeded' ? read : null
}

function told({ command, symbolic }: ShellCommand, { commands }: ShellReading): CanonicalCommand | null {
  const optedOut = command.env.some(([name, value]) => name === 'REMNANT' && value === '0')
  return symbolic || optedOut || command.where !== 'here' || isOutside(command.folder) || commands.length > MOST_COMMANDS ? null : command
}

const MOST_COMMANDS = 50

/** A change of folder that may fail unseen, or lead elsewhere, leaves open where the rest runs. */
const UNSURE_FOLDER = /\bCDPATH=|\b(?:cd|pushd)\s[^;&|\n]*(?:[12&]?>|\|\|)/

/** What lets a name mean another program in ways that a reading does not follow, or has an answer ready for its failing. */
const UNSURE_PROGRAM = /\bPATH\b|\bcommand_not_found_handle|\|\|/

/** Whether a text starts a login shell: its profile may find other programs, and give them other settings, than we see. */
export const inLoginShell = (text: string): boolean => LOGIN.test(text)

const LOGIN = /\b\w{0,3}sh\b[^;&|\n]{0,40}\s(?:-[A-Za-z]{0,8}l[A-Za-z]{0,8}|--login)(?:\s|$)/

/** Words that make a program's name mean another. */
const redefines = ({ commands }: ShellReading): boolean => commands.some(({ command: { argv, env } }) => REDEFINES.has(argv[0] ?? '') || env.some(([name]) => name === 'CDPATH' || name === 'PATH'))

const REDEFINES = new Set(['alias', 'unalias', 'hash', 'enable', 'source', '.', 'eval'])

/** Words to the reader, and to no file. */
const isAside = ({ command: { argv }, shows }: ShellCommand): boolean => ASIDE.has(argv[0] ?? '') && (shows !== 'nothing' || QUIET.has(argv[0] ?? '')) && !(argv[0] === 'printf' && argv[1] === '-v')
const QUIET = new Set(['true', ':', 'sleep'])
const ASIDE = new Set(['echo', 'printf', 'true', ':', 'sleep'])

/** Only looks, with nothing of its output put into a file. */
const isReading = ({ command: { argv }, shows, symbolic }: ShellCommand): boolean => {
  const [program = '', verb = ''] = argv
  return !symbolic && shows !== 'nothing' && (READS.has(program) || (program === 'git' && GIT_READS.has(verb) && !argv.some((word) => /^(?:-c|--output)/.test(word))))
}
const READS = new Set(['ls', 'pwd', 'cat', 'head', 'tail', 'grep', 'wc', 'whoami', 'date', 'which', 'uname', 'id'])
const GIT_READS = new Set(['status', 'log', 'diff', 'show', 'rev-parse', 'describe'])

/** A test, build, lint or type check by its name. */
function isCheck({ command: { argv } }: ShellCommand): boolean {
  const [program = '', verb = '', name = ''] = argv
  if (!/^(?:npm|pnpm|yarn|bun|cargo|make|go)$/.test(program)) return false
  return isGateName(verb === 'run' ? name : verb)
}
