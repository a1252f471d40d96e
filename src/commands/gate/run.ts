import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { approvalsHere, mayRun } from '../../host/trust/approvals.ts'
import type { Gate } from '../../host/trial/gates.ts'
import type { Git } from '../../host/git.ts'
import { type InPlace, ignoredHere, openInPlace } from '../../host/trial/in-place.ts'
import { type Trial, openTrial } from '../../host/trial.ts'
import type { Config } from '../../model/config.ts'
import { type Key, joinPath } from '../../model/key.ts'
import { command as inWords } from '../../resolve/words.ts'
import { openDurations } from './durations.ts'
import { type Shown, shownBy } from './outcome.ts'

/** `FLAKY`: red, then green in the same place, so neither. `infra`: it says nothing of the commit. The last two did not run. */
export type Result = 'green' | 'red' | 'FLAKY' | 'timed-out' | 'infra' | 'not-approved' | 'slow'

export interface Tried {
  readonly gate: Gate
  /** The commit's id. */
  readonly commit: string
  readonly result: Result
  /** The longest of its runs; null: it did not run. */
  readonly seconds: number | null
  /** What was in force; null: it did not run. */
  readonly isolation: 'bwrap' | 'none' | null
  /** `temporary`: a tree of its own · `in-place`: the user's work tree, which was exactly the commit. */
  readonly place: 'temporary' | 'in-place' | null
  readonly signature: string | null
  /** Why it did not run, or could not be judged. */
  readonly reason: string | null
  /** Ignored files and folders of the work tree that the temporary tree had not; only for a red one. */
  readonly lacked: readonly string[]
}

/** A gate that last took longer is named, not run, unless the configuration or the caller says so. */
export const SLOW_S = 30
const TIMEOUT_S = 120
/** A red gate is run again: what passes once of these is flaky. */
const MOST_RUNS = 3

/** Where a gate runs, and who lends it the place. */
type Ground = Pick<Trial, 'folder' | 'isolation' | 'run'>
type Use = <T>(work: (ground: Ground, inPlace: boolean) => Promise<T>) => Promise<T>

/**
 * Runs gates on one commit, several at once: in a temporary tree each; or one after another in the work tree, while that is
 * exactly the commit. Only what was approved in this clone, or signed by an accepted key, runs, and only on this clone's own branches (DESIGN 9).
 * `slow`: slow ones too. Throws `missing` where the repository can't be told.
 */
export async function tryGates(gates: readonly Gate[], commit: string, host: Host, { slow }: { readonly slow: boolean }): Promise<readonly Tried[]> {
  if (gates.length === 0) return []
  const [repository, git, config] = [await host.repository(), await host.git(), await host.config()]
  const durations = openDurations(repository, host.files)
  const held = (gate: Gate, result: Result, reason: string): Tried => ({ gate, commit, result, seconds: null, isolation: null, place: null, signature: null, reason, lacked: [] })
  const approvals = await approvalsHere(host)
  const own = await isOwn(commit, git)
  const tried = new Map<Gate, Tried>()
  for (const gate of gates) {
    const last = durations.of(gate.command)
    if (!mayRun(approvals)(gate.command, gate.rank)) tried.set(gate, held(gate, 'not-approved', 'it is not approved in this clone'))
    else if (!own) tried.set(gate, held(gate, 'not-approved', 'the commit is on no branch of this clone'))
    else if (!slow && config.gate?.slow !== true && last !== null && last > SLOW_S) tried.set(gate, held(gate, 'slow', `it last took ${Math.round(last)} s`))
  }
  const open = gates.filter((gate) => !tried.has(gate))
  const grounds = openGrounds(commit, host, git, config)
  const lacked = async (): Promise<readonly string[]> => {
    const copied = config.gate?.copy ?? ['node_modules']
    return config.gate?.setup === undefined ? (await ignoredHere(git)).filter((path) => !copied.some((folder) => path === folder || path.startsWith(`${folder.replace(/\/+$/, '')}/`))) : []
  }
  const one = async (gate: Gate, use: Use): Promise<void> => {
    host.progress(`gate ${open.indexOf(gate) + 1} of ${open.length}: ${inWords(gate.command)}`)
    try {
      const result = await use((ground, inPlace) => tryOne(gate, commit, ground, inPlace, host, config))
      tried.set(gate, result.result === 'red' && result.place === 'temporary' ? { ...result, lacked: await lacked() } : result)
    } catch (cause) {
      if (!(cause instanceof RemnantError)) throw cause
      tried.set(gate, held(gate, cause.fault === 'refused' ? 'not-approved' : 'infra', cause.message))
    }
  }
  try {
    const left = await inPlaceFirst(open, await grounds.inPlace(), one, host)
    await atOnce(left, (gate) => one(gate, grounds.temporary))
  } finally {
    grounds.close()
    durations.note([...tried.values()].flatMap(({ gate: { command }, result, seconds }) => (seconds === null || result === 'infra' ? [] : [{ command, seconds }])))
  }
  return gates.map((gate) => tried.get(gate) as Tried)
}

/** One after another, since they share a tree; what is left when that is the commit no more. */
async function inPlaceFirst(gates: readonly Gate[], place: InPlace | null, one: (gate: Gate, use: Use) => Promise<void>, host: Host): Promise<readonly Gate[]> {
  if (place === null) return gates
  const left: Gate[] = []
  for (const gate of gates) {
    if (!(await place.isExact())) {
      left.push(gate)
      continue
    }
    await one(gate, (work) => work(place, true))
    if (await place.isUnchanged()) continue
    host.warn(`git-remnant: the work tree changed while ${inWords(gate.command)} ran; it is run again in a temporary tree`)
    left.push(gate)
  }
  return left
}

async function atOnce(gates: readonly Gate[], work: (gate: Gate) => Promise<void>): Promise<void> {
  const queue = [...gates]
  const worker = async (): Promise<void> => {
    for (let gate = queue.shift(); gate !== undefined; gate = queue.shift()) await work(gate)
  }
  await Promise.all(Array.from({ length: Math.min(queue.length, availableParallelism()) }, worker))
}

function openGrounds(commit: string, host: Host, git: Git, config: Config) {
  let place: InPlace | null = null
  // Trees are made and taken away one at a time: git keeps one list of them.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
  return {
    /** A configuration that says how a tree is made is followed. */
    async inPlace(): Promise<InPlace | null> {
      if (config.gate?.setup !== undefined || config.gate?.copy !== undefined) return null
      place = await openInPlace({ repository: await host.repository(), git, processes: host.processes, env: host.env, commit })
      return place
    },
    async temporary<T>(work: (ground: Ground, inPlace: boolean) => Promise<T>): Promise<T> {
      const { files, processes, env } = host
      // A set-up that nobody approved is not in the configuration that counts here.
      const trial = await inTurn(async () => openTrial({ repository: await host.repository(), git, files, processes, env, config, commit, approved: () => true }))
      try {
        return await work(trial, false)
      } finally {
        await inTurn(() => trial.close())
      }
    },
    close: () => place?.close(),
  }
}

async function tryOne(gate: Gate, commit: string, ground: Ground, inPlace: boolean, host: Host, config: Config): Promise<Tried> {
  const sets = await host.sets()
  const timeoutMs = Math.max(1, config.gate?.timeout_s ?? TIMEOUT_S) * 1000
  let seconds = 0
  const run = async (): Promise<Shown> => {
    const from = host.now().getTime()
    const ended = await ground.run(gate.command, { timeoutMs })
    seconds = Math.max(seconds, (host.now().getTime() - from) / 1000)
    return shownBy(ended, gate.command, { folder: ground.folder, inPlace, isolation: ground.isolation }, sets)
  }
  const missing = missingOf(gate, ground.folder)
  const shown = await run()
  const first: Shown = shown.is === 'red' && missing !== undefined && !(await wasTracked(missing, commit, await host.git())) ? { is: 'infra', reason: `"${missing}", which it names, is not there` } : shown
  const flaky = first.is === 'red' && (await passesAgain(run))
  return {
    gate,
    commit,
    result: flaky ? 'FLAKY' : first.is,
    seconds,
    isolation: ground.isolation,
    place: inPlace ? 'in-place' : 'temporary',
    signature: first.is === 'red' ? first.signature : null,
    reason: first.is === 'infra' ? first.reason : first.is === 'timed-out' ? `it took over ${timeoutMs / 1000} s` : null,
    lacked: [],
  }
}

/** A file that its command names and rested on, and that a tree has not. What was never in git (a scratch file) no commit took away. */
function missingOf({ command: { argv, folder }, keys, absent }: Gate, tree: string): string | undefined {
  const named = argv.slice(1).flatMap((word) => joinPath(folder, word) ?? [])
  const wasThere = (key: Key): boolean => keys.includes(key) && absent?.has(key) !== true
  return named.find((path) => (wasThere(`file:${path}`) || wasThere(`exists:${path}`)) && !existsSync(join(tree, path)))
}

async function wasTracked(path: string, commit: string, git: Git): Promise<boolean> {
  const { status, stdout } = await git.try(['--literal-pathspecs', 'rev-list', '--max-count=1', commit, '--', path])
  return status !== 0 || stdout.byteLength > 0
}

async function passesAgain(run: () => Promise<Shown>): Promise<boolean> {
  for (let runs = 1; runs < MOST_RUNS; runs++) if ((await run()).is === 'green') return true
  return false
}

/** An approval is for the code of this clone's own branches, not for whatever was fetched. */
async function isOwn(commit: string, git: Git): Promise<boolean> {
  const { status, stdout } = await git.try(['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, 'refs/heads/'])
  return status === 0 && stdout.byteLength > 0
}
