import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { joinPath } from '../model/key.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'terraform',
  why: 'Infrastructure was made to match its description, and costs or is gone from that moment; again there is nothing left to change.',
  names: ['terraform', 'tofu', 'terragrunt'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: 'convergent', target: call.target, identifier: null }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    const done = /^(?:\S{1,3} )?(Apply|Destroy) complete! Resources: (\d{1,9}) (?:imported, \d{1,9} )?(?:added, (\d{1,9}) changed, (\d{1,9}) )?destroyed\.?/m.exec(output)
    if (done !== null) return [done[2], done[3] ?? '0', done[4] ?? '0'].every((count) => count === '0') && !output.includes(' imported, ') ? 'not-done' : doneAt(call.target, null)
    if (/^(?:[│|] )?Error: |^(?:Apply|Destroy) cancelled\.|^No changes\. /m.test(output)) return 'not-done'
    return /^Successfully (?:imported|moved|removed|untainted)|^Import successful!|^Resource instance \S{1,300} has been marked as tainted|^Removed \S{1,300}$/m.test(output) ? doneAt(call.target, null) : null
  },
} satisfies Mutation

/** Terraform, OpenTofu and Terragrunt. */
function readCall(command: CanonicalCommand): { readonly target: Target | null } | null {
  const { program, args } = programOf(command)
  if (!/^(?:terraform|tofu|terragrunt)$/.test(program)) return null
  const given = readArguments(args, VALUES, 'whole')
  const words = given.words[0] === 'run-all' || given.words[0] === 'run' ? given.words.slice(1) : given.words
  const [verb = '', part = ''] = words
  const state = verb === 'state' && /^(?:mv|rm|push|replace-provider)$/.test(part) && !given.has('-dry-run')
  if ((!/^(?:apply|destroy|import|taint|untaint)$/.test(verb) && !state) || given.has('-h', '-help', '--help')) return null
  const folder = joinPath(command.folder, given.value('-chdir', '--chdir', '--terragrunt-working-dir', '--working-dir') ?? '.')
  return { target: folder === null ? null : targetOf('terraform', folder) }
}

const VALUES = optionNames('-var -var-file --terragrunt-working-dir --working-dir --terragrunt-config --config')
