import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'az',
  why: 'What runs or lies in a subscription is used and paid for by others; a resource is made by its name, a job or message once more.',
  names: ['az'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.repeat, target: call.target, identifier: call.identifier }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:ERROR: |az: error: |\(\w{3,100}\) )/m.test(output)) return 'not-done'
    if (/"provisioningState": "(?:Failed|Canceled)"/.test(output)) return null
    return succeeded || /"provisioningState": "Succeeded"/.test(output) ? doneAt(call.target, call.identifier) : null
  },
} satisfies Mutation

interface Call {
  readonly repeat: 'harmful' | 'convergent'
  readonly target: Target | null
  readonly identifier: string
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'az') return null
  const given = readArguments(args, VALUES)
  const at = given.words.findIndex((word, i) => i > 0 && VERBS.test(word))
  const verb = given.words[at]
  if (at === -1 || verb === undefined || LOCAL.test(given.words[0] ?? '') || given.has('-h', '--help', '--dryrun', '--dry-run', '--what-if', '-w')) return null
  const full = given.value('--ids')
  const subscription = given.value('--subscription') ?? /^\/subscriptions\/([\w-]{1,60})\//i.exec(full ?? '')?.[1] ?? null
  const group = given.value('-g', '--resource-group')
  const name = given.value('-n', '--name', '--container-name')
  const id = full ?? (subscription === null ? null : `az ${subscription}${group === null ? '' : ` ${group}`}`)
  const identifier = [...given.words.slice(0, at + 1), ...(name === null ? [] : [name])].join(' ')
  return { repeat: HARMFUL.test(verb) ? 'harmful' : 'convergent', target: id === null ? null : targetOf('cloud', id), identifier }
}

const LOCAL = /^(?:account|login|logout|configure|config|extension|cloud|version|upgrade|cache|find|feedback|interactive|bicep)$/
const VERBS = /^(?:create|delete|update|set|add|remove|start|stop|restart|deallocate|deploy|upload|upload-batch|copy|sync|import|purge|run|invoke|execute|send|scale|assign|enable|disable|move|resize|attach|detach|up|swap)$/
const HARMFUL = /^(?:run|invoke|execute|send|restart|swap|import)$/
const VALUES = optionNames(`
  --subscription -g --resource-group -n --name --container-name --ids -o --output --query -l --location --sku --image --tags --file -f --template-file
  --parameters -p --account-name --account-key --connection-string --sas-token --auth-mode --source -s --destination -d --admin-username --admin-password
  --settings --src --type --value --vault-name --assignee --role --scope --node-count --plan --runtime --size`)
