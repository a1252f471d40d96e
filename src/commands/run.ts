import { randomUUID } from 'node:crypto'
import { relative } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Arguments, Command, Host } from '../command.ts'
import { wantedOf } from '../distill/claim.ts'
import { observe } from '../distill/observe.ts'
import { weigh } from '../distill/weigh.ts'
import { openApprovals } from '../host/trust/approvals.ts'
import { approveTyped } from '../host/trust/approve.ts'
import { appendIntent, harmfulAt, intentLine } from '../host/guarding/intent.ts'
import { appendToJournal, openSession } from '../host/journals.ts'
import { journalPath } from '../host/journals/append.ts'
import { readKeys } from '../host/keys.ts'
import { editsSinceRed, noteAfterGate, isGate } from '../host/witnessing/between.ts'
import { isUnmarked, neverStarted } from '../host/witnessing/unstarted.ts'
import type { Collected } from '../host/processes.ts'
import { type Trace, openTrace } from '../host/trace.ts'
import { commandOf, shown } from '../model/command.ts'
import { type Key, type KeyValues, STRUCTURAL } from '../model/key.ts'
import { OBSERVATION_SCHEMA, type Observation, turnOf } from '../model/observation.ts'
import type { Outcome } from '../model/outcome.ts'
import type { World } from '../model/probe.ts'
import type { Sets } from '../model/sets.ts'
import { plainText } from '../model/plain.ts'

/** The last bytes of an output that are kept: the end says how it ended. */
const KEPT_OUTPUT = 256 * 1024

export default {
  name: 'run',
  kind: 'porcelain',
  summary: 'Run a command as it is, and witness what comes of it',
  details:
    'Output and exit status are the command\'s own. Its outcome, and the keys on which a claim about it would rest, go into this ' +
    'work tree\'s journal; teardown (or the post-commit hook) seals them. Runs of one work tree belong together until they are ' +
    'sealed, or under the name of a session. What is typed here is approved for reprobe and gate, unless it changes the outside. ' +
    'With --json the command prints to standard error. REMNANT=0 runs it and notes nothing. ' +
    'With --trace the keys are what the command and all that it starts really read, listed, looked for and ran, as strace sees it; ' +
    'variables of the environment it does not see. A program that gets rights by its file (sudo) gets none while it is traced.',
  options: {
    session: { type: 'string', value: 'SESSION', describe: 'the session to which it belongs; GIT_REMNANT_SESSION otherwise' },
    trace: { type: 'boolean', describe: 'let a claim rest on what the command really depended on (Linux, with strace)' },
  },
  rest: 'CMD…',
  statuses: { 126: 'the command could not be started', 127: 'the command was not found' },
  async run(args, host) {
    if (args.rest[0] === undefined || args.rest[0] === '') throw new RemnantError('misuse', 'there is no command to run', { hint: 'write it behind "--", as "git remnant run -- npm test"' })
    const witness = await witnessOf(args, host)
    if (witness !== null) await orWarn(host, () => witness.intend())
    const before = witness === null ? null : await orWarn(host, () => witness.values({ is: 'code', code: 0 }, ''))
    const trace = witness !== null && args.flag('trace') ? await witness.trace() : null
    const through = (argv: readonly string[]): Promise<Collected> => host.processes.through(argv, { cwd: host.cwd, env: host.env, limit: KEPT_OUTPUT, aside: host.json === true })
    try {
      let ended = await through(trace?.argv ?? args.rest)
      if (trace !== null && (await trace.failedToStart())) ended = await through(args.rest)
      const noted = witness === null || before === null ? null : await orWarn(host, () => witness.note(ended, before, trace))
      return { data: { status: ended.status, session: noted ?? witness?.session ?? null, record_id: witness?.record_id ?? null }, status: ended.status }
    } finally {
      trace?.close()
    }
  },
} satisfies Command

/** What keeps us from witnessing is said, and is no outcome of the command's. */
async function orWarn<T>(host: Host, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof RemnantError)) throw cause
    host.warn(`not witnessed: ${plainText(cause.message)}`)
    return null
  }
}

interface Witness {
  readonly session: string
  readonly record_id: string
  /** Values of the keys on which a claim would rest if the command ended so. */
  values(outcome: Outcome, output: string): Promise<KeyValues>
  /** Notes a mutation that would do harm again, before it is made. */
  intend(): Promise<void>
  /** null, said on stderr: it can't be traced here. */
  trace(): Promise<Trace | null>
  /** Notes how it ended, and answers the session in which that stands. */
  note(ended: { readonly status: number; readonly signal: string | null; readonly output: string }, before: KeyValues, trace: Trace | null): Promise<string>
}

/** null: there is no repository to note it in, or nobody wants it noted; the command runs all the same. */
async function witnessOf(args: Arguments, host: Host): Promise<Witness | null> {
  if (host.env['REMNANT'] === '0') return null
  try {
    const repository = await host.repository()
    if (repository.workTree === null) return null
    const sets = await host.sets()
    const world = await host.world()
    const structural = (await host.config()).structural ?? STRUCTURAL
    const named = args.text('session') ?? host.env['GIT_REMNANT_SESSION'] ?? null
    const open = async (): Promise<string> => (await openSession('git-remnant', repository.workTree as string, repository, host.files)) ?? `run-${randomUUID()}`
    const base: Omit<Observation, 'outcome' | 'output' | 'keys'> = {
      schema: OBSERVATION_SCHEMA,
      host: 'git-remnant',
      session: named ?? (await open()),
      record_id: randomUUID(),
      at: null,
      kind: 'command',
      folder: relative(repository.workTree, host.cwd).replaceAll('\\', '/') || '.',
      head: await headOf(host),
      command: shown(commandOf(args.rest)),
      edits: [],
      declared: null,
    }
    const looked = { session: base.session, repository, files: host.files }
    const gate = isGate(args.rest, base.folder, sets)
    let edits: Observation['edits'] = []
    const values = async (outcome: Outcome, output: string): Promise<KeyValues> => {
      if (gate) edits = await editsSinceRed(looked, world)
      return readKeys([...(await wantedBy({ ...base, outcome, output, keys: {} }, repository.workTree, sets)), ...structural], sets.probes, world)
    }
    return {
      session: base.session,
      record_id: base.record_id,
      values,
      async intend() {
        const harmful = await harmfulAt(args.rest, host.cwd, repository.workTree as string, sets.mutations, world)
        if (harmful === null) return
        const line = intentLine(base, harmful, host.now(), repository.workTree as string)
        await appendIntent(line, harmful, { repository, files: host.files, reading: async () => ({ probes: sets.probes, world }) })
      },
      async trace() {
        const opened = await openTrace({ argv: args.rest, cwd: host.cwd, env: host.env, processes: host.processes, repository, world })
        if (!('untold' in opened)) return opened
        host.warn(notTraced(opened.untold))
        return null
      },
      async note(ended, before, trace) {
        const unstarted = neverStarted(ended) && !(await isUnmarked(args.rest[0] as string, repository.workTree as string, host))
        const outcome: Outcome = ended.signal !== null ? { is: 'transient' } : unstarted ? { is: 'unknown' } : { is: 'code', code: ended.status }
        const fresh = await host.world() // what was read before the command ran may have changed
        const told = trace === null ? null : await tracedKeys(trace, fresh, sets)
        if (typeof told === 'string') host.warn(notTraced(told))
        const traced = told !== null && typeof told === 'object'
        const wanted = await wantedBy({ ...base, outcome, output: ended.output, ...(traced ? { keys: told, traced } : { keys: {} }) }, repository.workTree, sets)
        const after = await readKeys([...wanted, ...structural, 'repository'], sets.probes, fresh)
        const at = host.now().toISOString()
        const keys = { ...unchanged(before, after), ...(traced && told) }
        const root = after.get('repository')
        if (root !== undefined && 'value' in root) approveTyped(args.rest, base.folder, sets, openApprovals(repository, host.files, root.value), repository.workTree)
        // What the command started (a commit, a push) may have sealed the session, which ends with its seal unless somebody named it.
        const isOpen = named !== null || host.files.stat(journalPath(base.host, base.session, repository)) !== null
        const session = isOpen ? base.session : await open()
        const line = { ...base, session, at, keys, worktree: repository.workTree as string }
        // Both ends of the way were looked at: what was edited stands before the run that it led to.
        if (edits.length > 0) appendToJournal({ ...line, record_id: randomUUID(), kind: 'edit', command: null, outcome: { is: 'unknown' }, output: null, keys: {}, edits }, repository, host.files)
        if (gate) await noteAfterGate(outcome.is === 'code' && outcome.code !== 0, { ...looked, session }, fresh)
        appendToJournal({ ...line, outcome, output: ended.output, ...(traced && { traced }) }, repository, host.files)
        return session
      },
    }
  } catch (cause) {
    if (!(cause instanceof RemnantError)) throw cause
    host.warn(`not witnessed: ${plainText(cause.message)}`)
    return null
  }
}

/** The keys of whatever could be claimed from one observation. */
async function wantedBy(observation: Observation & { readonly traced?: true }, root: string | null, sets: Sets): Promise<readonly Key[]> {
  const turns = (async function* () {
    yield turnOf(observation)
  })()
  return wantedOf(await weigh(observe(turns, sets.toolchains, root === null ? [] : [root]), sets, true))
}

/** The values of what a command was seen to depend on; or why they are not known. A key that can't be read would be one too few. */
async function tracedKeys(trace: Trace, world: World, sets: Sets): Promise<Record<Key, string> | string> {
  const told = await trace.keys(world)
  if ('untold' in told) return told.untold
  const keys: Record<Key, string> = {}
  for (const [key, reading] of await readKeys(told.keys, sets.probes, world)) {
    if ('unreadable' in reading) return `"${key}" can not be read: ${reading.unreadable}`
    keys[key] = reading.value
  }
  return keys
}

const notTraced = (why: string): string => `not traced: ${why}; its keys are inferred from its words`

/** What was the same before and after; what only the outcome made us ask for, as it is after. What the run itself changed is no precondition of it. */
function unchanged(before: KeyValues, after: KeyValues): Record<Key, string> {
  const keys: Record<Key, string> = {}
  for (const [key, reading] of after) {
    if ('unreadable' in reading) continue
    const earlier = before.get(key)
    if (earlier === undefined || ('value' in earlier && earlier.value === reading.value)) keys[key] = reading.value
  }
  return keys
}

async function headOf(host: Host): Promise<string | null> {
  const { status, stdout } = await (await host.git()).try(['rev-parse', '--verify', '--quiet', 'HEAD'])
  return status === 0 ? Buffer.from(stdout).toString('utf8').trim() : null
}
