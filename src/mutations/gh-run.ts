import { table } from '../base/table.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Mutation } from '../model/mutation.ts'

export default {
  id: 'gh-run',
  why: 'A workflow that is started works for everybody: it builds, releases or deploys, and a second start does so again.',
  // By no word of what many tools do: `run` stands in every second command.
  names: ['gh rerun', 'gh workflow'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.repeat, target: call.repository, identifier: call.subject }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:HTTP 4\d\d|failed to |could not |X |! |run \d{1,20} cannot be )/m.test(output)) return 'not-done'
    return succeeded && call.repository !== null ? { target: call.repository, targetValue: valueOf(call.repository), identifier: call.subject, state_hash: null } : null
  },
} satisfies Mutation

interface Call {
  readonly repeat: 'harmful' | 'convergent'
  readonly repository: Target | null
  readonly subject: string | null
}

const REPEAT: Readonly<Record<string, Call['repeat']>> = table({
  'run rerun': 'harmful', 'run cancel': 'convergent', 'run delete': 'convergent',
  'workflow run': 'harmful', 'workflow enable': 'convergent', 'workflow disable': 'convergent',
})

/** null: no call of `gh run` or `gh workflow` that changes anything. */
function readCall({ argv, env }: CanonicalCommand): Call | null {
  if (!/^(?:\/\S*\/)?gh(?:\.exe)?$/.test(argv[0] ?? '') || argv.some((arg) => /^(?:--help|-h)$/.test(arg))) return null
  const words = argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))
  const [group = '', verb = '', subject] = words
  const name = `${group} ${verb}`
  const repeat = Object.hasOwn(REPEAT, name) ? REPEAT[name] : undefined
  if (repeat === undefined) return null
  const option = argv.flatMap((arg, i) => (arg === '-R' || arg === '--repo' ? [argv[i + 1] ?? ''] : arg.startsWith('--repo=') ? [arg.slice(7)] : []))[0]
  return { repeat, repository: repositoryIn(option ?? '', env.find(([name]) => name === 'GH_HOST')?.[1]), subject: subject === undefined || !/^[\w.-]{1,200}$/.test(subject) ? null : `${group === 'run' ? 'actions/run' : 'workflow'}/${subject}` }
}

const VALUES = new Set('-R --repo -j --job -f --raw-field -F --field -r --ref'.split(' '))

function repositoryIn(text: string, usual = 'github.com'): Target | null {
  const found = /^(?:(?:https?:\/\/)?([\w.-]+\.[\w.-]+)\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text.slice(0, 300))
  const host = found?.[1] ?? usual
  return found === null ? null : { kind: 'github', id: host === 'github.com' ? (found[2] as string) : `${host}/${found[2]}` }
}

const valueOf = ({ id }: Target): string => (id.split('/').length === 2 ? `github.com/${id}` : id)
