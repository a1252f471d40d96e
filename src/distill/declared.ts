import { type Effect, MAX_STATEMENT, type DebugResidual } from '../model/claim.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import { keysNamedBy } from '../model/effect.ts'
import { readShell } from '../model/shell.ts'
import { principalOf } from './assess.ts'
import { type Body, type Candidate, NOTHING_STRIPPED, type Purge, firstFrom, settle } from './candidate.ts'
import { keysOf, restsOn, sourcesOf } from './causes.ts'
import { rootRelative } from './normalise.ts'
import { fixBefore } from './residual.ts'
import { type Declaration, type Evidence, type Telemetry, byCommand } from './evidence.ts'
import { sameKey } from '../model/temporary-caches.ts'

/**
 * A fault's cause, declared after its gate turned green (004): with the edits that turned it a residual. Where the log does
 * not show these, it is a fact that the gate bears out, and no residual. The gate: the one that is named, else what turned green last.
 */
export function ofRootCause(declaration: Declaration, telemetry: Telemetry): Candidate | Purge {
  const { declared, folder, order } = declaration
  const named = declared.gate ?? declared.by
  const groups = byCommand(telemetry.evidence.filter((run) => !run.contradicted && run.mutation === null))
  const key = named === null ? null : keyOf(commandIn(named, folder, telemetry))
  const gates = groups.filter(([run]) => (named === null ? run?.invocation?.verifies === true : run?.commandKey === key))
  const fixes = gates.flatMap((runs) => {
    const keys = [...keysOf(runs[0] as Evidence), sourcesOf((runs[0] as Evidence).receipt.command)]
    const fix = fixBefore(order, runs, keys, telemetry.changes)
    return fix === null ? [] : [{ ...fix, keys, runs }]
  })
  const fix = fixes.reduce<(typeof fixes)[number] | null>((last, one) => (last === null || turn(one) > turn(last) ? one : last), null)
  const refuse = (rule: string, reason: string, by?: string): Purge => ({ rule, reason, record_id: declaration.record_id, list: 'debug_residuals', ...(by !== undefined && { by }) })
  if (!declaration.stood) return refuse('receipt', 'the call that declared it did not go through')
  if (fix === null && named === null) return refuse('receipt', 'no gate turned green before it')
  if (fix === null) return noResidual(ofDeclaration(declaration, telemetry, gates[0]?.findLast((run) => run.order < order) ?? null), 'the named gate was not seen to turn from red to green before it', null, telemetry)
  if (fix.patch === null) {
    const { reason = 'nobody recorded what turned the gate', order: step = null } = fix.unpatched ?? {}
    return noResidual(ofDeclaration(declaration, telemetry, fix.green.findLast((run) => run.order < order) ?? null), reason, step, telemetry)
  }
  const last = lastOf(fix.runs[0] as Evidence, telemetry)
  if (fix.runs.at(-1)?.verdict !== true || last?.verdict === false) return refuse('receipt', 'the gate failed again afterwards', last?.receipt.record_id)
  const root_cause_invariant = rootRelative(declared.statement.trim(), telemetry.session)
  if (root_cause_invariant.length > MAX_STATEMENT) return refuse('limit', `the statement is over ${MAX_STATEMENT} characters`)
  const body: Body<DebugResidual> = {
    root_cause_invariant,
    falsified_branches: [...fix.branches],
    verified_patch_receipt: fix.patch,
    regression_gate_signature: (fix.green[0] as Evidence).receipt.command,
    proof: null,
  }
  const settled = settle({ list: 'debug_residuals', body }, fix.keys, fix.green, telemetry, NOTHING_STRIPPED)
  return 'rule' in settled ? { ...settled, record_id: declaration.record_id } : { ...settled, declared: true, declaration: declaration.record_id, reds: fix.reds, parts: fix.parts }
}

/** A declared cause that is an invariant only: why, for whoever asks. */
const noResidual = (made: Candidate | Purge, reason: string, order: number | null, { records }: Telemetry): Candidate | Purge =>
  'rule' in made ? made : { ...made, unresidual: { reason, record_id: order === null ? null : (records[Math.floor(order)] ?? null) } }

const turn = ({ green }: { readonly green: readonly Evidence[] }): number => (green[0] as Evidence).order

const keyOf = (command: CanonicalCommand | null): string | null => (command === null ? null : sameKey(command))

/** A declared claim leans on a result that the log holds (000, step 2; 001, boundary 3); without one it is speculation. */
export function ofDeclaration(declaration: Declaration, telemetry: Telemetry, run = leansOn(declaration, telemetry)): Candidate | Purge {
  const { declared } = declaration
  const list = 'verified_invariants'
  const refuse = (rule: string, reason: string, by?: string): Purge => ({ rule, reason, record_id: declaration.record_id, list, ...(by !== undefined && { by }) })
  if (!declaration.stood) return refuse('receipt', 'the call that declared it did not go through')
  if (run === null) return refuse('receipt', 'the command that should prove it is not in the log before it')
  if (run.verdict !== true || run.contradicted) return refuse('receipt', 'the command that should prove it did not pass')
  if (ASIDES.has(run.receipt.command.argv[0] ?? '')) return refuse('receipt', 'the command that should prove it proves nothing')
  const last = lastOf(run, telemetry)
  if (last?.verdict === false) return refuse('receipt', 'the command that should prove it failed later', last.receipt.record_id)
  if (declared.statement.length > MAX_STATEMENT) return refuse('limit', `the statement is over ${MAX_STATEMENT} characters`)
  const gate = declared.gate === null ? (declared.root_cause ? run.receipt.command : null) : commandIn(declared.gate, declaration.folder, telemetry)
  if (declared.gate !== null && gate === null) return refuse('receipt', 'the gate is not one command that can be read')
  const stated = declared.effect === null ? null : { ...declared.effect, value: rootRelative(declared.effect.value, telemetry.session) }
  const effect = stated ?? (gate === null ? null : ({ verb: 'use', kind: 'command', value: shown(gate) } satisfies Effect))
  if (effect === null) return refuse('effect', 'it does not say what a successor may do')
  const named = keysNamedBy(effect)
  if (named === null) return refuse('effect', `it names no ${effect.kind} of the environment`)
  const seen = { ...Object.fromEntries(named.flatMap((key) => (declaration.seen[key] === undefined ? [] : [[key, declaration.seen[key]]]))), ...run.seen }
  const asserted = { ...run, seen, at: latest(run.at, declaration.at), receipt: { ...run.receipt, strength: 'asserted' as const } }
  const settled = settle({ list, body: { statement: rootRelative(declared.statement.trim(), telemetry.session), effect } }, [...restsOn(run), ...named], [asserted], telemetry, NOTHING_STRIPPED)
  return 'rule' in settled ? { ...settled, record_id: declaration.record_id } : { ...settled, declared: true, declaration: declaration.record_id }
}

const ASIDES = new Set(['echo', 'printf', 'true', ':', 'sleep', 'cd', 'exit'])

const lastOf = ({ alias }: Evidence, { evidence }: Telemetry): Evidence | undefined => evidence.findLast((run) => run.alias === alias && run.verdict !== null)

/** The last result of the named command before the declaration; without a name, the last command result. */
function leansOn({ declared, folder, order }: Declaration, telemetry: Telemetry): Evidence | null {
  const by = declared.by === null ? null : commandIn(declared.by, folder, telemetry)
  if (declared.by !== null && by === null) return null
  const key = by === null ? null : sameKey(by)
  for (let i = firstFrom(telemetry.evidence, order) - 1; i >= 0; i--) {
    const run = telemetry.evidence[i] as Evidence
    if (!run.symbolic && run.verdict !== null && (key === null || run.commandKey === key)) return run
  }
  return null
}

function commandIn(text: string, folder: string, telemetry: Telemetry): CanonicalCommand | null {
  const principal = principalOf(readShell(text, { folder, root: telemetry.session.root }))
  return principal === null || principal.symbolic ? null : principal.command
}

const latest = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b > a) ? b : a)
