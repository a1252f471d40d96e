import { join } from 'node:path'
import { digestOf, sha256 } from '../base/digest.ts'
import type { DebugResidual } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** What `prove` showed of a gate, on which commit. Gates and signatures stand as their SHA-256: this file holds no text of a session. */
export interface Proof {
  readonly gate: string
  readonly commit: string
  readonly outcome: NonNullable<DebugResidual['proof']>
  /** How it was red on the parent; null: it was not, or not each time in the same way. */
  readonly red: string | null
}

export const gateDigest = (command: CanonicalCommand): string => digestOf(command)
export const redDigest = (signature: string): string => sha256(signature)

/** Notes it in this clone, in `remnant/proofs` of the common git directory, one a line. Throws `unwritable`. */
export const appendProof = ({ gate, commit, outcome, red }: Proof, { commonDir }: Repository, files: Files): void =>
  files.append(pathIn(commonDir, 'proofs'), `${gate} ${commit} ${outcome} ${red ?? '-'}\n`)

/** The last word on each gate and commit, in the order in which these were first noted; a line that a crash cut short is none. */
export function proofsIn({ commonDir }: Repository, files: Files): readonly Proof[] {
  const last = new Map<string, Proof>()
  for (const line of linesIn(pathIn(commonDir, 'proofs'), files)) {
    const found = /^([0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (PROVEN|VACUOUS|STILL_RED|FLAKY|INFRA_FAILURE) ([0-9a-f]{64}|-)$/.exec(line)
    if (found === null) continue
    const [, gate, commit, outcome, red] = found as unknown as [string, string, string, Proof['outcome'], string]
    last.set(`${gate} ${commit}`, { gate, commit, outcome, red: red === '-' ? null : red })
  }
  return [...last.values()]
}

/** Notes how the gate of a residual had been red in its session, in `remnant/reds`: only such a red shows it again. */
export function noteReds(reds: ReadonlyMap<string, readonly string[]>, repository: Repository, files: Files): void {
  const known = redsIn(repository, files)
  const lines = [...reds].flatMap(([claim, signatures]) => signatures.map(redDigest).filter((red) => known.get(claim)?.has(red) !== true).map((red) => `${claim} ${red}\n`))
  if (lines.length > 0) files.append(pathIn(repository.commonDir, 'reds'), lines.join(''))
}

/** How gates of residuals had been red, by claim. */
export function redsIn({ commonDir }: Repository, files: Files): ReadonlyMap<string, ReadonlySet<string>> {
  const reds = new Map<string, Set<string>>()
  for (const line of linesIn(pathIn(commonDir, 'reds'), files)) {
    const [, claim, red] = /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(line) ?? []
    if (claim !== undefined && red !== undefined) reds.set(claim, (reds.get(claim) ?? new Set()).add(red))
  }
  return reds
}

const linesIn = (path: string, files: Files): string[] => Buffer.from(files.read(path) ?? []).toString('latin1').split('\n')
const pathIn = (commonDir: string, name: string): string => join(commonDir, 'remnant', name)
