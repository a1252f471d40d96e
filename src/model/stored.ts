import type { Rank } from './rank.ts'
import type { Remnant } from './remnant.ts'

/** A remnant that was read, and how far it is trusted here, now. */
export interface Held {
  readonly digest: string
  readonly remnant: Remnant
  readonly rank: Rank
}

/** A remnant that was read, or why it could not be. */
export type Stored = Held | Unread

export interface Unread {
  readonly digest: string
  readonly fault: string
  readonly hint?: string
}
