import { objectId, sha256 } from '../../base/digest.ts'
import type { Git } from '../../host/git.ts'
import { MAX_REMNANT_BYTES } from '../../model/remnant.ts'
import { blobsAt } from '../git/cat-file.ts'
import { pathOf } from '../git/recipe.ts'

/**
 * Whether the object of a remnant's ref is whole as far as a remnant would lie in it, and is not of that remnant: no commit, one that
 * has nothing at its place, or something else there. false also where something is missing or damaged: nobody can tell then.
 */
export async function leadsElsewhere(digest: string, oid: string, git: Git): Promise<boolean> {
  const type = await asked(git, 'cat-file', '-t', oid)
  if (type === null || type !== 'commit') return type !== null
  const entry = await asked(git, 'ls-tree', '--full-tree', '-l', oid, '--', pathOf(digest))
  if (entry === null || entry === '') return entry === ''
  const [, blob = '', size = ''] = /^\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(entry) ?? []
  if (Number(size) > MAX_REMNANT_BYTES) return true
  const content = (await blobsAt(git, [[digest, `${oid}:${pathOf(digest)}`]])).get(digest)
  return content instanceof Uint8Array && objectId('blob', content, git.repository.objectFormat) === blob && sha256(content) !== digest
}

/** Whether another ref leads to a commit, so that it stays when ours lets go of it. Anything but a commit: no. */
export async function isNamedElsewhere(oid: string, ours: string, git: Git): Promise<boolean> {
  const names = await asked(git, 'for-each-ref', '--format=%(refname)', `--contains=${oid}`)
  return names !== null && names.split('\n').some((name) => name !== '' && name !== ours)
}

/** What git answers; null: it does not. */
async function asked(git: Git, ...args: string[]): Promise<string | null> {
  const { status, stdout } = await git.try(['--no-replace-objects', ...args], { env: { GIT_NO_LAZY_FETCH: '1' } })
  return status === 0 ? Buffer.from(stdout).toString('utf8').trimEnd() : null
}
