import { oidForm } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Env, Git, GitOptions } from '../../host/git.ts'
import { plainText } from '../../model/plain.ts'
import { openOutbox } from './outbox.ts'
import { REFS } from '../git/recipe.ts'

/** What became of one ref that was sent. `refused`: the other side's words. */
export type Sent = { readonly ref: string; readonly state: 'sent' | 'there' | 'taken' } | { readonly ref: string; readonly state: 'refused'; readonly reason: string }

/** Moves refs under refs/remnants between here and one remote, by the user's own git. Nothing on either side is ever moved or removed. */
export interface Transport {
  /** The remote's refs under refs/remnants, or those of these names, with the ids that they name. Throws `missing` where it can't be reached, `timeout`. */
  list(refs?: readonly string[]): Promise<ReadonlyMap<string, string>>
  /**
   * Makes refs on the remote as they are here. `taken`: it has another object under that name. Throws as `list` does.
   * `here`: the object that each ref names; where it is told, many refs cost no more each than few.
   */
  send(refs: readonly string[], here?: (ref: string) => string | null): Promise<Sent[]>
  /**
   * Brings objects that the remote's refs name, with all that they lead to, and makes no ref. Throws as `list` does, and `unwritable`.
   * `aside`: the folder that they come into, whatever is here already; whether all came is then for the caller to see.
   */
  bring(oids: readonly string[], aside?: string): Promise<void>
}

export interface TransportOptions {
  /** Somebody is there to type a password. */
  readonly interactive?: boolean
  /** Milliseconds that are left for all of it; absent: as long as git takes. */
  readonly timeLeft?: () => number
}

/** `remote`: the name of a configured remote (see `remoteNamed`). */
export function openTransport(git: Git, remote: string, { interactive = false, timeLeft }: TransportOptions = {}): Transport {
  let unasked: Promise<readonly string[]> | undefined
  const attempt = async (args: readonly string[], input?: string, more: Env = {}): ReturnType<Git['try']> => {
    const env = { ...(interactive ? { GIT_TERMINAL_PROMPT: '1' } : UNATTENDED), REMNANT: '0', ...more }
    const ssh = interactive ? [] : await (unasked ??= unaskedSsh(git))
    const options: GitOptions = { env, ...(input !== undefined && { input }), ...(timeLeft !== undefined && { timeout: timeLeft() }) }
    if (timeLeft !== undefined && timeLeft() <= 0) throw late(remote)
    const answer = await git.try([...SETTINGS, ...ssh, '-c', `remote.${remote}.mirror=false`, ...args], options)
    if (answer.status === 124 && timeLeft !== undefined && timeLeft() <= 0) throw late(remote)
    return answer
  }
  const sendEach = async (refs: readonly string[]): Promise<Sent[]> => {
    const { status, stdout, stderr } = await attempt([...PUSH, ...refs.map((ref) => `--force-with-lease=${ref}:`), '--', remote, ...refs.map((ref) => `${ref}:${ref}`)])
    const said = saidOf(linesOf(stdout))
    if (said.size === 0 && status !== 0) throw unreachable(remote, stderr)
    return refs.map((ref) => said.get(ref) ?? unsaid(ref))
  }
  /** null: it can't be done so, and nothing was sent. */
  const sendMany = async (refs: readonly string[], here: (ref: string) => string | null): Promise<Sent[] | null> => {
    const shown = refs.flatMap((ref): [string, string][] => (here(ref) === null ? [] : [[ref, here(ref) as string]]))
    if (shown.length < refs.length || !(await isLeftAlone())) return null
    const outbox = openOutbox(git.repository, shown)
    if (outbox === null) return null
    try {
      const { stdout } = await attempt([...PUSH, '--force-with-lease', '--', remote, outbox.refspec], undefined, outbox.env)
      const said = saidOf(linesOf(stdout))
      return said.size === 0 ? null : refs.map((ref) => said.get(ref) ?? unsaid(ref))
    } finally {
      outbox.remove()
    }
  }
  /** Where nothing follows the remote's remnants, a lease without a value is one on "there is no such ref". */
  const isLeftAlone = async (): Promise<boolean> => {
    const { status, stdout } = await git.try(['config', '--get-all', `remote.${remote}.fetch`])
    return status === 0 && linesOf(stdout).every((refspec) => !mayConcern(refspec))
  }
  return {
    list: async (refs = [`${REFS}*`]) => {
      const { status, stdout, stderr } = await attempt(['ls-remote', '--refs', '--quiet', '--', remote, ...refs])
      if (status !== 0) throw unreachable(remote, stderr)
      // Git takes a name for the end of one: `refs/forks/1/refs/remnants/…` is none of ours.
      const asked = refs.map((ref) => ref.replace(/\*$/, ''))
      const there = new Map(linesOf(stdout).flatMap((line) => refIn(line)).filter(([ref]) => asked.some((start) => ref.startsWith(start))))
      const form = new RegExp(`^${oidForm(git.repository.objectFormat)}$`)
      if ([...there.values()].some((oid) => !form.test(oid))) throw otherNames(remote)
      return there
    },
    send: async (refs, here) => {
      const many = here === undefined || refs.length <= ONE_BY_ONE ? null : await sendMany(refs, here)
      if (many !== null) return many
      const sent: Sent[] = []
      for (let at = 0; at < refs.length; at += ONE_BY_ONE) sent.push(...(await sendEach(refs.slice(at, at + ONE_BY_ONE))))
      return sent
    },
    bring: async (oids, aside) => {
      // By their ids: git looks for each name among all that the remote has.
      const { status, stderr } = await attempt([...FETCH, '--', remote], oids.map((oid) => `${oid}\n`).join(''), aside === undefined ? {} : { GIT_OBJECT_DIRECTORY: aside })
      if (status === 0) return
      const full = unwritten(stderr)
      if (full !== null) throw full
      // Aside, git misses what its refs name, and says so at the end.
      if (aside === undefined) throw unreachable(remote, stderr)
    },
  }
}

/** Throws `misuse` where there is no remote of this name: what is typed is a name, never an address or an option. */
export async function remoteNamed(git: Git, name: string): Promise<string> {
  const known = linesOf(await git.run(['remote']))
  if (known.includes(name) && !name.startsWith('-') && !name.includes('=')) return name
  const hint = known.length === 0 ? 'git remote add NAME URL' : 'git remote lists them'
  throw new RemnantError('misuse', `there is no remote "${plainText(name, 80)}" that can be used by its name`, { hint })
}

/** Where git would push to under that name: one or more addresses. For comparing alone: they may hold a password. */
export const addressesOf = async (git: Git, remote: string): Promise<string> => Buffer.from(await git.run(['remote', 'get-url', '--push', '--all', '--', remote])).toString('utf8')

/** No hook of ours or of anybody's, no housekeeping, nothing that a user's settings add to a push or a fetch; objects durable before refs. */
const SETTINGS = [
  ...['core.hooksPath=/dev/null', 'gc.auto=0', 'maintenance.auto=false', 'core.logAllRefUpdates=false', 'core.fsync=all'],
  ...['push.pushOption=', 'push.useForceIfIncludes=false', 'fetch.pruneTags=false', 'fetch.writeCommitGraph=false'],
].flatMap((setting) => ['-c', setting])

/** So many refs may be named one by one: git needs time for each times all that are here and there. */
const ONE_BY_ONE = 200

const unsaid = (ref: string): Sent => ({ ref, state: 'refused', reason: 'the remote said nothing of it' })

/** Whether a refspec of a fetch may have to do with remnants; in doubt, it may. */
function mayConcern(refspec: string): boolean {
  const [source = '', ...more] = refspec.replace(/^\+/, '').split(':')
  const [start = ''] = source.split('*')
  const isPlain = more.length === 1 && source.startsWith('refs/') && more[0]?.startsWith('refs/') === true
  return !isPlain || start.startsWith(REFS) || REFS.startsWith(start) || more[0]?.startsWith(REFS) === true
}

/** With a lease on "there is no such ref" for each, git makes refs and can't change one. */
const PUSH = ['push', '--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', '--no-progress']

const FETCH = [
  ...['fetch', '--quiet', '--no-progress', '--no-prune', '--no-tags', '--no-filter', '--no-recurse-submodules'],
  ...['--no-write-fetch-head', '--no-auto-gc', '--refmap=', '--stdin'],
]

/** Nobody is there to be asked, on a terminal or in a window. */
const UNATTENDED = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' }

/** The same for ssh, which else asks on any terminal that it finds. Where the user's command is not plainly ssh's own, it is left as it is. */
async function unaskedSsh(git: Git): Promise<readonly string[]> {
  if (process.env.GIT_SSH !== undefined || process.env.GIT_SSH_COMMAND !== undefined) return []
  const { status, stdout } = await git.try(['config', '--get', 'core.sshCommand'])
  const command = status === 0 ? Buffer.from(stdout).toString('utf8').trim() : 'ssh'
  return /^(?:[^\s'"]*\/)?ssh(?:\s[^;&|<>\n`]*)?$/.test(command) ? ['-c', `core.sshCommand=${command} -o BatchMode=yes`] : []
}

const linesOf = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')

function refIn(line: string): [string, string][] {
  const [, oid, ref] = /^([0-9a-f]{40,64})\t(refs\/\S+)$/.exec(line) ?? []
  return oid === undefined || ref === undefined ? [] : [[ref, oid]]
}

/** What git's porcelain lines say of each ref; where several addresses were pushed to, the worst. */
function saidOf(lines: readonly string[]): Map<string, Sent> {
  const said = new Map<string, Sent>()
  for (const line of lines) {
    const [, flag, ref, summary = ''] = /^([ +\-*!=])\t[^:\t]*:([^\t]+)\t(.*)$/.exec(line) ?? []
    if (ref === undefined || said.get(ref)?.state === 'refused' || said.get(ref)?.state === 'taken') continue
    if (flag !== '!') said.set(ref, { ref, state: flag === '=' ? 'there' : 'sent' })
    else if (/\((?:stale info|non-fast-forward|fetch first|already exists)\)$/.test(summary)) said.set(ref, { ref, state: 'taken' })
    else said.set(ref, { ref, state: 'refused', reason: plainText(/\(([^()]*)\)$/.exec(summary)?.[1] ?? summary, 120) })
  }
  return said
}

const otherNames = (remote: string): RemnantError =>
  new RemnantError('missing', `remote "${plainText(remote, 80)}" names its objects in another way than this repository`, { hint: 'git moves nothing between SHA-1 and SHA-256 repositories; name another remote' })

const late = (remote: string): RemnantError =>
  new RemnantError('timeout', `remote "${plainText(remote, 80)}" took too long`, { hint: 'git remnant push, or git remnant fetch, waits for it' })

/** What git could not write here; null: it is nothing of that kind, or the other side said it. */
function unwritten(stderr: string): RemnantError | null {
  const line = stderr.split('\n').find((one) => !/^(?:remote|ssh):/i.test(one) && UNWRITTEN.test(one))
  if (line === undefined) return null
  const hint = /no space|quota/i.test(line) ? 'make room on the disk' : 'look at who may write in the git directory'
  return new RemnantError('unwritable', `what the remote has can't be written in the git directory: ${plainText(line.replace(/^(?:fatal|error): /, ''), 160)}`, { hint })
}

/** As git and the C library say it; git is started with their plain English. */
const UNWRITTEN = /no space left on device|disk quota exceeded|file too large|read-only file system|insufficient permission for adding an object|unable to (?:create temporary|write (?:loose object )?file|set permission)/i

function unreachable(remote: string, stderr: string): RemnantError {
  const lines = stderr.split('\n').map((line) => line.trim())
  const line = lines.find((line) => /^(?:fatal|error|ssh|remote):/i.test(line)) ?? lines.find((line) => line !== '') ?? 'git did not say why'
  const safe = plainText(line.replace(/\/\/[^/@\s]*@/g, '//'), 200)
  return new RemnantError('missing', `remote "${plainText(remote, 80)}" did not answer: ${safe}`, { hint: 'git ls-remote shows whether git reaches it' })
}
