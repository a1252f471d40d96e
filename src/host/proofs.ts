import { join } from 'node:path'
import type { DebugResidual } from '../model/claim.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** What `prove` showed of a residual, on which commit. */
export interface Proof {
  readonly digest: string
  readonly claim_id: string
  readonly outcome: NonNullable<DebugResidual['proof']>
  readonly commit: string
}

/** Notes it in this clone, in `remnant/proofs` of the common git directory, one a line; a remnant itself never changes. Throws `unwritable`. */
export const appendProof = ({ digest, claim_id, outcome, commit }: Proof, { commonDir }: Repository, files: Files): void =>
  files.append(pathIn(commonDir), `${digest} ${claim_id} ${outcome} ${commit}\n`)

/** All that were noted, in order; a line that a crash cut short is none. */
export function proofsIn({ commonDir }: Repository, files: Files): readonly Proof[] {
  const lines = Buffer.from(files.read(pathIn(commonDir)) ?? []).toString('latin1').split('\n')
  return lines.flatMap((line) => {
    const found = /^([0-9a-f]{64}) ([0-9a-f]{64}) (PROVEN|VACUOUS|STILL_RED|FLAKY|INFRA_FAILURE) ([0-9a-f]{40})$/.exec(line)
    return found === null ? [] : [{ digest: found[1] as string, claim_id: found[2] as string, outcome: found[3] as Proof['outcome'], commit: found[4] as string }]
  })
}

const pathIn = (commonDir: string): string => join(commonDir, 'remnant', 'proofs')
