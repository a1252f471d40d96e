import type { Outlined } from './outline.ts'
import type { Remnant } from './remnant.ts'
import type { Held, Stored, Unread } from './stored.ts'

export type { Held, Stored, Unread }

export interface Written {
  readonly digest: string
  readonly ref: string
  /** false: it was there already. */
  readonly written: boolean
}

/** One thing that is wrong in a store: what it is about (a digest, a ref or a path), and what would put it right. */
export interface StoreFault {
  readonly subject: string
  readonly fault: string
  readonly repair: string
}

export interface Audited {
  readonly digest: string
  /** Empty: nothing is wrong with it. */
  readonly faults: readonly StoreFault[]
}

/** What is stored, as it lies now. */
export interface Outlook {
  /** While this text is the same, so is what `outlines` answers; null: that can't be promised. */
  readonly mark: string | null
  /** As `readAll`, but no more of each remnant than what its verdict rests on. */
  outlines(): Promise<readonly (Outlined | Unread)[]>
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
  /** A look at all that is stored, for the resolver alone. */
  outlook(): Promise<Outlook>
  /** What is wrong with these remnants, in every place where they are kept. Looking changes nothing. */
  audit(digests: readonly string[]): AsyncIterable<Audited>
  /** Brings copies in the work tree back from git, rewriting those that differ. Throws `missing` where there is no work tree. */
  checkout(): Promise<{ readonly restored: readonly string[]; readonly faults: readonly StoreFault[] }>
}
