import { join } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Files } from '../host/files.ts'
import type { Git } from '../host/git.ts'
import { type Disk } from './atomic-fs.ts'
import { examine, examineSignatures } from './acceptance.ts'
import { openLocalLists } from './local-lists.ts'
import { openObjects } from './objects.ts'
import { digestIn, signedBy } from './queue.ts'
import { REFS, refOf } from './recipe.ts'
import { hereOf } from './ref-names.ts'
import { listRefs, readRef } from './refs.ts'
import { openTombstones } from './tombstones.ts'
import type { Transport } from './transport.ts'

/** What a fetch did. Digests, sorted. */
export interface Brought {
  readonly fetched: readonly string[]
  /** They were here already, the same. */
  readonly there: readonly string[]
  /** Tombstones kept them away. */
  readonly kept_away: readonly string[]
  /** Nothing of them is visible here. */
  readonly rejected: readonly { readonly ref: string; readonly fault: string }[]
  /** How many signatures came, of remnants that are here. */
  readonly signatures: number
}

export interface Bringing {
  readonly git: Git
  readonly files: Files
  readonly disk: Disk
  readonly transport: Transport
  /** The remote is the accepted one: what it has counts as reported. */
  readonly accepted: boolean
  readonly progress?: (line: string) => void
}

const CHUNK = 1000
/** One remnant whose objects can't be sent must not keep the others away; but nobody shall be asked for ever. */
const MOST_ATTEMPTS = 40
/** From here on one transaction of git's is quicker than a ref at a time, and a packed list of refs than a file each. */
const BULK = 50
const MANY = 1000

/** Brings what the remote has and this clone lacks. A ref appears only when its remnant has been examined. Throws as the transport does. */
export async function bring({ git, files, disk, transport, accepted, progress = () => {} }: Bringing): Promise<Brought> {
  const { commonDir } = git.repository
  const lists = openLocalLists(commonDir, files)
  const tombstones = openTombstones(commonDir, files).all()
  const remote = await transport.list()
  const refs = listRefs(git.repository)
  const here = (digest: string): string | null => {
    const ref = refs.digests.has(digest) ? refs.get(digest) : readRef(git.repository, digest)
    return ref === null ? null : 'oid' in ref ? ref.oid : ref.damaged
  }
  const signatures = new Map([...remote].filter(([ref]) => signedBy(ref) !== null))
  const named = [...remote].flatMap(([ref, oid]): [string, string][] => (digestIn(ref) === null ? [] : [[digestIn(ref) as string, oid]])).sort()
  const odd = [...remote.keys()].filter((ref) => digestIn(ref) === null && !signatures.has(ref))
  const rejected = odd.map((ref) => ({ ref, fault: 'is no name of a remnant' }))
  const kept_away = named.filter(([digest]) => tombstones.has(digest)).map(([digest]) => digest)
  const there: string[] = []
  const wanted: [string, string][] = []
  for (const [digest, oid] of named) {
    if (tombstones.has(digest)) continue
    const local = here(digest)
    if (local === null) wanted.push([digest, oid])
    else if (local === oid) there.push(digest)
    else rejected.push({ ref: refOf(digest), fault: 'is another commit there than here; one of the two is not right (git remnant verify says whether this one is)' })
  }
  const report = (digests: readonly string[]): void => {
    if (accepted) addReported(commonDir, files, digests.filter((digest) => !lists.own().has(digest)))
  }
  report(there)

  const fetched: string[] = []
  const brought = await broughtIn(wanted.map(([digest, oid]) => [refOf(digest), oid]), transport, (count) => progress(`fetched the objects of ${count} of ${wanted.length}`))
  rejected.push(...brought.failed)
  for (let at = 0; at < brought.got.length; at += CHUNK) {
    const candidates = new Map(brought.got.slice(at, at + CHUNK).map(([ref, oid]) => [ref.slice(REFS.length), oid]))
    const found = await examine({ candidates, here, isForgotten: (digest) => tombstones.has(digest) }, git)
    rejected.push(...found.rejected.map(({ digest, fault }) => ({ ref: refOf(digest), fault })))
    const fresh = new Map([...found.accepted].filter(([digest]) => here(digest) === null))
    lists.addKnown([...fresh.keys()])
    report([...fresh.keys()])
    await makeRefs(fresh, git, disk)
    fetched.push(...fresh.keys())
  }
  const signed = await bringSignatures(new Map([...signatures].filter(([ref]) => here(signedBy(ref) as string) !== null && !tombstones.has(signedBy(ref) as string))), git, transport)
  rejected.push(...signed.rejected)
  if (fetched.length >= MANY) await git.try([...QUIETLY, 'pack-refs', '--all'])
  return { fetched: fetched.sort(), there, kept_away, rejected, signatures: signed.made }
}

/** Signatures of remnants that are here. Whether one counts is seen when it is read: that depends on who is accepted then. */
async function bringSignatures(remote: ReadonlyMap<string, string>, git: Git, transport: Transport): Promise<{ made: number; rejected: Brought['rejected'] }> {
  const here = await hereOf([...remote.keys()], git)
  const wanted = [...remote].filter(([ref]) => here(ref) === null)
  const other = [...remote].filter(([ref, oid]) => here(ref) !== null && here(ref) !== oid).map(([ref]) => ({ ref, fault: 'is another commit there than here' }))
  if (wanted.length === 0) return { made: 0, rejected: other }
  const { got, failed } = await broughtIn(wanted, transport, () => {})
  const { accepted, rejected } = await examineSignatures(new Map(got), git)
  const input = [...accepted].map(([ref, oid]) => `create ${ref} ${oid}\n`)
  const made = await git.try([...QUIETLY, 'update-ref', '--no-deref', '--stdin'], { input: input.join('') })
  // Somebody else may have made one of them meanwhile: then one at a time.
  if (made.status !== 0) for (const line of input) await git.try([...QUIETLY, 'update-ref', '--no-deref', '--stdin'], { input: line })
  return { made: accepted.size, rejected: [...other, ...failed, ...rejected] }
}

const QUIETLY = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsync=all']

/** Where the digests stand that came from the accepted remote: one a line. */
export const reportedPath = (commonDir: string): string => join(commonDir, 'remnant', 'reported')

function addReported(commonDir: string, files: Files, digests: readonly string[]): void {
  const path = reportedPath(commonDir)
  const known = new Set(
    Buffer.from(files.read(path) ?? [])
      .toString('latin1')
      .split('\n'),
  )
  const fresh = digests.filter((digest) => !known.has(digest))
  if (fresh.length > 0) files.append(path, fresh.map((digest) => `${digest}\n`).join(''))
}

/** Brings objects in chunks. A chunk that fails is halved until what fails stands alone. `wanted`: refs, with what they name. */
async function broughtIn(wanted: readonly [string, string][], transport: Transport, progress: (count: number) => void): Promise<{ got: [string, string][]; failed: { ref: string; fault: string }[] }> {
  const open: (readonly [string, string][])[] = []
  for (let at = 0; at < wanted.length; at += CHUNK) open.push(wanted.slice(at, at + CHUNK))
  const got: [string, string][] = []
  const failed: { ref: string; fault: string }[] = []
  let attempts = 0
  for (let chunk = open.shift(); chunk !== undefined; chunk = open.shift()) {
    try {
      await transport.bring(chunk.map(([ref]) => ref))
      got.push(...chunk)
      progress(got.length)
    } catch (thrown) {
      if (!(thrown instanceof RemnantError) || thrown.fault !== 'missing') throw thrown
      // Whether it is the remote that does not answer any more, or something in this chunk.
      if (attempts++ === 0) await transport.list()
      if (chunk.length === 1 || attempts > MOST_ATTEMPTS) failed.push(...chunk.map(([ref]) => ({ ref, fault: 'has objects that the remote does not send' })))
      else open.push(chunk.slice(0, chunk.length >> 1), chunk.slice(chunk.length >> 1))
    }
  }
  return { got, failed }
}

async function makeRefs(commits: ReadonlyMap<string, string>, git: Git, disk: Disk): Promise<void> {
  if (commits.size > BULK) {
    const input = [...commits].map(([digest, oid]) => `create ${refOf(digest)} ${oid}\n`).join('')
    const { status } = await git.try([...QUIETLY, 'update-ref', '--no-deref', '--stdin'], { input })
    if (status === 0) return
  }
  // Somebody else may have made one of them meanwhile, and made it the same.
  const objects = openObjects(git.repository, async () => git, disk)
  for (const [digest, oid] of commits) await objects.makeRef(digest, oid)
}
