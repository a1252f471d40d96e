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
  return deltaOf(sealOver(precondition_seal, baseline_key_hashes, current), structural_keys, claim_dependency_map, PAIRS)
}

/** How claims of a record are told: each by its id, and the keys on which it rests. */
interface Told<C> {
  id(claim: C): string
  keys(claim: C): readonly Key[]
  /** All ids, sorted. */
  ids(claims: readonly C[]): readonly string[]
}

type Pair = Manifest['claim_dependency_map'][number]

const PAIRS: Told<Pair> = { id: ([id]) => id, keys: ([, keys]) => keys, ids: (claims) => sorted(claims.map(([id]) => id)) }

/** The same where the seal was looked at before. */
export function deltaOf<C>(seal: SealHere, structural: readonly Key[], claims: readonly C[], told: Told<C>): DeltaReport {
  // Where the seal contradicts the baselines, neither can be believed: no drift may be laid to any key, and no claim stands.
  if (seal.isBroken) return full('seal-contradiction', [], told.ids(claims))
  if (seal.isEmpty || claims.length === 0) return full('no-manifest', [], [])

  const base = seal.of(structural)
  let unsealed: Set<Key> | null = base.unsealed.length === 0 ? null : new Set(base.unsealed)
  const [untouched, touched]: [string[], string[]] = [[], []]
  for (const claim of claims) {
    const touch = seal.of(told.keys(claim))
    const [side, id] = [touch.isTouched ? touched : untouched, told.id(claim)]
    side.push(id)
    if (touch.unsealed.length > 0) {
      unsealed ??= new Set()
      for (const key of touch.unsealed) unsealed.add(key)
    }
  }
  const drifted = unsealed === null ? seal.drifted : [...seal.drifted, ...unsealed].sort()
  if (drifted.length === 0) return report('NO_DRIFT', null, drifted, told.ids(claims), [])
  if (base.isTouched) return full(structural.some((key) => seal.drifts(key) === true) ? 'structural' : 'no-baseline', drifted, told.ids(claims))
  if (touched.length === 0) return report('AMBIENT_DRIFT_ONLY', null, drifted, told.ids(claims), [])
  if (untouched.length === 0) return full('all-claims', drifted, told.ids(claims))
  return report('PARTIAL_REPROBE_REQUIRED', null, drifted, sorted(untouched), sorted(touched))
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
