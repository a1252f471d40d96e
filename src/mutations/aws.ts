import { type Arguments, optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'aws',
  why: 'What runs or lies in an account is used and paid for by others; what is created, sent or started twice is there twice.',
  names: ['aws'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.repeat, target: call.target, identifier: call.identifier }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^An error occurred \([\w.]{1,100}\) when calling|^(?:aws: error: |aws: \[ERROR\]|fatal error: |(?:upload|delete|copy|move) failed: |Unable to locate credentials|Could not connect to the endpoint)/m.test(output)) return 'not-done'
    const lines = /^(?:upload|delete|copy|move|make_bucket|remove_bucket): /m.test(output)
    if (call.copies && succeeded && output.trim() === '' && !call.given.has('--quiet', '--only-show-errors')) return null
    return succeeded || lines ? doneAt(call.target, call.identifier) : null
  },
} satisfies Mutation

interface Call {
  readonly given: Arguments
  readonly repeat: 'harmful' | 'convergent'
  readonly target: Target | null
  readonly identifier: string
  /** Copies files, which may all be there already. */
  readonly copies: boolean
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'aws') return null
  const given = readArguments(args, VALUES)
  const [service = '', verb = '', ...words] = given.words
  if (given.has('--dry-run', '--dryrun', '--help', '--generate-cli-skeleton') || words.includes('help') || verb === 'help') return null
  if (service === 's3') return bucketCall(given, verb, words)
  if (!/^[a-z0-9-]+$/.test(service) || !CHANGES.test(verb) || /^(?:sts|sso|configure|help)$/.test(service) || READS.test(`${service} ${verb}`)) return null
  const [name = null] = given.all(...NAMES)
  const arn = [...words, ...given.all(...VALUES)].find((word) => /^arn:aws[\w-]*:[\w-]+:[\w-]*:\d{12}:/.test(word))
  const profile = given.value('--profile') ?? command.env.find(([key]) => key === 'AWS_PROFILE')?.[1] ?? null
  const region = given.value('--region') ?? command.env.find(([key]) => key === 'AWS_REGION' || key === 'AWS_DEFAULT_REGION')?.[1] ?? null
  const bucket = service === 's3api' ? given.value('--bucket') : null
  const id = arn ?? (bucket !== null ? `s3://${bucket}` : profile === null ? null : `aws ${profile}${region === null ? '' : ` ${region}`}`)
  return { given, repeat: CONVERGES.test(verb) ? 'convergent' : 'harmful', target: id === null ? null : targetOf('cloud', id), identifier: `${service} ${verb}${name === null || name === arn ? '' : ` ${name}`}`, copies: false }
}

function bucketCall(given: Arguments, verb: string, words: readonly string[]): Call | null {
  const at = verb === 'cp' || verb === 'sync' || verb === 'mv' ? words[1] : words[0]
  const from = verb === 'mv' && at?.startsWith('s3://') !== true ? words[0] : at
  const found = /^s3:\/\/([\w.-]{1,100})(?:\/(.{0,300}))?$/.exec(from ?? '')
  if (!/^(?:cp|sync|mv|rm|mb|rb)$/.test(verb) || found === null) return null
  return { given, repeat: 'convergent', target: targetOf('cloud', `s3://${found[1]}`), identifier: `s3 ${verb} ${from}`, copies: verb === 'sync' || verb === 'rm' }
}

const CHANGES = /^(?:accept|add|allocate|apply|associate|attach|authorize|cancel|change|confirm|copy|create|delete|deploy|deregister|detach|disable|disassociate|enable|execute|import|increment|invoke|modify|move|package|promote|publish|purge|put|reboot|register|release|remove|replace|request|reset|restore|revoke|rollback|rotate|run|schedule|send|set|start|stop|submit|tag|terminate|unassign|untag|update|upload|write)(?:-|$)/
const CONVERGES = /^(?:attach|associate|authorize|delete|deregister|detach|disable|disassociate|enable|modify|put|remove|replace|set|stop|tag|terminate|untag|update|upload|change|deploy)(?:-|$)/
const READS = /^(?:logs start-(?:query|live-tail)|athena start-query-execution|ssm start-session|cloudformation (?:create-change-set|package)|kinesis put-records?-sample|\S+ (?:start|run)-(?:query|session)\S*)$/
const NAMES = [
  '--name', '--function-name', '--table-name', '--stack-name', '--role-name', '--user-name', '--policy-name', '--cluster-name', '--service', '--service-name', '--bucket', '--key', '--queue-url', '--topic-arn',
  '--repository-name', '--instance-ids', '--db-instance-identifier', '--secret-id', '--parameter-name', '--rule-name', '--group-name', '--cluster', '--distribution-id', '--hosted-zone-id', '--state-machine-arn', '--resource-arn',
]
const VALUES = optionNames(`
  ${NAMES.join(' ')} --profile --region --output --query --endpoint-url --cli-input-json --cli-input-yaml --ca-bundle --cli-read-timeout --cli-connect-timeout --color
  --payload --message --subject --message-body --zip-file --item --body --acl --template-file --template-body --parameters --capabilities --policy-document
  --value --type --description --secret-string --image-id --instance-type --count --tags --exclude --include --storage-class --content-type --task-definition --desired-count --runtime --handler --role --paths --input --change-batch --target-arn`)
