import { table } from '../base/table.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { forgeProject } from '../model/forge.ts'
import type { Mutation } from '../model/mutation.ts'
import type { World } from '../model/probe.ts'

export default {
  id: 'gh-release',
  why: 'A release is downloaded and announced the moment it is there, and a tag that was released should not be released twice.',
  names: ['gh release'],
  intends({ argv }) {
    const call = readCall(argv)
    return call === null ? null : { repeat: call.repeat, target: call.repository, identifier: call.tag }
  },
  /** The tag, in the one repository of the forge to which the work tree pushes; what is made of an asset is not said by its tag. */
  async identify(command, world) {
    const { argv, env } = command
    const call = readCall(argv)
    if (call === null || call.tag === null || !/^(?:create|new)$/.test(call.verb) || argv.includes('--draft') || argv.includes('-d') || env.some(([name]) => name.startsWith('GH_'))) return null
    const target = call.repository ?? (await placeOf(command, world))
    return target === null ? null : { target, identifier: call.tag }
  },
  locate: placeOf,
  lastDecides: true,
  closesWith: /^(?:create|new|edit)$/,
  confirms({ argv }, output) {
    const call = readCall(argv)
    if (call === null) return null
    if (/^(?:HTTP 4\d\d|failed to |release not found|a release with the same tag name already exists|asset under the same name already exists|X )/m.test(output)) return 'not-done'
    const lines = output.split('\n').map((line) => line.trim())
    const url = lines.map((line) => RELEASE.exec(line)).findLast((found) => found !== null)
    if (url !== undefined && /^(?:create|new|edit)$/.test(call.verb)) {
      const target = targetOf(url[1] as string, url[2] as string)
      const tag = (url[3] as string).startsWith('untagged-') ? call.tag : tagIn(url[3] as string)
      return { target, targetValue: valueOf(target), identifier: tag, state_hash: null }
    }
    const done = lines.map((line) => DONE[call.verb]?.exec(line)?.[1]).find((tag) => tag !== undefined)
    if (done === undefined || call.repository === null) return null
    return { target: call.repository, targetValue: valueOf(call.repository), identifier: done, state_hash: null }
  },
} satisfies Mutation

/** The one repository of the forge to which the work tree pushes. */
async function placeOf(command: CanonicalCommand, world: World): Promise<Target | null> {
  if (command.argv.some((arg) => /^(?:-R|--repo)/.test(arg))) return null
  const project = await forgeProject(command, ['GH_'], world)
  return project?.host === 'github.com' && project.path.split('/').length === 2 ? targetOf(project.host, project.path) : null
}

interface Call {
  readonly verb: string
  readonly repeat: 'harmful' | 'convergent'
  readonly repository: Target | null
  readonly tag: string | null
}

const REPEAT: Readonly<Record<string, Call['repeat']>> = table({ create: 'harmful', new: 'harmful', upload: 'harmful', delete: 'harmful', 'delete-asset': 'harmful', edit: 'convergent' })

/** null: no call of `gh release` that changes anything. */
function readCall(argv: readonly string[]): Call | null {
  if (!/^(?:\/\S*\/)?gh(?:\.exe)?$/.test(argv[0] ?? '')) return null
  const words = argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))
  const [group, verb = '', tag] = words
  const repeat = Object.hasOwn(REPEAT, verb) ? REPEAT[verb] : undefined
  if (group !== 'release' || repeat === undefined || argv.some((arg) => /^(?:--dry-run|--help|-h)$/.test(arg))) return null
  const option = argv.flatMap((arg, i) => (arg === '-R' || arg === '--repo' ? [argv[i + 1] ?? ''] : arg.startsWith('--repo=') ? [arg.slice(7)] : []))[0]
  return { verb, repeat, repository: repositoryIn(option ?? ''), tag: tag ?? null }
}

const VALUES = new Set('-R --repo -t --title -n --notes -F --notes-file --notes-start-tag --target --discussion-category --tag'.split(' '))
const RELEASE = /^https?:\/\/([\w.-]{1,200})\/([\w.-]{1,100}\/[\w.-]{1,100})\/releases\/tag\/(\S{1,200})$/
const DONE: Readonly<Record<string, RegExp>> = table({
  upload: /^Successfully uploaded \d+ assets? to (\S{1,200})$/,
  delete: /^✓ Deleted release (\S{1,200})$/,
  'delete-asset': /^✓ Deleted asset \S{1,200} from release (\S{1,200})$/,
})

function tagIn(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function repositoryIn(text: string): Target | null {
  const found = /^(?:(?:https?:\/\/)?([\w.-]+\.[\w.-]+)\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text.slice(0, 300))
  return found === null ? null : targetOf(found[1] ?? 'github.com', found[2] as string)
}

const targetOf = (host: string, repository: string): Target => ({ kind: 'github', id: host === 'github.com' ? repository : `${host}/${repository}` })

const valueOf = ({ id }: Target): string => (id.split('/').length === 2 ? `github.com/${id}` : id)
