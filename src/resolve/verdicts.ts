import type { Key, KeyValues } from '../model/key.ts'
import type { Outlined, OutlinedClaim, Seal } from '../model/outline.ts'
import type { DeltaReport, Drift } from '../model/verdict.ts'
import { contradictionsAmong, withContradictions } from './contradiction.ts'
import { explain } from './drift.ts'
import { type Delta, deltaOf, reportOf } from './isolate.ts'
import type { Judged } from './judged.ts'
import type { LiveOutline } from './liveness.ts'
import { type SealHere, sealsHere } from './seal.ts'

/** The verdict on each of what is live, in the order given. `current`: what was read; a key that is not in it counts as drifted. */
export function verdictsOf<T extends Outlined>(live: readonly LiveOutline<T>[], current: KeyValues): Judged<T>[] {
  const sealHere = sealsHere(current)
  const patterns = new Patterns(sealHere)
  const judged: Judged<T>[] = []
  for (const { one, claims } of live) {
    const { outline } = one
    const delta = patterns.deltaOf(outline.seal, outline.structural, outline.isMapped ? claims : NONE)
    const all = claims === outline.claims
    const report = reportOf(delta, all && typeof delta.stands === 'string' ? outline.ids : claims.map(idOf), all ? outline.ids : null)
    const drift = delta.drifted_keys.length === 0 ? NO_DRIFT : explain(delta.drifted_keys, outline, (key) => sealHere(outline.seal).drifts(key) !== undefined, current)
    const holding = delta.stands === 'all' ? claims : holdingOf(claims, report, sealHere(outline.seal))
    judged.push({ one, claims, report, drift, holding, contradicted: NONE })
  }
  return withContradictions(judged, contradictionsAmong(judged))
}

/** The keys on which their verdicts rest, each once, sorted. */
export function keysOf(live: readonly LiveOutline[]): Key[] {
  const keys = new Set<Key>()
  const seen = new Set<unknown>()
  for (const { one, claims } of live) {
    const { seal, structural } = one.outline
    if (!seen.has(seal)) {
      seen.add(seal)
      for (const [key] of seal.baselines) keys.add(key)
    }
    if (!seen.has(structural)) {
      seen.add(structural)
      for (const key of structural) keys.add(key)
    }
    for (const { keys: causal } of claims) {
      if (seen.has(causal)) continue
      seen.add(causal)
      for (const key of causal) keys.add(key)
    }
  }
  return [...keys].sort()
}

/** What has been worked out for these lists, and for longer ones that begin so. */
interface Pattern {
  delta: Delta | null
  longer: Map<readonly Key[], Pattern> | null
}

/** Many remnants rest on the same seal and the same lists of keys: what follows from these is worked out once for all of them. */
class Patterns {
  readonly #sealHere: (seal: Seal) => SealHere
  readonly #bySeal = new Map<Seal, Pattern>()

  constructor(sealHere: (seal: Seal) => SealHere) {
    this.#sealHere = sealHere
  }

  deltaOf(seal: Seal, structural: readonly Key[], claims: readonly OutlinedClaim[]): Delta {
    let pattern = this.#bySeal.get(seal)
    if (pattern === undefined) this.#bySeal.set(seal, (pattern = { delta: null, longer: null }))
    pattern = behind(pattern, structural)
    for (const { keys } of claims) pattern = behind(pattern, keys)
    return (pattern.delta ??= deltaOf(this.#sealHere(seal), structural, claims, keysOfClaim))
  }
}

function behind(pattern: Pattern, list: readonly Key[]): Pattern {
  const longer = (pattern.longer ??= new Map<readonly Key[], Pattern>())
  const known = longer.get(list)
  if (known !== undefined) return known
  const next = { delta: null, longer: null }
  longer.set(list, next)
  return next
}

function holdingOf(claims: readonly OutlinedClaim[], { retained_claims, reason }: DeltaReport, seal: SealHere): readonly OutlinedClaim[] {
  if (retained_claims.length === claims.length) return claims
  if (retained_claims.length === 0 && (reason === 'seal-contradiction' || claims.every(({ target }) => target === null))) return NONE
  const retained = new Set(retained_claims)
  return claims.filter((claim) => retained.has(claim.id) || (reason !== 'seal-contradiction' && isStillDone(claim, seal)))
}

/** What was done stays done while its target is the same, whatever else drifts: forgetting it is the dangerous direction. */
const isStillDone = ({ target }: OutlinedClaim, seal: SealHere): boolean => target !== null && seal.drifts(target) === false

const idOf = ({ id }: OutlinedClaim): string => id
const keysOfClaim = ({ keys }: OutlinedClaim): readonly Key[] => keys

const NONE: readonly OutlinedClaim[] = []
const NO_DRIFT: readonly Drift[] = []
