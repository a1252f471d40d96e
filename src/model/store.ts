import type { Remnant } from './remnant.ts'

/** A remnant that was read, or why it could not be. `own`: this clone sealed it. */
export type Stored =
  | { readonly digest: string; readonly remnant: Remnant; readonly own: boolean }
  | { readonly digest: string; readonly fault: string; readonly hint?: string }

export interface Written {
  readonly digest: string
  readonly ref: string
  /** false: it was there already. */
  readonly written: boolean
}

/**
 * Where remnants are kept: content under its digest. Writing is idempotent; a digest never changes its content.
 * Every read re-computes the digest. One suite holds every store to this.
 */
export interface Store {
  /** Throws `unwritable` with nothing half-written. */
  write(remnant: Remnant): Promise<Written>
  /** Sorted. */
  digests(): Promise<readonly string[]>
  /** null: not here. */
  read(digest: string): Promise<Stored | null>
  /** In the order of `digests()`; one bad remnant never hides another. */
  readAll(): AsyncIterable<Stored>
}
