import { type Arguments, optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'kubectl',
  why: 'A cluster runs what it was told last; what is described converges, what is created, run or restarted by name does not.',
  names: ['kubectl', 'oc'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: HARMFUL.test(call.verb) ? 'harmful' : 'convergent', target: call.target, identifier: call.name }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    const lines = output.split('\n').map((line) => line.trim())
    const changed = lines.flatMap((line) => CHANGED.exec(line)?.slice(1, 3) ?? [])
    if (changed.length > 0) return doneAt(call.target, call.name ?? [...new Set(changed.filter((_, i) => i % 2 === 0))].sort().slice(0, 8).join(' '))
    if (lines.some((line) => /^(?:error: |Error from server|The .{1,100} is invalid:|Unable to connect to the server)/.test(line) || / unchanged$/.test(line))) return 'not-done'
    return null
  },
} satisfies Mutation

interface Call {
  readonly verb: string
  readonly target: Target | null
  readonly name: string | null
}

/** kubectl and oc. A context's name stands for the cluster; which one is the current is not said by the command line. */
function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'kubectl' && program !== 'oc') return null
  const given = readArguments(args, VALUES)
  const [first = '', second = '', ...more] = given.words
  const verb = first === 'rollout' || first === 'set' ? `${first} ${second}` : first
  if (!VERBS.test(verb) || given.has('--dry-run', '-h', '--help') || (verb === 'label' && given.has('--list'))) return null
  return { verb, target: clusterIn(given), name: named(verb, first === verb ? [second, ...more] : more) }
}

const VERBS = /^(?:apply|create|delete|replace|patch|scale|autoscale|expose|run|label|annotate|taint|cordon|uncordon|drain|rollout (?:restart|undo|pause|resume)|set (?:image|env|resources|selector|serviceaccount|subject))$/
const HARMFUL = /^(?:create|run|expose|rollout (?:restart|undo))$/

function clusterIn(given: Arguments): Target | null {
  const context = given.value('--context')
  if (context === null || context === '') return null
  const local = /^(?:minikube|kind-|k3d-|docker-desktop$|rancher-desktop$|orbstack$|colima|microk8s$)/.test(context)
  const namespace = given.value('-n', '--namespace')
  const id = namespace === null || given.has('-A', '--all-namespaces') ? context : `${context}/${namespace}`
  return targetOf(local ? 'machine' : 'kubernetes', local ? `kubernetes:${id}` : id)
}

/** `deployment/web` as the command names it; files and selectors name none. */
function named(verb: string, words: readonly string[]): string | null {
  const [kind = '', name] = words
  if (/^[\w.-]+\/[\w.-]+$/.test(kind)) return kind
  if (!/^[a-z][\w.-]*$/i.test(kind)) return null
  if (/^(?:cordon|uncordon|drain)$/.test(verb)) return `node/${kind}`
  if (verb === 'run') return `pod/${kind}`
  const named = verb === 'create' && /^(?:secret|service)$/.test(kind) ? words[2] : name
  return named !== undefined && /^[\w.-]+$/.test(named) ? `${kind}/${named}` : null
}

const CHANGED =
  /^((?:[\w.-]{1,200}\/[\w.:-]{1,253})|(?:[\w.-]{1,100} "[\w.:-]{1,253}"))(?: force)? (created|configured|deleted|replaced|patched|scaled|exposed|labeled|unlabeled|annotated|tainted|untainted|cordoned|uncordoned|drained|restarted|rolled back|paused|resumed|autoscaled|(?:image|env|resource requirements|selector|serviceaccount|subjects?) updated|serverside-applied)(?: from .{1,100})?$/
const VALUES = optionNames(`
  --context -n --namespace --kubeconfig --cluster --user -s --server --token --as --as-group --certificate-authority --client-key --client-certificate
  -f --filename -k --kustomize -l --selector --field-selector -o --output -p --patch --patch-file --type --replicas --current-replicas
  --image --port --target-port --name --grace-period --timeout --from-literal --from-file --from-env-file --to-revision --field-manager -c --container
  --env -e --min --max --cpu-percent --docker-server --docker-username --docker-password --docker-email --cert --key --request-timeout --limits --requests`)
