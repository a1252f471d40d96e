import { RemnantError } from '../base/errors.ts'
import type { Claim } from '../model/claim.ts'
import { claimsOf } from '../model/remnant.ts'
import type { Held, Stored } from '../model/store.ts'

/** A claim, and the remnants that make it. */
export interface Chosen {
  readonly claim: Claim
  readonly held: readonly Held[]
}

/**
 * The claims that a name stands for: a claim's own id, or the digest of a remnant, which stands for all of its claims; at
 * least the first 4 digits. Empty: there is none. Throws `misuse` where it could be several, `corrupt` for a damaged remnant.
 */
export function claimsNamed(name: string, stored: readonly Stored[]): Chosen[] {
  if (!/^[0-9a-f]{4,64}$/.test(name)) throw new RemnantError('misuse', 'claim is not 4 to 64 hexadecimal digits', { hint: '"git remnant brief" and "git remnant list" show ids' })
  const remnants = stored.filter(({ digest }) => digest.startsWith(name))
  const claims = new Map<string, { claim: Claim; held: Held[] }>()
  for (const one of stored) {
    if (!('remnant' in one)) continue
    for (const claim of claimsOf(one.remnant)) {
      if (!claim.claim_id.startsWith(name) && !remnants.includes(one)) continue
      const known = claims.get(claim.claim_id)
      if (known === undefined) claims.set(claim.claim_id, { claim, held: [one] })
      else known.held.push(one)
    }
  }
  const named = [...claims.keys()].filter((id) => id.startsWith(name)).length + remnants.length
  if (named > 1) throw new RemnantError('misuse', `"${name}" begins the names of ${named} claims and remnants`, { hint: 'give more digits' })
  const [remnant] = remnants
  if (remnant !== undefined && 'fault' in remnant) throw new RemnantError('corrupt', remnant.fault, { hint: remnant.hint ?? '"git remnant verify" says what can be done' })
  return [...claims.values()]
}
