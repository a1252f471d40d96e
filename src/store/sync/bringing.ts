import { join } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import type { Files } from '../../host/files.ts'
import type { Git } from '../../host/git.ts'
import { type Disk } from '../git/atomic-fs.ts'
import { examine, examineSignatures } from './acceptance.ts'
import { created, lostOf, makeRefs } from '../git/bulk.ts'
import { openLocalLists } from '../local-lists.ts'
import { addPackedRefs } from '../git/packed-refs.ts'
import { digestIn, signedBy } from './queue.ts'
import { REFS, refOf } from '../git/recipe.ts'
import { hereOf } from '../git/ref-names.ts'
import { type Ref, emptyRef, listRefs } from '../git/refs.ts'
import { packLooseRefs } from '../tidy.ts'
import { absentOf, renew } from './renewing.ts'
import { removeRefs } from './forgetting.ts'
import { openTombstones } from './tombstones.ts'
import type { Transport } from './transport.ts'

/** What a fetch did. Digests, sorted. */
export interface Brought {
  readonly fetched: readonly string[]
  /** They were here already, the same. */
  readonly there: readonly string[]
  /** Something of them was missing or damaged here, and is whole again: refs, of signatures too. */
  readonly renewed: readonly string[]
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

/** How many remnants the first connection carries, and the last ones. */
const FIRST = 2000
const GROWTH = 4
const MOST = 10_000
/** One remnant whose objects can't be sent must not keep the others away; but nobody shall be asked for ever. */
const MOST_ATTEMPTS = 40

/** Brings what the remote has and this clone lacks. A ref appears only when its remnant has been examined. Throws as the transport does. */
export async function bring({ git, files, disk, transport, accepted, progress = () => {} }: Bringing): Promise<Brought> {
  const { commonDir } = git.repository
  const lists = openLocalLists(commonDir, files)
  const forgotten = openTombstones(commonDir, files)
  const tombstones = forgotten.all()
  const remote = await transport.list()
  const refs = listRefs(git.repository)
  const signatures = new Map([...remote].filter(([ref]) => signedBy(ref) !== null))
  const named = [...remote].flatMap(([ref, oid]): [string, string][] => (digestIn(ref) === null ? [] : [[digestIn(ref) as string, oid]])).sort()
  const odd = [...remote.keys()].filter((ref) => digestIn(ref) === null && !signatures.has(ref))
  const rejected = odd.map((ref) => ({ ref, fault: 'is no name of a remnant' }))
  const kept_away = named.filter(([digest]) => tombstones.has(digest)).map(([digest]) => digest)
  const there: string[] = []
  const wanted: [string, string][] = []
  for (const [digest, oid] of named) {
    if (tombstones.has(digest)) continue
    const local = oidIn(refs.get(digest))
    if (local === null || (local !== oid && emptyRef(git.repository, digest) !== null)) wanted.push([digest, oid])
    else if (local === oid) there.push(digest)
    else rejected.push({ ref: refOf(digest), fault: 'is another commit there than here; one of the two is not right (git remnant verify says whether this one is)' })
  }
  const report = (digests: readonly string[]): void => {
    if (accepted) addReported(commonDir, files, digests.filter((digest) => !lists.own().has(digest)))
  }
  report(there)
  const { renewed, damaged } = await renew(await sameThere(there, signatures, remote, tombstones, git), { git, disk, transport, here: (digest) => oidIn(refs.get(digest)) })
  rejected.push(...damaged.map((ref) => ({ ref, fault: 'has objects here that are missing or damaged, and the remote could not mend that' })))

  const dropEmpty = (digest: string): void => {
    const path = emptyRef(git.repository, digest)
    if (path !== null) files.remove(path)
  }
  const fetched: string[] = []
  // A line that is cut costs what the last connection carried, and each is told all that the remote has: so each carries more.
  for (let at = 0, size = FIRST; at < wanted.length; at += size, size = Math.min(size * GROWTH, MOST)) {
    const brought = await broughtIn(wanted.slice(at, at + size).map(([digest, oid]) => [refOf(digest), oid]), git, transport)
    rejected.push(...brought.failed)
    const candidates = new Map(brought.got.map(([ref, oid]) => [ref.slice(REFS.length), oid]))
    const now = listRefs(git.repository)
    const empty = new Set([...candidates.keys()].filter((digest) => emptyRef(git.repository, digest) !== null))
    const found = await examine({ candidates, here: (digest) => (empty.has(digest) ? null : oidIn(now.get(digest))), isForgotten: forgotten.has }, git)
    rejected.push(...found.rejected.map(({ digest, fault }) => ({ ref: refOf(digest), fault })))
    const fresh = new Map([...found.accepted].filter(([digest]) => !now.digests.has(digest) || empty.has(digest)))
    lists.addKnown([...fresh.keys()])
    report([...fresh.keys()])
    const made = new Map([...fresh].map(([digest, oid]) => [refOf(digest), oid]))
    for (const digest of fresh.keys()) dropEmpty(digest)
    await makeRefs(made, git, disk)
    // From now on the refs keep them.
    const lost = await lostOf(made, git)
    if (lost.length > 0) await transport.bring(lost.map((ref) => made.get(ref) as string))
    // Who forgets leaves the tombstone before looking for the ref: one of the two sees the other.
    const late = [...fresh.keys()].filter(forgotten.has)
    if (late.length > 0) await removeRefs(late, git)
    kept_away.push(...late)
    fetched.push(...[...fresh.keys()].filter((digest) => !late.includes(digest)))
    progress(`fetched ${fetched.length} of ${wanted.length}`)
  }
  const { digests } = fetched.length === 0 ? refs : listRefs(git.repository)
  const signed = await bringSignatures(new Map([...signatures].filter(([ref]) => digests.has(signedBy(ref) as string) && !forgotten.has(signedBy(ref) as string))), git, disk, transport)
  const late = [...new Set([...signatures.keys()].map((ref) => signedBy(ref) as string))].filter((digest) => !tombstones.has(digest) && forgotten.has(digest))
  if (late.length > 0) await removeRefs(late, git)
  rejected.push(...signed.rejected)
  if (fetched.length + signed.made > 0) await packLooseRefs(commonDir, async () => git)
  return { fetched: fetched.sort(), there, renewed, kept_away, rejected, signatures: signed.made }
}

/** Signatures of remnants that are here. Whether one counts is seen when it is read: that depends on who is accepted then. */
async function bringSignatures(remote: ReadonlyMap<string, string>, git: Git, disk: Disk, transport: Transport): Promise<{ made: number; rejected: Brought['rejected'] }> {
  const here = await hereOf([...remote.keys()], git)
  const wanted = [...remote].filter(([ref]) => here(ref) === null)
  const other = [...remote].filter(([ref, oid]) => here(ref) !== null && here(ref) !== oid).map(([ref]) => ({ ref, fault: 'is another commit there than here' }))
  if (wanted.length === 0) return { made: 0, rejected: other }
  const { got, failed } = await broughtIn(wanted, git, transport)
  const { accepted, rejected } = await examineSignatures(new Map(got), git)
  const left = await addPackedRefs(accepted, git.repository, disk)
  // Somebody else may have made one of them meanwhile: then one at a time.
  if (left.length > 0 && !(await created(left, accepted, git))) for (const ref of left) await created([ref], accepted, git)
  return { made: accepted.size, rejected: [...other, ...failed, ...rejected] }
}

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

/** Brings objects. Refs of which that fails are halved until what fails stands alone. `wanted`: refs, with what they name. */
async function broughtIn(wanted: readonly [string, string][], git: Git, transport: Transport): Promise<{ got: [string, string][]; failed: { ref: string; fault: string }[] }> {
  const open: (readonly [string, string][])[] = [wanted]
  const got: [string, string][] = []
  const failed: { ref: string; fault: string }[] = []
  let attempts = 0
  for (let chunk = open.shift(); chunk !== undefined; chunk = open.shift()) {
    try {
      await transport.bring([...new Set(chunk.map(([, oid]) => oid))])
      got.push(...chunk)
    } catch (thrown) {
      if (!(thrown instanceof RemnantError) || thrown.fault !== 'missing') throw thrown
      // Git also says no where all came, and some other ref of this repository leads to what is not here.
      const absent = await absentOf(new Map(chunk), git)
      got.push(...chunk.filter(([ref]) => !absent.has(ref)))
      chunk = [...absent]
      if (chunk.length === 0) continue
      // Whether it is the remote that does not answer any more, or something in this chunk.
      if (attempts++ === 0) await transport.list()
      if (chunk.length === 1 || attempts > MOST_ATTEMPTS) failed.push(...chunk.map(([ref]) => ({ ref, fault: 'has objects that the remote does not send' })))
      else open.push(chunk.slice(0, chunk.length >> 1), chunk.slice(chunk.length >> 1))
    }
  }
  return { got, failed }
}

/** Refs that are the same here and there, of remnants and of their signatures, with what they name. */
async function sameThere(there: readonly string[], signatures: ReadonlyMap<string, string>, remote: ReadonlyMap<string, string>, tombstones: ReadonlySet<string>, git: Git): Promise<Map<string, string>> {
  const here = await hereOf([...signatures.keys()], git)
  const signed = [...signatures].filter(([ref, oid]) => here(ref) === oid && !tombstones.has(signedBy(ref) as string))
  return new Map([...there.map((digest): [string, string] => [refOf(digest), remote.get(refOf(digest)) as string]), ...signed])
}

/** What a ref says; one that says nothing is no commit either. */
const oidIn = (ref: Ref | null): string | null => (ref === null ? null : 'oid' in ref ? ref.oid : ref.damaged)
