import type { Target, NonIdempotentCommit } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import { COORDINATES } from '../model/mutation.ts'
import { UNKNOWN } from '../model/outcome.ts'
import { withoutTexts } from '../model/temporary-texts.ts'
import { type Body, type Candidate, NOTHING_STRIPPED, type Purge, type Statement, idOf, purge, settle } from './candidate.ts'
import type { Deed, Evidence, Telemetry } from './evidence.ts'

/** What was done outside, and what nobody knows the outcome of; a deed that is known to be done answers the latter. */
export function deeds(telemetry: Telemetry): (Candidate | Purge)[] {
  const runs = telemetry.evidence.filter((run) => run.mutation !== null && isTold(run, run.mutation))
  const done = runs.filter((run) => run.mutation?.confirmed != null)
  const open = runs.filter((run) => run.mutation?.unknown === true && !done.some((other) => isSameDeed(run, other)))
  const byId = new Map<string, { statement: Statement; runs: Evidence[]; keys: readonly Key[]; state_hash: string | null }>()
  for (const run of [...done, ...open.map((one) => ({ ...one, receipt: { ...one.receipt, outcome: UNKNOWN } }))]) {
    const { intended, confirmed } = run.mutation as Deed
    const target = confirmed?.target ?? (intended.target as Target)
    const state_hash = confirmed === null ? (intended.state_hash ?? null) : confirmed.state_hash
    const key: Key = `target:${target.kind}/${target.id}`
    const value = confirmed === null ? (COORDINATES.has(target.kind) ? target.id : null) : confirmed.targetValue
    const stated = value === null ? run : { ...run, seen: { ...run.seen, [key]: value } }
    const body: Body<NonIdempotentCommit> = {
      mutation: withoutTexts(run.receipt.command),
      repeat: intended.repeat,
      target,
      identifier: confirmed === null ? intended.identifier : confirmed.identifier,
      state_hash,
      outcome: run.receipt.outcome,
    }
    const statement: Statement = { list: 'non_idempotent_commits', body }
    const id = idOf(statement)
    const known = byId.get(id)
    if (known === undefined || known.state_hash !== state_hash) byId.set(id, { statement, runs: [stated], keys: [key], state_hash })
    else known.runs.push(stated)
  }
  const nameless = telemetry.evidence.filter((run) => run.mutation !== null && run.mutation.unknown && run.mutation.confirmed === null && run.mutation.intended.target === null)
  return [
    ...[...byId.values()].map(({ statement, runs, keys }) => settle(statement, keys, runs, telemetry, NOTHING_STRIPPED)),
    ...nameless.map((run) => purge('receipt', 'what it would have made can not be told, so that nobody could know it again', run, 'non_idempotent_commits')),
  ]
}

/** Words that the shell worked out leave a place open, unless its target names it whoever reads it; what it read, or a variable that was taken from it, does not. */
function isTold(run: Evidence, { intended, confirmed }: Deed): boolean {
  const target = confirmed?.target ?? intended.target
  return target !== null && (!run.symbolic || COORDINATES.has(target.kind) || (run.worded && confirmed !== null))
}

/** The same target, and the same thing made there, as it was asked for or as the tool named it; or the very same command. */
function isSameDeed(open: Evidence, done: Evidence): boolean {
  const [asked, made] = [open.mutation as Deed, done.mutation as Deed]
  const target = made.confirmed?.target
  if (target?.kind !== asked.intended.target?.kind || target?.id !== asked.intended.target?.id) return false
  const identifier = asked.intended.identifier
  return open.commandKey === done.commandKey || (identifier !== null && (identifier === made.intended.identifier || identifier === made.confirmed?.identifier))
}
