import { fingerprintOf, type Remnant } from '../model/remnant.ts'
import type { DeltaReport, Manifest, Verdict, VerdictReason } from '../model/verdict.ts'

/**
 * The delta report of one record (003): which named keys drifted, and which claims that leaves standing.
 * `current`: SHA-256 by key of what was read now; a key that is missing from it has drifted. Keys that the record does not
 * name are never looked at. Lists are sorted by UTF-16 code units, as canonical JSON sorts names. Linear but for that sorting.
 */
export function isolate(manifest: Manifest, current: ReadonlyMap<string, string>): DeltaReport {
  const { baseline_key_hashes, structural_keys, claim_dependency_map } = manifest
  const all = claim_dependency_map.map(([claim]) => claim)

  // Where the seal contradicts the baselines, neither can be believed: no drift may be laid to any key, and no claim stands.
  if (sealOf(baseline_key_hashes) !== manifest.precondition_seal) return full('seal-contradiction', [], all)
  if (baseline_key_hashes.length === 0 || claim_dependency_map.length === 0) return full('no-manifest', [], [])

  const drifted = driftedKeys(manifest, current)
  if (drifted.size === 0) return report('NO_DRIFT', null, drifted, all, [])

  const shaken = structural_keys.filter((key) => drifted.has(key))
  if (shaken.length > 0) {
    const baselines = new Set(baseline_key_hashes.map(([key]) => key))
    return full(shaken.some((key) => baselines.has(key)) ? 'structural' : 'no-baseline', drifted, all)
  }

  const invalidated = claim_dependency_map.filter(([, keys]) => keys.some((key) => drifted.has(key))).map(([claim]) => claim)
  if (invalidated.length === 0) return report('AMBIENT_DRIFT_ONLY', null, drifted, all, [])
  if (invalidated.length === all.length) return full('all-claims', drifted, all)
  const gone = new Set(invalidated)
  return report('PARTIAL_REPROBE_REQUIRED', null, drifted, all.filter((claim) => !gone.has(claim)), invalidated)
}

/** The manifest of a remnant over those of its claims that are live. */
export function manifestOf(remnant: Remnant, digest: string, live: readonly string[]): Manifest {
  const all = live.length === remnant.claim_dependency_map.length
  const counted = new Set(all ? [] : live)
  return {
    record_id: digest,
    precondition_seal: remnant.environment_fingerprint,
    baseline_key_hashes: remnant.baseline_key_hashes,
    structural_keys: remnant.structural_keys,
    claim_dependency_map: all ? remnant.claim_dependency_map : remnant.claim_dependency_map.filter(([claim]) => counted.has(claim)),
  }
}

/** Remnants that were read from an index share their lists of baselines; nobody changes one. */
function sealOf(baselines: Manifest['baseline_key_hashes']): string {
  const known = seals.get(baselines)
  if (known !== undefined) return known
  const seal = fingerprintOf(baselines)
  seals.set(baselines, seal)
  return seal
}

const seals = new WeakMap<Manifest['baseline_key_hashes'], string>()

function driftedKeys({ baseline_key_hashes, structural_keys, claim_dependency_map }: Manifest, current: ReadonlyMap<string, string>): Set<string> {
  const drifted = new Set<string>()
  const sealed = new Set<string>()
  for (const [key, hash] of baseline_key_hashes) {
    sealed.add(key)
    if (current.get(key) !== hash) drifted.add(key)
  }
  const unsealed = (key: string) => !sealed.has(key) && drifted.add(key)
  structural_keys.forEach(unsealed)
  for (const [, keys] of claim_dependency_map) keys.forEach(unsealed)
  return drifted
}

const full = (reason: VerdictReason, drifted: Iterable<string>, invalidated: readonly string[]): DeltaReport =>
  report('FULL_RECONSTRUCTION_REQUIRED', reason, drifted, [], invalidated)

const report = (
  verdict: Verdict,
  reason: VerdictReason,
  drifted: Iterable<string>,
  retained: readonly string[],
  invalidated: readonly string[],
): DeltaReport => ({
  verdict,
  reason,
  drifted_keys: [...drifted].sort(),
  retained_claims: [...retained].sort(),
  invalidated_claims: [...invalidated].sort(),
})
