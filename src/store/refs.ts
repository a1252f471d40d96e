import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HEX_64 } from '../base/digest.ts'
import { RemnantError, codeOf } from '../base/errors.ts'
import { REFS } from './recipe.ts'

/** What a ref says: the id of its commit, or that it says nothing that git would take. */
export type Ref = { readonly oid: string } | { readonly damaged: string }

/** The remnants' refs of one repository, listed in one pass over its files; a loose one is opened when it is asked for. */
export interface Refs {
  readonly digests: ReadonlySet<string>
  /** null: there is no such ref. */
  get(digest: string): Ref | null
}

/** Reads which remnants have refs, now. Throws `corrupt` where git's own files can't be read. */
export function listRefs(commonDir: string): Refs {
  // Loose before packed: what git packs in between is then seen twice, never not at all.
  const loose = looseNames(commonDir)
  const packed = packedRefs(commonDir)
  const digests = new Set([...loose, ...packed.keys()])
  const get = (digest: string): Ref | null => {
    if (!digests.has(digest)) return null
    if (!loose.has(digest)) return packedRef(packed, digest)
    // A loose ref that is gone by now has been packed since, or removed.
    return readLoose(commonDir, digest) ?? packedRef(packedRefs(commonDir), digest)
  }
  return { digests, get }
}

/** One ref as it stands now; null: there is none. */
export const readRef = (commonDir: string, digest: string): Ref | null => readLoose(commonDir, digest) ?? packedRef(packedRefs(commonDir), digest)

function looseNames(commonDir: string): Set<string> {
  try {
    return new Set(readdirSync(join(commonDir, REFS)).filter((name) => HEX_64.test(name)))
  } catch (cause) {
    if (ABSENT.includes(codeOf(cause) ?? '')) return new Set()
    throw unreadable(REFS, cause)
  }
}

function readLoose(commonDir: string, digest: string): Ref | null {
  let text: string
  try {
    text = readFileSync(join(commonDir, REFS, digest), 'utf8')
  } catch (cause) {
    if (ABSENT.includes(codeOf(cause) ?? '')) return null
    if (codeOf(cause) === 'EISDIR') return { damaged: 'is a folder' }
    throw unreadable(`${REFS}${digest}`, cause)
  }
  const oid = /^([0-9a-f]{40})\s*$/.exec(text)?.[1]
  return oid === undefined ? { damaged: text === '' ? 'is empty' : 'names no commit' } : { oid }
}

function packedRef(packed: ReadonlyMap<string, string>, digest: string): Ref | null {
  const oid = packed.get(digest)
  return oid === undefined ? null : { oid }
}

function packedRefs(commonDir: string): Map<string, string> {
  let text: string
  try {
    text = readFileSync(join(commonDir, 'packed-refs'), 'latin1')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return new Map()
    throw unreadable('packed-refs', cause)
  }
  const found = new Map<string, string>()
  for (const [, oid, digest] of text.matchAll(/^([0-9a-f]{40}) refs\/remnants\/([0-9a-f]{64})$/gm)) found.set(digest as string, oid as string)
  return found
}

const ABSENT = ['ENOENT', 'ENOTDIR']

const unreadable = (what: string, cause: unknown): RemnantError =>
  new RemnantError('corrupt', `"${what}" of the git directory can't be read`, { hint: 'git fsck', cause })
