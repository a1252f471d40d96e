import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Git } from '../../host/git.ts'
import { decodeRemnant } from '../../model/remnant.ts'
import type { Disk } from '../git/atomic-fs.ts'
import { type Content, UNREADABLE, blobsInTurn } from '../git/cat-file.ts'
import { openObjects } from '../git/objects.ts'
import { type GitObject, REFS, commitOf, objectsOf, pathOf, supersededBy } from '../git/recipe.ts'
import { readRef } from '../git/refs.ts'
import { localFolder } from '../local-lists.ts'
import { type SignatureName, signatureObjects, signaturePathOf } from '../signing/signatures.ts'
import { removeStale } from './outbox.ts'
import { digestIn } from './queue.ts'
import type { Transport } from './transport.ts'

export interface Renewing {
  readonly git: Git
  readonly disk: Disk
  readonly transport: Transport
  /** The commit that this clone's own ref of a remnant names; null: there is no such ref. */
  readonly here: (digest: string) => string | null
}

const NAME = 'inbox-'

/**
 * Brings again what refs here name, on both sides the same, and of which something is missing or damaged here: a disk fault, or
 * `git gc` while the ref was not seen. Git itself would not ask for what it believes to have, nor write over what is damaged; so it
 * comes into a folder of its own, and each object is written anew. Answers the refs that are whole again, and those that are not.
 * `refs`: with the ids that they name. Throws as the transport does, and `unwritable`.
 */
export async function renew(refs: ReadonlyMap<string, string>, { git, disk, transport, here }: Renewing): Promise<{ renewed: string[]; damaged: string[] }> {
  const broken = await brokenOf(refs, git)
  if (broken.size === 0) return { renewed: [], damaged: [] }
  const parent = localFolder(git.repository.commonDir)
  removeStale(parent, NAME)
  const folder = mkdtempSync(join(parent, NAME))
  try {
    await transport.bring([...new Set(broken.values())], folder)
    const objects = openObjects(git.repository, async () => git, disk)
    for await (const few of blobsInTurn(objectsIn(folder, git), placesOf(broken)))
      for (const [ref, content] of few) {
        const again = content instanceof Uint8Array ? objectsFor(ref, content, here, git) : null
        if (again !== null && commitOf(again) === broken.get(ref) && isStillNamed(ref, git)) await put(again, objects)
      }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 2 })
  }
  const left = await brokenOf(broken, git)
  return { renewed: [...broken.keys()].filter((ref) => !left.has(ref)), damaged: [...left.keys()] }
}

/** Those that do not lead to what hashes to their name. */
async function brokenOf(refs: ReadonlyMap<string, string>, git: Git, isWhole = hashesToName): Promise<Map<string, string>> {
  const broken = new Map<string, string>()
  if (refs.size === 0) return broken
  for await (const few of blobsInTurn(git, placesOf(refs)))
    for (const [ref, content] of few) if (!isWhole(content, ref)) broken.set(ref, refs.get(ref) as string)
  return broken
}

const hashesToName = (content: Content, ref: string): boolean => content instanceof Uint8Array && sha256(content) === ref.slice(-64)

/** Those of which something is not here; what they hold is not looked at. `refs`: as for `renew`. */
export const absentOf = (refs: ReadonlyMap<string, string>, git: Git): Promise<Map<string, string>> =>
  brokenOf(refs, git, (content) => content instanceof Uint8Array || content.fault !== UNREADABLE)

const placesOf = (refs: ReadonlyMap<string, string>): [string, string][] => [...refs].map(([ref, oid]) => [ref, `${oid}:${digestIn(ref) === null ? signaturePathOf(nameIn(ref)) : pathOf(ref.slice(REFS.length))}`])

const nameIn = (ref: string): SignatureName => {
  const [digest = '', remnant = ''] = ref.split('/').reverse()
  return { digest, remnant }
}

/** Somebody may have forgotten it meanwhile. */
const isStillNamed = (ref: string, { repository }: Git): boolean => readRef(repository, digestIn(ref) ?? nameIn(ref).remnant) !== null

/** What the commit of a ref follows from; null: it is no valid remnant, or something that it supersedes has no ref here. */
function objectsFor(ref: string, content: Uint8Array, here: Renewing['here'], git: Git): GitObject[] | null {
  const { objectFormat } = git.repository
  const digest = digestIn(ref)
  if (digest === null) return signatureObjects(nameIn(ref), content, objectFormat)
  try {
    const remnant = decodeRemnant(content, digest)
    const parents = supersededBy(remnant).map(here)
    return parents.includes(null) ? null : objectsOf(digest, content, remnant, parents as string[], objectFormat)
  } catch (thrown) {
    if (thrown instanceof RemnantError) return null
    throw thrown
  }
}

/** Where git writes, it leaves alone what is damaged, and says so. */
async function put(again: readonly GitObject[], objects: ReturnType<typeof openObjects>): Promise<void> {
  try {
    await objects.put(again)
  } catch (thrown) {
    if (!(thrown instanceof RemnantError) || thrown.fault !== 'corrupt') throw thrown
  }
}

/** The same git, with the objects of a folder and no others. */
const objectsIn = (folder: string, git: Git): Git => ({
  ...git,
  try: (args, options) => git.try(args, { ...options, env: { ...options?.env, GIT_OBJECT_DIRECTORY: folder, GIT_NO_LAZY_FETCH: '1' } }),
})
