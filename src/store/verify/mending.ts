import * as fs from 'node:fs'
import type { Files } from '../../host/files.ts'
import type { Git, Repository } from '../../host/git.ts'
import { type Remnant, encodeRemnant } from '../../model/remnant.ts'
import type { Store } from '../../model/store.ts'
import type { Disk } from '../git/atomic-fs.ts'
import { writeMany } from '../git/bulk.ts'
import { openObjects } from '../git/objects.ts'
import { commitOf, objectsOf, refOf, supersededBy } from '../git/recipe.ts'
import { emptyRef, listRefs, readRef } from '../git/refs.ts'
import { openTombstones } from '../sync/tombstones.ts'
import { isNamedElsewhere, leadsElsewhere } from './leading.ts'

/** What is needed to put a ref right. */
export interface MendingPlace {
  readonly repository: Repository
  readonly git: Git
  readonly files: Files
  readonly store: Store
  readonly disk?: Disk
}

/** What became of a remnant's ref: in words what was done, or why nothing was; null: there was nothing to do. */
export type Mended = { readonly done: string } | { readonly left: string } | null

/**
 * Makes commit and ref of a remnant again from a valid copy (or from what git still has of it). A ref that leads to another
 * commit is moved back (without a valid copy: removed) only where another ref leads there too; one that is empty, or names what is nowhere here, says nothing that could be lost. Throws `unwritable`.
 */
export async function mendRef(digest: string, place: MendingPlace): Promise<Mended> {
  const { repository, git, files, store, disk = fs } = place
  const tombstones = openTombstones(repository.commonDir, files)
  if (tombstones.has(digest)) return { left: 'it was forgotten' }
  const found = await store.read(digest)
  if (found === null || 'fault' in found) return letGo(digest, place)
  const parents: string[] = []
  for (const older of supersededBy(found.remnant)) {
    await mendRef(older, place)
    const ref = readRef(repository, older)
    if (ref === null || 'damaged' in ref) return { left: `what it supersedes, "${older.slice(0, 12)}", can't be made` }
    parents.push(ref.oid)
  }
  const all = objectsOf(digest, encodeRemnant(found.remnant).bytes, found.remnant, parents, repository.objectFormat)
  const oid = commitOf(all)
  const whole = async (): Promise<boolean> => {
    const { stdout } = await git.try(['--no-replace-objects', 'cat-file', '--batch'], { input: all.map((one) => `${one.oid}\n`).join(''), env: { GIT_NO_LAZY_FETCH: '1' } })
    const wanted = Buffer.concat(all.flatMap(({ oid: id, type, content }) => [Buffer.from(`${id} ${type} ${content.byteLength}\n`, 'latin1'), content, Buffer.from('\n')]))
    return wanted.equals(stdout)
  }
  const ref = readRef(repository, digest)
  const objects = openObjects(repository, async () => git, disk)
  if (ref !== null && 'oid' in ref && ref.oid === oid) {
    if (await whole()) return null
    await objects.put(all)
    return (await whole()) ? { done: 'made its objects again' } : { left: 'git does not give back its objects as they were written' }
  }
  if (ref !== null && 'oid' in ref) {
    const { status } = await git.try(['--no-replace-objects', 'cat-file', '-e', ref.oid], { env: { GIT_NO_LAZY_FETCH: '1' } })
    const leads = status === 0
    if (leads && !(await isNamedElsewhere(ref.oid, refOf(digest), git))) return { left: 'its ref leads to another object, which no other ref leads to' }
    await objects.put(all)
    const moved = await git.try([...QUIETLY, 'update-ref', '--no-deref', '--stdin'], { input: `update ${refOf(digest)} ${oid} ${ref.oid}\n` })
    return moved.status === 0 ? { done: leads ? 'set its ref, which led to another commit, on its own; that commit stays, by its other names' : 'set its ref, which named nothing that is here, on its commit' } : { left: 'git does not set its ref' }
  }
  if (ref !== null) {
    const path = emptyRef(repository, digest)
    if (path === null) return { left: `its ref ${ref.damaged}, and is not empty` }
    await objects.put(all)
    files.remove(path)
  } else await objects.put(all)
  await objects.makeRef(digest, oid)
  if (tombstones.has(digest)) {
    // Somebody forgot it meanwhile.
    await git.try([...QUIETLY, 'update-ref', '--no-deref', '--stdin'], { input: `delete ${refOf(digest)} ${oid}\n` })
    return { left: 'it was forgotten' }
  }
  return { done: ref === null ? 'made its ref from the copy' : 'made its ref, which was empty, from the copy' }
}

/** Of what no valid copy is here nothing can be made; a ref that leads to something else is removed where that has another name. */
async function letGo(digest: string, { repository, git }: MendingPlace): Promise<Mended> {
  const ref = readRef(repository, digest)
  if (ref === null || 'damaged' in ref || !(await leadsElsewhere(digest, ref.oid, git))) return { left: 'no valid copy of it is here' }
  if (!(await isNamedElsewhere(ref.oid, refOf(digest), git))) return { left: 'its ref leads to another object, which no other ref leads to' }
  const removed = await git.try([...QUIETLY, 'update-ref', '--no-deref', '--stdin'], { input: `delete ${refOf(digest)} ${ref.oid}\n` })
  return removed.status === 0 ? { done: 'removed its ref, which led to a commit that does not hold it; that commit stays, by its other names' } : { left: 'git does not remove its ref' }
}

/**
 * The same for many at once that have no ref at all, as in a clone of a repository that tracks its copies. Answers those that are
 * done; what supersedes one that has no ref either, or is not valid, is left for `mendRef`. Throws `unwritable`.
 */
export async function mendMissing(digests: readonly string[], { repository, git, files, store, disk = fs }: MendingPlace): Promise<string[]> {
  const refs = listRefs(repository).digests
  const forgotten = openTombstones(repository.commonDir, files).all()
  const wanted = new Set(digests.filter((digest) => !refs.has(digest) && !forgotten.has(digest)))
  if (wanted.size < MANY) return []
  const valid = async function* (): AsyncGenerator<Remnant> {
    for await (const one of store.readAll()) if (wanted.has(one.digest) && 'remnant' in one && supersededBy(one.remnant).every((older) => refs.has(older))) yield one.remnant
  }
  return writeMany(valid(), { git, files, disk, own: false })
}

const MANY = 16

const QUIETLY = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.logAllRefUpdates=false', '-c', 'core.fsync=all']
