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
export const noteReds = (reds: ByClaim<readonly string[]>, repository: Repository, files: Files): void =>
  note('reds', new Map([...reds].map(([claim, signatures]) => [claim, signatures.map(redDigest)])), repository, files)

/** How gates of residuals had been red, by claim. */
export const redsIn = (repository: Repository, files: Files): ByClaim<ReadonlySet<string>> => notedIn('reds', repository, files)

/** Notes ids of a residual's patch less its first attempts, in `remnant/parts`: who committed those before has one of these for the fix. */
export const noteParts = (parts: ByClaim<readonly string[]>, repository: Repository, files: Files): void => note('parts', parts, repository, files)

/** The same as they were noted, by claim. */
export const partsIn = (repository: Repository, files: Files): ByClaim<ReadonlySet<string>> => notedIn('parts', repository, files)

type ByClaim<T> = ReadonlyMap<string, T>

function note(name: string, digests: ByClaim<readonly string[]>, repository: Repository, files: Files): void {
  const known = notedIn(name, repository, files)
  const lines = [...digests].flatMap(([claim, all]) => all.filter((one) => known.get(claim)?.has(one) !== true).map((one) => `${claim} ${one}\n`))
  if (lines.length > 0) files.append(pathIn(repository.commonDir, name), lines.join(''))
}

function notedIn(name: string, { commonDir }: Repository, files: Files): ByClaim<ReadonlySet<string>> {
  const noted = new Map<string, Set<string>>()
  for (const line of linesIn(pathIn(commonDir, name), files)) {
    const [, claim, digest] = /^([0-9a-f]{64}) ([0-9a-f]{64})$/.exec(line) ?? []
    if (claim !== undefined && digest !== undefined) noted.set(claim, (noted.get(claim) ?? new Set()).add(digest))
  }
  return noted
}

const linesIn = (path: string, files: Files): string[] => Buffer.from(files.read(path) ?? []).toString('latin1').split('\n')
const pathIn = (commonDir: string, name: string): string => join(commonDir, 'remnant', name)
