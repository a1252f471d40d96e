import { sha256 } from './base/digest.ts'
import type { Key, KeyValues } from './model/key.ts'
import type { Held } from './model/store.ts'
import type { Resolution, Resolved } from './model/verdict.ts'
import { type Live, claimsHere, causalKeys } from './resolve/claims.ts'
import { contradictionsAmong, withContradictions } from './resolve/contradiction.ts'
import { explain } from './resolve/drift.ts'
import { isolate, manifestOf } from './resolve/isolate.ts'
import { liveAmong } from './resolve/liveness.ts'

export { isolate, liveAmong, manifestOf }

/**
 * What still holds, here and now (003): every remnant with a live claim, in the order given, with its verdict over live claims.
 * Reads nothing; `current` holds what was read for `wantedKeys(stored)`. A key that is not in it counts as drifted.
 */
export const resolve = (stored: readonly Held[], current: KeyValues): Resolution => resolveLive(liveAmong(stored), current)

/** The same, where what is live has been worked out already. */
export function resolveLive(live: readonly Live[], current: KeyValues): Resolution {
  const hashes = hashesOf(current)
  const judged = live.map((one) => judge(one, hashes, current))
  return { remnants: withContradictions(judged, contradictionsAmong(judged)) }
}

/** The keys on which the live claims' verdicts rest, each once, sorted. */
export const wantedKeys = (stored: readonly Held[]): Key[] => keysOfLive(liveAmong(stored))

/** The same, where what is live has been worked out already. */
export function keysOfLive(live: readonly Live[]): Key[] {
  const keys = new Set<Key>()
  // Remnants that were read from an index share their lists.
  const seen = new Set<unknown>()
  for (const { remnant, claims } of live) {
    if (!seen.has(remnant.baseline_key_hashes)) for (const [key] of remnant.baseline_key_hashes) keys.add(key)
    for (const key of remnant.structural_keys) keys.add(key)
    seen.add(remnant.baseline_key_hashes)
    for (const key of causalKeys(remnant, claims)) keys.add(key)
  }
  return [...keys].sort()
}

function judge(live: Live, hashes: ReadonlyMap<Key, string>, current: KeyValues): Resolved {
  const { digest, remnant, rank, claims } = live
  const report = isolate(manifestOf(remnant, digest, claims.map((claim) => claim.claim_id)), hashes)
  const drift = explain(report.drifted_keys, remnant, current)
  return { digest, remnant, rank, ...report, drift, claims: claimsHere(live, report, hashes) }
}

function hashesOf(current: KeyValues): Map<Key, string> {
  const hashes = new Map<Key, string>()
  for (const [key, reading] of current) if ('value' in reading) hashes.set(key, sha256(reading.value))
  return hashes
}
