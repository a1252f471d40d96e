import { spawn } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { journalPath } from '../../src/host/journals/append.ts'
import { witness } from '../../src/host/witnessing.ts'
import { headCommit } from '../../src/host/witnessing/head.ts'
import { witnessKeys } from '../../src/host/witnessing/keys.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { openWorld } from '../../src/host/world.ts'
import { probes } from '../../src/probes.ts'
import { toolchains } from '../../src/signatures.ts'
import { isQuiet } from '../../src/host/witnessing/quiet.ts'
import { type HookEvent, NOTHING_YET } from '../../src/model/agent.ts'
import type { JournalLine } from '../../src/model/observation.ts'
import { ENV, type Stage, stage } from '../stage.ts'

const BUILT = join(import.meta.dirname, '../../dist/agent.cjs')
const AT = new Date('2026-11-29T10:00:00Z')
const event = (set: Stage, more: Partial<HookEvent> = {}): HookEvent => ({ ...NOTHING_YET, host: 'claude-code', session: 's1', moment: 'after', cwd: set.dir, call: 't1', tool: 'shell', command: 'npm test', outcome: { is: 'success' }, output: 'ok', transcript: null, ...more })
const linesOf = (set: Stage): JournalLine[] => readFileSync(journalPath('claude-code', 's1', set.repository), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
const see = (set: Stage, more: Partial<HookEvent> = {}) => witness(event(set, more), AT, set.repository, set.files)

describe('a quiet command', () => {
  it.each(['ls -la', 'cat a.txt', "grep -rn 'a|b' src | head -5", 'sed -n 1,20p x', "sed -n '1,20p' x", 'find . -name x', 'git status', 'git log --oneline | head', 'wc -l x 2>/dev/null', 'rg foo 2>&1 | tail -3', ''])('is %j', (command) => {
    expect(isQuiet(command, { is: 'success' })).toBe(true)
  })

  it.each(['npm test', 'ls; rm x', 'cat a > b', 'cat $(x)', 'find . -delete', 'find . -exec rm {} +', 'sed -i s/a/b/ x', 'sed -n w\\ x', "sed -n 'w x' a", "find . '-delete'", 'git diff --exit-code', 'git commit', 'ls && make', 'cat x | sh', 'git diff --output=x', 'lsof', 'echo x | tee y', 'cat a\nrm b'])('is not %j', (command) => {
    expect(isQuiet(command, { is: 'success' })).toBe(false)
  })

  it('is none that could not be found', () => {
    expect(isQuiet('rg x', { is: 'code', code: 127 })).toBe(false)
    expect(isQuiet('grep x y', { is: 'code', code: 1 })).toBe(true)
  })
})

describe('what a call did', () => {
  it('is one line: where, what, how it ended, and where the host\'s own log tells of it', () => {
    const set = stage()
    writeFileSync(join(set.base, 'log.jsonl'), '12345')
    const seen = see(set, { cwd: join(set.dir, 'sub'), took: 1500, transcript: join(set.base, 'log.jsonl'), outcome: { is: 'code', code: 1 } })
    expect(seen?.at).toBe(AT.getTime())
    expect(linesOf(set)).toEqual([
      {
        schema: 'git-remnant/observation/1',
        worktree: set.dir,
        host: 'claude-code',
        session: 's1',
        record_id: 't1',
        at: '2026-11-29T10:00:00.000Z',
        began: '2026-11-29T09:59:58.500Z',
        kind: 'command',
        folder: 'sub',
        cwd: join(set.dir, 'sub'),
        head: set.git('rev-parse', 'HEAD').trim(),
        command: 'npm test',
        outcome: { is: 'code', code: 1 },
        output: 'ok',
        edits: [],
        declared: null,
        keys: {},
        transcript: join(set.base, 'log.jsonl'),
        offset: 5,
      },
    ])
  })

  it('leaves no line where nothing can come of it', () => {
    const set = stage()
    expect(see(set, { command: 'ls' })).toBeNull()
    expect(see(set, { tool: 'edit', command: null, edits: [] })).toBeNull()
    expect(see(set, { moment: 'before' })).toBeNull()
    expect(() => linesOf(set)).toThrow()
  })

  it('of an edit is noted, and no keys are looked at', () => {
    const set = stage()
    expect(see(set, { tool: 'edit', command: null, output: null, edits: [{ path: join(set.dir, 'a'), before: null, after: null }] })).toBeNull()
    expect(linesOf(set)).toMatchObject([{ kind: 'edit', edits: [{ path: join(set.dir, 'a') }] }])
  })

  it('belongs to the work tree in which its session began', () => {
    const set = stage()
    see(set)
    set.git('worktree', 'add', '-q', '../linked')
    const linked = { ...set.repository, workTree: join(set.base, 'linked') }
    witness(event(set, { cwd: join(set.base, 'linked'), call: 't2' }), AT, linked, set.files)
    expect(linesOf(set).map(({ worktree, cwd }) => [worktree, cwd])).toEqual([
      [set.dir, set.dir],
      [set.dir, join(set.base, 'linked')],
    ])
  })

  it('keeps the end of a long output and says that it is cut', () => {
    const set = stage()
    see(set, { output: `${'x'.repeat(300_000)}end` })
    const [line] = linesOf(set) as [JournalLine]
    expect(line.cut).toBe(true)
    expect(line.output).toHaveLength(256 * 1024)
    expect(line.output?.endsWith('end')).toBe(true)
  })

  it('is bounded: a long journal keeps the ends of outputs, a full one says that it is full, and then nothing', () => {
    const set = stage()
    see(set)
    const path = journalPath('claude-code', 's1', set.repository)
    truncateSync(path, 9 * 1024 * 1024)
    expect(see(set, { output: 'x'.repeat(5000), call: 't2' })).toBeNull()
    const last = (): JournalLine => JSON.parse(readFileSync(path, 'latin1').trimEnd().split('\n').at(-1) as string)
    expect(last()).toMatchObject({ record_id: 't2', cut: true, output: 'x'.repeat(2048) })
    truncateSync(path, 32 * 1024 * 1024 - 100)
    see(set, { call: 't3' })
    expect(last()).toMatchObject({ record_id: 't3 full', kind: 'edit', edits: [{ path: '.', before: null, after: null }] })
    see(set, { call: 't4' })
    expect(last().record_id).toBe('t3 full')
  })

  it('has an id of ours where the host names none, marked as such', () => {
    const set = stage()
    see(set, { call: null })
    see(set, { call: 'x'.repeat(300) })
    expect(linesOf(set).map(({ record_id }) => record_id.replace(/[0-9a-f]{64}/, 'HEX'))).toEqual(['~HEX', 'HEX'])
  })

  it('of many hooks at once is whole, line for line', async () => {
    const set = stage()
    const calls = Array.from({ length: 8 }, (_, i) => `call-${i}`)
    const payload = (call: string) => JSON.stringify({ session_id: 's1', transcript_path: '/h/s1.jsonl', cwd: set.dir, hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'make deploy' }, tool_response: { stdout: 'x'.repeat(20_000), stderr: '' }, tool_use_id: call })
    const ended = calls.map(
      (call) =>
        new Promise((done) => {
          const child = spawn(process.execPath, [BUILT, 'claude-code', 'PostToolUse'], { env: ENV as NodeJS.ProcessEnv, stdio: ['pipe', 'ignore', 'ignore'] })
          child.on('close', done)
          child.stdin.end(payload(call))
        }),
    )
    expect(await Promise.all(ended)).toEqual(calls.map(() => 0))
    expect(linesOf(set).flatMap(({ kind, record_id, output }) => (kind === 'command' ? [[record_id, output?.length]] : [])).sort()).toEqual(calls.map((call) => [call, 20_000]))
  })
})

describe('the keys of a call', () => {
  /** Whether a file that was written now has a value when the call's hook comes `later` ms after. */
  const keeps = async (later: number, took?: number): Promise<boolean> => {
    const set = stage()
    writeFileSync(join(set.dir, 'package.json'), '{"scripts":{"test":"node --test"}}')
    const seen = witness(event(set, { output: '# tests 1\n# pass 1\n# fail 0\n', ...(took !== undefined && { took }) }), new Date(Date.now() + later), set.repository, set.files)
    if (seen !== null) await witnessKeys(seen, { ...(await set.host.sets()), toolchains, probes }, { ...set.host, world: async () => openWorld({ repository: set.repository, git: await set.host.git(), files: set.files, processes: openProcesses(), env: ENV, config: await set.host.config() }) })
    const [, said] = linesOf(set)
    expect(said?.keys).toHaveProperty('platform')
    return 'file:package.json' in (said?.keys ?? {})
  }

  it('leave out what changed since it started, or may have', async () => {
    expect(await keeps(5000, 10_000)).toBe(false)
    expect(await keeps(100, 10)).toBe(false)
    expect(await keeps(1000)).toBe(false)
  })

  it('hold what was edited before it started, however short or long it ran', async () => {
    expect(await keeps(1000, 10)).toBe(true)
    expect(await keeps(15_000, 10_000)).toBe(true)
    expect(await keeps(4000)).toBe(true)
  })
})

describe('the commit at HEAD', () => {
  it('is read from a loose ref, a packed one, and a detached HEAD; there is none before the first', () => {
    const set = stage()
    const commit = set.git('rev-parse', 'HEAD').trim()
    const head = () => headCommit(set.repository, set.files)
    expect(head()).toBe(commit)
    set.git('branch', 'main-2')
    set.git('pack-refs', '--all')
    expect(head()).toBe(commit)
    set.git('checkout', '-q', '--detach')
    expect(head()).toBe(commit)
    set.git('symbolic-ref', 'HEAD', 'refs/heads/new')
    expect(head()).toBeNull()
  })
})
