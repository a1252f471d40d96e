import type { Claim } from './claim.ts'
import type { CanonicalCommand } from './command.ts'
import type { Key } from './key.ts'
import { verdictOf } from './outcome.ts'
import type { Rank } from './rank.ts'
import { type Remnant, claimsOf } from './remnant.ts'
import type { Stored, Unread } from './stored.ts'
import { sameText } from './temporary-caches.ts'

/** What a remnant's verdict rests on, without its prose. Outlines share what they have in common: nobody changes one. */
export interface Outline {
  /** Its host and its session: remnants of one session have the same. */
  readonly session: string
  /** When the latest observation was made that a claim names, so written that texts sort as times. */
  readonly instant: string
  readonly seal: Seal
  readonly structural: readonly Key[]
  /** In the order of the remnant's lists. */
  readonly claims: readonly OutlinedClaim[]
  /** Their ids, sorted. */
  readonly ids: readonly string[]
  /** false: it does not say on which keys they rest. */
  readonly isMapped: boolean
  readonly supersedes: Remnant['supersedes']
}

/** Baselines and the fingerprint over them that the record tells, true or not. */
export interface Seal {
  readonly fingerprint: string
  readonly baselines: Remnant['baseline_key_hashes']
}

export class OutlinedClaim {
  readonly id: string
  readonly keys: readonly Key[]
  /** What it says of its command: that it is green, a dead end, or the gate that was red last. */
  readonly says: 'green' | 'deadEnd' | 'handoff' | 'nothing'
  /** Canonical; empty where it says nothing. */
  readonly command: string
  /** Of a deed: the key of its target. */
  readonly target: Key | null
  /** Of a boundary: the public texts of its keys. */
  readonly texts: readonly (readonly [Key, string])[]

  constructor(id: string, keys: readonly Key[], says: OutlinedClaim['says'], command: string, target: Key | null = null, texts: OutlinedClaim['texts'] = NO_TEXTS) {
    this.id = id
    this.keys = keys
    this.says = says
    this.command = command
    this.target = target
    this.texts = texts
  }
}

const NO_TEXTS: OutlinedClaim['texts'] = []

/** An outline in the store, and how far its remnant is trusted here, now. */
export interface Outlined {
  readonly digest: string
  readonly rank: Rank
  readonly outline: Outline
}

/** The outline of a whole remnant. */
export function outlineOf(remnant: Remnant): Outline {
  const known = outlines.get(remnant)
  if (known !== undefined) return known
  const keys = new Map(remnant.claim_dependency_map)
  const claims = claimsOf(remnant).map((claim) => claimOf(claim, keys.get(claim.claim_id) ?? []))
  const outline = {
    session: sessionOf(remnant.provenance.host, remnant.session_id),
    instant: instantOf(remnant.provenance.observed_until),
    seal: { fingerprint: remnant.environment_fingerprint, baselines: remnant.baseline_key_hashes },
    structural: remnant.structural_keys,
    claims,
    ids: claims.map(({ id }) => id).sort(),
    isMapped: remnant.claim_dependency_map.length > 0,
    supersedes: remnant.supersedes,
  }
  outlines.set(remnant, outline)
  return outline
}

/** A whole remnant by its outline; what could not be read as it is. */
export const outlined = (stored: Stored): Outlined | Unread =>
  'fault' in stored ? stored : { digest: stored.digest, rank: stored.rank, outline: outlineOf(stored.remnant) }

/** Remnants do not change. */
const outlines = new WeakMap<Remnant, Outline>()

/** No host's id holds a space. */
export const sessionOf = (host: string, session: string): string => `${host} ${session}`

/** Times may have fractions or none, so that their texts do not sort as they are. */
export function instantOf(time: string): string {
  const [whole, fraction = ''] = time.slice(0, -1).split('.')
  return `${whole}.${fraction.padEnd(9, '0')}`
}

export const targetKey = (target: { readonly kind: string; readonly id: string }): Key => `target:${target.kind}/${target.id}`

function claimOf(claim: Claim, keys: readonly Key[]): OutlinedClaim {
  const told = (says: OutlinedClaim['says'], command: CanonicalCommand, texts?: OutlinedClaim['texts']): OutlinedClaim =>
    new OutlinedClaim(claim.claim_id, keys, says, sameText(command), null, texts)
  switch (claim.list) {
    case 'verified_invariants':
      if (verdictOf(claim.verification_receipt.outcome) === true) return told('green', claim.verification_receipt.command)
      return new OutlinedClaim(claim.claim_id, keys, 'nothing', '')
    case 'debug_residuals':
      return told('green', claim.regression_gate_signature)
    case 'falsified_boundaries':
      return told('deadEnd', claim.path, claim.precondition.filter((pair): pair is [Key, string] => pair[1] !== null))
    case 'unresolved_handoffs':
      return told('handoff', claim.failing_gate)
    case 'non_idempotent_commits':
      return new OutlinedClaim(claim.claim_id, keys, 'nothing', '', targetKey(claim.target))
  }
}
