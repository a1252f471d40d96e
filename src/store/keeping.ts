import { RemnantError } from '../base/errors.ts'
import type { Files } from '../host/files.ts'
import type { Git, Repository } from '../host/git.ts'
import { type Remnant, decodeRemnant, encodeRemnant } from '../model/remnant.ts'
import type { Store } from '../model/store.ts'
import { refuseLinks, writeCopy } from './copies.ts'
import { addExclude, wantsExclude } from './exclude.ts'
import { elsewhere } from './git/atomic-fs.ts'
import type { Objects } from './git/port.ts'
import { commitOf, objectsOf, refOf, supersededBy } from './git/recipe.ts'
import { type Refs, listRefsLater, readRef } from './git/refs.ts'
import type { LocalLists } from './local-lists.ts'
import { type Reading, textOf } from './reading.ts'
import type { Tombstones } from './sync/tombstones.ts'
import { packLooseRefs } from './tidy.ts'

export interface KeepingPlace {
  readonly repository: Repository
  readonly git: () => Promise<Git>
  readonly files: Files
  readonly objects: Objects
  readonly lists: LocalLists
  readonly tombstones: Tombstones
  readonly reading: Reading
}

/** The store as it is written: objects, then the ref that leads to them, then the copy; what a remnant supersedes before it. */
export interface Keeping extends Pick<Store, 'write'> {
  /** The commit id that follows from a remnant and what it supersedes. Throws `unwritable` where one of those can't be read. */
  commitFor(digest: string, remnant: Remnant, refs: Refs): Promise<string>
}

export function openKeeping({ repository, git, files, objects, lists, tombstones, reading }: KeepingPlace): Keeping {
  const { commonDir, workTree } = repository
  const commits = new Map<string, string>()

  async function superseded(digest: string, by: string, refs: Refs): Promise<Remnant> {
    const found = await reading.one(digest, refs, false)
    if (found !== null && 'remnant' in found) return found.remnant
    throw new RemnantError('unwritable', `remnant "${by.slice(0, 12)}" supersedes "${digest.slice(0, 12)}", which ${found === null ? 'is not here' : 'is damaged'}`, {
      hint: 'git remnant fetch',
    })
  }

  /** The commit id that follows from a remnant and what it supersedes. Throws `unwritable` where one of those can't be read. */
  async function commitFor(digest: string, remnant: Remnant, refs: Refs): Promise<string> {
    const known = commits.get(digest)
    if (known !== undefined) return known
    const parents: string[] = []
    for (const [i, each] of supersededBy(remnant).entries()) parents.push((await forgottenParent(digest, i, each, refs)) ?? (await commitFor(each, await superseded(each, digest, refs), refs)))
    const oid = commitOf(objectsOf(digest, encodeRemnant(remnant).bytes, remnant, parents, repository.objectFormat))
    commits.set(digest, oid)
    return oid
  }

  /** What was forgotten and somebody else's remnant supersedes is known by that one's commit alone; null: it was not forgotten. */
  async function forgottenParent(digest: string, i: number, older: string, refs: Refs): Promise<string | null> {
    const ref = tombstones.has(older) ? refs.get(digest) : null
    if (ref === null || !('oid' in ref)) return null
    const { status, stdout } = await (await git()).try(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref.oid}^${i + 1}`])
    return status === 0 ? textOf(stdout).trim() : null
  }

  /** Makes commit and ref, those of superseded remnants first. false: it was all there. */
  async function keep(digest: string, remnant: Remnant, refs: Refs): Promise<boolean> {
    const oid = await commitFor(digest, remnant, refs)
    const ref = readRef(repository, digest)
    if (ref !== null) {
      if ('oid' in ref && ref.oid === oid) return false
      throw elsewhere(digest)
    }
    const parents: string[] = []
    for (const each of supersededBy(remnant)) {
      const older = await superseded(each, digest, refs)
      await keep(each, older, refs)
      parents.push(await commitFor(each, older, refs))
    }
    await objects.put(objectsOf(digest, encodeRemnant(remnant).bytes, remnant, parents, repository.objectFormat))
    return objects.makeRef(digest, oid)
  }

  return {
    write: async (remnant) => {
      const { digest, bytes } = encodeRemnant(remnant)
      decodeRemnant(bytes, digest)
      if (tombstones.has(digest))
        throw new RemnantError('refused', `remnant "${digest.slice(0, 12)}" was forgotten in this clone`, { hint: `git remnant forget --undo ${digest.slice(0, 12)}` })
      const exclude = await wantsExclude(repository, files, git)
      if (workTree !== null) refuseLinks(workTree, digest)
      lists.beginOwn(digest)
      const written = await keep(digest, remnant, listRefsLater(repository))
      lists.addOwn(digest)
      lists.addKnown([digest])
      if (exclude) addExclude(repository, files)
      if (workTree !== null && typeof reading.copies()(digest) === 'string') writeCopy(files, workTree, digest, bytes)
      if (written) await packLooseRefs(commonDir, git)
      return { digest, ref: refOf(digest), written }
    },

    commitFor,
  }
}
