import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Files } from '../../host/files.ts'
import type { Repository } from '../../host/git.ts'
import { HEX_64 } from '../../base/digest.ts'
import { openLocalLists } from '../local-lists.ts'
import { REFS, refOf } from '../git/recipe.ts'
import { listRefs } from '../git/refs.ts'
import { openTombstones } from './tombstones.ts'

/** What this clone knows a remote to have got from it: refs, remembered by the remote's address (its digest alone is kept). */
export interface SentList {
  /** Nothing was ever sent there. */
  readonly isFirst: boolean
  has(ref: string): boolean
  /** Durable on return. What is lost by a crash is sent again, and is there already. */
  add(refs: readonly string[]): void
}

export function openSentList(commonDir: string, files: Files, address: string): SentList {
  const path = join(commonDir, 'remnant', 'sent', createHash('sha256').update(address).digest('hex').slice(0, 32))
  const bytes = files.read(path)
  const known = new Set(bytes === null ? [] : linesOf(bytes))
  return {
    isFirst: bytes === null,
    has: (ref) => known.has(ref),
    add: (refs) => {
      const fresh = refs.filter((ref) => !known.has(ref))
      if (fresh.length > 0) files.append(path, fresh.map((ref) => `${ref}\n`).join(''))
      for (const ref of fresh) known.add(ref)
    },
  }
}

/** Refs that may leave: of remnants that this clone sealed and has not forgotten, and of what belongs to those. Sorted. */
export function ownRefs(repository: Repository, files: Files, signatures: readonly string[] = []): string[] {
  const { commonDir } = repository
  const own = openLocalLists(commonDir, files).own()
  const forgotten = openTombstones(commonDir, files).all()
  const refs = listRefs(repository).digests
  const kept = new Set([...own].filter((digest) => refs.has(digest) && !forgotten.has(digest)))
  return [...[...kept].map(refOf), ...signatures.filter((ref) => kept.has(signedBy(ref) ?? ''))].sort()
}

/** The digest of the remnant that a signature's ref belongs to; null: it is no such ref. */
export const signedBy = (ref: string): string | null => /^refs\/remnants\/sig\/([0-9a-f]{64})\/[0-9a-f]{64}$/.exec(ref)?.[1] ?? null

/** The digest that a remnant's ref names; null: it is no remnant's. */
export function digestIn(ref: string): string | null {
  const name = ref.startsWith(REFS) ? ref.slice(REFS.length) : ''
  return HEX_64.test(name) ? name : null
}

const linesOf = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes)
    .toString('latin1')
    .split('\n')
    .filter((line) => line.startsWith(REFS))
