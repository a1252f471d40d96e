import { sha256 } from '../../base/digest.ts'
import { type Lookup, knowing } from '../../distill/known.ts'
import type { Claim } from '../../model/claim.ts'
import { type CanonicalCommand, shown } from '../../model/command.ts'
import type { Key } from '../../model/key.ts'
import { type Rank, byRank, isTrusted } from '../../model/rank.ts'
import type { Held, Store } from '../../model/store.ts'
import { claimsOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import { sameKey, withoutCaches } from '../../model/temporary-caches.ts'
import type { Invocation, Toolchain } from '../../model/toolchain.ts'
import type { Live } from '../../resolve/claims.ts'
import { answerersOf, liveAmong, successorOf } from '../../resolve/liveness.ts'
import { obstacleToApproval } from '../../resolve/plan.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'
import { endedRedIn } from '../purge-log.ts'
import { redGates } from './red-gates.ts'

/** A command that showed something to hold, and must go on passing: each distinct one once. */
export interface Gate {
  readonly command: CanonicalCommand
  /** The live, trusted claims that name it, sorted by id; there is at least one. */
  readonly claims: readonly Claim[]
  /** What its claims rest on; sorted. */
  readonly keys: readonly Key[]
  /** Those that were sealed as not there: what it names so need not be a path (`jest unit/sum` names every test whose path holds that). */
  readonly absent?: ReadonlySet<Key>
  /** Whether that it is green rests on all sources of its package too. */
  readonly readsSources: boolean
  /** The highest rank of those remnants: what was signed by an accepted key needs no approval, unless it may change the outside. */
  readonly rank: Rank
}

/** What may be opened of a verb's outside. */
interface Place {
  repository(): Promise<Repository>
  readonly files: Files
  store(): Promise<Store>
  sets(): Promise<Pick<Sets, 'toolchains' | 'mutations'>>
}

/** The gates of what is stored here. `signed`: digests that count as signed for this run alone. */
export async function gatesHere(host: Place, signed: ReadonlySet<string> = new Set()): Promise<readonly Gate[]> {
  const held: Held[] = []
  for await (const stored of (await host.store()).readAll()) {
    if (!('remnant' in stored)) continue
    const one = !isTrusted(stored.rank) && signed.has(stored.digest) ? { ...stored, rank: 'signed' as const } : stored
    if (isTrusted(one.rank)) held.push(one)
  }
  if (held.length === 0) return []
  const sets = await host.sets()
  const repository = await host.repository()
  const endedRed: EndedRed = ({ remnant: { provenance, session_id } }) => endedRedIn(provenance.host, session_id, repository, host.files)
  return gatesAmong(held, sets.toolchains, endedRed).map((gate) =>
    gate.rank === 'signed' && gate.claims.every((claim) => obstacleToApproval(claim, sets) !== null) ? { ...gate, rank: 'other' as const } : gate,
  )
}

/**
 * The regression gates of live claims that this clone sealed or an accepted key signed: a stranger's are remote code. Whether a
 * claim's keys drifted says nothing here: the gate does. One that a reprobe, or its own session later, found red is a gate still, until it is green again;
 * so is one of which its session later sealed nothing although it had ended red (`endedRed`).
 */
export function gatesAmong(stored: readonly Held[], toolchains: readonly Toolchain[], endedRed: EndedRed = () => () => false): readonly Gate[] {
  const lookup = knowing(toolchains)
  const trusted = stored.filter(({ rank }) => isTrusted(rank))
  const redGateOf = redGates(trusted, (claim) => gateOf(claim, lookup))
  const gates = new Map<string, Growing>()
  for (const { digest, remnant, rank, claims } of [...liveAmong(trusted), ...silentlyRed(trusted, endedRed, lookup)]) {
    const causal = new Map(remnant.claim_dependency_map)
    for (const claim of claims) {
      const command = gateOf(claim, lookup) ?? redGateOf(claim, digest)
      if (command === null) continue
      const keys = causal.get(claim.claim_id) ?? []
      const known = gates.get(sameKey(command)) ?? { command, claims: new Map(), keys: new Set(), absent: new Set<Key>(), readsSources: false, rank }
      if (byRank(rank, known.rank) < 0) known.rank = rank
      known.claims.set(claim.claim_id, claim)
      for (const key of keys) known.keys.add(key)
      for (const [key, hash] of remnant.baseline_key_hashes) if (hash === ABSENT && keys.includes(key)) known.absent.add(key)
      known.readsSources ||= readsSources(keys, lookup(command).invocation)
      gates.set(sameKey(command), known)
    }
  }
  return [...gates.keys()].sort().map((key) => {
    const { command, claims, keys, absent, readsSources, rank } = gates.get(key) as Growing
    return { command, claims: [...claims.keys()].sort().map((id) => claims.get(id) as Claim), keys: [...keys].sort(), absent, readsSources, rank }
  })
}

/** Whether its session's last teardown here found that a command had ended red, and sealed nothing of it. */
type EndedRed = (held: Held) => (command: CanonicalCommand) => boolean

/** Gates that this clone sealed, and in whose place their session's later remnant says nothing, although they had ended red. */
function silentlyRed(stored: readonly Held[], endedRed: EndedRed, lookup: Lookup): Live[] {
  return stored.flatMap((held) => {
    if (held.rank !== 'own') return []
    const isRed = endedRed(held)
    const claims = claimsOf(held.remnant).filter((claim) => {
      const command = gateOf(claim, lookup)
      return command !== null && isRed(command) && answerersOf(held, claim.claim_id, stored).length === 0
    })
    return claims.length === 0 || successorOf(held, stored).length === 0 ? [] : [{ digest: held.digest, remnant: held.remnant, rank: held.rank, claims }]
  })
}

const ABSENT = sha256('absent')

interface Growing {
  readonly command: CanonicalCommand
  readonly claims: Map<string, Claim>
  readonly keys: Set<Key>
  readonly absent: Set<Key>
  readsSources: boolean
  rank: Rank
}

/** The command by which a claim can be shown again; a declared one only where the declaration itself names it. */
function gateOf(claim: Claim, lookup: Lookup): CanonicalCommand | null {
  if (claim.list === 'debug_residuals') return claim.regression_gate_signature
  if (claim.list !== 'verified_invariants') return null
  const { command, strength } = claim.verification_receipt
  if (lookup(command).invocation?.verifies !== true) return null
  const { verb, kind, value } = claim.effect
  return strength !== 'asserted' || (verb === 'use' && kind === 'command' && value === shown(command)) ? withoutCaches(command) : null
}

/** Whether what it reads may be any source of its package: that a gate exists does not rest on those, that it is green does. */
function readsSources(keys: readonly Key[], invocation: Invocation | null): boolean {
  if (invocation === null) return !keys.some((key) => /^(?:file|tree):/.test(key))
  if (!invocation.readsSources && !invocation.delegates) return false
  const inferred = new Set(invocation.keys)
  // A traced set is exact already; it is known by files that no convention would have named.
  return !keys.some((key) => key.startsWith('file:') && !inferred.has(key))
}
