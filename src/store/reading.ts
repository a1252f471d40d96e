import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import type { Files } from '../host/files.ts'
import type { Git, Repository } from '../host/git.ts'
import { type Outlined, outlined } from '../model/outline.ts'
import type { Rank } from '../model/rank.ts'
import { type Remnant, decodeRemnant } from '../model/remnant.ts'
import type { Outlook, Stored, Unread } from '../model/store.ts'
import { type Copy, bytesReader, copyReader, listCopies, writeCopy } from './copies.ts'
import { Evidence } from './evidence.ts'
import type { Content } from './git/cat-file.ts'
import type { Objects } from './git/port.ts'
import { type Ref, type Refs, listRefs } from './git/refs.ts'
import type { LocalLists } from './local-lists.ts'
import { RemnantScan } from './scan.ts'
import { type Ranks, ranksByAndBy, ranksNow } from './signing/trust.ts'
import type { Tombstones } from './sync/tombstones.ts'

/** How many remnants are held in memory at once while all are read. */
export const CHUNK = 256
/** So few are read as fast as what was told of them last. */
const FEW = 64

export interface ReadingPlace {
  readonly repository: Repository
  readonly git: () => Promise<Git>
  readonly files: Files
  readonly objects: Objects
  readonly lists: LocalLists
  readonly tombstones: Tombstones
  readonly now: () => number
}

/** The store as it is read: from the copy where that hashes to its name, else from the ref, and then the copy is put right. */
export interface Reading {
  /** What is here and was not forgotten, sorted. */
  digests(refs: Refs, copies?: Iterable<string>): string[]
  /** What lies at the place of each copy now. */
  copies(): (digest: string) => Copy
  /** null: it is nowhere. `heal`: a copy that differs is rewritten from its ref. */
  one(digest: string, refs: Refs, heal: boolean): Promise<Stored | null>
  all(): AsyncGenerator<Stored>
  outlook(): Promise<Outlook>
  /** One remnant's rank is looked up for what is read next, and no other's. */
  rankOne(): Promise<void>
  /** Writes the copy of a remnant that is valid, out of git; else says what is wrong with it. */
  bringBack(digest: string, refs: Refs, content: Content | undefined): string | null
}

export function openReading({ repository, git, files, objects, lists, tombstones, now }: ReadingPlace): Reading {
  const { workTree } = repository
  /** What was forgotten is not here, wherever it may still lie. */
  const digests = (refs: Refs, lying: Iterable<string> = workTree === null ? [] : listCopies(workTree), forgotten = tombstones.all()): string[] => {
    const all = new Set(lying)
    for (const digest of refs.digests) all.add(digest)
    for (const digest of forgotten) all.delete(digest)
    return [...all].sort()
  }
  const copies = (): ((digest: string) => Copy) => (workTree === null ? () => 'absent' : copyReader(workTree))

  /** Reads these remnants, leaving out what is nowhere. `heal`: a copy that differs is rewritten from its ref. */
  async function* load<T extends Stored | Outlined | Unread>(wanted: readonly string[], refs: Refs, heal: boolean, stored: Taking<T>): AsyncGenerator<T | Unread> {
    if (ranks === undefined) await lookAtRanks()
    const copyOf = copies()
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
  const lookAtRanks = async (): Promise<Ranks> => (ranks = await ranksNow(trust, lists))

  /** Where everything lies now; all of it is read when it is asked for. */
  function outlook(ranks: Ranks): Outlook {
    const refs = listRefs(repository)
    const lying = workTree === null ? [] : listCopies(workTree)
    const forgotten = tombstones.all()
    if (lying.length < FEW) {
      const wanted = digests(refs, lying, forgotten)
      if (wanted.length < FEW) return { mark: null, outlines: () => collected(load(wanted, refs, true, either)) }
    }
    const evidence = new Evidence(now())
    for (const text of [refs.mark, ranks.mark(), [...forgotten].sort().join()]) evidence.text(text)
    // Joined by hand: this runs once for each of thousands of remnants.
    const top = `${workTree}/.remnants/`
    for (const digest of lying) evidence.copy(digest, `${top}${digest.slice(0, 2)}/${digest}.json`)
    const copied = new Set(refs.loose.size === 0 ? [] : lying)
    for (const digest of refs.loose) if (!copied.has(digest)) evidence.text(named(refs.get(digest)))
    return { mark: evidence.mark(), outlines: () => outlines(digests(refs, lying, forgotten), new Set(lying), refs) }
  }

  /** Copies as fast as that goes; whatever is not plainly a remnant the slow way, which tells why. */
  async function outlines(wanted: readonly string[], lying: ReadonlySet<string>, refs: Refs): Promise<(Outlined | Unread)[]> {
    const bytesOf = workTree === null ? () => null : bytesReader(workTree)
    const fresh: string[] = []
    const open: string[] = []
    const found = wanted.map((digest) => {
      const bytes = lying.has(digest) ? bytesOf(digest) : null
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
  const either: Taking<Outlined> = (digest, bytes, fresh) => outline(digest, bytes, fresh) ?? outlined(whole(digest, bytes, fresh))

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

  async function one(digest: string, refs: Refs, heal: boolean): Promise<Stored | null> {
    for await (const found of load([digest], refs, heal, whole)) return found
    return null
  }

  /** Writes the copy of a remnant that is valid; else says what is wrong with it. */
  function bringBack(digest: string, refs: Refs, content: Content | undefined): string | null {
    const found = bytesFrom(digest, 'absent', refs, content)
    if (found === null) return 'has gone from git meanwhile'
    const fresh: string[] = []
    const result = 'fault' in found ? found : whole(digest, found, fresh)
    lists.addKnown(fresh)
    if ('fault' in result) return result.fault
    writeCopy(files, workTree as string, digest, found as Uint8Array)
    return null
  }
  return {
    digests,
    copies,
    one,
    all: async function* () {
      await lookAtRanks()
      const refs = listRefs(repository)
      yield* load(digests(refs), refs, true, whole)
    },
    outlook: async () => outlook(await lookAtRanks()),
    rankOne: async () => void (ranks = await ranksForOne()),
    bringBack,
  }
}

/** Takes bytes that hash to the digest, and notes a digest whose content was found valid. */
type Taking<T> = (digest: string, bytes: Uint8Array, fresh: string[]) => T | Unread

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of all) list.push(one)
  return list
}

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

/** null: it names nothing. */
const named = (ref: Ref | null): string | null => (ref !== null && 'oid' in ref ? ref.oid : null)

export function commitsOf(refs: Refs, digests: readonly string[]): Map<string, string> {
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
