import * as z from 'zod/mini'
import { Sha256, Text } from '../base/schema.ts'
import type { Claim } from './claim.ts'
import type { Key } from './key.ts'
import type { Held } from './store.ts'

/** What the resolver says of a record, here and now (003). */
export const VERDICTS = ['NO_DRIFT', 'AMBIENT_DRIFT_ONLY', 'PARTIAL_REPROBE_REQUIRED', 'FULL_RECONSTRUCTION_REQUIRED'] as const
export type Verdict = (typeof VERDICTS)[number]

/** `contradiction`: claims that no drift touched are suspended, because equally good evidence says the opposite here. */
export type VerdictReason = 'seal-contradiction' | 'no-manifest' | 'structural' | 'no-baseline' | 'all-claims' | 'contradiction' | null

/** The part of a record on which a verdict rests (003, SealedDependencyManifest). Any text may be a key here. */
export const Manifest = z.strictObject({
  record_id: Text,
  precondition_seal: Text,
  baseline_key_hashes: z.array(z.tuple([Text, Sha256])),
  structural_keys: z.array(Text),
  claim_dependency_map: z.array(z.tuple([Text, z.array(Text)])),
})
export type Manifest = z.infer<typeof Manifest>

/** Lists are sorted. */
export interface DeltaReport {
  readonly verdict: Verdict
  readonly reason: VerdictReason
  readonly drifted_keys: readonly string[]
  readonly retained_claims: readonly string[]
  readonly invalidated_claims: readonly string[]
}

/** A key that drifted, and what may be shown of it. `sealed`: the record has a baseline for it. */
export interface Drift {
  readonly key: Key
  /** Public texts, from strangers too: for a screen they must be made plain first. null: there is none. */
  readonly was: string | null
  readonly is: string | null
  /** Why it could not be read now; null: it could. */
  readonly unreadable: string | null
  readonly sealed: boolean
}

/** A live claim, here and now. A done deed may hold where its remnant's report does not retain it. */
export interface ClaimHere {
  readonly claim: Claim
  readonly keys: readonly Key[]
  readonly holds: boolean
  /** Suspended because equally good evidence says the opposite. */
  readonly contradicted: boolean
}

/** A stored remnant with a live claim, here and now; the report's lists name live claims only. */
export interface Resolved extends Held, DeltaReport {
  /** One for each drifted key, in the same order. */
  readonly drift: readonly Drift[]
  /** In the order of the remnant's lists. */
  readonly claims: readonly ClaimHere[]
}

export interface Resolution {
  readonly remnants: readonly Resolved[]
}
