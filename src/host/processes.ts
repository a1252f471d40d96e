import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { codeOf } from '../base/errors.ts'

/** Programs started from an argument list; never a shell string. */
export interface Processes {
  /** Collects output, within a limit of bytes and time (ms); the whole process group ends with it. */
  collect(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly timeout: number; readonly limit: number; readonly input?: Uint8Array },
  ): Promise<Collected>
  /**
   * Runs transparently: output goes where ours goes and is kept too; signals are handed on. What can't be started is said as a shell says it.
   * `aside`: what it prints goes to our standard error alone.
   */
  through(argv: readonly string[], options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly limit: number; readonly aside?: boolean }): Promise<Collected>
}

/** How a program ended. `status` is 128 + n after signal n, 127 where it was not found, 126 where it could not be started. */
export interface Collected {
  readonly status: number
  readonly signal: string | null
  readonly timedOut: boolean
  /** Standard output and error as they came, up to the limit: the last bytes win. */
  readonly output: string
  readonly stdout: string
  readonly cut: boolean
}

/** After SIGTERM, before SIGKILL. */
const TERM_GRACE_MS = 500
/** How long a pipe may stay silent, and how long it may go on at all, after the program itself has ended: a grandchild may hold it for ever. */
const TURN_MS = 20
const SILENT_TURNS = 5
const LONGEST_TURNS = 50

/** The system's own processes. `ours`: where `through` sends what a program prints. */
export const openProcesses = (ours: { readonly stdout: Writable; readonly stderr: Writable } = process): Processes => ({
  collect: (argv, options) => collect(argv, options),
  through: (argv, options) => through(argv, options, ours),
})

type Options = Parameters<Processes['through']>[1]

async function collect(argv: readonly string[], options: Parameters<Processes['collect']>[1]): Promise<Collected> {
  const kept = keep(options.limit)
  const child = start(argv, options, [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'], true)
  if (typeof child === 'number') return kept.ended(child, null, false)
  // It may end before it has read all; its status says what that means.
  child.stdin?.on('error', () => {})
  child.stdin?.end(options.input)
  const release = endWithUs(child)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    void endGroup(child)
  }, options.timeout)
  const streams = [listen(child.stdout, (chunk) => kept.add(chunk, true)), listen(child.stderr, (chunk) => kept.add(chunk, false))]
  const { status, signal } = await ending(child)
  clearTimeout(timer)
  await drained(streams)
  await endGroup(child)
  release()
  return kept.ended(status, signal, timedOut)
}

async function through(argv: readonly string[], options: Options & { readonly aside?: boolean }, ours: { readonly stdout: Writable; readonly stderr: Writable }): Promise<Collected> {
  const kept = keep(options.limit)
  // What a shell would say of a program that can't be started.
  const notStarted = (status: number): Collected => {
    const line = `git-remnant: ${argv[0]}: ${status === 127 ? 'command not found' : 'Permission denied'}\n`
    kept.add(Buffer.from(line), false)
    ours.stderr.write(line)
    return kept.ended(status, null, false)
  }
  const child = start(argv, options, ['inherit', 'pipe', 'pipe'], false)
  if (typeof child === 'number') return notStarted(child)
  const stopHandingOn = handOnSignals(child)
  const closed = (): void => void child.kill('SIGPIPE')
  const out = passOn(child.stdout, options.aside === true ? ours.stderr : ours.stdout, closed)
  const err = passOn(child.stderr, ours.stderr, closed)
  const streams = [
    listen(child.stdout, (chunk) => (kept.add(chunk, true), out.pass(chunk)), out.isHeld),
    listen(child.stderr, (chunk) => (kept.add(chunk, false), err.pass(chunk)), err.isHeld),
  ]
  const { status, signal } = await ending(child)
  stopHandingOn()
  if (child.pid === undefined) return notStarted(status)
  await drained(streams)
  await Promise.all([out.flushed(), err.flushed()])
  out.stop()
  err.stop()
  return kept.ended(status, signal, false)
}

/** The child, or the status that a shell gives to a program that can't be started. */
function start(argv: readonly string[], { cwd, env }: Options, stdio: StdioOptions, detached: boolean): ChildProcess | number {
  try {
    // A missing folder would look like a missing program.
    if (!statSync(cwd).isDirectory()) return 126
  } catch {
    return 126
  }
  try {
    return spawn(argv[0] ?? '', argv.slice(1), { cwd, env: { ...env }, stdio, detached, windowsHide: true })
  } catch (thrown) {
    return codeOf(thrown) === 'ENOENT' ? 127 : 126
  }
}

const ending = (child: ChildProcess): Promise<{ status: number; signal: NodeJS.Signals | null }> =>
  new Promise((resolve) => {
    child.once('error', (thrown) => {
      if (child.pid === undefined) resolve({ status: codeOf(thrown) === 'ENOENT' ? 127 : 126, signal: null })
    })
    child.once('exit', (code, signal) => resolve({ status: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal }))
  })

/** Ends a child and all that it started in its group: asked first, then made to. Settles when none is left. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || !kill(-pid, 'SIGTERM')) return
  for (let waited = 0; waited < TERM_GRACE_MS; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (!kill(-pid, 0)) return
  }
  kill(-pid, 'SIGKILL')
}

/** false: there is nobody left to be signalled. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM'
  }
}

const groups = new Set<number>()

/** A group of its own does not hear what ends us; so we tell it, then end as we would have. */
function endWithUs({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => {}
  if (groups.size === 0) watch('on')
  groups.add(pid)
  return () => {
    groups.delete(pid)
    if (groups.size === 0) watch('off')
  }
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function watch(turn: 'on' | 'off'): void {
  for (const signal of ENDING) process[turn](signal, endAll)
  process[turn]('exit', killGroups)
}

const killGroups = (): void => {
  for (const pid of groups) kill(-pid, 'SIGKILL')
}

function endAll(signal: NodeJS.Signals): void {
  killGroups()
  watch('off')
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
}

interface Listening {
  readonly closed: Promise<void>
  /** Chunks so far. */
  heard(): number
  /** What it brought waits for a reader. */
  isHeld(): boolean
  stop(): void
}

function listen(stream: Readable | null, hear: (chunk: Buffer) => void, isHeld: () => boolean = () => false): Listening {
  if (stream === null) return { closed: Promise.resolve(), heard: () => 0, isHeld, stop: () => {} }
  let heard = 0
  stream.on('data', (chunk: Buffer) => {
    heard += 1
    hear(chunk)
  })
  stream.on('error', () => {})
  return { closed: new Promise((resolve) => stream.once('close', resolve)), heard: () => heard, isHeld, stop: () => void stream.destroy() }
}

/** Settles when the pipes are closed, or have long enough been held open by somebody else. Counted in turns: a busy moment of ours is no silence. */
async function drained(streams: readonly Listening[]): Promise<void> {
  const closed = Promise.all(streams.map((stream) => stream.closed)).then(() => true)
  let heard = -1
  for (let [silent, turns] = [0, 0]; silent < SILENT_TURNS && turns < LONGEST_TURNS; turns++) {
    if (await Promise.race([closed, new Promise<false>((resolve) => setTimeout(() => resolve(false), TURN_MS))])) return
    const isHeld = streams.some((stream) => stream.isHeld())
    const now = streams.reduce((sum, stream) => sum + stream.heard(), 0)
    silent = now === heard && !isHeld ? silent + 1 : 0
    if (isHeld) turns -= 1
    heard = now
  }
  for (const stream of streams) stream.stop()
}

/** Writes to our own stream as fast as it takes it; when its reader goes away, the program is told as in any pipe. */
function passOn(source: Readable | null, sink: Writable, closed: () => void): { pass(chunk: Buffer): void; isHeld(): boolean; flushed(): Promise<void>; stop(): void } {
  let held = false
  const goOn = (): void => {
    held = false
    source?.resume()
  }
  const giveUp = (): void => {
    held = false
    closed()
    source?.destroy()
  }
  sink.on('drain', goOn)
  sink.on('error', giveUp)
  return {
    pass(chunk) {
      if (sink.write(chunk)) return
      held = true
      source?.pause()
    },
    isHeld: () => held,
    // Node lets a pipe flow when its program ends, full sink or not.
    flushed: () => new Promise((resolve) => sink.write('', () => resolve())),
    stop() {
      sink.off('drain', goOn)
      // A write that is still under way may fail after us.
      setImmediate(() => sink.off('error', giveUp))
    },
  }
}

/** Signals that we get go to the child. What a terminal sends by key it sends to the child itself. */
function handOnSignals(child: ChildProcess): () => void {
  const byKey = process.stdin.isTTY === true
  const handlers = (['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = (): void => {
      if (!(byKey && (signal === 'SIGINT' || signal === 'SIGQUIT'))) child.kill(signal)
    }
    process.on(signal, handler)
    return () => void process.off(signal, handler)
  })
  return () => handlers.forEach((stop) => stop())
}

/** Keeps the last bytes of all output, and of standard output alone. */
function keep(limit: number): { add(chunk: Buffer, isStdout: boolean): void; ended(status: number, signal: string | null, timedOut: boolean): Collected } {
  const [all, stdout] = [tail(limit), tail(limit)]
  return {
    add(chunk, isStdout) {
      all.add(chunk)
      if (isStdout) stdout.add(chunk)
    },
    ended: (status, signal, timedOut) => ({ status, signal, timedOut, output: all.text(), stdout: stdout.text(), cut: all.isCut() }),
  }
}

function tail(limit: number): { add(chunk: Buffer): void; text(): string; isCut(): boolean } {
  let chunks: Buffer[] = []
  let size = 0
  let cut = false
  return {
    add(chunk) {
      chunks.push(chunk)
      size += chunk.byteLength
      // Joined only when twice the limit is held, so that each byte is copied a bounded number of times.
      if (size > 2 * limit + 65_536) {
        chunks = [Buffer.concat(chunks).subarray(-limit || size)]
        size = chunks[0]?.byteLength ?? 0
        cut = true
      }
    },
    text() {
      const whole = Buffer.concat(chunks)
      if (whole.byteLength <= limit && !cut) return whole.toString('utf8')
      cut = true
      return wholeCharacters(whole.subarray(Math.max(0, whole.byteLength - limit))).toString('utf8')
    },
    isCut: () => cut,
  }
}

/** Without what is left of a character whose start was cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0
  while (start < 4 && start < bytes.byteLength && ((bytes[start] as number) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}
