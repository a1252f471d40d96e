import { table } from '../base/table.ts'
import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf, withoutUserInfo } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'pypi-upload',
  why: 'A file name that an index took once it never takes again, and a version of it is public at once.',
  names: ['twine upload', 'uv publish', 'poetry publish'],
  intends(command) {
    const call = readCall(command)
    if (call === null) return null
    const [only, ...more] = new Set(call.files.map(releaseIn))
    const release = more.length === 0 ? (only ?? null) : null
    return { repeat: 'harmful', target: release === null ? null : packageAt(call.index, release.slice(0, release.indexOf('@'))), identifier: release }
  },
  /** A distribution that the command line names says it all; what a pattern or a folder stands for is not known. */
  async identify(command) {
    const files = readCall(command)?.files ?? []
    const intended = this.intends(command)
    return intended === null || intended.target === null || intended.identifier === null || files.some((file) => releaseIn(file) === null) ? null : { target: intended.target, identifier: intended.identifier }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:ERROR|error)[: ]|HTTPError: 4\d\d|File already exists|^No dists matching/m.test(output)) return 'not-done'
    const view = /^[ \t]{0,40}(?:View at:[ \t]{0,40})?https:\/\/((?:test\.)?pypi\.org)\/project\/([\w.-]{1,200})\/([\w.+!-]{1,100})\/?$/m.exec(output)
    if (view !== null) return doneAt(packageAt(view[1] as string, normal(view[2] as string)), `${normal(view[2] as string)}@${view[3]}`)
    const sent = new Set([...output.matchAll(/^(?:Uploading|Publishing) {1,8}(?:distributions? )?([\w.+!-]{1,300}\.(?:whl|tar\.gz|zip))\b/gm)].map(([, file]) => releaseIn(file as string)))
    const [only, ...more] = sent.size > 0 ? sent : new Set(call.files.map(releaseIn))
    const poetry = /^Publishing ([\w.-]{1,200}) \(([\w.+!-]{1,100})\) to (\S{1,200})$/m.exec(output)
    if (!succeeded) return null
    if (poetry !== null) return doneAt(packageAt(poetry[3] === 'PyPI' ? 'pypi.org' : (poetry[3] as string), normal(poetry[1] as string)), `${normal(poetry[1] as string)}@${poetry[2]}`)
    return only == null || more.length > 0 ? null : doneAt(packageAt(call.index, only.slice(0, only.indexOf('@'))), only)
  },
} satisfies Mutation

interface Call {
  /** Where it goes, as far as the command line says. */
  readonly index: string | null
  readonly files: readonly string[]
}

/** twine, uv, Poetry, Flit, Hatch and PDM. */
function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  const verb = VERBS[program]
  if (verb === undefined || !Object.hasOwn(VERBS, program)) return null
  const given = readArguments(args, VALUES)
  if (given.words[0] !== verb || given.has('--dry-run', '-h', '--help')) return null
  const url = given.value('--repository-url', '--publish-url')
  const name = given.value('-r', '--repository', '--index')
  return { index: url !== null ? withoutUserInfo(url) : name === null || name === 'pypi' ? 'pypi.org' : name === 'testpypi' ? 'test.pypi.org' : name, files: given.words.slice(1) }
}

const VERBS: Readonly<Record<string, string>> = table({ twine: 'upload', uv: 'publish', poetry: 'publish', flit: 'publish', hatch: 'publish', pdm: 'publish' })
const VALUES = optionNames('-r --repository --repository-url --publish-url --index -u --username --user -p --password -t --token -c --comment --cert --client-cert -i --identity --config-file --sign-with --check-url')

/** `name@version` of a distribution's file name; null where a pattern stands for it. */
function releaseIn(file: string): string | null {
  const found = /(?:^|\/)([A-Za-z0-9][\w.]*(?:-[A-Za-z][\w.]*)*)-(\d[\w.+!]*)(?:-[\w.]+-[\w.]+-[\w.]+\.whl|\.tar\.gz|\.zip)$/.exec(file.slice(-300))
  return found === null ? null : `${normal(found[1] as string)}@${found[2]}`
}

/** PEP 503. */
const normal = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

const packageAt = (index: string | null, name: string): Target | null => (index === null || name === '' ? null : targetOf('pypi', /^(?:https:\/\/upload\.)?pypi\.org(?:\/legacy\/?)?$/.test(index) ? name : `${index.replace(/\/+$/, '')} ${name}`))
