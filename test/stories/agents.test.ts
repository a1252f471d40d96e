import { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Clone, type Ran, clone, remnantsOf } from '../clone.ts'

const SESSION = '0199c0de-0000-7000-8000-000000000001'
const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)
const journals = (made: Clone): string[] => (existsSync(join(made.dir, '.git/remnant/journals')) ? readdirSync(join(made.dir, '.git/remnant/journals')) : [])

interface Agent extends Clone {
  /** Runs the line that `init` installed for an event, as the host does. */
  hook(event: string, payload: Json | string, env?: Record<string, string>, cwd?: string): Ran
  claude(event: string, more: Record<string, Json>, env?: Record<string, string>, cwd?: string): Ran
}

/** A project in which an agent's hooks are installed. */
function project(file = '.claude/settings.local.json', name = 'claude', options?: Parameters<typeof clone>[0]): Agent {
  const made = clone(options)
  made.write('package.json', '{"name":"w","version":"1.0.0","scripts":{"test":"node --test"}}\n')
  made.write('a.test.mjs', "import test from 'node:test'\ntest('adds', () => {})\n")
  made.git('add', '-A')
  const written = performance.now()
  made.git('commit', '-q', '-m', 'Start')
  expect(made.remnant('init', '--agent', name).status).toBe(0)
  const { hooks } = JSON.parse(made.read(file) as string)
  const lineOf = (event: string): string => {
    const [entry] = hooks[event] as { hooks?: { command: string }[]; bash?: string }[]
    return (entry?.bash ?? entry?.hooks?.[0]?.command) as string
  }
  const hook: Agent['hook'] = (event, payload, env, cwd) =>
    made.run(['/bin/sh', '-c', lineOf(event)], { input: typeof payload === 'string' ? payload : JSON.stringify(payload), env: env ?? {}, ...(cwd !== undefined && { cwd }) })
  const claude: Agent['claude'] = (event, more, env, cwd) => {
    // What changed so shortly before a call gets no value; the clock of a file can't be turned back.
    const left = event.startsWith('PostToolUse') ? written + SETTLED_MS - performance.now() : 0
    if (left > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left)
    return hook(event, { session_id: SESSION, transcript_path: join(made.base, `home/${SESSION}.jsonl`), cwd: cwd ?? made.dir, hook_event_name: event, ...more }, env, cwd)
  }
  return { ...made, hook, claude }
}

/** Half a second before a call began, and the call itself. */
const SETTLED_MS = 600
const GREEN = { duration_ms: 20, tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: { stdout: '# tests 1\n# pass 1\n# fail 0\n', stderr: '', interrupted: false }, tool_use_id: 't1' }
const MISSING = { duration_ms: 20, tool_name: 'Bash', tool_input: { command: 'npm run biuld' }, error: 'Exit code 1\nnpm error Missing script: "biuld"\n', tool_use_id: 't2' }
const SILENT = { status: 0, stdout: '', stderr: '' }

const RED = { duration_ms: 20, tool_name: 'Bash', tool_input: { command: 'npm test' }, error: 'Exit code 1\nnot ok 1 - adds\n# tests 1\n# pass 0\n# fail 1\n', tool_use_id: 'r1' }

describe('a fix', () => {
  const CAUSE = 'The function `sum` subtracts its second argument.'
  const SUM = 'exports.sum = (a, b) => a - b\n'

  it('that an agent makes between a red gate and a green one is a residual, once its cause is declared', () => {
    const made = project()
    made.write('sum.cjs', SUM)
    expect(made.claude('PostToolUseFailure', RED)).toEqual(SILENT)
    const fixed = SUM.replace('-', '+')
    made.write('sum.cjs', fixed)
    expect(made.claude('PostToolUse', { tool_name: 'Write', tool_input: { file_path: join(made.dir, 'sum.cjs'), content: fixed }, tool_response: { type: 'update', filePath: join(made.dir, 'sum.cjs'), content: fixed, originalFile: SUM, structuredPatch: [] }, tool_use_id: 'e1' })).toEqual(SILENT)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS)
    expect(made.claude('PostToolUse', GREEN)).toEqual(SILENT)
    made.claude('PostToolUse', { tool_name: 'Bash', tool_input: { command: `git remnant claim --root-cause '${CAUSE}'` }, tool_response: { stdout: 'admitted: x\n', stderr: '', interrupted: false }, tool_use_id: 'c1' })
    expect(made.remnant('teardown').stdout).toContain('1 residual')
  })

  it('that is made by hand between two runs of a gate is one too: the work tree was looked at before and after', () => {
    const made = clone()
    made.write('package.json', '{"name":"w","version":"1.0.0","scripts":{"test":"node --test"}}\n')
    made.write('sum.cjs', SUM)
    made.write('a.test.cjs', "require('node:test').test('adds', () => require('node:assert').equal(require('./sum.cjs').sum(1, 2), 3))\n")
    made.git('add', '-A')
    made.git('commit', '-q', '-m', 'Start')
    const [before, run] = [made.git('hash-object', 'sum.cjs').trim(), (...args: string[]) => made.remnant('run', '--', ...args).status]
    expect(run('npm', 'test')).toBe(1)
    made.write('sum.cjs', SUM.replace('-', '+'))
    expect(run('npm', 'test')).toBe(0)
    const edit = readFileSync(join(made.dir, '.git/remnant/journals', journals(made)[0] as string), 'utf8').split('\n').flatMap((line) => (line.includes('"kind":"edit"') ? [JSON.parse(line)] : []))
    expect(edit.map(({ edits }) => edits)).toEqual([[{ path: 'sum.cjs', before, after: made.git('hash-object', 'sum.cjs').trim() }]])
    expect(run('git', 'remnant', 'claim', '--root-cause', CAUSE)).toBe(0)
    expect(made.remnant('teardown').stdout).toContain('1 residual')
    // Without a red run before it nothing is noted of edits.
    made.write('sum.cjs', `${SUM.replace('-', '+')}\n`)
    expect(run('npm', 'test')).toBe(0)
    expect(readFileSync(join(made.dir, '.git/remnant/journals', journals(made)[0] as string), 'utf8')).not.toContain('"kind":"edit"')
  })

  it('counts each edit by hand, whichever other gate passed between, and says so where nobody knows what was changed', () => {
    const made = clone()
    made.write('package.json', '{"name":"w","version":"1.0.0","scripts":{"test":"node test.cjs","lint":"node lint.cjs"}}\n')
    for (const [path, text] of [['test.cjs', "process.exit(require('./b.cjs') === 2 ? 0 : 1)\n"], ['lint.cjs', ''], ['a.cjs', ''], ['b.cjs', 'module.exports = 0\n']] as const) made.write(path, text)
    made.git('add', '-A')
    made.git('commit', '-q', '-m', 'Start')
    const run = (...args: string[]) => made.remnant('run', '--session', 's', '--', ...args).status
    const edits = () => readFileSync(join(made.dir, '.git/remnant/journals', journals(made)[0] as string), 'utf8').split('\n').flatMap((line) => (line.includes('"kind":"edit"') ? [JSON.parse(line).edits.map(({ path }: { path: string }) => path)] : []))
    expect(run('npm', 'test')).toBe(1)
    made.write('a.cjs', '1\n')
    expect(run('npm', 'run', 'lint')).toBe(0)
    made.write('b.cjs', 'module.exports = 1\n')
    // A run in another session looks at nothing for this one.
    expect(made.remnant('run', '--session', 'other', '--', 'npm', 'test').status).toBe(1)
    expect(run('npm', 'test')).toBe(1)
    made.write('b.cjs', 'module.exports = 2\n')
    expect(run('npm', 'test')).toBe(0)
    expect(edits()).toEqual([['a.cjs'], ['b.cjs'], ['b.cjs']])
    for (let n = 0; n < 501; n += 1) made.write(`many/${n}`, '')
    expect(run('npm', 'run', 'lint')).toBe(0)
    expect(edits().at(-1)).toEqual(['.'])
  })
})

describe('an agent\'s session', () => {
  it('is noted as it goes, sealed by the next commit, and told to the next session', () => {
    const made = project()
    expect(made.claude('SessionStart', { source: 'startup' })).toEqual(SILENT)
    expect(made.claude('PostToolUse', GREEN)).toEqual(SILENT)
    expect(made.claude('PostToolUseFailure', MISSING)).toEqual(SILENT)
    expect(made.claude('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls -la' }, tool_response: { stdout: 'x', stderr: '' }, tool_use_id: 't3' })).toEqual(SILENT)
    const [journal] = journals(made) as [string]
    const path = join(made.dir, '.git/remnant/journals', journal)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
    expect(lines.map(({ record_id, kind }) => [record_id, kind])).toEqual([['t1', 'command'], ['t1', undefined], ['t2', 'command'], ['t2', undefined]])
    expect(Object.keys(lines[1].keys)).toEqual(expect.arrayContaining(['file:package.json', 'tool:npm', 'platform', 'repository']))

    expect(made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'work']).stderr).toMatch(/^git-remnant: sealed [0-9a-f]{12}\n$/)
    expect(journals(made)).toEqual([])
    expect(made.remnant('teardown', '--json').status).toBe(66)
    const next = made.claude('SessionStart', { source: 'startup', session_id: 'next' }, { CLAUDE_ENV_FILE: join(made.base, 'env') })
    expect(next).toMatchObject({ status: 0, stderr: '' })
    const brief = JSON.parse(next.stdout).hookSpecificOutput.additionalContext
    expect(brief).toContain('- `npm run biuld` → npm error Missing script: "biuld"')
    expect(brief).toContain('- `npm test` is a gate of `.`')
    expect(readFileSync(join(made.base, 'env'), 'utf8')).toBe("export GIT_REMNANT_SESSION='next'\n")
    made.write('.remnants/00/x.json', '{')
    made.git('update-ref', `refs/remnants/${'0'.repeat(64)}`, 'HEAD')
    expect(made.claude('SessionStart', { source: 'compact', session_id: 'next' }).stdout).toBe(next.stdout)
  })

  it('that was killed is sealed as the next one starts, and goes on where it was resumed', () => {
    const made = project()
    made.claude('PostToolUse', GREEN)
    expect(JSON.parse(made.claude('SessionStart', { source: 'startup', session_id: 'next' }).stdout).hookSpecificOutput.additionalContext).toContain('`npm test` is a gate')
    expect(remnantsOf(made)).toHaveLength(1)
    made.claude('PostToolUseFailure', MISSING)
    expect(json(made, 'teardown').claims).toEqual({ verified_invariants: 1, falsified_boundaries: 1, non_idempotent_commits: 0, debug_residuals: 0, unresolved_handoffs: 0 })
    expect(json(made, 'brief').claims).toHaveLength(2)
  })

  it('is sealed by a push too, which never fails by it', () => {
    const made = project()
    made.git('init', '-q', '--bare', '../remote.git')
    made.git('remote', 'add', 'origin', '../remote.git')
    made.claude('PostToolUse', GREEN)
    expect(made.run(['git', 'push', '-q', 'origin', 'main']).status).toBe(0)
    expect(remnantsOf(made)).toHaveLength(1)
    expect(journals(made)).toEqual([])
  })

  it('is left alone by a commit in another work tree, wherever it goes itself', () => {
    const made = project()
    made.git('worktree', 'add', '-q', '../linked')
    const there = join(made.base, 'linked')
    made.claude('PostToolUse', GREEN)
    made.claude('PostToolUseFailure', MISSING, {}, there)
    expect(made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'a person\'s'], { cwd: there })).toEqual(SILENT)
    expect(journals(made)).toHaveLength(1)
    expect(remnantsOf(made)).toEqual([])
    expect(json(made, 'teardown')).toMatchObject({ claims: { verified_invariants: 1, falsified_boundaries: 0 }, purged: { 'other-repository': 1 } })
  })

  it('of one call that came to two hooks is told once', () => {
    const made = project()
    const red = { ...MISSING, tool_input: { command: 'npm test' }, error: "Exit code 1\nnot ok 1 - adds\n  error: 'no'\n# tests 1\n# pass 0\n# fail 1\n" }
    for (let i = 0; i < 2; i++) made.claude('PostToolUseFailure', red)
    expect(json(made, 'teardown').claims).toMatchObject({ falsified_boundaries: 0, unresolved_handoffs: 1 })
  })
})

describe('a fault of ours', () => {
  const call = { tool_name: 'Bash', tool_input: { command: 'npm run biuld' }, tool_use_id: 't9' }

  it('lets the call through and prints nothing', () => {
    const made = project()
    const cases: Readonly<Record<string, () => Ran>> = {
      'a payload that is no JSON': () => made.hook('PreToolUse', '{"session_id":'),
      'an empty payload': () => made.hook('PostToolUse', ''),
      'a payload of nobody': () => made.hook('SessionStart', { hello: 'x' }),
      'bytes that are no text': () => made.hook('PostToolUse', '\0\uFFFF{'),
      'a folder that is gone': () => made.claude('PostToolUse', { ...GREEN, cwd: join(made.base, 'gone') }),
      'a folder outside every repository': () => made.claude('PostToolUse', { ...GREEN, cwd: made.base }),
      'REMNANT=0': () => made.claude('PostToolUse', GREEN, { REMNANT: '0' }),
      'no git-remnant on PATH': () => made.claude('PostToolUse', GREEN, { PATH: '/usr/bin:/bin' }),
      'nothing but git-remnant on PATH': () => made.claude('PostToolUse', GREEN, { PATH: join(made.base, 'bin') }),
      'an index of the guard in another form': () => (made.write('.git/remnant/guard-index', 'garbage\nnpm'), made.claude('PreToolUse', call)),
      'a broken remnant': () => (made.write('.remnants/00/x.json', '{'), made.git('update-ref', `refs/remnants/${'0'.repeat(64)}`, 'HEAD'), made.claude('SessionStart', { source: 'startup' })),
      'journals that can not be written': () => (rmSync(join(made.dir, '.git/remnant/journals'), { recursive: true, force: true }), made.write('.git/remnant/journals', 'x'), made.claude('PostToolUse', GREEN)),
      "a repository that can't be read": () => (made.write('.git/config', '[core'), made.claude('PostToolUse', GREEN)),
    }
    for (const [name, happen] of Object.entries(cases)) expect({ name, ...happen() }).toEqual({ name, ...SILENT })
  })

  it('lets the call through where the package has gone or its program is broken', () => {
    const made = project(undefined, undefined, { movable: true })
    writeFileSync(join(made.installation, 'dist/agent.cjs'), 'process.exit(7)')
    expect(made.claude('PostToolUse', GREEN)).toEqual(SILENT)
    renameSync(made.installation, `${made.installation}-moved`)
    writeFileSync(join(made.base, 'bin/git-remnant2'), '')
    expect(made.claude('PostToolUse', GREEN)).toEqual(SILENT)
  })
})

describe('init --agent', () => {
  it('proves to doctor that each hook comes to it, and says when it does not', () => {
    const made = project()
    const check = () => (json(made, 'doctor').checks as { name: string; ok: boolean; note: string }[]).find(({ name }) => name === 'claude-code')
    expect(check()).toMatchObject({ ok: true, note: expect.stringContaining('reachable: .claude/settings.local.json comes to it for SessionStart, PreToolUse, PostToolUse, PostToolUseFailure') })
    const settings = made.read('.claude/settings.local.json') as string
    made.write('.claude/settings.local.json', settings.replaceAll(made.installation, '/opt/gone'))
    expect(check()).toMatchObject({ ok: false, note: expect.stringContaining('names a package that is gone') })
    expect(made.remnant('init').stdout).toContain('claude-code: hooks updated in .claude/settings.local.json')
    expect(made.remnant('init', '--agent', 'claude').stdout).toContain('claude-code: hooks installed already in .claude/settings.local.json')
    expect(check()).toMatchObject({ ok: true })
    expect(made.remnant('deinit').stdout).toContain('agents: .claude/settings.local.json without our entries')
    expect(made.read('.claude/settings.local.json')).toBeNull()
    expect(check()).toBeUndefined()
  })

  it('names what it knows where an agent is none', () => {
    const made = clone()
    expect(made.remnant('init', '--agent', 'nobody')).toMatchObject({ status: 64, stderr: expect.stringContaining('there are claude, codex, gemini, copilot') })
    expect(made.read('.git/hooks/post-commit')).toBeNull()
  })

  it('takes back hooks, agents and info/exclude byte for byte, whoever came first', () => {
    for (const order of [['run', 'init'], ['init', 'run']] as const) {
      const made = clone()
      made.write('.git/info/exclude', '# mine, without an end')
      made.write('.codex/config.toml', 'model = "x"\n')
      for (const step of order) made.remnant(...(step === 'run' ? ['run', '--', 'node', '-e', '0'] : ['init', '--agent', 'codex', '--agent', 'gemini']))
      if (order[0] === 'run') expect(made.remnant('teardown').status).toBe(0)
      chmodSync(join(made.dir, '.codex/config.toml'), 0o644)
      expect(made.remnant('deinit').status).toBe(0)
      expect(made.read('.git/info/exclude')).toBe('# mine, without an end')
      expect([made.read('.codex/hooks.json'), made.read('.gemini/settings.json'), existsSync(join(made.dir, '.gemini')), made.read('.codex/config.toml')]).toEqual([null, null, false, 'model = "x"\n'])
    }
  })

  it('speaks to Copilot with status 0 whatever happens', () => {
    const made = project('.github/hooks/git-remnant.json', 'copilot')
    expect(made.hook('preToolUse', { sessionId: 's', timestamp: 1, cwd: made.dir, toolName: 'bash', toolArgs: '{"command":"npm test"}' })).toEqual(SILENT)
    expect(made.hook('postToolUse', 'garbage')).toEqual(SILENT)
    expect(made.hook('preToolUse', { sessionId: 's', timestamp: 1, cwd: '/nowhere', toolName: 'bash', toolArgs: '{' })).toEqual(SILENT)
    const codex = { session_id: 's', turn_id: 't', transcript_path: null, cwd: made.dir, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm run biuld' }, tool_use_id: 't1', model: 'm', permission_mode: 'default' }
    made.remnant('run', '--', 'npm', 'run', 'biuld')
    made.remnant('teardown')
    const { stdout, ...rest } = made.hook('preToolUse', codex)
    expect(rest).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ additionalContext: expect.stringContaining('npm run biuld') })
  })
})
