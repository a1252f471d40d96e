import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { forgeProject } from '../model/forge.ts'
import { type Mutation, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'glab-release',
  why: 'A release is announced the moment it is there, and a tag that was released should not be released twice.',
  names: ['glab release'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: 'harmful', target: call.project, identifier: call.tag }
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
    if (lines.some((line) => /^(?:ERROR|x |error:)|already exists/i.test(line))) return 'not-done'
    const url = lines.map((line) => RELEASE.exec(line)).findLast((found) => found !== null)
    const target = url === undefined ? call.project : projectAt(url[1] as string, url[2] as string)
    const done = url !== undefined || lines.some((line) => /^[✓•] (?:Release (?:created|updated|succeeded)|Uploaded|Release ".{1,200}" deleted)/i.test(line))
    return done && target !== null ? { target, targetValue: valueOf(target), identifier: call.tag, state_hash: null } : null
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly project: Target | null; readonly tag: string | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'glab') return null
  const given = readArguments(args, VALUES)
  const [group, verb = '', tag] = given.words
  if (group !== 'release' || !/^(?:create|upload|delete)$/.test(verb) || given.has('-h', '--help', '--dry-run')) return null
  const named = /^(?:(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)\/)?([\w.-]+(?:\/[\w.-]+)+?)(?:\.git)?$/.exec((given.value('-R', '--repo') ?? '').slice(0, 300))
  return { project: named === null ? null : projectAt(named[1] ?? 'gitlab.com', named[2] as string), tag: tag ?? null }
}

const VALUES = optionNames('-R --repo -n --name -N --notes -F --notes-file -r --ref -m --milestone -D --released-at -a --assets-links -T --tag-message')
const RELEASE = /^(?:[✓•] .{0,200}?)?https?:\/\/([\w.-]{1,200})\/([\w.-]{1,100}(?:\/[\w.-]{1,100}){1,8})\/-\/releases\/\S{1,200}$/

const projectAt = (host: string, path: string): Target | null => targetOf('gitlab', host === 'gitlab.com' ? path : `${host}/${path}`)

const valueOf = ({ id }: Target): string => (/^[^/]*\./.test(id) ? id : `gitlab.com/${id}`)
