import { type Claim, type ClaimList, type NonIdempotentCommit, type VerifiedInvariant, isConfirmed, passesIn } from '../model/claim.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import type { Outcome } from '../model/outcome.ts'
import { plainText } from '../model/plain.ts'
import type { Rank } from '../model/rank.ts'
import type { Receipt } from '../model/receipt.ts'

/** What a kind of claim is called, one of it. */
export const KINDS: Readonly<Record<ClaimList, string>> = {
  verified_invariants: 'verified invariant',
  falsified_boundaries: 'falsified boundary',
  non_idempotent_commits: 'non-idempotent commit',
  debug_residuals: 'debug residual',
  unresolved_handoffs: 'unresolved handoff',
}

const RANK_NOTES: Readonly<Record<Rank, string>> = { own: '', signed: '  (signed)', reported: '  (reported, unsigned)', other: '  (from others, unsigned)' }

/** What stands behind a remnant's digest where this clone did not seal it. */
export const rankNote = (rank: Rank): string => RANK_NOTES[rank]

/** The most that is shown of one recorded text. */
export const MAX_SHOWN = 200

/** What is claimed, in one line that is harmless to a terminal and stays data: bounded, without control characters. */
export function stated(claim: Claim): string {
  switch (claim.list) {
    case 'verified_invariants':
      return isDeclared(claim.verification_receipt)
        ? `${data(claim.statement)} (declared, with ${command(claim.verification_receipt.command)} → ${outcome(claim.verification_receipt.outcome)})`
        : data(claim.statement)
    case 'falsified_boundaries':
      return `${command(claim.path)} → ${firstLine(claim.terminal_error_signature)}`
    case 'non_idempotent_commits':
      return `${command(claim.mutation)} ${wasDone(claim)}: ${[`${data(claim.target.kind)} ${data(claim.target.id)}`, ...(claim.identifier === null ? [] : [data(claim.identifier)]), ...(claim.state_hash === null || claim.identifier?.endsWith(claim.state_hash) === true ? [] : [`at ${data(claim.state_hash)}`])].join(', ')}`
    case 'debug_residuals':
      return `${data(claim.root_cause_invariant)} (gate: ${command(claim.regression_gate_signature)})`
    case 'unresolved_handoffs':
      return `${command(claim.failing_gate)} fails: ${firstLine(claim.terminal_error_signature)}`
  }
}

/** What is known of a change of the outside; where nobody recorded its outcome, that it must be looked at first. */
const wasDone = (deed: NonIdempotentCommit & { readonly list: 'non_idempotent_commits' }): string => (isConfirmed(deed) ? 'was done' : 'was attempted, outcome unknown')

/** A claim that somebody declared; what stands behind it is shown with it, always. */
export const isDeclared = (receipt: Receipt): boolean => receipt.strength === 'asserted'

/** Of a command nothing is known but that it passed: it is no gate, and nobody said what it shows. */
export const isMere = ({ statement, verification_receipt }: VerifiedInvariant): boolean => !isDeclared(verification_receipt) && statement === passesIn(verification_receipt.command)

/** A command in backquotes, with its folder where that is not the repository's top. */
export const command = (typed: CanonicalCommand): string =>
  typed.folder === '.' ? `\`${data(shown(typed))}\`` : `\`${data(shown(typed))}\` in ${data(typed.folder)}`

/** `0`, `passed`, `success`, … */
export const outcome = (came: Outcome): string => (came.is === 'code' ? String(came.code) : came.is === 'summary' ? (came.passed ? 'passed' : 'failed') : came.is)

/** A recorded text as data: on one line, plain, bounded. */
export const data = (text: string): string => plainText(text, MAX_SHOWN)

const firstLine = (text: string): string => data(text.split('\n').find((line) => line.trim() !== '') ?? '')
