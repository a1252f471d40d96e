import { join } from 'node:path'
import { digestOf } from '../../base/digest.ts'
import type { CanonicalCommand } from '../../model/command.ts'
import type { World } from '../../model/probe.ts'
import type { Rank } from '../../model/rank.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'

/**
 * What may run in this clone without being asked about again. An approval is bound to the repository and to the exact
 * canonical command: folder, environment, words, place and privilege; one byte changed is another command (DESIGN 9).
 */
export interface Approvals {
  isApproved(command: CanonicalCommand): boolean
  /** Throws `unwritable`. */
  approve(command: CanonicalCommand): void
  /** false: it was not approved. What was taken back is approved again by a person alone. */
  revoke(command: CanonicalCommand): boolean
  /** Somebody took it back. */
  isRevoked(command: CanonicalCommand): boolean
  /** `sha256`: of the bytes of the tracked configuration file; bound to this clone, in which the approvals lie. */
  isConfigApproved(sha256: string): boolean
  approveConfig(sha256: string): void
  revokeConfig(sha256: string): boolean
  /** What stands, sorted: kind, and the digest under which it was approved. The commands themselves are not kept. */
  list(): readonly { readonly kind: Kind; readonly id: string }[]
}

type Kind = 'command' | 'config'

/**
 * The approvals of a clone, in `remnant/approvals` of the common git directory (mode 0600), so never in a work tree.
 * `root`: the value of the key `repository`. The file is only appended to, one decision a line, the last one counts: two
 * processes that decide at once lose nothing, and a line that a crash cut short decides nothing.
 */
export function openApprovals(repository: Repository, files: Files, root: string): Approvals {
  const path = join(repository.commonDir, 'remnant', 'approvals')
  const read = (): Map<string, Decision> => decided(Buffer.from(files.read(path) ?? []).toString('latin1'))
  let known: Map<string, Decision> | undefined
  const standing = (): Map<string, Decision> => (known ??= read())
  const isAllowed = (kind: Kind, id: string): boolean => standing().get(id)?.kind === kind && standing().get(id)?.allowed === true
  /** Whether it was allowed before. */
  const decide = (allowed: boolean, kind: Kind, id: string): boolean => {
    known = read()
    const before = known.get(id)?.allowed
    if (before !== allowed) files.append(path, `${allowed ? 'allow' : 'deny'} ${kind} ${id}\n`)
    known.set(id, { kind, allowed })
    return before === true
  }
  const commandId = (command: CanonicalCommand): string => digestOf(['command', root, command])
  const configId = (sha256: string): string => digestOf(['config', sha256])
  return {
    isApproved: (command) => isAllowed('command', commandId(command)),
    approve: (command) => void decide(true, 'command', commandId(command)),
    revoke: (command) => decide(false, 'command', commandId(command)),
    isRevoked: (command) => standing().get(commandId(command))?.allowed === false,
    isConfigApproved: (sha256) => isAllowed('config', configId(sha256)),
    approveConfig: (sha256) => void decide(true, 'config', configId(sha256)),
    revokeConfig: (sha256) => decide(false, 'config', configId(sha256)),
    list: () =>
      [...standing()]
        .filter(([, { allowed }]) => allowed)
        .map(([id, { kind }]) => ({ kind, id }))
        .sort((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1)),
  }
}

interface Decision {
  readonly kind: Kind
  readonly allowed: boolean
}

/** Whether a command may be run for a remnant of a rank: it was approved, or an accepted key signed it and nobody took it back here. */
export const mayRun =
  (approvals: Pick<Approvals, 'isApproved' | 'isRevoked'>) =>
  (command: CanonicalCommand, rank: Rank): boolean =>
    approvals.isApproved(command) || (rank === 'signed' && !approvals.isRevoked(command))

/** Whether this very tracked configuration was accepted in this clone. Starts no program. */
export const isConfigAccepted = (repository: Repository, files: Files, sha256: string): boolean => openApprovals(repository, files, '').isConfigApproved(sha256)

/** What may be opened of a verb's outside. */
interface Place {
  readonly files: Files
  repository(): Promise<Repository>
  world(): Promise<World>
}

/** This clone's approvals. Throws `missing` where the repository can't be told (a shallow clone), or has no work tree. */
export const approvalsHere = async (host: Place): Promise<Approvals> =>
  openApprovals(await host.repository(), host.files, await (await host.world()).rootCommit())

function decided(text: string): Map<string, Decision> {
  const decisions = new Map<string, Decision>()
  for (const line of text.split('\n')) {
    const [, decision, kind, id] = /^(allow|deny) (command|config) ([0-9a-f]{64})$/.exec(line) ?? []
    if (id !== undefined) decisions.set(id, { kind: kind as Kind, allowed: decision === 'allow' })
  }
  return decisions
}
