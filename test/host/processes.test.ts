import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProcesses } from '../../src/host/processes.ts'

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'remnant-processes-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const sh = (script: string): string[] => ['/bin/sh', '-c', script]
const options = (more: Partial<{ cwd: string; timeout: number; limit: number }> = {}) => ({ cwd: tmpdir(), env: { PATH: process.env.PATH }, timeout: 5000, limit: 100_000, ...more })

/** A stream that keeps what it gets, as slowly as it is told. */
class Kept extends Writable {
  text = ''
  private readonly delay: number
  constructor(delay = 0) {
    super({ highWaterMark: 16 })
    this.delay = delay
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('latin1')
    if (this.delay === 0) done()
    else setTimeout(done, this.delay)
  }
}

const beatsIn = (path: string): number => (existsSync(path) ? readFileSync(path, 'utf8').length : 0)
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(['collect', 'through'] as const)('%s', (way) => {
  const start = (argv: readonly string[], more: Parameters<typeof options>[0] = {}) => openProcesses({ stdout: new Kept(), stderr: new Kept() })[way](argv, options(more))

  it.each([
    ['exit 0', 0, null],
    ['exit 3', 3, null],
    ['kill -TERM $$', 143, 'SIGTERM'],
    ['kill -KILL $$', 137, 'SIGKILL'],
    ['kill -INT $$', 130, 'SIGINT'],
  ])('says how `%s` ended', async (script, status, signal) => {
    expect(await start(sh(script))).toMatchObject({ status, signal, timedOut: false })
  })

  it('gives 127 to what is not there and 126 to what can not be started', async () => {
    const dir = folder()
    writeFileSync(join(dir, 'plain'), 'x', { mode: 0o644 })
    mkdirSync(join(dir, 'folder'))
    expect(await start(['surely-no-such-program'])).toMatchObject({ status: 127, signal: null })
    expect(await start([join(dir, 'none')])).toMatchObject({ status: 127 })
    expect(await start([join(dir, 'plain')])).toMatchObject({ status: 126 })
    expect(await start([join(dir, 'folder')])).toMatchObject({ status: 126 })
    expect(await start(['a\0b'])).toMatchObject({ status: 126 })
    expect(await start(sh('exit 0'), { cwd: join(dir, 'none') })).toMatchObject({ status: 126 })
  })

  it('takes arguments as they are and starts no shell of its own', async () => {
    expect(await start(['printf', '%s|', 'a b', '$HOME', '; exit 3', '*'])).toMatchObject({ status: 0, stdout: 'a b|$HOME|; exit 3|*|' })
  })

  it('keeps both outputs, and standard output apart', async () => {
    expect(await start(sh('echo out; sleep 0.05; echo err >&2; sleep 0.05; echo more'))).toMatchObject({ output: 'out\nerr\nmore\n', stdout: 'out\nmore\n', cut: false })
  })

  it('keeps the last bytes when there are too many, in whole characters', async () => {
    const short = await start(sh('printf "aéöü"'), { limit: 5 })
    expect(short).toMatchObject({ output: 'öü', cut: true })
    const long = await start(['seq', '1', '200000'], { limit: 20 })
    expect(long).toMatchObject({ output: '99998\n199999\n200000\n', stdout: '99998\n199999\n200000\n', cut: true, status: 0 })
    expect(await start(['printf', '12345'], { limit: 5 })).toMatchObject({ output: '12345', cut: false })
  })

  it('does not wait for a grandchild that keeps the pipe open', async () => {
    const started = performance.now()
    const { status, output } = await start(sh('sleep 20 & echo done; exit 4'))
    expect([status, output]).toEqual([4, 'done\n'])
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('gives the child the environment that it is told, and the folder', async () => {
    const dir = folder()
    const { stdout } = await openProcesses({ stdout: new Kept(), stderr: new Kept() })[way](sh('pwd; env | grep -c REMNANT_TEST; echo $ONLY'), { ...options({ cwd: dir }), env: { PATH: process.env.PATH, ONLY: 'this', GONE: undefined } })
    expect(stdout).toBe(`${dir}\n0\nthis\n`)
  })
})

describe('collect', () => {
  const { collect } = openProcesses()

  it('ends the whole group when time is up, a deaf one too', async () => {
    const beats = join(folder(), 'beats')
    const started = performance.now()
    const ended = await collect(sh(`trap '' TERM; (trap '' TERM; while :; do printf x >> ${beats}; sleep 0.05; done) & echo early; while :; do sleep 0.1; done`), options({ timeout: 800 }))
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(ended).toMatchObject({ timedOut: true, signal: 'SIGKILL', status: 137, output: 'early\n' })
    const count = beatsIn(beats)
    await wait(200)
    expect(count).toBeGreaterThan(0)
    expect(beatsIn(beats)).toBe(count)
  })

  it('asks politely first', async () => {
    const ended = await collect(sh('trap "echo bye; exit 5" TERM; while :; do sleep 0.05; done'), options({ timeout: 800 }))
    expect(ended).toMatchObject({ timedOut: true, status: 5, stdout: 'bye\n' })
  })

  it('leaves nothing running that its program left behind', async () => {
    const beats = join(folder(), 'beats')
    expect(await collect(sh(`(while :; do printf x >> ${beats}; sleep 0.05; done) > /dev/null 2>&1 & sleep 0.2; exit 0`), options())).toMatchObject({ status: 0, timedOut: false })
    const count = beatsIn(beats)
    await wait(200)
    expect(count).toBeGreaterThan(0)
    expect(beatsIn(beats)).toBe(count)
  })

  it('gives no input, so that a program that asks does not wait', async () => {
    expect(await collect(['cat'], options())).toMatchObject({ status: 0, output: '' })
  })

  it('hears no signal any more when it is done', async () => {
    const before = process.listenerCount('SIGTERM')
    await Promise.all([collect(sh('exit 0'), options()), collect(sh('exit 1'), options())])
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})

describe('through', () => {
  it('passes each output on to our own as it comes', async () => {
    const [stdout, stderr] = [new Kept(), new Kept()]
    await openProcesses({ stdout, stderr }).through(sh('echo out; echo err >&2'), options())
    expect([stdout.text, stderr.text]).toEqual(['out\n', 'err\n'])
  })

  it('loses nothing to a slow reader', async () => {
    const stdout = new Kept(1)
    const { status } = await openProcesses({ stdout, stderr: new Kept() }).through(sh('i=0; while [ $i -lt 40 ]; do printf "%05000d\\n" $i; i=$((i+1)); done'), options())
    expect([status, stdout.text.length, stdout.text.split('\n').length]).toEqual([0, 40 * 5001, 41])
  })

  it('lets the program know when nobody reads any more', async () => {
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })) })
    const ended = await openProcesses({ stdout: gone, stderr: new Kept() }).through(['yes'], options())
    // A closed pipe ends it by SIGPIPE; where Node's pipes are sockets, it may be told of an error instead.
    expect([1, 141]).toContain(ended.status)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('hands %s on, and stays until the program has ended', async (signal) => {
    const dir = folder()
    const before = process.listenerCount(signal)
    const ended = openProcesses({ stdout: new Kept(), stderr: new Kept() }).through(sh(`trap 'sleep 0.2; echo heard; exit 7' ${signal.slice(3)}; touch ${dir}/ready; while :; do sleep 0.02; done`), options())
    while (!existsSync(join(dir, 'ready'))) await wait(10)
    process.emit(signal, signal)
    expect(await ended).toMatchObject({ status: 7, output: 'heard\n' })
    expect(process.listenerCount(signal)).toBe(before)
  })

  it('says 128 + n when the signal ended it', async () => {
    const dir = folder()
    const ended = openProcesses({ stdout: new Kept(), stderr: new Kept() }).through(sh(`touch ${dir}/ready; exec sleep 20`), options())
    while (!existsSync(join(dir, 'ready'))) await wait(10)
    await wait(50)
    process.emit('SIGTERM', 'SIGTERM')
    expect(await ended).toMatchObject({ status: 143, signal: 'SIGTERM' })
  })
})
