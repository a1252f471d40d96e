import type { Key } from '../model/key.ts'
import type { DeltaReport, Manifest, Verdict, VerdictReason } from '../model/verdict.ts'
import { type SealHere, sealOver, sorted } from './seal.ts'

/**
 * The delta report of one record (003): which named keys drifted, and which claims that leaves standing.
 * `current`: SHA-256 by key of what was read now; a key that is missing from it has drifted. Keys that the record does not
 * name are never looked at. Lists are sorted by UTF-16 code units, as canonical JSON sorts names. Linear but for that sorting.
 */
export function isolate(manifest: Manifest, current: ReadonlyMap<string, string>): DeltaReport {
  const { precondition_seal, baseline_key_hashes, structural_keys, claim_dependency_map } = manifest
  const delta = deltaOf(sealOver(precondition_seal, baseline_key_hashes, current), structural_keys, claim_dependency_map, ([, keys]) => keys)
  return reportOf(delta, claim_dependency_map.map(([id]) => id), null)
}

/** A delta report without the claims' names, so that it is the same for all that rest on the same keys. */
export interface Delta {
  readonly verdict: Verdict
  readonly reason: VerdictReason
  readonly drifted_keys: readonly Key[]
  /** Which claims are retained, or of each, in their order; `unsaid`: none is named on either side. */
  readonly stands: 'all' | 'none' | 'unsaid' | readonly boolean[]
}

/** The same where the seal was looked at before. `keysOf`: the keys on which a claim rests. */
export function deltaOf<C>(seal: SealHere, structural: readonly Key[], claims: readonly C[], keysOf: (claim: C) => readonly Key[]): Delta {
  // Where the seal contradicts the baselines, neither can be believed: no drift may be laid to any key, and no claim stands.
  if (seal.isBroken) return full('seal-contradiction', [])
  if (seal.isEmpty || claims.length === 0) return full('no-manifest', [], 'unsaid')

  const base = seal.of(structural)
  let unsealed: Set<Key> | null = base.unsealed.length === 0 ? null : new Set(base.unsealed)
  // The two sides are told apart only from where there are two: mostly there is one.
  let stands: boolean[] | null = null
  let isTouched = false
  let at = 0
  for (const claim of claims) {
    const touch = seal.of(keysOf(claim))
    if (at === 0) isTouched = touch.isTouched
    else if (stands === null && touch.isTouched !== isTouched) {
      stands = []
      for (let i = 0; i < at; i++) stands.push(!isTouched)
    }
    if (stands !== null) stands.push(!touch.isTouched)
    at += 1
    if (touch.unsealed.length > 0) {
      unsealed ??= new Set()
      for (const key of touch.unsealed) unsealed.add(key)
    }
  }
  const drifted = unsealed === null ? seal.drifted : [...seal.drifted, ...unsealed].sort()
  if (drifted.length === 0) return { verdict: 'NO_DRIFT', reason: null, drifted_keys: drifted, stands: 'all' }
  if (base.isTouched) return full(structural.some((key) => seal.drifts(key) === true) ? 'structural' : 'no-baseline', drifted)
  if (stands !== null) return { verdict: 'PARTIAL_REPROBE_REQUIRED', reason: null, drifted_keys: drifted, stands }
  return isTouched ? full('all-claims', drifted) : { verdict: 'AMBIENT_DRIFT_ONLY', reason: null, drifted_keys: drifted, stands: 'all' }
}

const full = (reason: VerdictReason, drifted: readonly Key[], stands: Delta['stands'] = 'none'): Delta => ({
  verdict: 'FULL_RECONSTRUCTION_REQUIRED',
  reason,
  drifted_keys: drifted,
  stands,
})

/** The report with the claims' names. `ids`: in the order of the claims; `known`: the same sorted, where somebody has them already. */
export function reportOf({ verdict, reason, drifted_keys, stands }: Delta, ids: readonly string[], known: readonly string[] | null): DeltaReport {
  let [retained_claims, invalidated_claims] = [NONE, NONE]
  if (stands === 'all') retained_claims = known ?? sorted(ids)
  else if (stands === 'none') invalidated_claims = known ?? sorted(ids)
  else if (stands !== 'unsaid') {
    retained_claims = sorted(ids.filter((_, i) => stands[i]))
    invalidated_claims = sorted(ids.filter((_, i) => !stands[i]))
  }
  return { verdict, reason, drifted_keys, retained_claims, invalidated_claims }
}

const NONE: readonly string[] = []
