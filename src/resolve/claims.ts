import type { Claim } from '../model/claim.ts'
import type { Held } from '../model/store.ts'

/** A remnant with those of its claims that nobody has answered. */
export interface Live extends Held {
  readonly claims: readonly Claim[]
}
