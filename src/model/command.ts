import * as z from 'zod/mini'
import { canonical } from '../base/canonical.ts'
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

/** The key under which equal commands meet. */
export const commandKey = (command: CanonicalCommand): string => canonical(command)

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
  const words = [
    ...command.env.map(([name, value]) => `${name}=${quoted(value)}`),
    ...command.argv.map((word, i) => (word === '<' && i > 0 && i === command.argv.length - 2 ? word : quoted(word))),
  ]
  const here = [...(command.privilege === 'root' ? ['sudo'] : []), ...words]
  if (command.where.startsWith('container:')) return ['docker', 'exec', quoted(command.where.slice(10)), ...here].join(' ')
  if (command.where.startsWith('host:')) return ['ssh', quoted(command.where.slice(5)), ...here].join(' ')
  return here.join(' ')
}

/** Whether the command ran outside the session's repository. */
export const isOutside = (folder: string): boolean =>
  folder.startsWith('/') || /^[A-Za-z]:\//.test(folder) || folder === '..' || folder.startsWith('../')

const quoted = (word: string): string => (/^[A-Za-z0-9_@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
