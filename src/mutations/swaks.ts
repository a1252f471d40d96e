import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'swaks',
  why: 'It talks to a mail server itself, and what that server queued is on its way.',
  names: ['swaks'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: 'harmful', target: call.target, identifier: call.subject }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    const data = /^[ \t]{0,40}-> {1,3}\.$/m.exec(output)
    const answer = data === null ? null : /^<(-|\*\*) {1,3}(\d{3}) /m.exec(output.slice(data.index))
    if (answer === null) return /^<\*\* {1,3}[45]\d\d |^\*\*\* (?:Error|Connection|Timeout)/m.test(output) ? 'not-done' : null
    return answer[1] === '-' && (answer[2] as string).startsWith('2') ? doneAt(call.target, call.subject) : 'not-done'
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly target: Target | null; readonly subject: string | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'swaks') return null
  const given = readArguments(args, VALUES, 'whole')
  const stops = given.value('--quit-after', '-q', '--quit')
  if (given.has('--help', '--version', '--dump', '--dump-mail', '--support') || (stops !== null && !/^(?:data|dot)$/i.test(stops))) return null
  const to = given.all('--to', '-t').flatMap((value) => value.split(',')).map((value) => value.trim().toLowerCase())
  if (to.length === 0) return null
  const subject = given.value('--header', '--h-Subject', '--header-Subject')?.replace(/^Subject:\s*/i, '') ?? null
  return { target: to.every((one) => /^[\w.+=%-]{1,100}@[\w.-]{1,200}$/.test(one)) ? targetOf('mail', [...new Set(to)].sort().join(',')) : null, subject }
}

const VALUES = optionNames(`
  --to -t --from -f --server -s --port -p --header --h-Subject --header-Subject --body --attach --auth -a --auth-user -au --auth-password -ap --ehlo --helo
  -h --data -d --timeout --quit-after -q --quit --cc --bcc --protocol --tls-verify --add-header --li --local-interface --attach-type --attach-name`)
