import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HEX_64, type ObjectFormat, oidForm, sha256 } from '../../base/digest.ts'
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

/** Refs as they lie now, in one text, which is another where one may have come, gone, or name another commit; but for what a loose one names. */
export interface LyingRefs extends Refs {
  readonly mark: string
  /** Those that have a file of their own. */
  readonly loose: ReadonlySet<string>
}

/** Reads which remnants have refs, now. Throws `corrupt` where git's own files can't be read. */
export function listRefs(place: RefPlace): LyingRefs {
  if (place.refStorage === 'reftable') return refsOfTable(place)
  const { commonDir } = place
  // Loose before packed: what git packs in between is then seen twice, never not at all.
  const loose = looseNames(commonDir)
  const packed = packedRefs(place)
  let digests: ReadonlySet<string> | undefined
  return {
    mark: sha256([packed.mark, ...[...loose].sort()].join('\n')),
    loose,
    get digests() {
      return (digests ??= new Set([...loose, ...packed.refs().keys()]))
    },
    get(digest) {
      if (!loose.has(digest)) return packedRef(packed, digest)
      // A loose ref that is gone by now has been packed since, or removed.
      return readLoose(place, digest) ?? packedRef(packedRefs(place), digest)
    },
  }
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

function refsOfTable({ commonDir, objectFormat }: RefPlace, digest = ''): LyingRefs {
  const form = new RegExp(`^${oidForm(objectFormat)}$`)
  const found = new Map<string, Ref>()
  for (const [ref, oid] of refsByGit(commonDir, `${REFS}${digest}`)) {
    const name = ref.slice(REFS.length)
    if (HEX_64.test(name)) found.set(name, form.test(oid) ? { oid } : { damaged: 'names no commit' })
  }
  return { digests: new Set(found.keys()), get: (digest) => found.get(digest) ?? null, mark: sha256(JSON.stringify([...found])), loose: new Set() }
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

function packedRef(packed: Packed, digest: string): Ref | null {
  const oid = packed.refs().get(digest)
  return oid === undefined ? null : { oid }
}

/** The file of packed refs as it lies. */
interface Packed {
  readonly mark: string
  refs(): ReadonlyMap<string, string>
}

const NOTHING_PACKED: Packed = { mark: '', refs: () => new Map() }

/** What `packed-refs` said last. It is never written in place, so that another content has another inode or time. */
let lastPacked: { readonly stamp: string; readonly packed: Packed } | undefined

function packedRefs({ commonDir, objectFormat }: RefPlace): Packed {
  const path = join(commonDir, 'packed-refs')
  try {
    const stat = statSync(path, { bigint: true })
    const stamp = [path, stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
    if (lastPacked?.stamp !== stamp) lastPacked = { stamp, packed: packedIn(readFileSync(path), objectFormat) }
    return lastPacked.packed
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return NOTHING_PACKED
    throw unreadable('packed-refs', cause)
  }
}

/** What stands in the file is read when it is asked for. */
function packedIn(bytes: Buffer, format: ObjectFormat): Packed {
  let refs: Map<string, string> | undefined
  return {
    mark: sha256(bytes),
    refs() {
      if (refs !== undefined) return refs
      refs = new Map()
      for (const [, oid, digest] of bytes.toString('latin1').matchAll(new RegExp(`^(${oidForm(format)}) ${REFS}([0-9a-f]{64})$`, 'gm'))) refs.set(digest as string, oid as string)
      return refs
    },
  }
}

const ABSENT = ['ENOENT', 'ENOTDIR']

const unreadable = (what: string, cause: unknown): RemnantError =>
  new RemnantError('corrupt', `"${what}" of the git directory can't be read`, { hint: 'git fsck', cause })
