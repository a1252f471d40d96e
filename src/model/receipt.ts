import * as z from 'zod/mini'
import { Sha256, Text } from '../base/schema.ts'
import { CanonicalCommand } from './command.ts'
import { Outcome } from './outcome.ts'

export const HostId = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/))
export type HostId = z.infer<typeof HostId>

/** How strong a proof is, the strongest first. */
export const STRENGTHS = ['reproduced', 'witnessed', 'recorded', 'summary', 'asserted'] as const
export const Strength = z.enum(STRENGTHS)
export type Strength = z.infer<typeof Strength>

/** What proves a claim (000, `verification_receipt`): one observation of one session's log. */
export const Receipt = z.strictObject({
  host: HostId,
  record_id: Text.check(z.minLength(1), z.maxLength(200)),
  command: CanonicalCommand,
  outcome: Outcome,
  output_sha256: z.nullable(Sha256),
  strength: Strength,
})
export type Receipt = z.infer<typeof Receipt>

/** Outputs shorter than this have no digest in a receipt: they could be guessed from it. */
export const MIN_HASHED_OUTPUT = 32
