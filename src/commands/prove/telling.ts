import type { CanonicalCommand } from '../../model/command.ts'
import { command as inWords, data } from '../../resolve/words.ts'
import type { Fix } from '../../host/proofs/fix.ts'
import type { HeldResidual } from './known.ts'
import type { Raised } from './raise.ts'
import { type ProofOutcome, type Shown, type Side, isAnother } from './side.ts'

export interface Told {
  readonly command: CanonicalCommand
  readonly fix: Fix
  readonly red: Side
  readonly green: Side
  readonly outcome: ProofOutcome
  /** This clone knows how the gate was red in the session. */
  readonly recorded: boolean
  /** The commit changes what defines the gate. */
  readonly redefined: boolean
  readonly residuals: readonly HeldResidual[]
  /** null: there was nothing to raise. */
  readonly raised: Raised | null
}

/** What came of it, for a person: the outcome first, then each tree. */
export function inLines({ command, fix, red, green, outcome, recorded, redefined, residuals, raised }: Told): string {
  const lines = [
    `${outcome}  ${inWords(command)}`,
    `  parent  ${fix.parent.slice(0, 12)}  ${runsIn(red)}`,
    `  fix     ${fix.commit.slice(0, 12)}  ${runsIn(green)}`,
    ...reasonsOf(outcome, red, green, recorded, redefined).map((reason) => `  ${reason}`),
  ]
  if (residuals.length > 0) lines.push(`  claim   ${[...new Set(residuals.map(({ claim }) => claim.claim_id.slice(0, 12)))].join(', ')}`)
  if (raised?.is === 'sealed') lines.push(`  sealed  ${raised.written.digest.slice(0, 12)}  ${raised.written.ref}`)
  if (raised?.is === 'not') lines.push(`  noted, and not sealed: ${raised.reason}`)
  const isolation = red.isolation ?? green.isolation
  if (isolation === 'none') lines.push('  it ran without a sandbox: there is no bwrap here that works')
  return lines.join('\n')
}

/** One tree as data. */
export const sideOf = ({ commit, isolation, runs }: Side) => ({
  commit,
  isolation,
  runs: runs.map((run) => ({
    result: run.is,
    signature: run.is === 'red' ? run.signature : null,
    reason: run.is === 'infra' ? run.reason : null,
  })),
})

const runsIn = ({ runs }: Side): string => runs.map((run) => (run.is === 'infra' ? 'nothing told' : run.is)).join(', ')

function reasonsOf(outcome: ProofOutcome, red: Side, green: Side, recorded: boolean, redefined: boolean): string[] {
  const infra = [...red.runs, ...green.runs].filter((run): run is Extract<Shown, { is: 'infra' }> => run.is === 'infra').map(({ reason }) => `reason  ${data(reason)}`)
  if (infra.length > 0) return [...new Set(infra)]
  if (outcome === 'INFRA_FAILURE' && isAnother(red, green, redefined)) return ['reason  the commit changes what the gate does, and on it no tests are seen to pass']
  const [before] = red.runs
  const shown = before?.is === 'red' ? before.signature.split('\n').slice(0, 3).map((line) => `red     ${data(line)}`) : []
  return outcome === 'INFRA_FAILURE' ? [`reason  on the parent it fails otherwise than ${recorded ? 'the session recorded' : 'by a failing test'}`, ...shown] : shown
}
