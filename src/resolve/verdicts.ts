import type { Key, KeyValues } from '../model/key.ts'
import type { Outlined, OutlinedClaim } from '../model/outline.ts'
import type { DeltaReport, Drift } from '../model/verdict.ts'
import { contradictionsAmong, withContradictions } from './contradiction.ts'
import { explain } from './drift.ts'
import { deltaOf } from './isolate.ts'
import type { LiveOutline } from './liveness.ts'
import { type SealHere, sealsHere, sorted } from './seal.ts'

/** An outline with its verdict; lists may be shared with others, and nobody changes them. */
export interface Judged<T extends Outlined = Outlined> extends LiveOutline<T> {
  readonly report: DeltaReport
  /** One for each drifted key, in the same order. */
  readonly drift: readonly Drift[]
  /** The live claims that hold here; a done deed may where the report does not retain it. */
  readonly holding: readonly OutlinedClaim[]
  /** Claims that would hold, were there no evidence, as good, that says the opposite. */
  readonly contradicted: readonly OutlinedClaim[]
}

/** The verdict on each of what is live, in the order given. `current`: what was read; a key that is not in it counts as drifted. */
export function verdictsOf<T extends Outlined>(live: readonly LiveOutline<T>[], current: KeyValues): Judged<T>[] {
  const sealHere = sealsHere(current)
  const judged = live.map((one) => judge(one, sealHere(one.one.outline.seal), current))
  return withContradictions(judged, contradictionsAmong(judged))
}

/** The keys on which their verdicts rest, each once, sorted. */
export function keysOf(live: readonly LiveOutline[]): Key[] {
  const keys = new Set<Key>()
  const seen = new Set<unknown>()
  const add = (list: readonly Key[]): void => {
    if (seen.has(list)) return
    seen.add(list)
    for (const key of list) keys.add(key)
  }
  for (const { one, claims } of live) {
    const { seal, structural } = one.outline
    if (!seen.has(seal)) for (const [key] of seal.baselines) keys.add(key)
    seen.add(seal)
    add(structural)
    for (const claim of claims) add(claim.keys)
  }
  return [...keys].sort()
}

function judge<T extends Outlined>({ one, claims }: LiveOutline<T>, seal: SealHere, current: KeyValues): Judged<T> {
  const { outline } = one
  const report = deltaOf(seal, outline.structural, outline.isMapped ? claims : NONE, OUTLINED, claims === outline.claims ? outline.ids : sorted(claims.map(OUTLINED.id)))
  return { one, claims, report, drift: explain(report.drifted_keys, outline, (key) => seal.drifts(key) !== undefined, current), holding: holdingOf(claims, report, seal), contradicted: NONE }
}

function holdingOf(claims: readonly OutlinedClaim[], { retained_claims, reason }: DeltaReport, seal: SealHere): readonly OutlinedClaim[] {
  if (retained_claims.length === claims.length) return claims
  if (retained_claims.length === 0 && (reason === 'seal-contradiction' || claims.every(({ target }) => target === null))) return NONE
  const retained = new Set(retained_claims)
  return claims.filter((claim) => retained.has(claim.id) || (reason !== 'seal-contradiction' && isStillDone(claim, seal)))
}

/** What was done stays done while its target is the same, whatever else drifts: forgetting it is the dangerous direction. */
const isStillDone = ({ target }: OutlinedClaim, seal: SealHere): boolean => target !== null && seal.drifts(target) === false

const OUTLINED = {
  id: ({ id }: OutlinedClaim): string => id,
  keys: ({ keys }: OutlinedClaim): readonly Key[] => keys,
}

const NONE: readonly OutlinedClaim[] = []
