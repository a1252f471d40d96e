import type { Claim } from '../../model/claim.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import { claimsOf } from '../../model/remnant.ts'
import type { Held } from '../../model/store.ts'

/** The command of a failure that answers a gate of the same command, itself or by way of earlier failures; null: it never was one. */
export type RedGateOf = (claim: Claim, digest: string) => CanonicalCommand | null

/**
 * Gates that were probed and found red: the failure that a reprobe sealed in a gate's place says what is, and withdraws nothing.
 * `gateOf`: the command that a claim is a gate by; null: none.
 */
export function redGates(stored: readonly Held[], gateOf: (claim: Claim) => CanonicalCommand | null): RedGateOf {
  const held = new Map(stored.map((one) => [one.digest, one]))
  const commandsOf = new Map<string, { readonly gates: ReadonlySet<string>; readonly reds: ReadonlySet<string> }>()
  // What a remnant answers in another one, by what that says of commands.
  const answeredIn = (digest: string, ids: readonly string[]) => {
    const name = `${digest} ${ids.join(' ')}`
    const known = commandsOf.get(name)
    if (known !== undefined) return known
    const remnant = held.get(digest)?.remnant
    const answered = new Set(ids)
    const claims = remnant === undefined ? [] : claimsOf(remnant).filter(({ claim_id }) => answered.has(claim_id))
    const keysOf = (of: (claim: Claim) => CanonicalCommand | null): ReadonlySet<string> => new Set(claims.flatMap((claim) => of(claim) ?? []).map(commandKey))
    const found = { gates: keysOf(gateOf), reds: keysOf(failingIn) }
    commandsOf.set(name, found)
    return found
  }
  return (claim, digest) => {
    const command = failingIn(claim)
    if (command === null) return null
    const key = commandKey(command)
    const open = [digest]
    const seen = new Set(open)
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const [older, ids] of held.get(at)?.remnant.supersedes ?? []) {
        const { gates, reds } = answeredIn(older, ids)
        if (gates.has(key)) return command
        if (!reds.has(key) || seen.has(older)) continue
        seen.add(older)
        open.push(older)
      }
    return null
  }
}

/** The command that a claim says fails; null: it says so of none. */
function failingIn(claim: Claim): CanonicalCommand | null {
  if (claim.list === 'falsified_boundaries') return claim.path
  return claim.list === 'unresolved_handoffs' ? claim.failing_gate : null
}
