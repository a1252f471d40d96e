import type { Intended } from '../../guard.ts'
import { operationOf } from '../../guard/certain.ts'
import type { NonIdempotentCommit, Target } from '../../model/claim.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import type { Identity, Mutation } from '../../model/mutation.ts'
import type { World } from '../../model/probe.ts'

/** A mutation that a text may make, and what it would make, as far as that is known before it is made. */
export interface Harmful {
  readonly command: CanonicalCommand
  readonly mutation: Mutation
  /** The deed, where one name tells it from all others. */
  readonly named: Identity | null
  readonly target: Target | null
  readonly identifier: string | null
  readonly state_hash: string | null
}

/** What a command would make here. */
export async function harmfulOf({ command, mutation }: Pick<Harmful, 'command' | 'mutation'>, world: World): Promise<Harmful> {
  const named = (await mutation.identify?.(command, world)) ?? null
  const intended = mutation.intends(command)
  const target = named?.target ?? intended?.target ?? (intended === null ? null : ((await mutation.locate?.(command, world)) ?? null))
  return { command, mutation, named, target, identifier: named?.identifier ?? intended?.identifier ?? null, state_hash: intended?.state_hash ?? null }
}

/** The same as the guard compares it with deeds; null: nobody knows where it would be made. */
export const intendedBy = ({ command, mutation, named, target, identifier, state_hash }: Harmful): Intended | null =>
  target === null
    ? null
    : { command: commandKey(command), operation: mutation.operation ?? operationOf(command), target: `${target.kind}/${target.id}`, identifier, state_hash, named: named !== null }

/**
 * Whether a deed would be known again if its own command were about to be run here: its words, or the work tree, name a deed at that
 * place. What names none is made anew each time, and nobody can say before it is made whether it is the same.
 */
export async function isKnownAgain({ mutation: command, target }: NonIdempotentCommit, mutations: readonly Mutation[], world: World): Promise<boolean> {
  const mutation = mutations.find((one) => one.intends(command)?.repeat === 'harmful')
  const again = mutation === undefined ? null : intendedBy(await harmfulOf({ command, mutation }, world))
  return again !== null && again.identifier !== null && again.target === `${target.kind}/${target.id}`
}
