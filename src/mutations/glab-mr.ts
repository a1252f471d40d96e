import { table } from '../base/table.ts'
import { type Arguments, optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { forgeProject } from '../model/forge.ts'
import { type ConfirmedMutation, type Mutation, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'glab-mr',
  why: 'What is said to or done with a merge request is seen by others at once; a second one is a second request or note.',
  names: ['glab mr'],
  intends(command) {
    const call = readCall(command)
    if (call === null) return null
    const identifier = call.number !== null ? `merge_requests/${call.number}` : call.makes ? call.given.value('-s', '--source-branch', '-H', '--head') : null
    return { repeat: call.repeat, target: call.project, identifier }
  },
  async locate(command, world) {
    if (command.argv.some((arg) => /^(?:-R|--repo)/.test(arg))) return null
    const project = await forgeProject(command, ['GITLAB_', 'GL_'], world)
    return project === null || project.host === 'github.com' ? null : projectAt(project.host, project.path)
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    const lines = output.split('\n').map((line) => line.trim())
    if (lines.some((line) => /^(?:ERROR|Failed to|error:|x )\b|already exists/i.test(line))) return 'not-done'
    const url = lines.map((line) => MERGE_REQUEST.exec(line)).findLast((found) => found !== null)
    if (url !== undefined && /^(?:create|new|update|note|comment)$/.test(call.verb))
      return made(projectAt(url[1] as string, url[2] as string), `merge_requests/${url[3]}${call.verb === 'note' || call.verb === 'comment' ? (url[4] ?? '') : ''}`)
    const done = lines.some((line) => DONE[call.verb]?.test(line) === true)
    return done && call.number !== null ? made(call.project, `merge_requests/${call.number}`) : null
  },
} satisfies Mutation

interface Call {
  readonly given: Arguments
  readonly verb: string
  readonly makes: boolean
  readonly repeat: 'harmful' | 'convergent'
  readonly project: Target | null
  readonly number: string | null
}

const REPEAT: Readonly<Record<string, Call['repeat']>> = table({
  create: 'harmful', new: 'harmful', merge: 'harmful', accept: 'harmful', note: 'harmful', comment: 'harmful', approve: 'convergent', revoke: 'convergent',
  close: 'convergent', reopen: 'convergent', update: 'convergent', rebase: 'convergent', delete: 'harmful',
})

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'glab') return null
  const given = readArguments(args, VALUES)
  const [group, verb = '', subject = ''] = given.words
  const repeat = Object.hasOwn(REPEAT, verb) ? REPEAT[verb] : undefined
  if (group !== 'mr' || repeat === undefined || given.has('-h', '--help', '-w', '--web', '--dry-run')) return null
  const makes = verb === 'create' || verb === 'new'
  const url = MERGE_REQUEST.exec(subject)
  const project = url === null ? projectIn(given.value('-R', '--repo') ?? '') : projectAt(url[1] as string, url[2] as string)
  return { given, verb, makes, repeat, project, number: url?.[3] ?? (makes ? null : (/^!?(\d{1,9})$/.exec(subject)?.[1] ?? null)) }
}

const VALUES = optionNames(
  '-R --repo -t --title -d --description -b --target-branch -s --source-branch -H --head -a --assignee --reviewer -l --label -m --message --milestone -i --related-issue --squash-message --sha -u --unlabel',
)
const MERGE_REQUEST = /^(?:-> )?https?:\/\/([\w.-]{1,200})\/([\w.-]{1,100}(?:\/[\w.-]{1,100}){1,8})\/-\/merge_requests\/(\d{1,9})(#[\w-]{1,100})?$/
const DONE: Readonly<Record<string, RegExp>> = table({
  merge: /^✓ (?:Merged|Squashed and merged|Rebased and merged)/, accept: /^✓ (?:Merged|Squashed and merged|Rebased and merged)/,
  approve: /^✓ Approved/, revoke: /^✓ Merge request approval revoked/i, close: /^✓ Closed/, reopen: /^✓ Reopened/, rebase: /^✓ Rebase successful/i, delete: /^✓ Merge request .{0,20}deleted/i,
})

const projectAt = (host: string, path: string): Target | null => targetOf('gitlab', host === 'gitlab.com' ? path : `${host}/${path}`)

function projectIn(text: string): Target | null {
  const found = /^(?:(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)\/)?([\w.-]+(?:\/[\w.-]+)+?)(?:\.git)?$/.exec(text.slice(0, 300))
  return found === null ? null : projectAt(found[1] ?? 'gitlab.com', found[2] as string)
}

const made = (target: Target | null, identifier: string): ConfirmedMutation | null => (target === null ? null : { target, targetValue: valueOf(target), identifier, state_hash: null })

/** The host is part of the value, always; a group's name has no dot before the first step. */
const valueOf = ({ id }: Target): string => (/^[^/]*\./.test(id) ? id : `gitlab.com/${id}`)
