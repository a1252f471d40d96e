import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { gatesHere } from '../../host/trial/gates.ts'
import type { Git } from '../../host/git.ts'
import { command as inWords, data } from '../../resolve/words.ts'
import { type Tried, tryGates } from '../gate/run.ts'
import { aboutOf, documentOf, idOf } from '../gate/telling.ts'
import { changedPaths, touched } from '../gate/touched.ts'
import { plainText } from '../../model/plain.ts'

/** What git will push, as `local`: an object's id; `there`: what the remote has now, null for nothing. */
export interface Push {
  readonly local: string
  readonly there: string | null
}

/**
 * Runs the gates that the pushed commits touch, on each commit that becomes the end of a ref. What could not be judged is
 * said on stderr and stops nothing: a gate that is not approved, slow, flaky, timed out, lacks its program, or could not run.
 * `stopped`: lines about red gates; empty: the push may go on.
 */
export async function gatesOfPush(pushes: readonly Push[], remote: string | undefined, git: Git, host: Host): Promise<{ readonly stopped: readonly string[]; readonly gates: readonly object[] }> {
  if (pushes.length === 0) return NOTHING
  try {
    const known = await gatesHere(host)
    if (known.length === 0) return NOTHING
    const tried: Tried[] = []
    for (const [commit, { paths, before }] of await changedBy(pushes, remote, git))
      for (const one of await tryGates(await touched(known, [...paths], commit, git), commit, host, { slow: false })) tried.push(await doubted(one, before, host))
    for (const one of tried) if (one.result !== 'green' && one.result !== 'red') host.warn(`git-remnant: ${warningOf(one)}`)
    const red = tried.filter(({ result }) => result === 'red')
    return { stopped: red.flatMap(stopOf), gates: tried.map(documentOf) }
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    host.warn(`git-remnant: no gate was run: ${plainText(thrown.message)}`)
    return NOTHING
  }
}

const NOTHING = { stopped: [], gates: [] }

/**
 * A red gate in a tree that lacks what the work tree has beside the commit may be red for that alone: it is held against the
 * push only if the same kind of tree of what the remote has is green, or there is none to compare with.
 */
async function doubted(one: Tried, before: string | null, host: Host): Promise<Tried> {
  if (one.result !== 'red' || one.lacked.length === 0 || before === null) return one
  const [control] = await tryGates([one.gate], before, host, { slow: true })
  if (control?.result !== 'red' && control?.result !== 'infra') return one
  return { ...one, result: 'infra', reason: `it is red at ${before.slice(0, 12)} too, in a tree without what git ignores; "gate.copy" in the configuration lists what it needs` }
}

interface Changed {
  readonly paths: Set<string>
  /** What the remote has in its place; null: nothing. */
  readonly before: string | null
}

/** The commits that become the end of a ref, each with the paths in which it differs from what the remote has. */
async function changedBy(pushes: readonly Push[], remote: string | undefined, git: Git): Promise<ReadonlyMap<string, Changed>> {
  const changed = new Map<string, Changed>()
  for (const { local, there } of pushes) {
    const commit = await commitAt(local, git)
    if (commit === null) continue
    const before = (there === null ? null : await commitAt(there, git)) ?? (await forkOf(commit, remote, git))
    const known = changed.get(commit) ?? { paths: new Set(), before }
    for (const path of await changedPaths(git, before, commit)) known.paths.add(path)
    changed.set(commit, known)
  }
  return changed
}

/** The commit that an object is, or that a tag names; null: none that is here. */
async function commitAt(oid: string, git: Git): Promise<string | null> {
  const { status, stdout } = await git.try(['rev-parse', '--verify', '--quiet', `${oid}^{commit}`])
  return status === 0 ? Buffer.from(stdout).toString('utf8').trim() : null
}

/** Where a new ref leaves what the remote was last known to have; null: nowhere, it is all new there. */
async function forkOf(commit: string, remote: string | undefined, git: Git): Promise<string | null> {
  if (remote === undefined) return null
  const listed = await git.try(['for-each-ref', '--format=%(objectname)', `refs/remotes/${remote}/`])
  const known = [...new Set(Buffer.from(listed.stdout).toString('utf8').split('\n').filter((line) => line !== ''))]
  if (listed.status !== 0 || known.length === 0) return null
  const { status, stdout } = await git.try(['merge-base', commit, ...known.slice(0, MOST_REFS)])
  return status === 0 ? (Buffer.from(stdout).toString('utf8').split('\n')[0] as string) : null
}

/** As many as a command line holds. */
const MOST_REFS = 2000

const stopOf = (one: Tried): string[] => [
  `git-remnant: push stopped: ${inWords(one.gate.command)} is red at ${one.commit.slice(0, 12)}`,
  ...aboutOf(one, MOST_LINES),
  `  if it is to guard pushes no more: git remnant deny ${idOf(one.gate)}`,
]

/** Of a signature: whoever pushes is to read what it is about, and where there is more. */
const MOST_LINES = 3

function warningOf(one: Tried): string {
  const gate = `gate ${inWords(one.gate.command)}`
  switch (one.result) {
    case 'not-approved':
      return `${gate} was not run: ${one.reason} (git remnant why ${idOf(one.gate)})`
    case 'slow':
      return `${gate} was not run: ${one.reason} (git remnant gate --ci runs it)`
    case 'FLAKY':
      return `${gate} is FLAKY: red, then green in the same place (git remnant why ${idOf(one.gate)})`
    default:
      return `${gate} could not be judged: ${data(one.reason ?? '')}`
  }
}
