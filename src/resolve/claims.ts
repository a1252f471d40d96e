import type { Claim } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import type { Remnant } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import type { ClaimHere, DeltaReport } from '../model/verdict.ts'

/** A remnant with those of its claims that nobody has answered. */
export interface Live extends Held {
  readonly claims: readonly Claim[]
}

/** The live claims as they stand here, before contradictions are looked for. */
export function claimsHere({ remnant, claims }: Live, report: DeltaReport, hashes: ReadonlyMap<Key, string>): ClaimHere[] {
  const keys = new Map(remnant.claim_dependency_map)
  const retained = new Set(report.retained_claims)
  const hasDeed = report.reason !== 'seal-contradiction' && claims.some(({ list }) => list === 'non_idempotent_commits')
  const baselines = hasDeed ? new Map(remnant.baseline_key_hashes) : new Map<Key, string>()
  return claims.map((claim) => ({
    claim,
    keys: keys.get(claim.claim_id) ?? [],
    holds: retained.has(claim.claim_id) || isStillDone(claim, baselines, hashes),
    contradicted: false,
  }))
}

/** The distinct causal keys of some of a remnant's claims. */
export function causalKeys(remnant: Remnant, claims: readonly Claim[]): Set<Key> {
  if (claims.length === remnant.claim_dependency_map.length) return new Set(remnant.claim_dependency_map.flatMap(([, keys]) => keys))
  const counted = new Set(claims.map((claim) => claim.claim_id))
  return new Set(remnant.claim_dependency_map.flatMap(([claim, keys]) => (counted.has(claim) ? keys : [])))
}

/** What was done stays done while its target is the same, whatever else drifts: forgetting it is the dangerous direction. */
function isStillDone(claim: Claim, baselines: ReadonlyMap<Key, string>, hashes: ReadonlyMap<Key, string>): boolean {
  if (claim.list !== 'non_idempotent_commits') return false
  const key = `target:${claim.target.kind}/${claim.target.id}`
  const sealed = baselines.get(key)
  return sealed !== undefined && hashes.get(key) === sealed
}
