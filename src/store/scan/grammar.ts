import { BOUNDARY_CLASSES, MAX_SIGNATURE, MAX_STATEMENT } from '../../model/claim.ts'
import { STRENGTHS } from '../../model/receipt.ts'
import { REMNANT_SCHEMA } from '../../model/remnant.ts'
import { type Shape, all, ascending, hex, integer, list, literal, marked, one, pairs, text } from './match.ts'

/** What is asked of a remnant's parts; claims begin with CLAIM and end with one of the marks of their kind. */
export const MARK = {
  ...{ baselines: 1, mapped: 2, keys: 3, seal: 4, host: 5, until: 6, session: 7, structural: 8, superseded: 9, answered: 10 },
  ...{ claim: 11, statement: 12, path: 13, key: 14, publicText: 15, signature: 16, command: 17, outcome: 18, where: 19 },
  ...{ identifier: 20, mutation: 21, target: 22, targetId: 23, targetKind: 24, gate: 25, patch: 26 },
  ...{ invariant: 30, boundary: 31, deed: 32, residual: 33, handoff: 34 },
} as const

const NULL = literal('null')
const SHA = hex(64)
const TEXT = text()

const nullable = (shape: Shape): Shape => one(NULL, shape)
const choice = (texts: readonly string[]): Shape => one(...texts.map((each) => literal(JSON.stringify(each))))
const pair = (a: Shape, b: Shape): Shape => all(literal('['), a, literal(','), b, literal(']'))

/** An object with these fields, in the order of their names. */
function object(fields: Readonly<Record<string, Shape>>): Shape {
  const names = Object.keys(fields).sort()
  return all(...names.flatMap((name, i) => [literal(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`), fields[name] as Shape]), literal('}'))
}

const COMMAND = object({
  folder: TEXT,
  env: list(pair(TEXT, TEXT)),
  argv: list(TEXT, 1),
  where: one(literal('"here"'), marked(MARK.where, TEXT)),
  privilege: choice(['user', 'root']),
})

const OUTCOME = one(
  object({ is: literal('"code"'), code: integer }),
  object({ is: literal('"summary"'), passed: one(literal('true'), literal('false')) }),
  object({ is: choice(['success', 'failure', 'answer', 'transient', 'unknown']) }),
)

const HOST = marked(MARK.host, TEXT)
const RECEIPT = object({
  host: HOST,
  record_id: text(1, 200),
  command: marked(MARK.command, COMMAND),
  outcome: marked(MARK.outcome, OUTCOME),
  output_sha256: nullable(SHA),
  strength: choice(STRENGTHS),
})

const SIGNATURE = marked(MARK.signature, text(1, MAX_SIGNATURE))
const BRANCH = object({ patch_id: nullable(TEXT), gate: COMMAND, terminal_error_signature: text(1, MAX_SIGNATURE) })
const CLAIM_ID = marked(MARK.claim, SHA)
const KEYS = list(TEXT)

const INVARIANT = object({
  claim_id: CLAIM_ID,
  statement: marked(MARK.statement, text(1, MAX_STATEMENT)),
  effect: object({ verb: choice(['use', 'avoid', 'require']), kind: choice(['command', 'path', 'key', 'tool', 'interface']), value: text(1, 500) }),
  verification_receipt: RECEIPT,
  context_independence_proof: object({ rules: ascending(TEXT), stripped: ascending(TEXT) }),
})

const BOUNDARY = object({
  claim_id: CLAIM_ID,
  class: choice(BOUNDARY_CLASSES),
  path: marked(MARK.path, COMMAND),
  precondition: ascending(pair(marked(MARK.key, TEXT), one(NULL, marked(MARK.publicText, TEXT)))),
  terminal_error_signature: SIGNATURE,
  verification_receipt: RECEIPT,
})

const DEED = object({
  claim_id: CLAIM_ID,
  mutation: marked(MARK.mutation, COMMAND),
  repeat: choice(['harmful', 'convergent']),
  target: marked(MARK.target, object({ kind: marked(MARK.targetKind, TEXT), id: marked(MARK.targetId, text(1)) })),
  identifier: marked(MARK.identifier, nullable(TEXT)),
  state_hash: nullable(TEXT),
  outcome: OUTCOME,
  verification_receipt: RECEIPT,
})

const RESIDUAL = object({
  claim_id: CLAIM_ID,
  root_cause_invariant: text(1, MAX_STATEMENT),
  falsified_branches: ascending(BRANCH),
  verified_patch_receipt: object({ patch_id: marked(MARK.patch, TEXT), diff_sha256: SHA }),
  regression_gate_signature: marked(MARK.gate, COMMAND),
  proof: nullable(choice(['PROVEN', 'VACUOUS', 'STILL_RED', 'FLAKY', 'INFRA_FAILURE'])),
  verification_receipt: RECEIPT,
})

const HANDOFF = object({
  claim_id: CLAIM_ID,
  failing_gate: marked(MARK.gate, COMMAND),
  terminal_error_signature: SIGNATURE,
  open_since_patch: nullable(TEXT),
  falsified_branches: ascending(BRANCH),
  verification_receipt: RECEIPT,
})

/** Baselines as they are read where they were not seen before. */
export const BASELINES = list(pair(TEXT, SHA))

/** A remnant, but for what follows from several of its parts together and from what texts say. */
export const REMNANT = object({
  schema: literal(JSON.stringify(REMNANT_SCHEMA)),
  session_id: marked(MARK.session, text(1)),
  provenance: object({ host: HOST, observed_until: marked(MARK.until, TEXT), head: one(NULL, hex(40), SHA), patch_ids: ascending(TEXT) }),
  environment_fingerprint: marked(MARK.seal, SHA),
  baseline_key_hashes: marked(MARK.baselines, pairs),
  structural_keys: marked(MARK.structural, KEYS),
  claim_dependency_map: list(pair(marked(MARK.mapped, SHA), marked(MARK.keys, list(TEXT, 1)))),
  verified_invariants: list(marked(MARK.invariant, INVARIANT)),
  falsified_boundaries: list(marked(MARK.boundary, BOUNDARY)),
  non_idempotent_commits: list(marked(MARK.deed, DEED)),
  debug_residuals: list(marked(MARK.residual, RESIDUAL)),
  unresolved_handoffs: list(marked(MARK.handoff, HANDOFF)),
  ephemeral_exclusion_list: ascending(object({ kind: TEXT, count: integer })),
  supersedes: ascending(pair(marked(MARK.superseded, SHA), ascending(marked(MARK.answered, SHA)))),
})
