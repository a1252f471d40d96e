import type { Git } from '../../host/git.ts'
import { signedBy } from '../sync/queue.ts'
import { REFS } from './recipe.ts'

/** What refs under refs/remnants name here, as git sees it now; null for one that is not here. */
export async function hereOf(refs: readonly string[], git: Git): Promise<(ref: string) => string | null> {
  if (refs.length === 0) return () => null
  const known = await remnantRefs(git)
  return (ref) => known.get(ref) ?? null
}

/** Refs of signatures that are here. */
export const ownSignatures = async (git: Git): Promise<string[]> => [...(await remnantRefs(git)).keys()].filter((ref) => signedBy(ref) !== null)

async function remnantRefs(git: Git): Promise<Map<string, string>> {
  const listed = Buffer.from(await git.run(['for-each-ref', '--format=%(objectname) %(refname)', REFS])).toString('utf8')
  return new Map(
    listed.split('\n').flatMap((line): [string, string][] => {
      const [oid, ref] = line.split(' ')
      return oid === undefined || ref === undefined ? [] : [[ref, oid]]
    }),
  )
}
