import { RemnantError } from '../base/errors.ts'
import { type FalsifiedBranch, MAX_SIGNATURE, MAX_STATEMENT } from '../model/claim.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import { AMBIENT, type Key, STRUCTURAL, splitKey } from '../model/key.ts'
import { keysNamedBy } from '../model/effect.ts'
import type { SessionWorld } from '../model/ephemeron.ts'
import type { Declared } from '../model/observation.ts'
import type { Prose } from '../model/rule.ts'
import type { Sets } from '../model/sets.ts'
import type { Candidate, Candidates, Purge } from './candidate.ts'
import { rootRelative } from './normalise.ts'
import { refuseProse, refusedIn, screen, storable } from './screen.ts'
import type { Telemetry } from './evidence.ts'

/**
 * The rule stages that look at a candidate's own words, in order; the first that refuses it is the one reported.
 * Category, receipt, repository and precondition have been decided when the candidate was made.
 */
export async function admit({ candidates, purged }: Candidates, telemetry: Telemetry | null, sets: Sets): Promise<Candidates> {
  const admitted: Candidate[] = []
  const refused: Purge[] = [...purged]
  for (const candidate of candidates) {
    const refusal = telemetry === null ? null : await refusalOf(candidate, telemetry, sets)
    if (refusal === null) admitted.push(candidate)
    else refused.push({ ...refusal, record_id: candidate.proof.receipt.record_id, list: candidate.list })
  }
  return { candidates: admitted, purged: refused }
}

/** Ids of what every admitted statement has passed. */
export const rulesPassed = (sets: Sets): readonly string[] => [...sets.rules.map(({ id }) => id), 'no-ephemera', 'no-secret']

/** The session's id as it may be stored. */
export const nameOf = ({ session }: SessionWorld, sets: Sets): Promise<string> => storable(session, sets.ephemera)

export type Refusal = Pick<Purge, 'rule' | 'reason'>

async function refusalOf(candidate: Candidate, { session }: Telemetry, sets: Sets): Promise<Refusal | null> {
  const fields = fieldsOf(candidate)
  const found = await screen([...fields.free, ...fields.bound], session, sets.ephemera)
  const bound = new Set(fields.bound.map(({ field }) => field))
  const ephemeral = found.find(({ weight, field }) => weight === 'session' && !bound.has(field))
  if (ephemeral !== undefined) return { rule: ephemeral.kind, reason: `${ephemeral.field} holds something that ends with the session` }
  for (const prose of fields.prose) {
    const refused = refuseProse(prose, sets.rules)
    if (refused !== null) return refused
  }
  const secret = found.find(({ weight }) => weight === 'secret')
  if (secret !== undefined) return { rule: 'secret', reason: `${secret.field} holds what looks like a secret (${secret.kind})` }
  const keyed = (await screen(keysAsWords(candidate.keys), session, sets.ephemera)).find(({ weight }) => weight === 'secret')
  if (keyed !== undefined) return { rule: 'secret', reason: `a key of it holds what looks like a secret (${keyed.kind})` }
  return tooLong(candidate)
}

interface Fields {
  /** Sentences of a person: the prose rules apply. */
  readonly prose: readonly Prose[]
  /** Nothing that ends with the session may stand here. */
  readonly free: readonly Prose[]
  /** Names of a receipt or a target, which may be of their moment; no secret may stand here either. */
  readonly bound: readonly Prose[]
}

function fieldsOf(candidate: Candidate): Fields {
  const receipt = commandFields('verification_receipt.command', candidate.proof.receipt.command)
  switch (candidate.list) {
    case 'verified_invariants': {
      const statement = { field: 'statement', text: candidate.body.statement }
      return { prose: [statement], free: [statement, { field: 'effect.value', text: candidate.body.effect.value }], bound: receipt }
    }
    case 'falsified_boundaries':
      return {
        prose: [],
        free: [...commandFields('path', candidate.body.path), { field: 'terminal_error_signature', text: candidate.body.terminal_error_signature }],
        bound: receipt,
      }
    case 'non_idempotent_commits': {
      const { target, identifier, state_hash } = candidate.body
      const names = [target.id, identifier, state_hash].filter((text) => text !== null)
      return { prose: [], free: commandFields('mutation', candidate.body.mutation), bound: [...receipt, ...names.map((text) => ({ field: 'identifier', text }))] }
    }
    case 'debug_residuals': {
      const cause = { field: 'root_cause_invariant', text: candidate.body.root_cause_invariant }
      const branches = signaturesOf(candidate.body.falsified_branches)
      return { prose: [cause], free: [cause, ...commandFields('regression_gate_signature', candidate.body.regression_gate_signature), ...branches], bound: receipt }
    }
    case 'unresolved_handoffs':
      return {
        prose: [],
        free: [
          ...commandFields('failing_gate', candidate.body.failing_gate),
          { field: 'terminal_error_signature', text: candidate.body.terminal_error_signature },
          ...signaturesOf(candidate.body.falsified_branches),
        ],
        bound: receipt,
      }
  }
}

const signaturesOf = (branches: readonly FalsifiedBranch[]): Prose[] =>
  branches.flatMap(({ gate, terminal_error_signature: text }) => [{ field: 'falsified_branches', text }, ...commandFields('falsified_branches', gate)])

/** A key names what a failure printed, or a command's words: a path, a package, a program. */
const keysAsWords = (keys: readonly Key[]): Prose[] => keys.map((key) => ({ field: 'keys', text: splitKey(key).argument }))

/** Keys that a configuration names go into every seal. Throws `malformed` for one that holds a secret. */
export async function refuseSecretKeys(keys: readonly Key[], { ephemera }: Sets): Promise<void> {
  const found = await screen(keysAsWords(keys.filter((key) => !AMBIENT.includes(key) && !STRUCTURAL.includes(key))), { session: '', root: null }, ephemera)
  if (!found.some(({ weight }) => weight === 'secret')) return
  throw new RemnantError('malformed', 'a key of the configuration holds what looks like a secret', { hint: 'take it out of "ambient" or "structural"' })
}

/** A command as one text, since a value can be told from the word before it, and its folder. */
const commandFields = (field: string, command: CanonicalCommand): Prose[] => [
  { field: `${field}.argv`, text: shown(command) },
  ...command.argv.map((text) => ({ field: `${field}.argv`, text })),
  ...command.env.map(([name, value]) => ({ field: `${field}.env`, text: `${name}=${value}` })),
  { field: `${field}.folder`, text: command.folder },
]

function tooLong(candidate: Candidate): Refusal | null {
  const over = (text: string, limit: number): boolean => text.length > limit
  if (candidate.list === 'verified_invariants' && over(candidate.body.statement, MAX_STATEMENT)) return { rule: 'limit', reason: `the statement is over ${MAX_STATEMENT} characters` }
  if (candidate.list === 'verified_invariants' && over(candidate.body.effect.value, MAX_STATEMENT)) return { rule: 'limit', reason: `the effect is over ${MAX_STATEMENT} characters` }
  if ('terminal_error_signature' in candidate.body && over(candidate.body.terminal_error_signature, MAX_SIGNATURE))
    return { rule: 'limit', reason: `the signature is over ${MAX_SIGNATURE} characters` }
  return null
}

/** What the rules say of a declaration before any log is read: the first that refuses it, or null. */
export async function refusalOfWords(declared: Declared, session: SessionWorld, sets: Sets): Promise<(Refusal & { readonly word?: string }) | null> {
  const statement = { field: declared.root_cause ? 'root_cause_invariant' : 'statement', text: declared.statement }
  const free = [statement, ...named('effect.value', declared.effect?.value), ...named('gate', declared.gate), ...named('by', declared.by)]
  const found = await screen(free, session, sets.ephemera)
  const ephemeral = found.find(({ weight, field }) => weight === 'session' && field !== 'by')
  if (ephemeral !== undefined) return { rule: ephemeral.kind, reason: `${ephemeral.field} holds something that ends with the session` }
  const refused = refusedIn(statement, sets.rules)
  // A word of a text in which something stands that nobody may see is not shown, whatever it is.
  if (refused !== null) return found.length > 0 ? { rule: refused.rule, reason: refused.reason } : refused
  if (declared.effect === null && declared.gate === null && !declared.root_cause) return { rule: 'effect', reason: 'it does not say what a successor may do' }
  if (declared.effect !== null && keysNamedBy({ ...declared.effect, value: rootRelative(declared.effect.value, session) }) === null) return { rule: 'effect', reason: `it names no ${declared.effect.kind} of the environment` }
  const secret = found.find(({ weight }) => weight === 'secret')
  if (secret !== undefined) return { rule: 'secret', reason: `${secret.field} holds what looks like a secret (${secret.kind})` }
  return declared.statement.length > MAX_STATEMENT ? { rule: 'limit', reason: `the statement is over ${MAX_STATEMENT} characters` } : null
}

const named = (field: string, text: string | null | undefined): Prose[] => (text == null ? [] : [{ field, text }])
