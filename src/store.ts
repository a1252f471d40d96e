import * as fs from 'node:fs'
import { sha256 } from './base/digest.ts'
import { RemnantError } from './base/errors.ts'
import type { Files } from './host/files.ts'
import type { Git, Repository } from './host/git.ts'
import { type Outlined, outlined } from './model/outline.ts'
import { type Remnant, decodeRemnant, encodeRemnant } from './model/remnant.ts'
import type { Rank } from './model/rank.ts'
import type { Outlook, Store, StoreFault, Stored, Unread } from './model/store.ts'
import { type Disk, elsewhere } from './store/git/atomic-fs.ts'
import { auditor } from './store/verify/audit.ts'
import { type Copy, bytesReader, copyReader, listCopies, refuseLinks, writeCopy } from './store/copies.ts'
import type { Content } from './store/git/cat-file.ts'
import { Evidence } from './store/evidence.ts'
import { addExclude, wantsExclude } from './store/exclude.ts'
import { openLocalLists } from './store/local-lists.ts'
import { openObjects } from './store/git/objects.ts'
import { commitOf, objectsOf, pathOf, refOf, supersededBy } from './store/git/recipe.ts'
import { type Refs, listRefs, listRefsLater, readRef } from './store/git/refs.ts'
import { RemnantScan } from './store/scan.ts'
import { packLooseRefs } from './store/tidy.ts'
import { openTombstones } from './store/sync/tombstones.ts'
import { type Ranks, ranksByAndBy, ranksNow } from './store/signing/trust.ts'

/** How many remnants are held in memory at once while all are read. */
const CHUNK = 256
/** So few are read as fast as what was told of them last. */
const FEW = 64

export interface StoreOptions {
  readonly repository: Repository
  /** The user's git; asked for only where this process can't or should not do it. */
  readonly git: () => Promise<Git>
  readonly files: Files
  readonly disk?: Disk
  /** Milliseconds; what a signature's bounds are held against. */
  readonly now?: () => number
}

/**
 * The store of a git repository: a commit and a ref for each remnant in the common git directory, a copy for readers in the
 * work tree. Content is taken from the copy where that hashes to its name, else from the ref, and then the copy is put right.
 */
export function openStore({ repository, git, files, disk = fs, now = Date.now }: StoreOptions): Store {
  const { commonDir, workTree } = repository
  const objects = openObjects(repository, git, disk)
  const lists = openLocalLists(commonDir, files)
  const tombstones = openTombstones(commonDir, files)
  const commits = new Map<string, string>()

  /** What was forgotten is not here, wherever it may still lie. */
  const digests = (refs: Refs, copies: Iterable<string> = workTree === null ? [] : listCopies(workTree)): string[] => {
    const forgotten = tombstones.all()
    return [...new Set([...refs.digests, ...copies])].filter((digest) => !forgotten.has(digest)).sort()
  }
  const reader = (): ((digest: string) => Copy) => (workTree === null ? () => 'absent' : copyReader(workTree))

  /** Reads these remnants, leaving out what is nowhere. `heal`: a copy that differs is rewritten from its ref. */
  async function* load<T extends Stored | Outlined | Unread>(wanted: readonly string[], refs: Refs, heal: boolean, stored: Reading<T>): AsyncGenerator<T | Unread> {
    if (ranks === undefined) await lookAtRanks()
    const copyOf = reader()
    const fresh: string[] = []
    try {
      for (let at = 0; at < wanted.length; ) {
        const digest = wanted[at] as string
        const copy = copyOf(digest)
        if (typeof copy !== 'string') {
          yield stored(digest, copy.bytes, fresh)
          at += 1
          continue
        }
        const chunk = wanted.slice(at, at + CHUNK).map((digest) => ({ digest, copy: copyOf(digest) }))
        at += chunk.length
        const open = chunk.filter(({ copy }) => typeof copy === 'string')
        const contents = await objects.contents(commitsOf(refs, open.map(({ digest }) => digest)))
        for (const { digest, copy } of chunk) {
          if (typeof copy !== 'string') yield stored(digest, copy.bytes, fresh)
          else {
            const found = bytesFrom(digest, copy, refs, contents.get(digest))
            if (found === null) continue
            const result = 'fault' in found ? found : stored(digest, found, fresh)
            if (heal && copy === 'differs' && !('fault' in result) && found instanceof Uint8Array) healCopy(digest, found)
            yield result
          }
        }
      }
    } finally {
      lists.addKnown(fresh)
    }
  }

  let ranks: Ranks | undefined
  const rankOf = (digest: string): Rank => ranks?.of(digest) ?? 'other'
  const trust = { repository, git, files, now }
  const ranksForOne = ranksByAndBy(trust, lists)
  const lookAtRanks = async (): Promise<void> => void (ranks = await ranksNow(trust, lists))

  /** Where everything lies now; all of it is read when it is asked for. */
  function outlook(): Outlook {
    const refs = listRefs(repository)
    const copies = new Set(workTree === null ? [] : listCopies(workTree))
    const wanted = digests(refs, copies)
    if (wanted.length < FEW) return { mark: null, outlines: () => collected(load(wanted, refs, true, either)) }
    const evidence = new Evidence(now())
    for (const digest of wanted) {
      if (copies.has(digest)) evidence.copy(digest, rankOf(digest), `${workTree}/${pathOf(digest)}`)
      else evidence.ref(digest, rankOf(digest), refs.get(digest))
    }
    return { mark: evidence.mark(), outlines: () => outlines(wanted, copies, refs) }
  }

  /** Copies as fast as that goes; whatever is not plainly a remnant the slow way, which tells why. */
  async function outlines(wanted: readonly string[], copies: ReadonlySet<string>, refs: Refs): Promise<(Outlined | Unread)[]> {
    const bytesOf = workTree === null ? () => null : bytesReader(workTree)
    const fresh: string[] = []
    const open: string[] = []
    const found = wanted.map((digest) => {
      const bytes = copies.has(digest) ? bytesOf(digest) : null
      const told = bytes === null ? null : outline(digest, bytes, fresh)
      if (told === null) open.push(digest)
      return told
    })
    lists.addKnown(fresh)
    const slow = new Map<string, Outlined | Unread>()
    for await (const one of load(open, refs, true, either)) slow.set(one.digest, one)
    return wanted.flatMap((digest, i) => found[i] ?? slow.get(digest) ?? [])
  }

  const scan = new RemnantScan()

  /** What a verdict on bytes that hash to the digest rests on; null: they are not plainly a remnant. */
  function outline(digest: string, bytes: Uint8Array, fresh: string[]): Outlined | null {
    const isKnown = lists.known().has(digest)
    const outline = scan.outline(bytes, !isKnown)
    if (outline === null) return null
    if (!isKnown) fresh.push(digest)
    return { digest, outline, rank: rankOf(digest) }
  }

  /** The same, or why there is none. */
  const either: Reading<Outlined> = (digest, bytes, fresh) => outline(digest, bytes, fresh) ?? outlined(whole(digest, bytes, fresh))

  /** Bytes that hash to the digest, read as a remnant; strictly, unless that was done once before. */
  function whole(digest: string, bytes: Uint8Array, fresh: string[]): Stored {
    const rank = rankOf(digest)
    const isKnown = lists.known().has(digest)
    if (isKnown || scan.outline(bytes, true) !== null) {
      if (!isKnown) fresh.push(digest)
      return { digest, remnant: JSON.parse(textOf(bytes)) as Remnant, rank }
    }
    try {
      const remnant = decodeRemnant(bytes, digest)
      fresh.push(digest)
      return { digest, remnant, rank }
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      return { digest, fault: thrown.message, ...(thrown.hint === undefined ? {} : { hint: thrown.hint }) }
    }
  }

  function healCopy(digest: string, bytes: Uint8Array): void {
    try {
      if (workTree !== null) writeCopy(files, workTree, digest, bytes)
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
    }
  }

  async function read(digest: string, refs: Refs, heal: boolean): Promise<Stored | null> {
    for await (const found of load([digest], refs, heal, whole)) return found
    return null
  }

  async function superseded(digest: string, by: string, refs: Refs): Promise<Remnant> {
    const found = await read(digest, refs, false)
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
      if (workTree !== null && typeof reader()(digest) === 'string') writeCopy(files, workTree, digest, bytes)
      if (written) await packLooseRefs(commonDir, git)
      return { digest, ref: refOf(digest), written }
    },

    digests: async () => digests(listRefs(repository)),

    read: async (digest) => {
      ranks = await ranksForOne()
      return read(digest, listRefs(repository), true)
    },

    readAll: async function* () {
      await lookAtRanks()
      const refs = listRefs(repository)
      yield* load(digests(refs), refs, true, whole)
    },

    outlook: async () => {
      await lookAtRanks()
      return outlook()
    },

    audit: async function* (wanted) {
      const refs = listRefs(repository)
      const audit = auditor({
        refs,
        copyOf: reader(),
        superseded: (digest) => read(digest, refs, false),
        isForgotten: (digest) => tombstones.has(digest),
        commitFor: (digest, remnant) => commitFor(digest, remnant, refs),
        isHere: async (oid) => (await (await git()).try(['--no-replace-objects', 'cat-file', '-e', oid], { env: { GIT_NO_LAZY_FETCH: '1' } })).status === 0,
      })
      for (let at = 0; at < wanted.length; at += CHUNK) {
        const chunk = wanted.slice(at, at + CHUNK)
        const contents = await objects.contents(commitsOf(refs, chunk))
        for (const digest of chunk) yield { digest, faults: await audit(digest, contents.get(digest)) }
      }
    },

    checkout: async () => {
      if (workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree: git worktree list' })
      const refs = listRefs(repository)
      const copyOf = reader()
      const open = digests(refs, []).filter((digest) => typeof copyOf(digest) === 'string')
      if (open.length > 0 && (await wantsExclude(repository, files, git))) addExclude(repository, files)
      const restored: string[] = []
      const faults: StoreFault[] = []
      for (let at = 0; at < open.length; at += CHUNK) {
        const chunk = open.slice(at, at + CHUNK)
        const contents = await objects.contents(commitsOf(refs, chunk))
        for (const digest of chunk) {
          const fault = copyOf(digest) === 'linked' ? 'is reached through a symbolic link' : bringBack(digest, bytesFrom(digest, 'absent', refs, contents.get(digest)))
          if (fault === null) restored.push(digest)
          else faults.push({ subject: pathOf(digest), fault, repair: `git remnant verify ${digest.slice(0, 12)}` })
        }
      }
      return { restored, faults }
    },
  }

  /** Writes the copy of a remnant that is valid; else says what is wrong with it. */
  function bringBack(digest: string, found: ReturnType<typeof bytesFrom>): string | null {
    if (found === null) return 'has gone from git meanwhile'
    const fresh: string[] = []
    const result = 'fault' in found ? found : whole(digest, found, fresh)
    lists.addKnown(fresh)
    if ('fault' in result) return result.fault
    writeCopy(files, workTree as string, digest, found as Uint8Array)
    return null
  }
}

/** Takes bytes that hash to the digest, and notes a digest whose content was found valid. */
type Reading<T> = (digest: string, bytes: Uint8Array, fresh: string[]) => T | Unread

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of all) list.push(one)
  return list
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

function commitsOf(refs: Refs, digests: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const digest of digests) {
    const ref = refs.get(digest)
    if (ref !== null && 'oid' in ref) found.set(digest, ref.oid)
  }
  return found
}

/** A remnant's bytes out of git, why they can't be had, or null where there is neither ref nor copy. */
function bytesFrom(digest: string, copy: 'absent' | 'differs' | 'linked', refs: Refs, content: Content | undefined): Uint8Array | { digest: string; fault: string; hint: string } | null {
  const name = `remnant "${digest.slice(0, 12)}"`
  const fault = (what: string): { digest: string; fault: string; hint: string } => ({ digest, fault: `${name} ${what}`, hint: `git remnant verify ${digest.slice(0, 12)}` })
  const ref = refs.get(digest)
  if (ref === null) {
    if (copy === 'absent') return null
    return fault(copy === 'differs' ? 'does not hash to its name' : 'is reached through a symbolic link, which is not followed')
  }
  if ('damaged' in ref) return fault(`has a ref that ${ref.damaged}`)
  if (content === undefined || !(content instanceof Uint8Array)) return fault(content?.fault ?? 'has git objects that are missing or damaged')
  return sha256(content) === digest ? content : fault('does not hash to its name')
}
