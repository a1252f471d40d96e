import { type Lookup, knowing } from '../distill/known.ts'
import type { Claim } from '../model/claim.ts'
import { type CanonicalCommand, commandKey, shown } from '../model/command.ts'
import type { Key } from '../model/key.ts'
import type { Held, Store } from '../model/store.ts'
import type { Invocation, Toolchain } from '../model/toolchain.ts'
import { liveAmong } from '../resolve/liveness.ts'

/** A command that showed something to hold, and must go on passing: each distinct one once. */
export interface Gate {
  readonly command: CanonicalCommand
  /** The live, own claims that name it, sorted by id; there is at least one. */
  readonly claims: readonly Claim[]
  /** What its claims rest on; sorted. */
  readonly keys: readonly Key[]
  /** Whether that it is green rests on all sources of its package too. */
  readonly readsSources: boolean
}

/** What may be opened of a verb's outside. */
interface Place {
  store(): Promise<Store>
  sets(): Promise<{ readonly toolchains: readonly Toolchain[] }>
}

/** The gates of what is stored here. */
export async function gatesHere(host: Place): Promise<readonly Gate[]> {
  const held: Held[] = []
  for await (const stored of (await host.store()).readAll()) if ('remnant' in stored && stored.own) held.push(stored)
  return held.length === 0 ? [] : gatesAmong(held, (await host.sets()).toolchains)
}

/** The regression gates of this clone's own live claims: a stranger's are remote code. Whether a claim's keys drifted says nothing here: the gate does. */
export function gatesAmong(stored: readonly Held[], toolchains: readonly Toolchain[]): readonly Gate[] {
  const lookup = knowing(toolchains)
  const gates = new Map<string, Growing>()
  for (const { remnant, claims } of liveAmong(stored.filter(({ own }) => own))) {
    const causal = new Map(remnant.claim_dependency_map)
    for (const claim of claims) {
      const command = gateOf(claim, lookup)
      if (command === null) continue
      const keys = causal.get(claim.claim_id) ?? []
      const known = gates.get(commandKey(command)) ?? { command, claims: new Map(), keys: new Set(), readsSources: false }
      known.claims.set(claim.claim_id, claim)
      for (const key of keys) known.keys.add(key)
      known.readsSources ||= readsSources(keys, lookup(command).invocation)
      gates.set(commandKey(command), known)
    }
  }
  return [...gates.keys()].sort().map((key) => {
    const { command, claims, keys, readsSources } = gates.get(key) as Growing
    return { command, claims: [...claims.keys()].sort().map((id) => claims.get(id) as Claim), keys: [...keys].sort(), readsSources }
  })
}

interface Growing {
  readonly command: CanonicalCommand
  readonly claims: Map<string, Claim>
  readonly keys: Set<Key>
  readsSources: boolean
}

/** The command by which a claim can be shown again; a declared one only where the declaration itself names it. */
function gateOf(claim: Claim, lookup: Lookup): CanonicalCommand | null {
  if (claim.list === 'debug_residuals') return claim.regression_gate_signature
  if (claim.list !== 'verified_invariants') return null
  const { command, strength } = claim.verification_receipt
  if (lookup(command).invocation?.verifies !== true) return null
  const { verb, kind, value } = claim.effect
  return strength !== 'asserted' || (verb === 'use' && kind === 'command' && value === shown(command)) ? command : null
}

/** Whether what it reads may be any source of its package: that a gate exists does not rest on those, that it is green does. */
function readsSources(keys: readonly Key[], invocation: Invocation | null): boolean {
  if (invocation === null) return !keys.some((key) => /^(?:file|tree):/.test(key))
  if (!invocation.readsSources && !invocation.delegates) return false
  const inferred = new Set(invocation.keys)
  // A traced set is exact already; it is known by files that no convention would have named.
  return !keys.some((key) => key.startsWith('file:') && !inferred.has(key))
}
