import { commandOf, isOutside, shown } from '../../model/command.ts'
import { type Remnant, claimsOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import { readShell } from '../../model/shell.ts'
import { commandFor, obstacleToApproval } from '../../resolve/plan.ts'
import type { Approvals } from './approvals.ts'

/**
 * Approves what somebody typed on our own command line, in a folder of the repository: as it stands, and as the one command
 * that it is behind what only says where and how it runs, its paths relative to `root`. Not what changes the world outside, nor what can't be read.
 */
export function approveTyped(argv: readonly string[], folder: string, { mutations }: Pick<Sets, 'mutations'>, approvals: Approvals, root: string | null = null): void {
  const typed = commandOf(argv, { folder })
  const reading = readShell(shown(typed), { folder, root })
  const read = [typed, ...reading.commands.map(({ command }) => command)]
  if (!reading.parsed || isOutside(folder) || read.some((command) => mutations.some((mutation) => mutation.intends(command) !== null))) return
  approvals.approve(typed)
  const [only] = reading.commands
  if (reading.single && only !== undefined && !only.symbolic && !isOutside(only.command.folder)) approvals.approve(only.command)
}

/** Approves the verifying commands that a journal of this clone shows to have been run; not what was only declared, or taken back. */
export function approveVerifying(remnant: Remnant, { toolchains, mutations }: Pick<Sets, 'toolchains' | 'mutations'>, approvals: Approvals): void {
  for (const claim of claimsOf(remnant)) {
    const command = claim.verification_receipt.strength === 'asserted' ? null : commandFor(claim)
    if (command === null || approvals.isRevoked(command) || obstacleToApproval(claim, { toolchains, mutations }) !== null) continue
    const invocation = toolchains.map((toolchain) => toolchain.knows(command)).find((known) => known !== null)
    if (invocation?.verifies === true) approvals.approve(command)
  }
}
