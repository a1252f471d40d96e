import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import type { Draft, Setting } from '../../distill/draft.ts'
import type { Evidence } from '../../distill/evidence.ts'
import { observe } from '../../distill/observe.ts'
import { weigh } from '../../distill/weigh.ts'
import { draft, seal } from '../../distill.ts'
import { shown } from '../../model/command.ts'
import type { Config } from '../../model/config.ts'
import type { Key, KeyValues, Reading } from '../../model/key.ts'
import type { Turn } from '../../model/observation.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { World } from '../../model/probe.ts'
import { type Remnant, claimsOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import { type Keyed, type Shown, type Telling, tells } from '../../resolve/judge.ts'
import type { Doubted, Probing } from '../../resolve/plan.ts'
import { type Env, type Git, type Repository, withoutGit } from '../git.ts'
import { readKeys } from '../keys.ts'
import type { Processes } from '../processes.ts'
import { settingFor } from './setting.ts'
import { sameKey } from '../../model/temporary-caches.ts'

/** What may be opened of a verb's outside. */
interface Place {
  readonly env: Env
  readonly processes: Processes
  now(): Date
  sets(): Promise<Sets>
  repository(): Promise<Repository>
  git(): Promise<Git>
  config(): Promise<Config>
  world(): Promise<World>
}

/** Where commands are run again: this work tree, as it lies, and the user's own environment. */
export interface Ground {
  readonly host: Pick<Place, 'env' | 'processes' | 'now' | 'world'>
  readonly sets: Sets
  readonly setting: Setting
  readonly worktree: string
  readonly session: string
  readonly head: string | null
  /** Of one run, in seconds. */
  readonly limit: number
}

export type Ended =
  | { readonly is: 'shown'; readonly shown: Shown; readonly at: string; readonly excluded: Remnant['ephemeral_exclusion_list'] }
  | { readonly is: 'stays'; readonly reason: 'time-out' | 'transient' | 'unclear' | 'flaky' | 'not-runnable' }

/**
 * This work tree, as a session of its own: the name of the verb and an id.
 * Throws `missing` in a bare repository.
 */
export async function groundOf(host: Place, verb: string): Promise<Ground> {
  const { workTree } = await host.repository()
  if (workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree' })
  const config = await host.config()
  const git = await host.git()
  const head = await git.try(['rev-parse', '--verify', '--quiet', 'HEAD'])
  return {
    host,
    sets: await host.sets(),
    setting: await settingFor(git, config, true),
    worktree: workTree,
    session: `${verb}-${randomUUID()}`,
    head: head.status === 0 ? Buffer.from(head.stdout).toString('utf8').trim() : null,
    limit: config.gate?.timeout_s ?? 120,
  }
}

/** As often as it takes to believe what nobody expected. */
const MOST_RUNS = 3
const KEPT_OUTPUT = 256 * 1024

/**
 * Runs a command in this work tree: once where it comes out as its claims say; else again, and what two runs agree on counts.
 * A command that once passes and once fails is flaky, whatever a third run would say.
 */
export async function rerun(probing: Probing<Doubted>, ground: Ground): Promise<Ended> {
  const runs: Run[] = []
  for (let count = 0; count < MOST_RUNS; count++) {
    const run = await runOnce(probing, ground)
    if ('is' in run) return run
    const same = runs.find((one) => one.passed === run.passed && one.signature === run.signature)
    if (runs.some((one) => one.passed !== run.passed)) return { is: 'stays', reason: 'flaky' }
    if (same !== undefined) return settled(run)
    if (count === 0) {
      const first = settled(run)
      if (probing.claims.every(({ here }) => tells(here.claim, first.shown))) return first
    }
    runs.push(run)
  }
  return { is: 'stays', reason: 'flaky' }
}

interface Run {
  readonly passed: boolean
  readonly signature: string | null
  readonly at: string
  readonly readings: readonly { readonly evidence: Evidence; readonly made: Draft }[]
  /** Of the keys that had one value before and after. */
  readonly values: KeyValues
}

async function runOnce({ command, claims }: Probing<Doubted>, ground: Ground): Promise<Run | Extract<Ended, { is: 'stays' }>> {
  const { host, sets, setting, worktree, limit } = ground
  const lookAt = async (keys: readonly Key[]): Promise<KeyValues> => readKeys([...keys, ...setting.structural], sets.probes, await host.world())
  const record_id = randomUUID()
  const turn = (outcome: Outcome, output: string, at: string): Turn => turnIn(shown(command), command.folder, { record_id, outcome, output, at }, ground)

  const passing = await draft(one(turn({ is: 'code', code: 0 }, '', host.now().toISOString())), sets, setting)
  const before = await lookAt([...passing.candidates.flatMap(({ keys }) => keys), ...claims.flatMap(({ here }) => here.keys)])
  const env = { ...withoutGit(host.env), ...Object.fromEntries(command.env) }
  const ended = await host.processes.collect(command.argv, { cwd: join(worktree, command.folder), env, timeout: limit * 1000, limit: KEPT_OUTPUT })
  if (ended.timedOut) return { is: 'stays', reason: 'time-out' }

  const at = host.now().toISOString()
  const output = ended.status === 127 && ended.output === '' ? `git-remnant: ${command.argv[0]}: command not found\n` : ended.output
  const witnessed = turn(ended.signal === null ? { is: 'code', code: ended.status } : { is: 'transient' }, output, at)
  const readings: Run['readings'][number][] = []
  // Hosts record paths of this work tree as they are, or relative to it.
  for (const roots of [setting.roots, []]) {
    const telemetry = await weigh(observe(one(witnessed), sets.toolchains, roots), sets, true)
    const evidence = telemetry?.evidence.find(({ commandKey: key }) => key === sameKey(command))
    if (evidence === undefined) return { is: 'stays', reason: 'not-runnable' }
    readings.push({ evidence, made: await draft(one(witnessed), sets, { ...setting, roots }) })
  }
  const [{ evidence }] = readings as [Run['readings'][number]]
  if (evidence.verdict === null) return { is: 'stays', reason: evidence.receipt.outcome.is === 'transient' ? 'transient' : 'unclear' }
  if (evidence.contradicted) return { is: 'stays', reason: 'unclear' }
  const after = await lookAt([...before.keys(), ...readings.flatMap(({ made }) => made.candidates.flatMap(({ keys }) => keys))])
  return { passed: evidence.verdict, signature: evidence.failure?.signature ?? null, at, readings, values: unchanged(before, after) }
}

const turnIn = (command: string, folder: string, { record_id, outcome, output, at }: { record_id: string; outcome: Outcome; output: string; at: string }, ground: Ground): Turn => ({
  host: 'git-remnant',
  session: ground.session,
  record_id,
  at,
  kind: 'command',
  cwd: null,
  folder,
  head: ground.head,
  command,
  outcome,
  output,
  edits: [],
  declared: null,
  keys: {},
})

/** What was the same before and after; what only the outcome made us ask for, as it is after. What the run itself changed is no baseline. */
function unchanged(before: KeyValues, after: KeyValues): KeyValues {
  const same = new Map<Key, Reading>()
  for (const [key, reading] of after) {
    const earlier = before.get(key)
    if ('value' in reading && (earlier === undefined || ('value' in earlier && earlier.value === reading.value))) same.set(key, reading)
  }
  return same
}

function settled({ passed, at, readings, values }: Run): Extract<Ended, { is: 'shown' }> {
  const sealed = readings.map(({ evidence, made }) => ({ evidence, ...seal(made, values, 'here') }))
  const tellings = sealed.map(({ evidence, remnant, purged }): Telling => ({
    receipt: evidence.receipt,
    signature: evidence.failure?.signature ?? null,
    shows: remnant === null ? [] : keyed(remnant),
    purged: purged[0]?.rule ?? null,
  }))
  return { is: 'shown', shown: { passed, tellings, values }, at, excluded: sealed[0]?.remnant?.ephemeral_exclusion_list ?? [] }
}

function keyed(remnant: Remnant): Keyed[] {
  const keys = new Map(remnant.claim_dependency_map)
  return claimsOf(remnant).map((claim) => ({ claim, keys: keys.get(claim.claim_id) ?? [] }))
}

async function* one<T>(item: T): AsyncGenerator<T> {
  yield item
}
