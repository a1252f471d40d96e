import { table } from '../base/table.ts'
import type { Target } from '../model/claim.ts'
import { forgeProject } from '../model/forge.ts'
import type { Mutation } from '../model/mutation.ts'

export default {
  id: 'gh-pr',
  why: 'What is said to or done with a pull request is seen by others at once; a second one is a second request or comment.',
  names: ['gh pr'],
  intends({ argv }) {
    const call = readCall(argv)
    return call === null ? null : { repeat: call.repeat, target: call.repository, identifier: call.number === null ? call.head : `pull/${call.number}` }
  },
  async locate(command, world) {
    if (command.argv.some((arg) => /^(?:-R|--repo)/.test(arg))) return null
    const project = await forgeProject(command, ['GH_'], world)
    return project?.host === 'github.com' && project.path.split('/').length === 2 ? targetOf(project.host, project.path) : null
  },
  lastDecides: true,
  closesWith: /^(?:create|new|edit)$/,
  confirms({ argv }, output) {
    const call = readCall(argv)
    if (call === null) return null
    if (/^(?:pull request create failed|GraphQL|failed to |no pull requests found|a pull request for branch|could not |HTTP 4\d\d|! Pull request .{1,200} was already|X )/m.test(output)) return 'not-done'
    const found = output.split('\n').flatMap((line) => confirmation(line.trim(), call) ?? [])
    const last = found.at(-1)
    if (last === undefined) return null
    return { target: last.target, targetValue: valueOf(last.target), identifier: last.identifier, state_hash: null }
  },
} satisfies Mutation

interface Call {
  readonly verb: string
  readonly repeat: 'harmful' | 'convergent'
  readonly repository: Target | null
  readonly number: string | null
  /** The branch that is asked to be merged, where the command line names it. */
  readonly head: string | null
}

const REPEAT: Readonly<Record<string, Call['repeat']>> = table({
  create: 'harmful', new: 'harmful', merge: 'harmful', comment: 'harmful', review: 'harmful',
  close: 'convergent', reopen: 'convergent', edit: 'convergent', ready: 'convergent', lock: 'convergent', unlock: 'convergent', 'update-branch': 'convergent',
})

/** null: no call of `gh pr` that changes anything by itself (`--web` hands over to a person). */
function readCall(argv: readonly string[]): Call | null {
  if (!/^(?:\/\S*\/)?gh(?:\.exe)?$/.test(argv[0] ?? '')) return null
  const words = argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))
  const [group, verb = '', subject = ''] = words
  const repeat = Object.hasOwn(REPEAT, verb) ? REPEAT[verb] : undefined
  if (group !== 'pr' || repeat === undefined || argv.some((arg) => /^(?:--dry-run|--web|--help|-h|-w|--disable-auto)$/.test(arg))) return null
  const url = PULL.exec(subject)
  const head = argv.flatMap((arg, i) => (arg === '-H' || arg === '--head' ? [argv[i + 1] ?? ''] : arg.startsWith('--head=') ? [arg.slice(7)] : []))[0]
  const option = argv.flatMap((arg, i) => (arg === '-R' || arg === '--repo' ? [argv[i + 1] ?? ''] : arg.startsWith('--repo=') ? [arg.slice(7)] : []))[0]
  const repository = url === null ? repositoryIn(option ?? '') : targetOf(url[1] as string, url[2] as string)
  const makes = verb === 'create' || verb === 'new'
  return { verb, repeat, repository, head: makes ? (head ?? null) : null, number: url?.[3] ?? (!makes ? (/^#?(\d{1,9})$/.exec(subject)?.[1] ?? null) : null) }
}

const VALUES = new Set(
  `-R --repo -t --title -b --body -F --body-file -B --base -H --head -a --assignee --add-assignee --remove-assignee -l --label --add-label
  --remove-label -m --milestone -p --project --add-project -r --reviewer --add-reviewer --remove-reviewer -T --template --recover -A
  --author-email --match-head-commit --subject -c --comment --reason`.split(/\s+/),
)
const PULL = /^https?:\/\/([\w.-]{1,200})\/([\w.-]{1,100}\/[\w.-]{1,100})\/pull\/(\d{1,9})(#[\w-]{1,100})?$/

function confirmation(line: string, call: Call): { target: Target; identifier: string } | null {
  const url = PULL.exec(line)
  if (url !== null && /^(?:create|new|edit|comment)$/.test(call.verb))
    return { target: targetOf(url[1] as string, url[2] as string), identifier: `pull/${url[3]}${call.verb === 'comment' ? (url[4] ?? '') : ''}` }
  const done = (DONE[call.verb] ?? NEVER).test(line) ? /\bpull request (?:([\w.-]{1,100}\/[\w.-]{1,100}))?#(\d{1,9})\b/i.exec(line) : null
  if (done === null) return null
  const target = done[1] === undefined ? call.repository : call.repository?.id.endsWith(done[1]) === true ? call.repository : targetOf('github.com', done[1])
  return target === null ? null : { target, identifier: `pull/${done[2]}` }
}

const NEVER = /^(?!)/
const DONE: Readonly<Record<string, RegExp>> = table({
  merge: /^✓ (?:Squashed and merged|Rebased and merged|Merged) /,
  close: /^✓ Closed /,
  reopen: /^✓ Reopened /,
  review: /^[✓+-] (?:Approved|Reviewed|Requested changes to) /,
  ready: /^✓ Pull request .* is marked as "(?:ready for review|draft)"/,
  lock: /^✓ Locked /,
  unlock: /^✓ Unlocked /,
})

function repositoryIn(text: string): Target | null {
  const found = /^(?:(?:https?:\/\/)?([\w.-]+\.[\w.-]+)\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text.slice(0, 300))
  return found === null ? null : targetOf(found[1] ?? 'github.com', found[2] as string)
}

const targetOf = (host: string, repository: string): Target => ({ kind: 'github', id: host === 'github.com' ? repository : `${host}/${repository}` })

const valueOf = ({ id }: Target): string => (id.split('/').length === 2 ? `github.com/${id}` : id)
