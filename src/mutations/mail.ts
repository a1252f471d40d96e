import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'mail',
  why: 'A mail that was sent can not be called back, and the same one twice is read twice.',
  names: ['mail', 'mailx', 's-nail', 'mutt', 'neomutt', 'sendmail', 'msmtp'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: 'harmful', target: call.target, identifier: call.subject }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:mail|mailx|sendmail|msmtp|mutt|s-nail|postdrop): .{0,200}(?:cannot|can't|failed|could not|not sent|no account|error|fatal)/im.test(output)) return 'not-done'
    // The program hands the mail over and says nothing.
    return succeeded ? doneAt(call.target, call.subject) : null
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly target: Target | null; readonly subject: string | null } | null {
  const { program, args } = programOf(command)
  const mails = /^(?:mail|mailx|s-nail|mutt|neomutt)$/.test(program)
  if (!mails && !/^(?:(?:\/usr\/lib\/)?sendmail|msmtp)$/.test(program)) return null
  const at = args.lastIndexOf('<')
  const given = readArguments(at === -1 ? args : args.slice(0, at), mails ? MAIL_VALUES : SENDMAIL_VALUES)
  if (given.has('-h', '--help', '--version', '-V', '-bv', '-P', '--pretend', '-H', '-f') && mails) return null
  if (!mails && (given.has('--help', '--version', '-P', '--pretend', '-S', '--serverinfo') || /^-b[dipst]/.test(args[0] ?? ''))) return null
  const addressed = [...given.words, ...given.all('-c', '-b', '--cc', '--bcc')].flatMap((word) => word.split(','))
  if (addressed.length === 0) return given.has('-t') ? { target: null, subject: null } : null
  const all = addressed.map((word) => /^[\w.+=%-]{1,100}@([\w.-]{1,200})$/.exec(word.trim()) && word.trim().toLowerCase())
  return { target: all.every((one) => one !== null && one !== '') ? targetOf('mail', [...new Set(all as string[])].sort().join(',')) : null, subject: mails ? given.value('-s', '--subject') : null }
}

const MAIL_VALUES = optionNames('-s --subject -c --cc -b --bcc -a --attach -A -r -S -F -e -X')
const SENDMAIL_VALUES = optionNames('-f -F -B -C -r -a --account --host --port --from --user --passwordeval --tls-trust-file --file --logfile -X -o -O -N -R')
