import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf, withoutUserInfo } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'gem-push',
  why: 'A version of a gem is public at once, and its number is used up.',
  names: ['gem push', 'gem yank'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.yanks ? 'convergent' : 'harmful', target: call.name === null ? null : gemAt(call.host, call.name), identifier: call.version === null ? null : `${call.name}@${call.version}` }
  },
  async identify(command) {
    const { target, identifier } = this.intends(command) ?? { target: null, identifier: null }
    return target === null || identifier === null ? null : { target, identifier }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    if (/Repushing of gem versions is not allowed|^ERROR:|There was a problem saving your gem|Access Denied/m.test(output)) return 'not-done'
    const made = /^Successfully registered gem: ([\w.-]{1,100}) \(([\w.-]{1,100})\)$/m.exec(output) ?? /^Successfully deleted gem: ([\w.-]{1,100}) \(([\w.-]{1,100})\)$/m.exec(output)
    const host = /^Pushing gem to (\S{1,300}?)\.{3}$/m.exec(output)?.[1] ?? call.host
    return made === null ? null : doneAt(gemAt(host, made[1] as string), `${made[1]}@${made[2]}`)
  },
} satisfies Mutation

interface Call {
  readonly yanks: boolean
  readonly host: string
  readonly name: string | null
  readonly version: string | null
}

/** `gem push FILE`, `gem yank NAME -v VERSION`. */
function readCall(command: CanonicalCommand): Call | null {
  const argv = command.argv[0] === 'bundle' && command.argv[1] === 'exec' ? command.argv.slice(2) : command.argv
  const { program, args } = programOf({ argv })
  if (program !== 'gem') return null
  const given = readArguments(args, VALUES)
  const [verb, subject = ''] = given.words
  if ((verb !== 'push' && verb !== 'yank') || given.has('-h', '--help')) return null
  const host = given.value('--host') ?? 'https://rubygems.org'
  if (verb === 'yank') return { yanks: true, host, name: /^[\w.-]+$/.test(subject) ? subject : null, version: given.value('-v', '--version') }
  const file = /(?:^|\/)([A-Za-z][\w.]*(?:-[A-Za-z][\w.]*)*)-(\d[\w.]*)(?:-[\w.-]+)?\.gem$/.exec(subject.slice(-300))
  return { yanks: false, host, name: file?.[1] ?? null, version: file?.[2] ?? null }
}

const VALUES = optionNames('--host -k --key --otp -v --version -p --http-proxy --attestation --platform --config-file')

function gemAt(host: string, name: string): Target | null {
  const plain = withoutUserInfo(host).replace(/\/+$/, '')
  return targetOf('rubygems', plain === 'https://rubygems.org' ? name : `${plain} ${name}`)
}
