import type { Files } from '../../host/files.ts'
import type { Git } from '../../host/git.ts'
import { RemnantError } from '../../base/errors.ts'
import { type Remnant, decodeRemnant, encodeRemnant } from '../../model/remnant.ts'
import type { Disk } from './atomic-fs.ts'
import { DURABLY, unwritable } from './git-objects.ts'
import { openLocalLists } from '../local-lists.ts'
import { openObjects } from './objects.ts'
import { packOf } from './pack.ts'
import { addPackedRefs } from './packed-refs.ts'
import { type GitObject, REFS, commitOf, objectsOf, pathOf, refOf, supersededBy } from './recipe.ts'
import { listRefs } from './refs.ts'
import { openTombstones } from '../sync/tombstones.ts'

export interface BulkPlace {
  readonly git: Git
  readonly files: Files
  readonly disk: Disk
  /** This clone sealed them. */
  readonly own: boolean
}

/** Bytes of content in one pack: what is held at once. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Stores many remnants with few syncs: all objects in one pack of git's (or some, where they are large), then all refs in one step;
 * a ref never before its objects are durable. Their copies are left to the reader. Answers the digests that are new here. What
 * one supersedes must be here or stand before it. Throws `malformed`, `refused` for what was forgotten, `corrupt` where a ref says something else, `unwritable`.
 */
export async function writeMany(remnants: Iterable<Remnant> | AsyncIterable<Remnant>, { git, files, disk, own }: BulkPlace): Promise<string[]> {
  const { repository } = git
  const lists = openLocalLists(repository.commonDir, files)
  const tombstones = openTombstones(repository.commonDir, files).all()
  const refs = listRefs(repository)
  const commits = new Map<string, string>()
  const commitAt = (digest: string, by: string): string => {
    const ref = refs.get(digest)
    const oid = commits.get(digest) ?? (ref !== null && 'oid' in ref ? ref.oid : undefined)
    if (oid === undefined) throw new RemnantError('unwritable', `remnant "${by.slice(0, 12)}" supersedes "${digest.slice(0, 12)}", which is not here`, { hint: 'git remnant fetch' })
    return oid
  }
  const made: string[] = []
  const there: string[] = []
  let open: { readonly objects: GitObject[]; readonly digests: string[]; bytes: number } = { objects: [], digests: [], bytes: 0 }
  const settle = async (): Promise<void> => {
    if (open.digests.length === 0) return
    await addPack(open.objects, git)
    const refs = new Map(open.digests.map((digest) => [refOf(digest), commits.get(digest) as string]))
    await makeRefs(refs, git, disk)
    if ((await lostOf(refs, git)).length > 0) await addPack(open.objects, git)
    lists.addKnown(open.digests)
    made.push(...open.digests)
    open = { objects: [], digests: [], bytes: 0 }
  }
  for await (const remnant of remnants) {
    const { digest, bytes } = encodeRemnant(remnant)
    if (commits.has(digest)) continue
    decodeRemnant(bytes, digest)
    if (tombstones.has(digest)) throw new RemnantError('refused', `remnant "${digest.slice(0, 12)}" was forgotten in this clone`, { hint: `git remnant forget --undo ${digest.slice(0, 12)}` })
    const objects = objectsOf(digest, bytes, remnant, supersededBy(remnant).map((older) => commitAt(older, digest)), repository.objectFormat)
    commits.set(digest, commitOf(objects))
    const ref = refs.get(digest)
    if (ref !== null && 'oid' in ref && ref.oid === commitOf(objects)) {
      there.push(digest)
      continue
    }
    open.objects.push(...objects)
    open.digests.push(digest)
    open.bytes += bytes.byteLength
    if (open.bytes >= MOST_BYTES) await settle()
  }
  await settle()
  if (own) lists.addOwn(...made, ...there)
  return made
}

async function addPack(objects: readonly GitObject[], git: Git): Promise<void> {
  const { status, stderr } = await git.try([...DURABLY, 'index-pack', '--stdin'], { input: packOf(objects, git.repository.objectFormat) })
  if (status !== 0) throw unwritable('objects', stderr)
}

/** Many in one step; those that are there, or whose file of refs is not ours to write, one by one: made the same they do no harm. `commits`: by ref. */
export async function makeRefs(commits: ReadonlyMap<string, string>, git: Git, disk: Disk): Promise<void> {
  const left = commits.size > FEW ? await addPackedRefs(commits, git.repository, disk) : [...commits.keys()]
  if (left.length > FEW && (await created(left, commits, git))) return
  const objects = openObjects(git.repository, async () => git, disk)
  for (const ref of left) await objects.makeRef(ref.slice(REFS.length), commits.get(ref) as string)
}

/** Those of these refs whose objects are gone: `git gc --prune=now` may have run when they were here and no ref led to them yet. */
export async function lostOf(commits: ReadonlyMap<string, string>, git: Git): Promise<string[]> {
  const refs = [...commits.keys()]
  if (refs.length === 0) return []
  const { stdout } = await git.try(['--no-replace-objects', 'cat-file', '--batch-check'], { input: refs.map((ref) => `${commits.get(ref)}:${pathOf(ref.slice(REFS.length))}\n`).join('') })
  const lines = Buffer.from(stdout).toString('latin1').split('\n')
  return refs.filter((_, i) => lines[i]?.includes(' blob ') !== true)
}

/** So few refs are made one by one as fast. */
const FEW = 16

/** Whether git made all these refs, and found none of them. */
export async function created(refs: readonly string[], commits: ReadonlyMap<string, string>, git: Git): Promise<boolean> {
  const input = refs.map((ref) => `create ${ref} ${commits.get(ref)}\n`).join('')
  return (await git.try([...DURABLY, 'update-ref', '--no-deref', '--stdin'], { input })).status === 0
}
