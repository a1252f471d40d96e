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
  const claims = claim_dependency_map.map(([id, keys]) => ({ id, keys }))
  return deltaOf(sealOver(precondition_seal, baseline_key_hashes, current), structural_keys, claims, claims.map(({ id }) => id))
}

/** A claim of a record by its id. */
interface Resting {
  readonly id: string
  readonly keys: readonly Key[]
}

/** The same where the seal was looked at before. `ids` of the claims: in any order; handed on as they are where they are sorted. */
export function deltaOf(seal: SealHere, structural: readonly Key[], claims: readonly Resting[], ids: readonly string[]): DeltaReport {
  // Where the seal contradicts the baselines, neither can be believed: no drift may be laid to any key, and no claim stands.
  if (seal.isBroken) return full('seal-contradiction', [], sorted(ids))
  if (seal.isEmpty || claims.length === 0) return full('no-manifest', [], [])

  const base = seal.of(structural)
  let unsealed: Set<Key> | null = base.unsealed.length === 0 ? null : new Set(base.unsealed)
  let touched = 0
  const isTouched = new Uint8Array(claims.length)
  for (const [at, { keys }] of claims.entries()) {
    const touch = seal.of(keys)
    if (touch.isTouched) touched += isTouched[at] = 1
    if (touch.unsealed.length > 0) {
      unsealed ??= new Set()
      for (const key of touch.unsealed) unsealed.add(key)
    }
  }
  const drifted = unsealed === null ? seal.drifted : [...seal.drifted, ...unsealed].sort()
  if (drifted.length === 0) return report('NO_DRIFT', null, drifted, sorted(ids), [])
  if (base.isTouched) return full(structural.some((key) => seal.drifts(key) === true) ? 'structural' : 'no-baseline', drifted, sorted(ids))
  if (touched === 0) return report('AMBIENT_DRIFT_ONLY', null, drifted, sorted(ids), [])
  if (touched === claims.length) return full('all-claims', drifted, sorted(ids))
  const [retained, invalidated]: [string[], string[]] = [[], []]
  for (const [at, { id }] of claims.entries()) (isTouched[at] === 1 ? invalidated : retained).push(id)
  return report('PARTIAL_REPROBE_REQUIRED', null, drifted, sorted(retained), sorted(invalidated))
}

const full = (reason: VerdictReason, drifted: readonly Key[], invalidated: readonly string[]): DeltaReport =>
  report('FULL_RECONSTRUCTION_REQUIRED', reason, drifted, [], invalidated)

const report = (
  verdict: Verdict,
  reason: VerdictReason,
  drifted_keys: readonly Key[],
  retained_claims: readonly string[],
  invalidated_claims: readonly string[],
): DeltaReport => ({ verdict, reason, drifted_keys, retained_claims, invalidated_claims })
