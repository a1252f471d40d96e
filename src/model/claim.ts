import * as z from 'zod/mini'
import { digestOf } from '../base/digest.ts'
import { Sha256, Text } from '../base/schema.ts'
import { CanonicalCommand, shown } from './command.ts'
import { Key } from './key.ts'
import { Outcome } from './outcome.ts'
import { Receipt } from './receipt.ts'

/** What a successor may now do (001, boundary 4). */
export const Effect = z.strictObject({
  verb: z.enum(['use', 'avoid', 'require']),
  kind: z.enum(['command', 'path', 'key', 'tool', 'interface']),
  value: Text.check(z.minLength(1), z.maxLength(500)),
})
export type Effect = z.infer<typeof Effect>

export const MAX_STATEMENT = 500
export const MAX_SIGNATURE = 2000
const Statement = Text.check(z.minLength(1), z.maxLength(MAX_STATEMENT))
const Signature = Text.check(z.minLength(1), z.maxLength(MAX_SIGNATURE))

/** Classes of a falsified boundary, told from status and signature. */
export const BOUNDARY_CLASSES = ['program-missing', 'usage', 'dependency', 'path-missing', 'denied', 'red'] as const
export const BoundaryClass = z.enum(BOUNDARY_CLASSES)
export type BoundaryClass = z.infer<typeof BoundaryClass>

/** Rules passed and kinds of ephemera stripped, by id (001, `context_independence_proof`). */
export const IndependenceProof = z.strictObject({ rules: z.array(Text), stripped: z.array(Text) })
export type IndependenceProof = z.infer<typeof IndependenceProof>

export const FalsifiedBranch = z.strictObject({ patch_id: z.nullable(Text), gate: CanonicalCommand, terminal_error_signature: Signature })
export type FalsifiedBranch = z.infer<typeof FalsifiedBranch>

/** An environmental fact or gate that passed an external check (000). */
export const VerifiedInvariant = z.strictObject({
  claim_id: Sha256,
  statement: Statement,
  effect: Effect,
  verification_receipt: Receipt,
  context_independence_proof: IndependenceProof,
})
export type VerifiedInvariant = z.infer<typeof VerifiedInvariant>

/** A dead end: path + precondition → terminal error signature (000). `precondition`: causal keys with their public values. */
export const FalsifiedBoundary = z.strictObject({
  claim_id: Sha256,
  class: BoundaryClass,
  path: CanonicalCommand,
  precondition: z.array(z.tuple([Key, z.nullable(Text)])),
  terminal_error_signature: Signature,
  verification_receipt: Receipt,
})
export type FalsifiedBoundary = z.infer<typeof FalsifiedBoundary>

export const Target = z.strictObject({ kind: z.string().check(z.regex(/^[a-z][a-z-]*$/)), id: Text.check(z.minLength(1)) })
export type Target = z.infer<typeof Target>

/** A change of the world outside that must not be repeated (000). */
export const NonIdempotentCommit = z.strictObject({
  claim_id: Sha256,
  mutation: CanonicalCommand,
  repeat: z.enum(['harmful', 'convergent']),
  target: Target,
  identifier: z.nullable(Text),
  state_hash: z.nullable(Text),
  outcome: Outcome,
  verification_receipt: Receipt,
})
export type NonIdempotentCommit = z.infer<typeof NonIdempotentCommit>

/**
 * The irreducible end of a debugging session (004). `patch_id`: SHA-256 of the canonical list of `[path, blob before, blob after]`
 * of what changed from its first red run to green, net and sorted by path; `diff_sha256` that of the same as lines `BEFORE AFTER PATH\n`.
 */
export const DebugResidual = z.strictObject({
  claim_id: Sha256,
  root_cause_invariant: Statement,
  falsified_branches: z.array(FalsifiedBranch),
  verified_patch_receipt: z.strictObject({ patch_id: Text, diff_sha256: Sha256 }),
  regression_gate_signature: CanonicalCommand,
  proof: z.nullable(z.enum(['PROVEN', 'VACUOUS', 'STILL_RED', 'FLAKY', 'INFRA_FAILURE'])),
  verification_receipt: Receipt,
})
export type DebugResidual = z.infer<typeof DebugResidual>

/** A gate that never went green: what is needed to go on (004, boundary 1). */
export const UnresolvedHandoff = z.strictObject({
  claim_id: Sha256,
  failing_gate: CanonicalCommand,
  terminal_error_signature: Signature,
  open_since_patch: z.nullable(Text),
  falsified_branches: z.array(FalsifiedBranch),
  verification_receipt: Receipt,
})
export type UnresolvedHandoff = z.infer<typeof UnresolvedHandoff>

export type Claim =
  | ({ readonly list: 'verified_invariants' } & VerifiedInvariant)
  | ({ readonly list: 'falsified_boundaries' } & FalsifiedBoundary)
  | ({ readonly list: 'non_idempotent_commits' } & NonIdempotentCommit)
  | ({ readonly list: 'debug_residuals' } & DebugResidual)
  | ({ readonly list: 'unresolved_handoffs' } & UnresolvedHandoff)

/** The remnant's lists of claims, in the order in which they are shown. */
export const CLAIM_LISTS = ['verified_invariants', 'falsified_boundaries', 'non_idempotent_commits', 'debug_residuals', 'unresolved_handoffs'] as const
export type ClaimList = (typeof CLAIM_LISTS)[number]

/** A claim before it has its id. */
export type Unnamed<T> = Omit<T, 'claim_id'>

/** A claim's id: SHA-256 over its kind and what it is about; no receipt, key, session or time is in it. */
export const claimId = {
  verified_invariants: (claim: Unnamed<VerifiedInvariant>): string => digestOf(['verified_invariant', claim.statement]),
  falsified_boundaries: (claim: Unnamed<FalsifiedBoundary>): string => digestOf(['falsified_boundary', claim.path, claim.terminal_error_signature]),
  non_idempotent_commits: (claim: Unnamed<NonIdempotentCommit>): string =>
    digestOf(['non_idempotent_commit', claim.mutation, claim.target, claim.identifier]),
  debug_residuals: (claim: Unnamed<DebugResidual>): string =>
    digestOf(['debug_residual', claim.regression_gate_signature, claim.verified_patch_receipt.patch_id]),
  unresolved_handoffs: (claim: Unnamed<UnresolvedHandoff>): string =>
    digestOf(['unresolved_handoff', claim.failing_gate, claim.terminal_error_signature]),
} satisfies { [L in ClaimList]: (claim: never) => string }

/** What is said of a command that passed and is no gate (DESIGN 13). */
export const passesIn = (command: CanonicalCommand): string => `\`${shown(command)}\` passes in \`${command.folder}\``

/** Whether what came of it is on record, which of a deed it need not be. */
export const isConfirmed = (claim: Claim): boolean => claim.list !== 'non_idempotent_commits' || claim.outcome.is !== 'unknown'

const WORDS: Readonly<Record<ClaimList, readonly [string, string]>> = {
  verified_invariants: ['invariant', 'invariants'],
  falsified_boundaries: ['boundary', 'boundaries'],
  non_idempotent_commits: ['commit', 'commits'],
  debug_residuals: ['residual', 'residuals'],
  unresolved_handoffs: ['handoff', 'handoffs'],
}

/** How many claims of each kind, for a person: `2 invariants, 1 boundary`. */
export const countsInWords = (claims: Readonly<Record<ClaimList, number>>): string =>
  CLAIM_LISTS.filter((list) => claims[list] > 0)
    .map((list) => `${claims[list]} ${WORDS[list][claims[list] === 1 ? 0 : 1]}`)
    .join(', ')
