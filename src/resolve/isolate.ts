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
  return deltaOf(sealOver(precondition_seal, baseline_key_hashes, current), structural_keys, claim_dependency_map, PAIRS, null)
}

/** How a claim of a record is told: by its id, and the keys on which it rests. */
interface Told<C> {
  readonly id: (claim: C) => string
  readonly keys: (claim: C) => readonly Key[]
}

type Pair = Manifest['claim_dependency_map'][number]

const PAIRS: Told<Pair> = { id: ([id]) => id, keys: ([, keys]) => keys }

/** The same where the seal was looked at before. `known`: the claims' ids, sorted, where somebody has them already. */
export function deltaOf<C>(seal: SealHere, structural: readonly Key[], claims: readonly C[], told: Told<C>, known: readonly string[] | null): DeltaReport {
  const ids = (): readonly string[] => known ?? sorted(claims.map(told.id))
  // Where the seal contradicts the baselines, neither can be believed: no drift may be laid to any key, and no claim stands.
  if (seal.isBroken) return full('seal-contradiction', [], ids())
  if (seal.isEmpty || claims.length === 0) return full('no-manifest', [], [])

  const base = seal.of(structural)
  let unsealed: Set<Key> | null = base.unsealed.length === 0 ? null : new Set(base.unsealed)
  // The two sides are told apart only from where there are two: mostly there is one.
  let sides: { readonly untouched: string[]; readonly touched: string[] } | null = null
  let isTouched = false
  let at = 0
  for (const claim of claims) {
    const touch = seal.of(told.keys(claim))
    if (at === 0) isTouched = touch.isTouched
    else if (sides === null && touch.isTouched !== isTouched) {
      const before = claims.slice(0, at).map(told.id)
      sides = isTouched ? { untouched: [], touched: before } : { untouched: before, touched: [] }
    }
    if (sides !== null) (touch.isTouched ? sides.touched : sides.untouched).push(told.id(claim))
    at += 1
    if (touch.unsealed.length > 0) {
      unsealed ??= new Set()
      for (const key of touch.unsealed) unsealed.add(key)
    }
  }
  const drifted = unsealed === null ? seal.drifted : [...seal.drifted, ...unsealed].sort()
  if (drifted.length === 0) return report('NO_DRIFT', null, drifted, ids(), [])
  if (base.isTouched) return full(structural.some((key) => seal.drifts(key) === true) ? 'structural' : 'no-baseline', drifted, ids())
  if (sides !== null) return report('PARTIAL_REPROBE_REQUIRED', null, drifted, sorted(sides.untouched), sorted(sides.touched))
  return isTouched ? full('all-claims', drifted, ids()) : report('AMBIENT_DRIFT_ONLY', null, drifted, ids(), [])
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
