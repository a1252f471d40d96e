import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'helm',
  why: 'A release is a new revision of what a cluster runs; an upgrade converges, an install or a rollback is made once.',
  names: ['helm'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.repeat, target: call.target, identifier: call.release }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    if (/^Error: /m.test(output)) return 'not-done'
    const name = /^NAME: ([\w.-]{1,100})$/m.exec(output)?.[1]
    const revision = /^REVISION: (\d{1,9})$/m.exec(output)?.[1] ?? null
    const deployed = name !== undefined && /^STATUS: deployed$/m.test(output)
    const other = /^release "([\w.-]{1,100})" uninstalled$|^Release "([\w.-]{1,100})" has been upgraded\. Happy Helming!$|^(Rollback was a success)/m.exec(output)
    if (!deployed && other === null) return null
    return doneAt(call.target, call.release ?? name ?? other?.[1] ?? other?.[2] ?? null, revision)
  },
} satisfies Mutation

interface Call {
  readonly repeat: 'harmful' | 'convergent'
  readonly target: Target | null
  readonly release: string | null
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'helm') return null
  const given = readArguments(args, VALUES)
  const [verb = '', release = null] = given.words
  if (!/^(?:install|upgrade|uninstall|delete|un|del|rollback)$/.test(verb) || given.has('--dry-run', '-h', '--help')) return null
  const context = given.value('--kube-context')
  const namespace = given.value('-n', '--namespace')
  const local = /^(?:minikube|kind-|k3d-|docker-desktop$|rancher-desktop$|orbstack$|colima|microk8s$)/.test(context ?? '')
  const id = `${context}${namespace === null ? '' : `/${namespace}`}`
  const target = context === null || context === '' ? null : targetOf(local ? 'machine' : 'kubernetes', local ? `kubernetes:${id}` : id)
  return { repeat: verb === 'install' || verb === 'rollback' ? 'harmful' : 'convergent', target, release: given.has('-g', '--generate-name') ? null : release }
}

const VALUES = optionNames(`
  --kube-context -n --namespace --kubeconfig --kube-apiserver --kube-token --kube-as-user --kube-ca-file -f --values --set --set-string --set-file --set-json
  --set-literal --version --timeout --repo --username --password --ca-file --cert-file --key-file --description --history-max --post-renderer -o --output --name-template --keyring`)
