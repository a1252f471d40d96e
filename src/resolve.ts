import type { Key, KeyValues } from './model/key.ts'
import type { Outlined } from './model/outline.ts'
import type { Held } from './model/store.ts'
import type { Resolution, Resolved } from './model/verdict.ts'
import { isolate } from './resolve/isolate.ts'
import type { Judged } from './resolve/judged.ts'
import { type LiveOutline, liveAmong, liveOf, liveOutlines, outlinedOf } from './resolve/liveness.ts'
import { remembered, touchedBy } from './resolve/remembered.ts'
import { keysOf, verdictsOf } from './resolve/verdicts.ts'

export { type Judged, type LiveOutline, isolate, keysOf, liveAmong, liveOutlines, outlinedOf, remembered, touchedBy, verdictsOf }

/**
 * What still holds, here and now (003): every remnant with a live claim, in the order given, with its verdict over live claims.
 * Reads nothing; `current` holds what was read for `wantedKeys(stored)`. A key that is not in it counts as drifted.
 */
export const resolve = (stored: readonly Held[], current: KeyValues): Resolution => resolveLive(liveOutlines(outlinedOf(stored)), current)

/** The same, where what is live has been worked out already. */
export const resolveLive = (live: readonly LiveOutline<Held & Outlined>[], current: KeyValues): Resolution => ({ remnants: verdictsOf(live, current).map(resolvedOf) })

/** The keys on which the live claims' verdicts rest, each once, sorted. */
export const wantedKeys = (stored: readonly Held[]): Key[] => keysOf(liveOutlines(outlinedOf(stored)))

function resolvedOf({ one, claims: outlines, report, drift, holding, contradicted }: Judged<Held & Outlined>): Resolved {
  const { digest, remnant, rank, claims } = liveOf({ one, claims: outlines })
  const [holds, against] = [new Set(holding), new Set(contradicted)]
  return {
    digest,
    remnant,
    rank,
    ...report,
    drift,
    claims: outlines.map((outline, i) => ({ claim: claims[i] as (typeof claims)[number], keys: outline.keys, holds: holds.has(outline), contradicted: against.has(outline) })),
  }
}
