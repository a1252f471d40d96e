import { RemnantError } from '../../base/errors.ts'
import { canonical } from '../../base/canonical.ts'
import type { Files } from '../../host/files.ts'
import type { Git } from '../../host/git.ts'
import { join } from 'node:path'
import type { Remnant } from '../../model/remnant.ts'
import { liesPlainly, namesIn } from '../folders.ts'
import { REFS, type GitObject, pathOf, refOf } from '../git/recipe.ts'
import { signaturePathOf } from '../signing/signatures.ts'

/** Where objects of a forgotten remnant are still to be found in this clone. */
export interface Remains {
  /** git keeps them in a pack (or borrows them): they go when git cleans up what nothing names. */
  readonly packed: boolean
  /** A commit that still leads to them, and work trees that track the file; empty: nothing does. */
  readonly reachable: readonly string[]
}

/**
 * A remnant without a forgotten one in its lineage. What that one had answered stays answered: its own answers are taken over,
 * so that nothing comes alive again by forgetting. `renamed`: remnants of the lineage that were written anew, by their old digests.
 */
export function without(remnant: Remnant, forgotten: string, inherited: Remnant['supersedes'], renamed: ReadonlyMap<string, string>): Remnant {
  const answers = new Map<string, Set<string>>()
  const add = (digest: string, ids: readonly string[]): void => {
    const name = renamed.get(digest) ?? digest
    const known = answers.get(name) ?? new Set()
    for (const id of ids) known.add(id)
    answers.set(name, known)
  }
  for (const [digest, ids] of remnant.supersedes) if (digest !== forgotten) add(digest, ids)
  if (remnant.supersedes.some(([digest]) => digest === forgotten)) for (const [digest, ids] of inherited) add(digest, ids)
  const supersedes = [...answers].map(([digest, ids]): [string, string[]] => [digest, [...ids].sort()])
  return { ...remnant, supersedes: supersedes.sort((a, b) => Buffer.compare(Buffer.from(canonical(a)), Buffer.from(canonical(b)))) }
}

/** Removes refs by the user's own git, if they name what they did when they were looked at; signatures of the remnant too. How many. */
export async function removeRefs(digests: readonly string[], git: Git): Promise<number> {
  const patterns = digests.flatMap((digest) => [refOf(digest), `${REFS}sig/${digest}`])
  const listed = Buffer.from(await git.run(['for-each-ref', '--format=%(objectname) %(refname)', ...patterns])).toString('utf8')
  const lines = listed.split('\n').filter((line) => line !== '')
  if (lines.length === 0) return 0
  const input = lines.map((line) => `delete ${line.split(' ').reverse().join(' ')}\n`).join('')
  const { status, stderr } = await git.try(['-c', 'core.hooksPath=/dev/null', 'update-ref', '--no-deref', '--stdin'], { input })
  if (status !== 0) throw new RemnantError('unwritable', `refs of remnants can't be removed: ${(stderr.split('\n')[0] ?? '').slice(0, 200)}`, { hint: 'try again in some seconds' })
  return lines.filter((line) => !line.includes(`${REFS}sig/`)).length
}

const SIGNATURE = /^[0-9a-f]{64}\.json$/

/** Removes the copies of remnants (and of their signatures) in a work tree; those that git tracks there stay, and are named. */
export async function removeCopies(digests: readonly string[], workTree: string, git: Git, files: Files): Promise<{ removed: string[]; tracked: string[] }> {
  const signatures = digests.flatMap((remnant) => namesIn(join(workTree, '.remnants', 'sig', remnant)).flatMap((name) => (SIGNATURE.test(name) ? [signaturePathOf({ digest: name.slice(0, -5), remnant })] : [])))
  // What a link leads to is nothing of ours, whatever its name.
  const paths = [...digests.map(pathOf), ...signatures].filter((path) => liesPlainly(workTree, path))
  const there = paths.filter((path) => files.stat(join(workTree, path))?.kind === 'file')
  const { status, stdout } = await git.try(['ls-files', '-z', '--', ...paths], { cwd: workTree })
  const tracked = status === 0 ? Buffer.from(stdout).toString('utf8').split('\0').filter((path) => path !== '') : there
  const removed = there.filter((path) => !tracked.includes(path))
  for (const path of removed) files.remove(join(workTree, path))
  return { removed: removed.map((path) => join(workTree, path)), tracked: tracked.map((path) => join(workTree, path)) }
}

/**
 * Removes loose objects of a remnant that no ref, reflog or HEAD leads to any more. Nothing else is ever removed, and nothing
 * in a pack: git alone re-packs. `tracked`: files in work trees that git tracks, which hold the same content.
 */
export async function removeObjects(digest: string, objects: readonly GitObject[], tracked: readonly string[], git: Git, files: Files): Promise<Remains> {
  const path = pathOf(digest)
  const found = await git.try(['--no-replace-objects', 'rev-list', '--all', '--reflog', '--full-history', '--max-count=1', '--', path])
  const commit = Buffer.from(found.stdout).toString('latin1').trim()
  const reachable = [...(found.status !== 0 ? ['what git could not tell'] : commit === '' ? [] : [`commit ${commit.slice(0, 12)}`]), ...tracked]
  if (reachable.length > 0) return { packed: false, reachable }
  // The commit first: half of it gone is as good as none, and never a commit without its tree.
  for (const { oid } of [...objects].reverse()) files.remove(join(git.repository.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)))
  const checked = await git.try(['cat-file', '--batch-check'], { input: objects.map(({ oid }) => `${oid}\n`).join(''), env: { GIT_NO_LAZY_FETCH: '1' } })
  return { packed: / (?:blob|tree|commit) \d+$/m.test(Buffer.from(checked.stdout).toString('latin1')), reachable }
}
