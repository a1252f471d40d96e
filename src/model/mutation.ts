import type { Target } from './claim.ts'
import type { CanonicalCommand } from './command.ts'

/** A change of the world outside that a command would make. */
export interface IntendedMutation {
  readonly repeat: 'harmful' | 'convergent'
  /** From the command line alone; null where it can't be told from it. Its key is `target:KIND/ID`. */
  readonly target: Target | null
  /** What would be made, as far as the command line says (`v1.2.0`). */
  readonly identifier: string | null
}

/** What the output confirms. `targetValue`: the target's value as the log states it (a remote's URL, without user-info). */
export interface ConfirmedMutation {
  readonly target: Target
  readonly targetValue: string | null
  readonly identifier: string | null
  readonly state_hash: string | null
}

/** One tool that changes the outside world. */
export interface Mutation {
  readonly id: string
  readonly why: string
  /** null: not a command of this tool, a dry run, or a form that only reads. */
  intends(command: CanonicalCommand): IntendedMutation | null
  /** null: the output does not show that it happened. Called only for a command that succeeded. */
  confirms(command: CanonicalCommand, output: string): ConfirmedMutation | null
}
