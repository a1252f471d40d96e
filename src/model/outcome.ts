import * as z from 'zod/mini'
import { Integer } from '../base/schema.ts'

/**
 * What a log shows to have come of a command.
 * `code`: the exit status itself · `success`, `failure`: the host said so and kept no number · `summary`: read from the
 * tool's own closing lines · `answer`: the status was the answer to a question · `transient`: what befell it passes ·
 * `unknown`: nobody's status, or none recorded. The last three prove nothing.
 */
export const Outcome = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('code'), code: Integer }),
  z.strictObject({ is: z.literal('summary'), passed: z.boolean() }),
  z.strictObject({ is: z.enum(['success', 'failure', 'answer', 'transient', 'unknown']) }),
])
export type Outcome = z.infer<typeof Outcome>

export const UNKNOWN: Outcome = { is: 'unknown' }

/** true: it did what it was asked · false: it failed · null: it proves neither. */
export function verdictOf(outcome: Outcome): boolean | null {
  switch (outcome.is) {
    case 'code':
      return outcome.code === 0
    case 'summary':
      return outcome.passed
    case 'success':
      return true
    case 'failure':
      return false
    default:
      return null
  }
}
