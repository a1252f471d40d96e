import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'pulumi',
  why: 'A stack was made to match its program, and costs or is gone from that moment; again there is nothing left to change.',
  names: ['pulumi'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: 'convergent', target: call.target, identifier: null }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    if (/^error: |^[ \t]{0,40}Diagnostics:\n.{0,200}\n[ \t]{0,40}error:|^confirmation declined/m.test(output)) return 'not-done'
    const link = /^View (?:Live|in Browser)(?: \([^)\n]{1,40}\))?: https:\/\/app\.pulumi\.com\/([\w.-]{1,100}\/[\w.-]{1,100}\/[\w.-]{1,100})\/updates\/(\d{1,9})/m.exec(output)
    if (!/^Resources:$/m.test(output) || !/^Duration: /m.test(output)) return null
    if (!/^[ \t]{1,40}[+~-]{1,2} ?\d{1,9} (?:created|updated|deleted|replaced|imported)\b/m.test(output)) return 'not-done'
    return doneAt(link === null ? call.target : targetOf('pulumi', link[1] as string), link === null ? null : `update ${link[2]}`)
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly target: Target | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'pulumi') return null
  const given = readArguments(args, VALUES)
  const [verb = ''] = given.words
  if (!/^(?:up|update|destroy|dn|import|refresh)$/.test(verb) || given.has('-h', '--help', '--preview-only')) return null
  const stack = given.value('-s', '--stack')
  return { target: stack !== null && /^[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(stack) ? targetOf('pulumi', stack) : null }
}

const VALUES = optionNames('-s --stack -C --cwd -c --config -m --message -p --parallel -t --target --replace --config-file --color -r --policy-pack')
