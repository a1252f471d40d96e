import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, isOpen } from '../model/mutation.ts'

export default {
  id: 'gh-api',
  why: 'A call of the forge that writes is seen by others at once; a second POST makes a second comment, release or run.',
  names: ['gh api'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.method === 'POST' ? 'harmful' : 'convergent', target: call.target, identifier: call.identifier }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^gh: .{1,400} \(HTTP 4\d\d\)/m.test(output)) return 'not-done'
    return succeeded && call.target !== null ? { target: call.target, targetValue: valueOf(call.target), identifier: call.identifier, state_hash: null } : null
  },
} satisfies Mutation

interface Call {
  readonly method: string
  readonly target: Target | null
  readonly identifier: string | null
}

/** null: no call of `gh api` that writes to a repository: it reads, or asks something else of the forge. */
function readCall({ argv, env }: CanonicalCommand): Call | null {
  if (!/^(?:\/\S*\/)?gh(?:\.exe)?$/.test(argv[0] ?? '') || argv[1] !== 'api') return null
  // `-iX GET` is `-i -X GET`.
  const args = argv.slice(2).flatMap((arg) => (/^-i+[a-zA-Z]/.test(arg) ? ['-i', `-${arg.replace(/^-i+/, '')}`] : [arg]))
  if (args.includes('--help')) return null
  const value = (...names: string[]): string | undefined =>
    args.flatMap((arg, i) => (names.includes(arg) ? [args[i + 1] ?? ''] : names.flatMap((name) => (name.startsWith('--') && arg.startsWith(`${name}=`) ? [arg.slice(name.length + 1)] : /^-[XF]$/.test(name) && arg.length > 2 && arg.startsWith(name) ? [arg.slice(2).replace(/^=/, '')] : [])))).at(-1)
  const sends = args.some((arg) => /^(?:-[fF]|--field(?:=|$)|--raw-field(?:=|$)|--input(?:=|$))/.test(arg))
  const method = (value('-X', '--method') ?? (sends ? 'POST' : 'GET')).toUpperCase()
  if (!WRITES.has(method)) return null
  const [endpoint] = args.filter((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? ''))
  const found = ENDPOINT.exec(endpoint ?? '')
  if (found === null || ASKS.test(found[2] as string)) return null
  const host = value('--hostname') ?? env.find(([name]) => name === 'GH_HOST')?.[1] ?? 'github.com'
  const named = `${found[1]}${found[2]}`
  const open = /[{}]/.test(named) || isOpen(named) || isOpen(host)
  return {
    method,
    target: open ? null : { kind: 'github', id: host === 'github.com' ? (found[1] as string) : `${host}/${found[1]}` },
    // What a POST makes is not yet named by where it is made.
    identifier: open || method === 'POST' ? null : (found[2] as string).slice(1) || null,
  }
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Asked by POST, and makes nothing. */
const ASKS = /^\/releases\/generate-notes$/
const VALUES = new Set('-X --method -f --raw-field -F --field -H --header --input -q --jq -t --template --hostname -p --preview --cache'.split(' '))
const ENDPOINT = /^\/?repos\/([^/\s?]{1,100}\/[^/\s?]{1,100})((?:\/[^\s?]{0,300})?)(?:\?\S{0,300})?$/

const valueOf = ({ id }: Target): string => (id.split('/').length === 2 ? `github.com/${id}` : id)
