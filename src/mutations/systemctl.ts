import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'systemctl',
  why: 'A service of the machine was started, stopped or set up, which no file of the repository shows.',
  names: ['systemctl', 'service'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.verb === 'restart' || call.verb === 'reboot' ? 'harmful' : 'convergent', target: call.target, identifier: call.verb }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:Failed to |Job for \S{1,200} failed|System has not been booted with systemd|Unit \S{1,200} (?:not found|could not be found))/m.test(output)) return 'not-done'
    return succeeded ? doneAt(call.target, call.verb) : null
  },
} satisfies Mutation

/** `systemctl VERB UNIT…`, `service UNIT VERB`. */
function readCall(command: CanonicalCommand): { readonly verb: string; readonly target: Target | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'systemctl' && program !== 'service') return null
  const given = readArguments(args, VALUES)
  const [verb = '', ...units] = program === 'service' ? [given.words[1] ?? '', given.words[0] ?? ''] : given.words
  if (!VERBS.test(verb) || units.length === 0 || units[0] === '' || given.has('--help', '-h', '--version', '--dry-run') || given.value('-H', '--host') !== null) return null
  return { verb, target: targetOf('machine', `service:${[...units].map((unit) => unit.replace(/\.service$/, '')).sort().join(' ')}`) }
}

const VERBS = /^(?:start|stop|restart|reload|try-restart|reload-or-restart|enable|disable|reenable|mask|unmask|kill|isolate)$/
const VALUES = optionNames('-H --host -M --machine -t --type -p --property -s --signal -o --output --root -n --lines --job-mode --kill-whom')
