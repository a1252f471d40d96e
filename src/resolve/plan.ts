import type { Claim } from '../model/claim.ts'
import { type CanonicalCommand, commandKey, isOutside, shown } from '../model/command.ts'
import { type Key, type KeyValues, splitKey } from '../model/key.ts'
import type { Mutation } from '../model/mutation.ts'
import { verdictOf } from '../model/outcome.ts'
import { type Rank, isTrusted } from '../model/rank.ts'
import { readShell } from '../model/shell.ts'
import { withoutCaches } from '../model/temporary-caches.ts'
import type { Toolchain } from '../model/toolchain.ts'
import type { ClaimHere, Resolution, Resolved } from '../model/verdict.ts'

/** A claim that is not believed here, and how far whoever made it is trusted. */
export interface Doubted {
  readonly held: { readonly rank: Rank }
  readonly here: ClaimHere
}

/** A live claim that does not hold here, and the remnant that makes it. */
export interface Suspended extends Doubted {
  readonly held: Resolved
}

/** Why no command is run for a claim. */
export type Obstacle = 'mutation' | 'no-command' | 'declared' | 'not-runnable' | 'not-harmless' | 'unsigned' | 'not-approved'

/** What is known of commands. The toolchain that knows every command, so says nothing of one, is the last. */
export interface Knowledge {
  readonly toolchains: readonly Toolchain[]
  readonly mutations: readonly Mutation[]
  /** Whether a command may be run for a remnant of this rank, which is trusted. */
  readonly isApproved: (command: CanonicalCommand, rank: Rank) => boolean
}

/** What a reprobe does (DESIGN 7): each command once, whatever the number of claims that its outcome answers. */
export interface Plan<S extends Doubted = Suspended> {
  readonly probes: readonly Probing<S>[]
  /** Dead ends that a look answers: nothing is run. */
  readonly looked: readonly { readonly suspended: S; readonly isThere: boolean }[]
  readonly stays: readonly { readonly suspended: S; readonly reason: Obstacle }[]
}

export interface Probing<S extends Doubted = Suspended> {
  readonly command: CanonicalCommand
  readonly claims: readonly S[]
}

/** All that is suspended here, in the order of the remnants. */
export const suspendedIn = ({ remnants }: Resolution): Suspended[] =>
  remnants.flatMap((held) => held.claims.filter(({ holds }) => !holds).map((here) => ({ held, here })))

/** Which commands to run for these claims, and why none is run for the others. `current`: the readings on which they were resolved. */
export function planOf<S extends Doubted>(suspended: readonly S[], knowledge: Knowledge, current: KeyValues): Plan<S> {
  const probes = new Map<string, { command: CanonicalCommand; claims: S[] }>()
  const looked: Plan<S>['looked'][number][] = []
  const stays: Plan<S>['stays'][number][] = []
  for (const one of suspended) {
    const { claim, keys } = one.here
    const isThere = one.held.rank === 'own' ? lookedAt(claim, keys, current) : null
    const reason = isThere === null ? obstacleTo(claim, one.held.rank, knowledge) : null
    const command = commandFor(claim)
    if (isThere !== null) looked.push({ suspended: one, isThere })
    else if (reason !== null || command === null) stays.push({ suspended: one, reason: reason ?? 'no-command' })
    else {
      const probing = probes.get(commandKey(command)) ?? { command, claims: [] }
      probing.claims.push(one)
      probes.set(commandKey(command), probing)
    }
  }
  return { probes: [...probes.values()], looked, stays }
}

/**
 * The command whose outcome answers a claim; null: none does. What was declared leans on whatever passed before it was said,
 * which proves nothing anew; it is answered only by the command that it tells a successor to use.
 */
export function commandFor(claim: Claim): CanonicalCommand | null {
  switch (claim.list) {
    case 'verified_invariants': {
      const { command, strength, outcome } = claim.verification_receipt
      if (strength === 'asserted') return claim.effect.verb === 'use' && claim.effect.kind === 'command' ? commandIn(claim.effect.value, command.folder) : null
      return verdictOf(outcome) === true ? withoutCaches(command) : null
    }
    case 'falsified_boundaries':
      return claim.path
    case 'debug_residuals':
      return claim.regression_gate_signature
    case 'unresolved_handoffs':
      return claim.failing_gate
    case 'non_idempotent_commits':
      return null
  }
}

/** Why a claim's command may not be run here; null: it may. Of signed claims only those that a run itself would show are ever answered, of unsigned ones none. */
export function obstacleTo(claim: Claim, rank: Rank, knowledge: Knowledge): Obstacle | null {
  const reason = obstacleToApproval(claim, knowledge)
  if (reason !== null) return reason
  const restsOnWords = claim.list === 'debug_residuals' || claim.verification_receipt.strength === 'asserted'
  if (!isTrusted(rank)) return 'unsigned'
  if (rank !== 'own' && restsOnWords) return 'no-command'
  return knowledge.isApproved(commandFor(claim) as CanonicalCommand, rank) ? null : 'not-approved'
}

/** The same, but for an approval: why it may not even be approved; null: it may. */
export function obstacleToApproval(claim: Claim, { toolchains, mutations }: Omit<Knowledge, 'isApproved'>): Exclude<Obstacle, 'not-approved' | 'unsigned'> | null {
  if (claim.list === 'non_idempotent_commits') return 'mutation'
  const command = commandFor(claim)
  if (command === null) return claim.verification_receipt.strength === 'asserted' ? 'declared' : 'no-command'
  return obstacleToCommand(command, mutations) ?? (claim.list === 'falsified_boundaries' && !isHarmless(command, claim.class === 'usage', toolchains) ? 'not-harmless' : null)
}

/** The same of a command by itself. */
export function obstacleToCommand(command: CanonicalCommand, mutations: readonly Mutation[]): 'mutation' | 'not-runnable' | null {
  if (mutations.some((mutation) => mutation.intends(command) !== null)) return 'mutation'
  return isRunnable(command) ? null : 'not-runnable'
}

/** It ran here, as this user, in this repository, and its words are all that it needs. */
function isRunnable(command: CanonicalCommand): boolean {
  if (command.where !== 'here' || command.privilege !== 'user' || isOutside(command.folder) || command.argv.at(-2) === '<') return false
  const read = commandIn(shown(command), command.folder)
  return read !== null && commandKey(read) === commandKey(command)
}

/** A check, or a tool that refused its command line and hands over to nobody. What a dead end would do when it no longer is one, nobody knows otherwise. */
function isHarmless(command: CanonicalCommand, refused: boolean, toolchains: readonly Toolchain[]): boolean {
  const known = toolchains.findIndex((toolchain) => toolchain.knows(command) !== null)
  const invocation = toolchains[known]?.knows(command)
  if (invocation == null) return false
  return invocation.verifies || (refused && !invocation.delegates && known < toolchains.length - 1)
}

/** Whether the program that was missed is there now; null: that alone does not decide the claim. */
function lookedAt(claim: Claim, keys: readonly Key[], current: KeyValues): boolean | null {
  if (claim.list !== 'falsified_boundaries' || claim.class !== 'program-missing') return null
  if (keys.length === 0 || !keys.every((key) => splitKey(key).probe === 'absent-tool')) return null
  const values = keys.map((key) => current.get(key))
  if (!values.every((reading) => reading !== undefined && 'value' in reading)) return null
  return values.some((reading) => reading !== undefined && 'value' in reading && reading.value === 'present')
}

function commandIn(text: string, folder: string): CanonicalCommand | null {
  const reading = readShell(text, { folder, root: null })
  const [only] = reading.commands
  return reading.parsed && reading.single && only !== undefined && !only.symbolic ? only.command : null
}
