import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'gcloud',
  why: 'What runs or lies in a project is used and paid for by others; what is created, published or run twice is there twice.',
  names: ['gcloud', 'gsutil'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.repeat, target: call.target, identifier: call.identifier }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^ERROR: \(gcloud\.|^(?:CommandException|AccessDeniedException|BadRequestException|NotFoundException): |^Aborted by user\./m.test(output)) return 'not-done'
    const said = /^(?:Created|Updated|Deleted) \[?(?:https:|projects\/)|^Operation completed over \d|^Deployed service|^Service \[[\w-]{1,100}\] revision \[[\w-]{1,100}\] has been deployed/m.test(output)
    return succeeded || said ? doneAt(call.target, call.identifier) : null
  },
} satisfies Mutation

interface Call {
  readonly repeat: 'harmful' | 'convergent'
  readonly target: Target | null
  readonly identifier: string
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  const given = readArguments(args, VALUES)
  if (given.has('--help', '-h', '--dry-run', '--validate-only')) return null
  const words = given.words[0] === 'alpha' || given.words[0] === 'beta' ? given.words.slice(1) : given.words
  const storage = program === 'gsutil' ? words : program === 'gcloud' && words[0] === 'storage' && words[1] !== 'buckets' ? words.slice(1) : null
  if (storage !== null) return bucketCall(storage)
  if (program !== 'gcloud' || LOCAL.test(words[0] ?? '')) return null
  const at = words.findIndex((word, i) => i > 0 && VERBS.test(word))
  const verb = words[at]
  if (at === -1 || verb === undefined || at > 4) return null
  const project = given.value('--project') ?? command.env.find(([key]) => key === 'CLOUDSDK_CORE_PROJECT')?.[1] ?? null
  const bucket = words.find((word) => /^gs:\/\/[\w.-]+\/?$/.test(word))
  const id = bucket?.replace(/\/$/, '') ?? (project === null ? null : `gcloud ${project}`)
  return { repeat: CONVERGES.test(verb) ? 'convergent' : 'harmful', target: id === null ? null : targetOf('cloud', id), identifier: words.slice(0, at + 2).join(' ') }
}

function bucketCall([verb = '', ...words]: readonly string[]): Call | null {
  const at = /^(?:cp|mv|rsync)$/.test(verb) ? words.at(-1) : words[0]
  const found = /^gs:\/\/([\w.-]{1,100})(?:\/.{0,300})?$/.exec(at ?? '')
  if (!/^(?:cp|mv|rm|rsync|mb|rb)$/.test(verb) || found === null) return null
  return { repeat: 'convergent', target: targetOf('cloud', `gs://${found[1]}`), identifier: `storage ${verb} ${at}` }
}

/** Groups that set up this machine. */
const LOCAL = /^(?:config|auth|components|info|init|topic|version|feedback|help)$/
const VERBS = /^(?:create|delete|update|deploy|publish|submit|set|unset|add|remove|enable|disable|start|stop|reset|resize|patch|import|run|execute|call|promote|rollback|move|restart|undelete|(?:add|remove|set)-[a-z-]+)$/
const CONVERGES = /^(?:delete|update|deploy|set|unset|enable|disable|start|stop|resize|patch|add|remove|promote|move|(?:add|remove|set)-[a-z-]+)$/
const VALUES = optionNames(`
  --project --region --zone --account --format --filter --verbosity --impersonate-service-account --configuration --image --source --service-account
  --platform --memory --cpu --member --role --message --attribute --data --tag --config --machine-type --runtime --entry-point --location --set-env-vars
  --update-env-vars --cluster --num-nodes --description --substitutions --billing-project --access-token-file --network --env-vars-file -m -h`)
