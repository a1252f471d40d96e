import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const TOOL = 'no-such-tool --run'

/** A payload of Claude Code; one line, as hosts write it. */
const payload = (cwd: string, command: string, more: object = {}): string =>
  `${JSON.stringify({ session_id: 'session-1', transcript_path: '/nowhere/t.jsonl', cwd, permission_mode: 'default', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: `call-${Math.random()}`, ...more })}\n`

let kept = ''
afterAll(() => kept !== '' && rmSync(kept, { recursive: true, force: true }))

/** A clone in which a dead end is sealed; sealed once, then copied. */
function sealed(): Clone {
  const made = clone()
  if (kept !== '') {
    rmSync(made.dir, { recursive: true })
    cpSync(kept, made.dir, { recursive: true })
    return made
  }
  made.remnant('run', '--', ...TOOL.split(' '))
  expect(made.remnant('teardown').status).toBe(0)
  kept = mkdtempSync(join(tmpdir(), 'remnant-sealed-'))
  cpSync(made.dir, kept, { recursive: true })
  return made
}

/** A clone in which a dead end is sealed, and a `node` on PATH that notes that it was started. */
function guarded(): Clone & { hook(input: string, options?: { cwd?: string; env?: Record<string, string>; event?: string }): { status: number | null; stdout: string; stderr: string }; started(): number } {
  const made = sealed()
  const spy = join(made.base, 'spy')
  mkdirSync(spy)
  writeFileSync(join(spy, 'node'), `#!/bin/sh\necho x >>'${made.base.replaceAll("'", `'\\''`)}/started'\nexec '${process.execPath}' "$@"\n`)
  chmodSync(join(spy, 'node'), 0o755)
  const env = (more: Record<string, string> = {}) => ({ PATH: `${spy}:${process.env.PATH}`, ...more })
  const started = join(made.base, 'started')
  return {
    ...made,
    hook: (input, { cwd, env: more, event = 'PreToolUse' } = {}) => made.run([join(made.installation, 'hooks/guard'), 'claude', event], { ...(cwd !== undefined && { cwd }), input, env: env(more) }),
    started: () => (existsSync(started) ? readFileSync(started, 'utf8').length / 2 : 0),
  }
}

describe('the hook of a repository in which nothing was sealed yet', () => {
  it('notes a mutation before the first session of an agent has begun there', () => {
    const made = clone()
    made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    expect(made.remnant('init', '--agent', 'claude').status).toBe(0)
    made.run([join(made.installation, 'hooks/guard'), 'claude', 'PreToolUse'], { input: payload(made.dir, 'npm publish') })
    const folder = join(made.dir, '.git/remnant/journals')
    const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n').map((line) => JSON.parse(line)))
    expect(lines[0]).toMatchObject({ kind: 'intent', host: 'claude-code', command: 'npm publish', intended: { identifier: 'demo@1.0.0' } })
  })
})

/** What V8 made of the bundle, kept beside it. */
const KEPT = 'quick-guard.cjs.kept'
/** Its head says by words of four bytes: a sign, V8's version, the length of the code, the switches, the length of the rest. */
const spoilt = (bytes: Buffer, at: number): Buffer => {
  const other = Buffer.from(bytes)
  other.writeUInt32LE((other.readUInt32LE(at) ^ 0x55) >>> 0, at)
  return other
}

const NOTHING = { status: 0, stdout: '', stderr: '' }

describe('the hook before a call', () => {
  it('starts no Node where nothing of the payload is known, and Node where something is', () => {
    const made = guarded()
    const wide = payload(made.dir, `cat > x <<'EOF'\n${'words that name nothing "known"\n'.repeat(5000)}EOF`)
    for (const input of [payload(made.dir, 'npm test'), payload(made.dir, 'ls -la'), wide, '', '{', '\n\n', 'x'.repeat(200_000)]) expect(made.hook(input)).toEqual(NOTHING)
    expect(made.started()).toBe(0)
    const note = made.hook(payload(made.dir, TOOL))
    expect(note.status).toBe(0)
    expect(JSON.parse(note.stdout).hookSpecificOutput.additionalContext).toContain('no-such-tool: command not found')
    expect(made.started()).toBe(1)
    expect(JSON.parse(made.hook(payload(made.dir, TOOL)).stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
  })

  it('finds its index from the folder of the payload too, from below, from a linked work tree, and in a payload of many lines', () => {
    const made = guarded()
    made.write('deep/er/file', 'x')
    made.git('worktree', 'add', '-q', '../linked', '-b', 'side')
    const says = (input: string, cwd?: string): boolean => made.hook(input, cwd === undefined ? {} : { cwd }).stdout.includes('no-such-tool')
    expect(says(payload(made.dir, TOOL, { session_id: 's2' }), '/')).toBe(true)
    expect(says(payload(join(made.dir, 'deep/er'), `cd ${JSON.stringify(made.dir)} && ${TOOL}`, { session_id: 's3' }), join(made.dir, 'deep/er'))).toBe(true)
    expect(says(payload(join(made.base, 'linked'), TOOL, { session_id: 's4' }), join(made.base, 'linked'))).toBe(true)
    const lines = `${JSON.stringify(JSON.parse(payload(made.dir, TOOL, { session_id: 's5' })), null, 2)}\n`
    expect(says(lines)).toBe(true)
    expect(says(lines.replace('s5', 's6'), '/')).toBe(true)
    expect(says(payload('/', TOOL, { session_id: 's7' }), '/')).toBe(false)
  })

  it.each<[string, (made: ReturnType<typeof guarded>) => Record<string, string>]>([
    ['without an index', ({ dir }) => (rmSync(join(dir, '.git/remnant/guard-index')), {})],
    ['with an index of another version', ({ dir }) => (writeFileSync(join(dir, '.git/remnant/guard-index'), `git-remnant-index 2\n${TOOL}\n`), {})],
    ['with an index that begins with nothing', ({ dir }) => (writeFileSync(join(dir, '.git/remnant/guard-index'), `\n${TOOL}\n`), {})],
    ['where it was switched off', () => ({ REMNANT: '0' })],
  ])('starts no Node and says nothing %s', (_, change) => {
    const made = guarded()
    const env = change(made)
    expect(made.hook(payload(made.dir, TOOL), { env })).toEqual(NOTHING)
    expect(made.started()).toBe(0)
  })

  it.each([['in the repository', '.'], ['from elsewhere', '/']])('says nothing of a payload that is too long, and starts no Node for it, %s', (_, cwd) => {
    const made = guarded()
    for (const length of [1_100_000, 30_000_000]) expect(made.hook(payload(made.dir, `${TOOL} ${'x'.repeat(length)}`), cwd === '.' ? {} : { cwd })).toEqual(NOTHING)
    expect(made.started()).toBe(0)
    expect(made.hook(payload(made.dir, TOOL, { note: 'x'.repeat(900_000) }), cwd === '.' ? {} : { cwd }).stdout).toContain('no-such-tool')
  })

  it('lets the call through where Node crashes, is missing, or the bundle is', () => {
    const made = guarded()
    const bin = join(made.base, 'bare')
    mkdirSync(bin)
    for (const name of ['sh', 'grep', 'cat']) symlinkSync(made.run(['which', name]).stdout.trim(), join(bin, name))
    expect(made.hook(payload(made.dir, TOOL), { env: { PATH: bin } })).toEqual(NOTHING)
    for (const status of [1, 3, 70, 127, 134]) {
      writeFileSync(join(bin, 'node'), `#!/bin/sh\necho 'SyntaxError: Unexpected token' >&2\nexit ${status}\n`, { mode: 0o755 })
      for (const event of ['PreToolUse', 'PostToolUse', 'SessionStart']) expect(made.hook(payload(made.dir, TOOL), { env: { PATH: bin }, event })).toEqual(NOTHING)
    }
    const alone = join(made.base, 'alone')
    mkdirSync(join(alone, 'hooks'), { recursive: true })
    writeFileSync(join(alone, 'hooks/guard'), readFileSync(join(made.installation, 'hooks/guard')), { mode: 0o755 })
    expect(made.run([join(alone, 'hooks/guard'), 'claude', 'PreToolUse'], { input: payload(made.dir, TOOL) })).toEqual(NOTHING)
  })

  it('says the same under a Node that has no such switch as it starts one with', () => {
    const made = guarded()
    const bin = join(made.base, 'older')
    mkdirSync(bin)
    writeFileSync(join(bin, 'node'), `#!/bin/sh\ncase $1 in -*) cat >/dev/null; exit 9 ;; esac\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
    const said = made.hook(payload(made.dir, TOOL), { env: { PATH: `${bin}:${process.env.PATH}` } })
    expect(said).toMatchObject({ status: 0, stderr: '' })
    expect(said.stdout).toContain('no-such-tool: command not found')
    writeFileSync(join(bin, 'node'), '#!/bin/sh\nexit 9\n', { mode: 0o755 })
    expect(made.hook(payload(made.dir, TOOL), { env: { PATH: `${bin}:${process.env.PATH}` } })).toEqual(NOTHING)
  })

  it('hands on a payload as it is, whatever the shell would make of its signs', () => {
    const made = guarded()
    for (const note of ['$HOME `id` $(id) \\n \\\\ %s \'"', 'EOF', '\nEOF\n', 'x'.repeat(5_000), '\u2028é']) {
      const said = made.hook(payload(made.dir, TOOL, { session_id: note, note }))
      expect(said).toMatchObject({ status: 0, stderr: '' })
      expect(said.stdout).toContain('no-such-tool')
      // Told once: the session is known by the very same name.
      expect(JSON.parse(made.hook(payload(made.dir, TOOL, { session_id: note, note })).stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' })
    }
  })

  it('changes nothing where it says nothing', () => {
    const made = guarded()
    const before = readdirSync(join(made.dir, '.git/remnant'))
    made.hook(payload(made.dir, 'npm test'))
    expect(readdirSync(join(made.dir, '.git/remnant'))).toEqual(before)
  })
})

describe('a mutation', () => {
  it('that a crash cut off is seen by the successor, before and after it is sealed', () => {
    const made = guarded()
    made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    expect(made.hook(payload(made.dir, 'npm publish'))).toEqual(NOTHING)
    const second = made.hook(payload(made.dir, 'npm publish', { session_id: 's2' }))
    expect(JSON.parse(second.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('demo@1.0.0') })
    expect(made.remnant('teardown').status).toBe(0)
    const third = made.hook(payload(made.dir, 'npm publish', { session_id: 's3' }))
    expect(JSON.parse(third.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('Recorded in remnant') })
    made.write('package.json', '{"name":"demo","version":"1.0.1"}\n')
    expect(made.hook(payload(made.dir, 'npm publish', { session_id: 's4' }))).toEqual(NOTHING)
  })
})

describe('a mutation that the user broke off', () => {
  it('may have been done: the successor is asked', () => {
    const made = guarded()
    made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    expect(made.hook(payload(made.dir, 'npm publish', { tool_use_id: 'call-1' }))).toEqual(NOTHING)
    const broken = { hook_event_name: 'PostToolUseFailure', tool_use_id: 'call-1', error: '[Request interrupted by user for tool use]', is_interrupt: true }
    expect(made.hook(payload(made.dir, 'npm publish', broken), { event: 'PostToolUseFailure' })).toEqual(NOTHING)
    expect(made.remnant('teardown').status).toBe(0)
    const next = made.hook(payload(made.dir, 'npm publish', { session_id: 's2' }))
    expect(JSON.parse(next.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'ask', permissionDecisionReason: expect.stringContaining('demo@1.0.0') })
  })
})

describe('the bundle that an agent waits for', () => {
  it.each<[string, (dist: string) => void]>([
    ['as it was built', () => {}],
    ['without it', (dist) => rmSync(join(dist, KEPT))],
    ['where another Node made it', (dist) => writeFileSync(join(dist, KEPT), spoilt(readFileSync(join(dist, KEPT)), 4))],
    ['where other switches were set', (dist) => writeFileSync(join(dist, KEPT), spoilt(readFileSync(join(dist, KEPT)), 12))],
    ['where it is of other code', (dist) => writeFileSync(join(dist, KEPT), spoilt(readFileSync(join(dist, KEPT)), 8))],
    ['where it is cut short', (dist) => writeFileSync(join(dist, KEPT), readFileSync(join(dist, KEPT)).subarray(0, 1000))],
    ['where it is empty', (dist) => writeFileSync(join(dist, KEPT), '')],
    ['in a folder that nobody may write', (dist) => chmodSync(dist, 0o555)],
  ])('says the same with the code that was kept, %s', (_, change) => {
    const made = sealed()
    const other = join(made.base, 'another')
    for (const part of ['dist', 'hooks']) cpSync(join(made.installation, part), join(other, part), { recursive: true })
    change(join(other, 'dist'))
    const { status, stdout, stderr } = made.run([join(other, 'hooks/guard'), 'claude', 'PreToolUse'], { input: payload(made.dir, TOOL) })
    chmodSync(join(other, 'dist'), 0o755)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain('no-such-tool: command not found')
  })

  it('is taken by the Node that built it under the switches of the hook, and by no other way', () => {
    const file = join(clone().installation, 'dist', 'quick-guard.cjs')
    const rejected = (...switches: string[]): string =>
      clone().run([process.execPath, ...switches, '-p', `new (require('node:vm').Script)('(function(exports,require,module,__dirname){' + require('node:fs').readFileSync(process.argv[1], 'latin1') + '\\n})', { filename: process.argv[1], cachedData: require('node:fs').readFileSync(process.argv[1] + '.kept') }).cachedDataRejected`, file]).stdout.trim()
    const switches = [...readFileSync(join(clone().installation, 'hooks/guard'), 'utf8').matchAll(/^closer (--\S+) "\$program"/gm)].map(([, name]) => name as string)
    expect(switches).toHaveLength(1)
    expect(rejected(...switches)).toBe('false')
    expect(rejected()).toBe('true')
  })

  it('loads no schema, no parser of command lines and no git of its own', () => {
    const dist = join(clone().installation, 'dist')
    const names = new Set<string>(['agent.cjs', 'guarding.cjs'])
    for (const name of names) for (const [, other] of readFileSync(join(dist, name), 'utf8').matchAll(/require\(["'`]\.\/(quick-[\w-]+\.cjs)["'`]\)/g)) names.add(other as string)
    expect(names.size).toBeGreaterThan(3)
    for (const name of names) {
      const text = readFileSync(join(dist, name), 'utf8')
      for (const sign of ['ZodMini', 'ZodError', 'isomorphic', 'yargs', 'secretlint']) expect({ name, sign, found: text.includes(sign) }).toEqual({ name, sign, found: false })
    }
  })
})
