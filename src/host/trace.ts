import { createReadStream, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Tree, World } from '../model/probe.ts'
import type { Env, Repository } from './git.ts'
import type { Processes } from './processes.ts'
import { type Access, openAccesses } from './trace/accesses.ts'
import { ENDED, openCalls } from './trace/calls.ts'
import { type Told, keysOf } from './trace/keys.ts'
import { partsAsked } from './trace/make.ts'
import { homeIn } from './trace/outside.ts'

/** A command that is going to be traced. */
export interface Trace {
  /** What is to be started in its place, in the same folder and environment: its status, signals and streams are the command's own. */
  readonly argv: readonly string[]
  /** When it has ended: what it really depended on. `world` is one of now, opened after it ended. */
  keys(world: World): Promise<Told>
  /** The command was never started: it has to be run as it is, to fail as it would. */
  failedToStart(): Promise<boolean>
  /** Removes what the tracing left behind. */
  close(): void
}

export interface Tracing {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Env
  readonly processes: Processes
  readonly repository: Repository
  /** One of now, before the command runs: it keeps what it has seen. */
  readonly world: World
}

/** A longer log is not read. */
const MOST_BYTES = 512 * 1024 * 1024
/** How long the last lines of a log are waited for once the command has ended (ms). */
const LAST_LINES_MS = 2000

/** Prepares to trace a command with strace; or says why it can't be: nothing is lost by that but the trace. */
export async function openTrace({ argv, cwd, env, processes, repository, world }: Tracing): Promise<Trace | { readonly untold: string }> {
  const { workTree } = repository
  if (workTree === null) return { untold: 'a bare repository has no work tree' }
  if (!isProgram(argv[0] ?? '', cwd, env)) return { untold: 'there is no such program' }
  const options = await optionsHere(processes, cwd, env)
  if (options === null) return { untold: process.platform === 'linux' ? 'strace is not installed, or may not trace here' : 'only Linux has strace' }
  const before = await world.tree('.')
  if (before === null) return { untold: 'the work tree can not be read' }
  const folder = mkdtempSync(join(tmpdir(), 'git-remnant-trace-'))
  const log = join(folder, 'calls')
  writeFileSync(log, '', { mode: 0o600 })
  const start = statSync(log).ctimeMs
  return {
    argv: ['strace', ...options, '-o', log, '--', ...argv],
    keys: (now) => told(log, { argv, cwd, env, processes, repository, top: realpathSync.native(workTree), before, start, world: now }),
    failedToStart: async () => (await firstStart(log)) === null,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface Heard extends Tracing {
  readonly top: string
  readonly before: Tree
  readonly start: number
}

async function told(log: string, { argv, cwd, env, processes, repository, top, before, start, world }: Heard): Promise<Told> {
  const main = await firstStart(log)
  if (main === null) return { untold: 'it could not be started' }
  await ending(log, main)
  if (statSync(log).size > MOST_BYTES) return { untold: 'its trace is too long' }
  const { accesses, lost, makes } = await read(log, cwd)
  if (lost !== null) return { untold: lost }
  const after = await world.tree('.')
  if (after === null) return { untold: 'the work tree can not be read' }
  const closed = [repository.gitDir, repository.commonDir].flatMap((folder) => [folder, realpathSync.native(folder)])
  const asked = await partsAsked(makes, { argv, cwd: realpathSync.native(cwd), top, env, processes, world })
  return keysOf(accesses, { top, closed, home: homeIn(env), path: env['PATH'] ?? '', before, after, world, start, asked })
}

/** Each thing that was done with a path once, in the order of first times. */
async function read(log: string, cwd: string): Promise<{ readonly accesses: Iterable<Access>; readonly lost: string | null; readonly makes: ReadonlySet<string> }> {
  const calls = openCalls()
  const accesses = openAccesses(realpathSync.native(cwd))
  const found = new Map<string, Access>()
  for await (const line of createInterface({ input: createReadStream(log, 'latin1'), crlfDelay: Infinity }))
    for (const call of calls(line)) for (const access of accesses.take(call)) found.set(`${access.is} ${access.path}`, found.get(`${access.is} ${access.path}`) ?? access)
  return { accesses: found.values(), lost: accesses.lost(), makes: accesses.makes() }
}

/** The number of the traced command's own process, once it has become the command; null: it never did. */
async function firstStart(log: string): Promise<number | null> {
  const calls = openCalls()
  let first: number | null = null
  for await (const line of createInterface({ input: createReadStream(log, 'latin1'), crlfDelay: Infinity }))
    for (const { pid, name, result } of calls(line)) {
      first ??= pid
      if (pid === first && name === 'execve' && result.startsWith('0')) return pid
      if (pid === first && name === ENDED) return null
    }
  return null
}

/** Settles when the log holds the end of a process: the tracer may be a moment behind. */
async function ending(log: string, pid: number): Promise<void> {
  const { open } = await import('node:fs/promises')
  for (let waited = 0; waited < LAST_LINES_MS; waited += 20) {
    const file = await open(log)
    try {
      const { size } = await file.stat()
      const tail = Buffer.alloc(Math.min(size, 65_536))
      await file.read(tail, 0, tail.byteLength, size - tail.byteLength)
      if (new RegExp(`^${pid} +\\+\\+\\+ (?:exited|killed)`, 'm').test(tail.toString('latin1'))) return
    } finally {
      await file.close()
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Whether a shell would find it. What is not there is left to fail as it does. */
function isProgram(name: string, cwd: string, env: Env): boolean {
  const places = name.includes('/') ? [resolve(cwd, name)] : (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder)).map((folder) => join(folder, name))
  return places.some((place) => {
    const stat = statSync(place, { throwIfNoEntry: false })
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0
  })
}

/**
 * `-D`: the command is our own child, and strace stands aside. `-y`: descriptors with their paths.
 * Of the words with which a program starts only their beginnings are kept.
 * Only the calls that matter are stopped at where the system can do that.
 */
const OPTIONS = ['-D', '-f', '-q', '-y', '-s', '16', '-e', 'signal=none', '-e', 'trace=%file,fchdir,getdents,getdents64,clone,clone3,fork,vfork,io_uring_setup,open_by_handle_at']
const QUICK = ['--seccomp-bpf', ...OPTIONS]
/** Machines that have no `clone3` or `fork` of that name. */
const PLAIN = OPTIONS.map((word) => word.replace(/^trace=/, 'trace=?').replaceAll(',', ',?').replace('?%file', '%file'))

/** The options with which strace works here; null: with none. */
async function optionsHere(processes: Processes, cwd: string, env: Env): Promise<readonly string[] | null> {
  if (process.platform !== 'linux') return null
  for (const options of [QUICK, ['--seccomp-bpf', ...PLAIN], PLAIN]) {
    const { status } = await processes.collect(['strace', ...options, '-o', '/dev/null', '--', 'true'], { cwd, env, timeout: 2000, limit: 4096 })
    if (status === 0) return options
    if (status === 127) return null
  }
  return null
}
