import { join } from 'node:path'
import * as z from 'zod/mini'
import { canonical, decodeUtf8, parseStrict } from '../../base/canonical.ts'
import { HEX_64, sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import { Sha256, Time } from '../../base/schema.ts'
import type { Files } from '../../host/files.ts'

export const TOMBSTONE_SCHEMA = 'git-remnant/tombstone/1'

/** Says that this clone wants a remnant no more. `replaced_by`: the remnant that says the rest of it. */
export const Tombstone = z.strictObject({
  schema: z.literal(TOMBSTONE_SCHEMA),
  remnant: Sha256,
  forgotten_at: Time,
  replaced_by: z.nullable(Sha256),
})
export type Tombstone = z.infer<typeof Tombstone>

/**
 * The tombstones of a clone: objects of their own, canonical JSON named by their digest, in `remnant/tombstones/` of the common
 * git directory under the digest of what was forgotten. They are local: no ref names them, and no push takes them along.
 */
export interface Tombstones {
  /** A folder of that name is enough: what can't be read keeps away rather than lets in. Looked at anew at each call, as `all` is. */
  has(digest: string): boolean
  all(): ReadonlySet<string>
  /** The newest; null: there is none that can be read. */
  read(digest: string): Tombstone | null
  /** Durable on return. Throws `unwritable`. */
  add(tombstone: Omit<Tombstone, 'schema'>): void
  /** false: there was none. */
  lift(digest: string): boolean
  /** What is wrong with them, in words. */
  audit(): readonly { readonly path: string; readonly fault: string }[]
}

export function openTombstones(commonDir: string, files: Files): Tombstones {
  const top = join(commonDir, 'remnant', 'tombstones')
  const all = (): Set<string> => new Set(files.list(top).flatMap(({ name }) => (HEX_64.test(name) ? [name] : [])))
  const has = (digest: string): boolean => files.stat(join(top, digest)) !== null
  const of = (digest: string): { path: string; name: string }[] => files.list(join(top, digest)).map(({ name }) => ({ path: join(top, digest, name), name: name.replace(/\.json$/, '') }))
  const decoded = (path: string, name: string, digest: string): Tombstone | string => {
    try {
      return read(files.read(path) ?? new Uint8Array(), name, digest)
    } catch (thrown) {
      if (thrown instanceof RemnantError) return thrown.message
      throw thrown
    }
  }
  return {
    has,
    all,
    read: (digest) =>
      of(digest)
        .map(({ path, name }) => decoded(path, name, digest))
        .filter((one) => typeof one !== 'string')
        .sort((a, b) => (a.forgotten_at < b.forgotten_at ? 1 : -1))[0] ?? null,
    add: (tombstone) => {
      const bytes = canonical({ schema: TOMBSTONE_SCHEMA, ...tombstone })
      files.write(join(top, tombstone.remnant, `${sha256(bytes)}.json`), bytes, 0o600)
    },
    lift: (digest) => {
      if (!has(digest)) return false
      for (const { path } of of(digest)) files.remove(path)
      files.remove(join(top, digest))
      return true
    },
    audit: () =>
      [...all()].sort().flatMap((digest) =>
        of(digest).flatMap(({ path, name }) => {
          const one = decoded(path, name, digest)
          return typeof one === 'string' ? [{ path, fault: one }] : []
        }),
      ),
  }
}

function read(bytes: Uint8Array, name: string, digest: string): Tombstone {
  const what = `tombstone "${name.slice(0, 12)}"`
  if (sha256(bytes) !== name) throw new RemnantError('malformed', `${what} does not hash to its name`)
  const text = decodeUtf8(bytes)
  const result = Tombstone.safeParse(parseStrict(text))
  if (!result.success || canonical(result.data) !== text) throw new RemnantError('malformed', `${what} is not in its form`)
  if (result.data.remnant !== digest) throw new RemnantError('malformed', `${what} lies under another remnant's name`)
  return result.data
}
