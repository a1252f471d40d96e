import * as z from 'zod/mini'
import { Sha256, Text } from '../base/schema.ts'

/** What the resolver says of a record, here and now (003). */
export const VERDICTS = ['NO_DRIFT', 'AMBIENT_DRIFT_ONLY', 'PARTIAL_REPROBE_REQUIRED', 'FULL_RECONSTRUCTION_REQUIRED'] as const
export type Verdict = (typeof VERDICTS)[number]

export type VerdictReason = 'seal-contradiction' | 'no-manifest' | 'structural' | 'no-baseline' | 'all-claims' | null

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
