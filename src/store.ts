import * as fs from 'node:fs'
import { sha256 } from './base/digest.ts'
import { RemnantError } from './base/errors.ts'
import type { Files } from './host/files.ts'
import type { Git, Repository } from './host/git.ts'
import { type Remnant, decodeRemnant, encodeRemnant } from './model/remnant.ts'
import type { Store, StoreFault, Stored } from './model/store.ts'
import { type Disk, elsewhere } from './store/atomic-fs.ts'
import { auditor } from './store/audit.ts'
import { type Copy, copyReader, listCopies, refuseLinks, writeCopy } from './store/copies.ts'
import { addExclude, wantsExclude } from './store/exclude.ts'
import { openLocalLists } from './store/local-lists.ts'
import { type Content, openObjects } from './store/objects.ts'
import { commitOf, objectsOf, pathOf, refOf, supersededBy } from './store/recipe.ts'
import { type Refs, listRefs, readRef } from './store/refs.ts'

/** How many remnants are held in memory at once while all are read. */
const CHUNK = 256

export interface StoreOptions {
  readonly repository: Repository
  /** The user's git; asked for only where this process can't or should not do it. */
  readonly git: () => Promise<Git>
  readonly files: Files
  readonly disk?: Disk
}

/**
 * The store of a git repository: a commit and a ref for each remnant in the common git directory, a copy for readers in the
 * work tree. Content is taken from the copy where that hashes to its name, else from the ref, and then the copy is put right.
 */
export function openStore({ repository, git, files, disk = fs }: StoreOptions): Store {
  const { commonDir, workTree } = repository
  const objects = openObjects(commonDir, git, disk)
  const lists = openLocalLists(commonDir, files)
  const commits = new Map<string, string>()

  const digests = (refs: Refs): string[] => [...new Set([...refs.digests, ...(workTree === null ? [] : listCopies(workTree))])].sort()
  const reader = (): ((digest: string) => Copy) => (workTree === null ? () => 'absent' : copyReader(workTree))

  /** Reads these remnants, leaving out what is nowhere. `heal`: a copy that differs is rewritten from its ref. */
  async function* load(wanted: readonly string[], refs: Refs, heal: boolean): AsyncGenerator<Stored> {
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
            if (heal && copy === 'differs' && 'remnant' in result && found instanceof Uint8Array) healCopy(digest, found)
            yield result
          }
        }
      }
    } finally {
      lists.addKnown(fresh)
    }
  }

  /** Bytes that hash to the digest, read as a remnant; strictly, unless that was done once before. */
  function stored(digest: string, bytes: Uint8Array, fresh: string[]): Stored {
    const own = lists.own().has(digest)
    if (lists.known().has(digest)) return { digest, remnant: JSON.parse(textOf(bytes)) as Remnant, own }
    try {
      const remnant = decodeRemnant(bytes, digest)
      fresh.push(digest)
      return { digest, remnant, own }
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
    for await (const found of load([digest], refs, heal)) return found
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
    for (const each of supersededBy(remnant)) parents.push(await commitFor(each, await superseded(each, digest, refs), refs))
    const oid = commitOf(objectsOf(digest, encodeRemnant(remnant).bytes, remnant, parents))
    commits.set(digest, oid)
    return oid
  }

  /** Makes commit and ref, those of superseded remnants first. false: it was all there. */
  async function keep(digest: string, remnant: Remnant, refs: Refs): Promise<boolean> {
    const oid = await commitFor(digest, remnant, refs)
    const ref = readRef(commonDir, digest)
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
    await objects.put(objectsOf(digest, encodeRemnant(remnant).bytes, remnant, parents))
    return objects.makeRef(digest, oid)
  }

  return {
    write: async (remnant) => {
      const { digest, bytes } = encodeRemnant(remnant)
      decodeRemnant(bytes, digest)
      const exclude = await wantsExclude(repository, files, git)
      if (workTree !== null) refuseLinks(workTree, digest)
      const written = await keep(digest, remnant, listRefs(commonDir))
      lists.addOwn(digest)
      lists.addKnown([digest])
      if (exclude) addExclude(repository, files)
      if (workTree !== null && typeof reader()(digest) === 'string') writeCopy(files, workTree, digest, bytes)
      return { digest, ref: refOf(digest), written }
    },

    digests: async () => digests(listRefs(commonDir)),

    read: (digest) => read(digest, listRefs(commonDir), true),

    readAll: () => {
      const refs = listRefs(commonDir)
      return load(digests(refs), refs, true)
    },

    audit: async function* (wanted) {
      const refs = listRefs(commonDir)
      const audit = auditor({
        refs,
        copyOf: reader(),
        superseded: (digest) => read(digest, refs, false),
        commitFor: (digest, remnant) => commitFor(digest, remnant, refs),
      })
      for (let at = 0; at < wanted.length; at += CHUNK) {
        const chunk = wanted.slice(at, at + CHUNK)
        const contents = await objects.contents(commitsOf(refs, chunk))
        for (const digest of chunk) yield { digest, faults: await audit(digest, contents.get(digest)) }
      }
    },

    checkout: async () => {
      if (workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree: git worktree list' })
      const refs = listRefs(commonDir)
      const copyOf = reader()
      const open = [...refs.digests].sort().filter((digest) => typeof copyOf(digest) === 'string')
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
    const result = 'fault' in found ? found : stored(digest, found, fresh)
    lists.addKnown(fresh)
    if ('fault' in result) return result.fault
    writeCopy(files, workTree as string, digest, found as Uint8Array)
    return null
  }
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
