import type { CanonicalCommand } from '../../model/command.ts'
import type { Mutation } from '../../model/mutation.ts'

/** A mutation that a text may make, and the deed that it would be, where that is known before it is made. */
export interface Harmful {
  readonly command: CanonicalCommand
  readonly mutation: Mutation
  readonly named: { readonly target: { readonly kind: string; readonly id: string }; readonly identifier: string } | null
}
