import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'crontab',
  why: 'A table of jobs was replaced as a whole, and what it starts runs without anyone who sees it.',
  names: ['crontab'],
  intends(command) {
    const user = userIn(command)
    return user === null ? null : { repeat: 'convergent', target: targetOf('machine', `crontab:${user}`), identifier: null }
  },
  confirms(command, output, succeeded) {
    const user = userIn(command)
    if (user === null) return null
    if (/^crontab: |^"[^"\n]{1,300}":\d+: |errors in crontab file|^no crontab for /m.test(output)) return 'not-done'
    return succeeded ? doneAt(targetOf('machine', `crontab:${user}`), null) : null
  },
} satisfies Mutation

/** Whose table is written; `-` where the command line says nobody's name. null: it is only shown, or edited by a person. */
function userIn(command: CanonicalCommand): string | null {
  const { program, args } = programOf(command)
  if (program !== 'crontab') return null
  const at = args.lastIndexOf('<')
  const given = readArguments(at === -1 ? args : args.slice(0, at), VALUES)
  if (given.has('-l', '-e', '-h', '--help', '-V', '-T')) return null
  return given.words.length === 0 && !given.has('-r') && at === -1 ? null : (given.value('-u') ?? '-')
}

const VALUES = optionNames('-u -x')
