import type { Outlined, OutlinedClaim } from '../model/outline.ts'
import type { DeltaReport, Drift } from '../model/verdict.ts'
import type { LiveOutline } from './liveness.ts'

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
