import { type Effect, passesIn } from '../model/claim.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import { keysNamedBy } from '../model/effect.ts'
import type { Key } from '../model/key.ts'
import { withoutCaches } from '../model/temporary-caches.ts'
import { programOf } from '../model/toolchain.ts'
import { type Candidate, type Candidates, NOTHING_STRIPPED, type Purge, type Statement, purge, settle } from './candidate.ts'
import { SOURCES, inferred, keysOf, restsOn, sourcesOf } from './causes.ts'
import { touches } from './changes.ts'
import { ofDeclaration, ofRootCause } from './declared.ts'
import { deeds } from './deeds.ts'
import { rootRelative } from './normalise.ts'
import { branchesOf, patchBefore } from './residual.ts'
import { type Evidence, type Falsification, type Telemetry, byCommand } from './evidence.ts'

/** What a session's telemetry lets one conclude without a model: gates, dead ends, done deeds, open gates, and what was declared. */
export function claim(telemetry: Telemetry | null): Candidates {
  if (telemetry === null) return { candidates: [], purged: [] }
  const found: (Candidate | Purge)[] = [
    ...byCommand(telemetry.evidence).flatMap((runs) => ofCommand(runs, telemetry)),
    ...deeds(telemetry),
    ...telemetry.declarations.map((declaration) => (declaration.declared.root_cause ? ofRootCause(declaration, telemetry) : ofDeclaration(declaration, telemetry))),
  ]
  return { candidates: found.filter((one): one is Candidate => 'claim_id' in one), purged: found.filter((one): one is Purge => 'rule' in one) }
}

/**
 * The keys of whatever could be claimed of one call, now or with others: a gate that passed may bear out what somebody declares, or be
 * a fix, which rest on its sources too. What is declared leans on another call, so that nothing comes of it alone.
 */
export function wantedOf(telemetry: Telemetry | null): readonly Key[] {
  if (telemetry === null) return []
  const passed = telemetry.evidence.filter(({ verdict, invocation }) => verdict === true && invocation?.verifies === true).flatMap(restsOn)
  const declared = telemetry.declarations.flatMap(({ declared: { effect } }) => (effect === null ? [] : (keysNamedBy({ ...effect, value: rootRelative(effect.value, telemetry.session) }) ?? [])))
  return [...claim(telemetry).candidates.flatMap(({ keys }) => keys), ...passed, ...declared]
}

/** The last run decides: what the same command later outlived was no boundary, and a gate that ended red is no verified one. */
function ofCommand(runs: readonly Evidence[], telemetry: Telemetry): (Candidate | Purge)[] {
  const last = runs.at(-1)
  if (last === undefined) return []
  const since = runs.slice(runs.findLastIndex((run) => run.verdict !== last.verdict) + 1)
  const doubt = telemetry.evidence.find((run) => run.doubtful && run.alias === last.alias && run.order > last.order)
  if (doubt !== undefined && last.verdict === true) return [purge('doubtful', 'a later run of it may have failed', last, 'verified_invariants', doubt.receipt.record_id)]
  return last.verdict === true ? ofPassing(since, telemetry) : ofFailing(since, last, telemetry)
}

function ofPassing(runs: readonly Evidence[], telemetry: Telemetry): (Candidate | Purge)[] {
  const sound = runs.filter((run) => !run.contradicted && run.mutation === null)
  const first = sound[0]
  if (first === undefined) return []
  const gate = first.invocation?.verifies ?? false
  const command = gate ? withoutCaches(first.receipt.command) : first.receipt.command
  if (!gate && first.receipt.strength !== 'witnessed') return []
  if (!gate && first.changes) return [purge('effect', 'it says what was done, not what a successor may do', first, 'verified_invariants')]
  if (restsOnGit(command)) return [purge('unsealed', GIT_STATE, first, 'verified_invariants')]
  const statement = gate ? `\`${shown(command)}\` is a gate of \`${command.folder}\`` : passesIn(command)
  const effect: Effect = { verb: 'use', kind: 'command', value: shown(command) }
  const passes: Statement = { list: 'verified_invariants', body: { statement, effect } }
  const traced = sound.findLast((run) => run.traced)
  const seen = traced === undefined ? null : settle(passes, keysOf(traced), [traced], telemetry, NOTHING_STRIPPED)
  if (seen !== null && 'claim_id' in seen) return [seen]
  return [settle(passes, gate ? inferred(first) : restsOn(first), sound, telemetry, NOTHING_STRIPPED)]
}

function ofFailing(runs: readonly Evidence[], last: Evidence, telemetry: Telemetry): (Candidate | Purge)[] {
  const failure = last.failure
  const command = last.receipt.command
  if (failure === null || failure.class === null) return [purge('unclassified', 'the failure is of no class whose end a key could show', last, 'falsified_boundaries')]
  const same = runs.filter((run) => run.failure?.signature === failure.signature)
  const boundary: Statement = {
    list: 'falsified_boundaries',
    body: { class: failure.class, path: command, precondition: [], terminal_error_signature: failure.signature },
  }
  if (failure.class !== 'red') return [settle(boundary, boundaryKeys(failure, last), same, telemetry, failure.stripped)]
  if (restsOnGit(command)) return [purge('unsealed', GIT_STATE, last, 'falsified_boundaries')]
  const keys = [...restsOn(last), ...(last.traced ? [] : failure.keys)]
  const standing = last.traced ? [last] : same.slice(-2)
  if (last.receipt.strength === 'witnessed' || twiceUnchanged(same, telemetry)) return [settle(boundary, keys, standing, telemetry, failure.stripped)]
  if (last.invocation?.verifies !== true) return [purge('seen-once', 'a red outcome that was seen once may be chance', last, 'falsified_boundaries')]
  const handoff: Statement = {
    list: 'unresolved_handoffs',
    body: {
      failing_gate: withoutCaches(command),
      terminal_error_signature: failure.signature,
      open_since_patch: patchBefore(last, keys, telemetry.changes, gateRuns(last, telemetry))?.patch_id ?? null,
      falsified_branches: branchesOf(runs, keys, telemetry.changes),
    },
  }
  return [settle(handoff, keys, [last], telemetry, failure.stripped)]
}

/** Refs, tags, the index and settings of git change how its commands end, and no key holds them. */
const restsOnGit = (command: CanonicalCommand): boolean => /^(?:.*\/)?git$/.test(programOf(command).program)
const GIT_STATE = "git's own state, on which it rests, can not be read: no key holds it"

const gateRuns = ({ commandKey }: Evidence, { evidence }: Telemetry): readonly Evidence[] => evidence.filter((run) => run.commandKey === commandKey && run.verdict !== null)

/** By class (the table of boundary classes): what the failure names, and what decides how the program is reached. */
function boundaryKeys(failure: Falsification, run: Evidence): readonly Key[] {
  const configs = run.invocation?.delegates === true ? run.invocation.keys.filter((key) => key.startsWith('file:')) : []
  const program = failure.class === 'program-missing' ? [] : inferred(run).filter((key) => key.startsWith('tool:'))
  const named = failure.keys.map((key) => (key === SOURCES ? sourcesOf(run.receipt.command) : key))
  const sources = runsSources(failure, run) ? [sourcesOf(run.receipt.command)] : []
  return [...named, ...configs, ...sources, ...(failure.class === 'denied' ? ['privilege'] : program)]
}

/** Whether sources of the repository say what is started, needed or taken: then a change of them may end it, whatever else stays. */
function runsSources({ class: kind, keys }: Falsification, { invocation, receipt: { command } }: Evidence): boolean {
  const own = command.argv[0]?.includes('/') === true || (INTERPRETS.test(command.argv[0] ?? '') && command.argv.length > 1)
  if (kind === 'program-missing') return !keys.includes(`absent-tool:${programOf(command).program}`)
  return own || (kind !== 'usage' && (invocation?.delegates === true || invocation?.readsSources === true))
}

const INTERPRETS = /^(?:node|nodejs|deno|bun|tsx|ts-node|python|python\d[\d.]*|pypy3?|ruby|perl|php|lua|sh|bash|dash|zsh|ksh|fish)$/

/** Seen twice with the same signature and no change of the files between. */
function twiceUnchanged(runs: readonly Evidence[], { changes }: Telemetry): boolean {
  const [before, last] = runs.slice(-2)
  return before !== undefined && last !== undefined && !changes.some((change) => change.order > before.order && change.order < last.order && touches(change, 'tree:.'))
}
