import * as z from 'zod/mini'
import { Text } from '../base/schema.ts'

/**
 * A command line made comparable: where it ran and exactly what was executed. Equality is equality of canonical bytes.
 * `folder` is relative to the repository, with `/`; outside it, absolute. `argv` holds input redirections as `["<", PATH]`.
 */
export const CanonicalCommand = z.strictObject({
  folder: Text,
  env: z.array(z.tuple([Text, Text])),
  argv: z.array(Text).check(z.minLength(1)),
  where: z.string().check(z.regex(/^(?:here|container:.+|host:.+)$/)),
  privilege: z.enum(['user', 'root']),
})
export type CanonicalCommand = z.infer<typeof CanonicalCommand>

/** The key under which equal commands meet: equal where their canonical bytes are, and cheaper. */
export const commandKey = ({ folder, env, argv, where, privilege }: CanonicalCommand): string => JSON.stringify([folder, env, argv, where, privilege])

/** The canonical text of a command (RFC 8785): equal for equal commands alone. */
export const commandText = ({ argv, env, folder, privilege, where }: CanonicalCommand): string => JSON.stringify({ argv, env, folder, privilege, where })

/** Equal for equal commands, and for few others; cheaper than the key, where most of many commands meet no other. */
export const commandSketch = ({ argv }: CanonicalCommand): string => argv.join(' ')

/** A command of this machine's user in a folder of the repository; environment assignments are sorted. */
export const commandOf = (argv: readonly string[], more: Partial<Omit<CanonicalCommand, 'argv'>> = {}): CanonicalCommand => ({
  folder: more.folder ?? '.',
  env: [...(more.env ?? [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  argv: [...argv],
  where: more.where ?? 'here',
  privilege: more.privilege ?? 'user',
})

/** The command as a person would type it in its folder; two different commands of one folder never look alike. */
export function shown(command: CanonicalCommand): string {
  const [place, name] = [command.where.slice(0, command.where.indexOf(':')), command.where.slice(command.where.indexOf(':') + 1)]
  const root = command.privilege === 'root'
  if (place === 'container') {
    const options = [...(root ? ['-u', 'root'] : []), ...command.env.flatMap(([key, value]) => ['-e', quoted(`${key}=${value}`)])]
    return ['docker', 'exec', ...options, quoted(name), ...wordsOf(command)].join(' ')
  }
  const words = [...(root ? ['sudo'] : []), ...assignmentsOf(command), ...wordsOf(command)]
  return place === 'host' ? `ssh ${quoted(name)} ${quoted(words.join(' '))}` : words.join(' ')
}

/** Whether the command ran outside the session's repository. */
export const isOutside = (folder: string): boolean =>
  folder.startsWith('/') || /^[A-Za-z]:\//.test(folder) || folder === '..' || folder.startsWith('../')

function wordsOf({ argv }: CanonicalCommand): string[] {
  const [program = '', ...rest] = argv
  const redirected = argv.length > 2 && argv.at(-2) === '<'
  return [isKeyword(argv) ? inQuotes(program) : quoted(program), ...rest.map((word, i) => (redirected && i === rest.length - 2 ? word : quoted(word)))]
}

function assignmentsOf({ env }: CanonicalCommand): string[] {
  const plain = env.every(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  return plain ? env.map(([name, value]) => `${name}=${quoted(value)}`) : ['env', ...env.map(([name, value]) => quoted(`${name}=${value}`))]
}

/** A program whose bare name would be read as something else: an assignment, a word of the shell's grammar, or our own prefixes. */
const isKeyword = ([program = '', second, third]: readonly string[]): boolean =>
  /^(?:[A-Za-z_]\w*\+?=|(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|time|coproc|sudo)$)/.test(program) ||
  (program === 'docker' && second === 'exec') ||
  (program === 'ssh' && third !== undefined)

const quoted = (word: string): string => (/^[A-Za-z0-9_@%+=:,./^-]+$/.test(word) ? word : inQuotes(word))

const inQuotes = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
