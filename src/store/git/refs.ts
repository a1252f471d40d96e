import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HEX_64, oidForm } from '../../base/digest.ts'
import { RemnantError, codeOf } from '../../base/errors.ts'
import { type Repository, gitNow } from '../../host/git.ts'
import { plainText } from '../../model/plain.ts'
import { REFS } from './recipe.ts'

/** What a ref says: the id of its commit, or that it says nothing that git would take. */
export type Ref = { readonly oid: string } | { readonly damaged: string }

/** Where refs lie, and what they look like. */
export type RefPlace = Pick<Repository, 'commonDir' | 'objectFormat' | 'refStorage'>

/** The remnants' refs of one repository, listed in one pass over its files; a loose one is opened when it is asked for. */
export interface Refs {
  readonly digests: ReadonlySet<string>
  /** null: there is no such ref. */
  get(digest: string): Ref | null
}

/** Reads which remnants have refs, now. Throws `corrupt` where git's own files can't be read. */
export function listRefs(place: RefPlace): Refs {
  if (place.refStorage === 'reftable') return refsOfTable(place)
  const { commonDir } = place
  // Loose before packed: what git packs in between is then seen twice, never not at all.
  const loose = looseNames(commonDir)
  const packed = packedRefs(place)
  const digests = new Set([...loose, ...packed.keys()])
  const get = (digest: string): Ref | null => {
    if (!digests.has(digest)) return null
    if (!loose.has(digest)) return packedRef(packed, digest)
    // A loose ref that is gone by now has been packed since, or removed.
    return readLoose(place, digest) ?? packedRef(packedRefs(place), digest)
  }
  return { digests, get }
}

/** The same, listed when it is first asked for anything. */
export function listRefsLater(place: RefPlace): Refs {
  let listed: Refs | undefined
  const refs = (): Refs => (listed ??= listRefs(place))
  return {
    get digests() {
      return refs().digests
    },
    get: (digest) => refs().get(digest),
  }
}

/** One ref as it stands now; null: there is none. */
export const readRef = (place: RefPlace, digest: string): Ref | null =>
  place.refStorage === 'reftable' ? refsOfTable(place, digest).get(digest) : (readLoose(place, digest) ?? packedRef(packedRefs(place), digest))

/** The file of a ref in which a crash left nothing, so that nothing is lost with it; null: it is no such one. */
export function emptyRef(place: RefPlace, digest: string): string | null {
  if (place.refStorage !== 'files') return null
  const path = join(place.commonDir, REFS, digest)
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size === 0 ? path : null
}

/** What refs under refs/remnants (or one pattern there) name, as git lists them: for refs that lie in no files. Throws `missing` where git can't. */
export function refsByGit(commonDir: string, pattern = REFS): ReadonlyMap<string, string> {
  const { status, stdout, stderr } = gitNow(commonDir, ['for-each-ref', '--format=%(objectname) %(refname)', pattern])
  if (status !== 0) throw new RemnantError('missing', `git can't list the refs of "${commonDir}": ${plainText(stderr.trim().replace(/\s+/g, ' '), 200)}`, { hint: 'refs in a table need git 2.45 or later' })
  return new Map([...stdout.matchAll(/^([0-9a-f]+) (refs\/\S+)$/gm)].map(([, oid, ref]) => [ref as string, oid as string]))
}

function refsOfTable({ commonDir, objectFormat }: RefPlace, digest = ''): Refs {
  const form = new RegExp(`^${oidForm(objectFormat)}$`)
  const found = new Map<string, Ref>()
  for (const [ref, oid] of refsByGit(commonDir, `${REFS}${digest}`)) {
    const name = ref.slice(REFS.length)
    if (HEX_64.test(name)) found.set(name, form.test(oid) ? { oid } : { damaged: 'names no commit' })
  }
  return { digests: new Set(found.keys()), get: (digest) => found.get(digest) ?? null }
}

function looseNames(commonDir: string): Set<string> {
  try {
    return new Set(readdirSync(join(commonDir, REFS)).filter((name) => HEX_64.test(name)))
  } catch (cause) {
    if (ABSENT.includes(codeOf(cause) ?? '')) return new Set()
    throw unreadable(REFS, cause)
  }
}

function readLoose({ commonDir, objectFormat }: RefPlace, digest: string): Ref | null {
  let text: string
  try {
    text = readFileSync(join(commonDir, REFS, digest), 'utf8')
  } catch (cause) {
    if (ABSENT.includes(codeOf(cause) ?? '')) return null
    if (codeOf(cause) === 'EISDIR') return { damaged: 'is a folder' }
    throw unreadable(`${REFS}${digest}`, cause)
  }
  const oid = new RegExp(`^(${oidForm(objectFormat)})\\s*$`).exec(text)?.[1]
  return oid === undefined ? { damaged: text === '' ? 'is empty' : 'names no commit' } : { oid }
}

function packedRef(packed: ReadonlyMap<string, string>, digest: string): Ref | null {
  const oid = packed.get(digest)
  return oid === undefined ? null : { oid }
}

/** What `packed-refs` said last. It is never written in place, so that another content has another inode or time. */
let lastPacked: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | undefined

function packedRefs({ commonDir, objectFormat }: RefPlace): ReadonlyMap<string, string> {
  const path = join(commonDir, 'packed-refs')
  let text: string
  let stamp: string
  try {
    const stat = statSync(path, { bigint: true })
    stamp = [path, stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
    if (lastPacked?.stamp === stamp) return lastPacked.refs
    text = readFileSync(path, 'latin1')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return new Map()
    throw unreadable('packed-refs', cause)
  }
  const found = new Map<string, string>()
  for (const [, oid, digest] of text.matchAll(new RegExp(`^(${oidForm(objectFormat)}) ${REFS}([0-9a-f]{64})$`, 'gm'))) found.set(digest as string, oid as string)
  lastPacked = { stamp, refs: found }
  return found
}

const ABSENT = ['ENOENT', 'ENOTDIR']

const unreadable = (what: string, cause: unknown): RemnantError =>
  new RemnantError('corrupt', `"${what}" of the git directory can't be read`, { hint: 'git fsck', cause })
