import type { Claim } from '../../model/claim.ts'
import type { CanonicalCommand } from '../../model/command.ts'
import { instantOf, sessionOf } from '../../model/outline.ts'
import { claimsOf } from '../../model/remnant.ts'
import type { Held } from '../../model/store.ts'
import { sameKey } from '../../model/temporary-caches.ts'

/** The command of a failure that stands in the place of a gate of the same command, itself or by way of earlier failures; null: it never was one. */
export type RedGateOf = (claim: Claim, digest: string) => CanonicalCommand | null

/**
 * Gates that were found red: the failure that a reprobe sealed in a gate's place, or that the same session saw later, says what is,
 * and withdraws nothing.
 * `gateOf`: the command that a claim is a gate by; null: none.
 */
export function redGates(stored: readonly Held[], gateOf: (claim: Claim) => CanonicalCommand | null): RedGateOf {
  const held = new Map(stored.map((one) => [one.digest, one]))
  const sessions = new Map<string, Held[]>()
  for (const one of stored) {
    const known = sessions.get(nameOf(one))
    if (known === undefined) sessions.set(nameOf(one), [one])
    else known.push(one)
  }
  const commandsOf = new Map<string, { readonly gates: ReadonlySet<string>; readonly reds: ReadonlySet<string> }>()
  // What a remnant answers in another one, by what that says of commands.
  const answeredIn = (digest: string, ids: readonly string[]) => {
    const name = `${digest} ${ids.join(' ')}`
    const known = commandsOf.get(name)
    if (known !== undefined) return known
    const remnant = held.get(digest)?.remnant
    const answered = new Set(ids)
    const claims = remnant === undefined ? [] : claimsOf(remnant).filter(({ claim_id }) => answered.has(claim_id))
    const keysOf = (of: (claim: Claim) => CanonicalCommand | null): ReadonlySet<string> => new Set(claims.flatMap((claim) => of(claim) ?? []).map(sameKey))
    const found = { gates: keysOf(gateOf), reds: keysOf(failingIn) }
    commandsOf.set(name, found)
    return found
  }
  // What a remnant answers, and those of its session, of which the last one stands for all.
  const replacedBy = (digest: string): (readonly [string, readonly string[]])[] => {
    const one = held.get(digest)
    if (one === undefined) return []
    const others = (sessions.get(nameOf(one)) ?? []).filter((other) => other !== one && untilOf(other) <= untilOf(one))
    return [...one.remnant.supersedes, ...others.map(({ digest: older, remnant }) => [older, claimsOf(remnant).map(({ claim_id }) => claim_id)] as const)]
  }
  return (claim, digest) => {
    const command = failingIn(claim)
    if (command === null) return null
    const key = sameKey(command)
    const open = [digest]
    const seen = new Set(open)
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const [older, ids] of replacedBy(at)) {
        const { gates, reds } = answeredIn(older, ids)
        if (gates.has(key)) return command
        if (!reds.has(key) || seen.has(older)) continue
        seen.add(older)
        open.push(older)
      }
    return null
  }
}

const untilOf = ({ remnant: { provenance } }: Held): string => instantOf(provenance.observed_until)
const nameOf = ({ rank, remnant: { session_id, provenance } }: Held): string => `${rank} ${sessionOf(provenance.host, session_id)}`

/** The command that a claim says fails; null: it says so of none. */
function failingIn(claim: Claim): CanonicalCommand | null {
  if (claim.list === 'falsified_boundaries') return claim.path
  return claim.list === 'unresolved_handoffs' ? claim.failing_gate : null
}
