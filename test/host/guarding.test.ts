import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import type { DeadEnd, Deed, Entry } from '../../src/guard/entry.ts'
import { claimsFile, commandName, targetName } from '../../src/guard/form.ts'
import { claimsPath, stampOf } from '../../src/host/guarding/files.ts'
import { openReading } from '../../src/host/guarding/world.ts'
import { allowOnce } from '../../src/host/guarding/state.ts'
import { commandId } from '../../src/host/guarding/journal.ts'
import { decide, holds } from '../../src/host/guarding.ts'
import { openFiles } from '../../src/host/files.ts'
import { openRepository } from '../../src/host/git.ts'
import { journalName } from '../../src/host/journals/append.ts'
import { readKeys } from '../../src/host/keys.ts'
import type { HookEvent } from '../../src/model/agent.ts'
import { commandKey, commandOf } from '../../src/model/command.ts'
import { mutations } from '../../src/mutations.ts'
import { knownIn } from '../../src/host/guarding/indexing.ts'
import { liveAmong } from '../../src/resolve/liveness.ts'
import { SEALED, deadEnd, held } from '../resolve/records.ts'

const env = { PATH: process.env.PATH, HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1' }
const ID = 'a'.repeat(64)

let base: string
let dir: string
const state = (name: string): string => join(dir, '.git/remnant', name)

beforeAll(async () => {
  // Both are loaded when they are first asked for, and a busy machine takes longer for that than the guard waits.
  await Promise.all([import('../../src/host/world.ts'), import('../../src/probes.ts')])
  base = realpathSync(mkdtempSync(join(tmpdir(), 'git-remnant-guard-')))
  dir = join(base, 'work')
  mkdirSync(dir)
  spawnSync('git', ['init', '-q'], { cwd: dir, env })
  write('package.json', '{"name":"demo","version":"1.0.0"}\n')
  spawnSync('git', ['add', '-A'], { cwd: dir, env })
  spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'start'], { cwd: dir, env })
})
afterAll(() => rmSync(base, { recursive: true, force: true }))
beforeEach(() => rmSync(state(''), { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}

const files = openFiles()
const repository = () => openRepository(dir, {})
const ground = (key: string, value: string, more: { value?: string; stamp?: string } = {}) => ({ key, sealed: sha256(value), value: more.value ?? null, stamp: more.stamp ?? null })

const ended = (line: string, grounds: DeadEnd['grounds'] = [], more: Partial<DeadEnd> = {}): DeadEnd => ({
  is: 'dead-end',
  claim_id: ID,
  digest: 'd'.repeat(64),
  rank: 'own',
  grounds,
  command: commandKey(commandOf(line.split(' '))),
  class: 'usage',
  signature: `unknown option ${line.split(' ')[1]}`,
  until: [],
  ...more,
})

const done = (more: Partial<Deed> = {}): Deed => ({
  is: 'deed',
  claim_id: ID,
  digest: 'd'.repeat(64),
  rank: 'own',
  grounds: [ground('target:npm/demo', 'default demo')],
  command: 'x',
  operation: 'npm publish',
  target: 'npm/demo',
  identifier: 'demo@1.0.0',
  state_hash: null,
  unknown: false,
  ...more,
})

function known(...entries: Entry[]): void {
  mkdirSync(state(''), { recursive: true })
  const filed = entries.map((entry) => ({ name: entry.is === 'deed' ? targetName(entry.target) : commandName(entry.command), entry }))
  writeFileSync(claimsPath(repository()), claimsFile(filed, mutations.flatMap(({ names }) => names)))
}

let calls = 0
const event = (command: string, more: Partial<HookEvent> = {}): HookEvent => ({
  host: 'claude-code',
  session: 'session-1',
  moment: 'before',
  call: `call-${calls++}`,
  cwd: dir,
  tool: 'shell',
  command,
  edits: [],
  outcome: { is: 'unknown' },
  output: null,
  transcript: null,
  ...more,
})
const asked = (command: string, more: Partial<HookEvent> = {}, environment: Record<string, string | undefined> = env) =>
  decide(event(command, more), { env: environment, now: () => new Date('2026-06-01T10:00:00Z') })
const said = async (...given: Parameters<typeof asked>): Promise<string> => (await asked(...given)).decision

const journal = (session: string): string => join(dir, '.git/remnant/journals', `${journalName('claude-code', session)}.jsonl`)
const linesOf = (session: string) => readFileSync(journal(session), 'utf8').trim().split('\n').map((line) => JSON.parse(line))
function noted(session: string, ...lines: object[]): void {
  mkdirSync(dirname(journal(session)), { recursive: true })
  writeFileSync(journal(session), lines.map((line) => `${JSON.stringify({ worktree: dir, folder: '.', session, ...line })}\n`).join(''))
}

describe('the guard', () => {
  it('notes a dead end once in a session, then stops it, and says the same of one call that comes twice', async () => {
    known(ended('jest --nope'))
    const twice = event('jest --nope')
    const outside = { env, now: () => new Date() }
    expect([(await decide(twice, outside)).decision, (await decide(twice, outside)).decision]).toEqual(['note', 'note'])
    expect(await said('jest --nope')).toBe('deny')
    expect(await said('cd . && timeout 5 jest --nope | tail -1')).toBe('deny')
    expect(await said('jest --nope', { session: 'session-2' })).toBe('note')
    expect(await said('jest --nope', { host: 'codex' })).toBe('note')
  })

  it.each<[string, string, Partial<HookEvent>]>([
    ['a login shell', 'bash -lc "jest --nope"', {}],
    ['a login shell in other words', 'cd . && /bin/zsh --login -c "jest --nope"', {}],
    ['a shell of the host that lives on, or reads a profile', 'jest --nope', { ownShell: true }],
  ])('only notes in %s: another PATH may hold there', async (_, command, more) => {
    known(ended('jest --nope'))
    expect([await said(command, more), await said(command, more)]).toEqual(['note', 'note'])
    expect(await said('bash -c "jest --nope"')).toBe('deny')
  })

  it('says nothing of a missing program in a login shell, but where each call is made in one', async () => {
    known(ended('jest --nope', [ground('absent-tool:jest', 'absent')], { class: 'program-missing' }))
    expect(await said('bash -lc "jest --nope"')).toBe('silent')
    expect(await said('bash -lc "jest --nope"', { ownShell: true })).toBe('note')
    expect(await said('jest --nope', { session: 'session-2' })).toBe('note')
  })

  it.each<[string, string, Partial<HookEvent>, Record<string, string | undefined>]>([
    ['another command', 'jest --nope --ci', {}, env],
    ['the same command in another folder', 'cd packages && jest --nope', {}, env],
    ['a moment that is not before a call', 'jest --nope', { moment: 'after' }, env],
    ['a call without a command', 'jest --nope', { command: null }, env],
    ['whoever switched it off', 'jest --nope', {}, { ...env, REMNANT: '0' }],
    ['a folder outside any repository', 'jest --nope', { cwd: tmpdir() }, env],
    ['a folder that is not there', 'jest --nope', { cwd: '/nowhere/at/all' }, env],
    ['a text that can not be read', 'jest --nope "', {}, env],
  ])('is silent for %s', async (_, command, more, environment) => {
    known(ended('jest --nope'))
    expect(await asked(command, more, environment)).toEqual({ decision: 'silent', text: '', claim_id: null, digest: null })
  })

  it('is silent without claims, and for claims of another version or in pieces', async () => {
    expect(await said('jest --nope')).toBe('silent')
    known(ended('jest --nope'))
    const whole = readFileSync(claimsPath(repository()), 'utf8')
    for (const text of ['', 'git-remnant-claims 2\n', whole.slice(0, 200), whole.replace('"dead-end"', '"dead-')]) {
      writeFileSync(claimsPath(repository()), text)
      expect(await said('jest --nope')).toBe('silent')
    }
  })

  it.each<[string, () => Entry, string]>([
    ['what is absent still', () => ended('x --y', [ground('absent:no/such', 'absent'), ground('absent-tool:no-such-tool-at-all', 'absent')]), 'note'],
    ['what was absent and is there', () => ended('x --y', [ground('absent:package.json', 'absent')]), 'silent'],
    ['a variable', () => ended('x --y', [ground('env:NO_SUCH_VARIABLE', 'unset')]), 'note'],
    ['another variable', () => ended('x --y', [ground('env:PATH', 'unset')]), 'silent'],
    ['a file by its content', () => ended('x --y', [ground('file:package.json', blob())]), 'note'],
    ['a file of another content', () => ended('x --y', [ground('file:package.json', '0'.repeat(40))]), 'silent'],
    ['a file by its stamp, unread', () => ended('x --y', [ground('file:package.json', 'nobody reads it', { stamp: stamp() })]), 'note'],
    ['a file by a stamp of before', () => ended('x --y', [ground('file:package.json', 'nobody reads it', { stamp: '1 2 3 4' })]), 'silent'],
    ['what no probe knows', () => ended('x --y', [ground('moon:phase', 'full')]), 'silent'],
    ['a path that leads out', () => ended('x --y', [ground('absent:../no/such', 'absent')]), 'silent'],
    ['a program that would have to be started', () => ended('x --y', [ground('tool:no-such-tool-at-all', '1.0')]), 'silent'],
    ['the whole tree', () => ended('x --y', [ground('tree:.', '0'.repeat(64))]), 'silent'],
  ])('looks whether it rests on %s', async (_, entry, expected) => {
    known(entry())
    expect(await said('x --y')).toBe(expected)
  })

  const blob = (): string => spawnSync('git', ['hash-object', 'package.json'], { cwd: dir, env, encoding: 'utf8' }).stdout.trim()
  const stamp = (): string => stampOf(join(dir, 'package.json')) as string

  it('knows the three structural keys', async () => {
    const { world, all } = openReading(repository(), env, files)
    const values = await readKeys(['platform', 'privilege', 'repository'], await all(), world)
    known(ended('x --y', [...values].map(([key, reading]) => ground(key, 'value' in reading ? reading.value : '?'))))
    expect(await said('x --y')).toBe('note')
  })

  it('is silent once the command was seen to pass, and stops nothing of which nobody knows how it ended', async () => {
    known(ended('jest --nope'))
    await said('jest --nope')
    const line = { kind: 'command', record_id: 'r', command: 'jest --nope' }
    noted('session-1', { ...line, outcome: { is: 'unknown' } })
    expect(await said('jest --nope')).toBe('note')
    noted('session-1', { ...line, outcome: { is: 'code', code: 2 } })
    expect(await said('jest --nope')).toBe('deny')
    noted('session-9', { ...line, outcome: { is: 'code', code: 0 } })
    expect(await said('jest --nope')).toBe('silent')
    noted('session-9', { ...line, worktree: '/elsewhere', outcome: { is: 'code', code: 0 } })
    expect(await said('jest --nope')).toBe('deny')
  })

  it.each<[string, string, string[]]>([
    ['off', '{"guard":"off"}', ['silent', 'silent']],
    ['note', '{"guard":"note"}', ['note', 'note']],
    ['full', '{"guard":"full"}', ['note', 'deny']],
    ['a word that nobody knows', '{"guard":"strict"}', ['silent', 'silent']],
    ['no JSON', '{', ['silent', 'silent']],
  ])('does as the local configuration says: %s', async (_, text, expected) => {
    known(ended('jest --nope'))
    writeFileSync(state('config.json'), text)
    expect([await said('jest --nope'), await said('jest --nope')]).toEqual(expected)
  })

  it('takes a tracked configuration for nothing until it was accepted', async () => {
    known(ended('jest --nope'))
    write('.remnants/config.json', '{"guard":"off"}')
    expect(await said('jest --nope')).toBe('note')
    rmSync(join(dir, '.remnants'), { recursive: true })
  })

  it('lets one call through that was allowed, by its claim or by its words, and the next not', async () => {
    known(ended('jest --nope'))
    await said('jest --nope')
    allowOnce(ID, repository())
    const let_ = event('jest --nope')
    const outside = { env, now: () => new Date() }
    expect([(await decide(let_, outside)).decision, (await decide(let_, outside)).decision, await said('jest --nope')]).toEqual(['silent', 'silent', 'deny'])
    allowOnce(commandId(commandOf(['jest', '--nope'])), repository())
    expect([await said('jest --nope'), await said('jest --nope')]).toEqual(['silent', 'deny'])
  })
})

describe('a mutation that would do harm again', () => {
  it('is asked about where it was made, is not where its version is another, and is written down before it is made', async () => {
    known(done())
    expect(await asked('npm test && npm publish')).toMatchObject({ decision: 'ask', claim_id: ID })
    expect(readdirSync(state('')).includes('journals')).toBe(false)
    write('package.json', '{"name":"demo","version":"1.0.1"}\n')
    expect(await said('npm publish', { call: 'call-x' })).toBe('silent')
    write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    const [line, keys] = linesOf('session-1')
    expect(line).toMatchObject({ kind: 'intent', record_id: 'call-x', command: 'npm publish', outcome: { is: 'unknown' }, intended: { target: { kind: 'npm', id: 'demo' }, identifier: 'demo@1.0.1' } })
    expect(keys).toMatchObject({ record_id: 'call-x', keys: { 'target:npm/demo': 'default demo' } })
    expect(Object.keys(keys.keys).sort()).toEqual(['platform', 'privilege', 'repository', 'target:npm/demo'])
  })

  it('is nothing where its target is another now', async () => {
    known(done())
    write('.npmrc', 'registry=https://r.example/\n')
    expect(await said('npm publish')).toBe('silent')
    rmSync(join(dir, '.npmrc'))
  })

  it('is asked about where another session wrote it down and no result is there', async () => {
    known()
    await said('npm publish', { session: 'session-2', call: 'call-y' })
    const { decision, text } = await asked('npm publish --tag next')
    expect({ decision, text }).toMatchObject({ decision: 'ask', text: expect.stringContaining('demo@1.0.0') })
    const [line] = linesOf('session-2')
    noted('session-2', line, { ...line, kind: 'command', outcome: { is: 'code', code: 1 } })
    expect(await said('npm publish', { session: 'session-3' })).toBe('silent')
  })

  it.each<[string, object, string]>([
    ['went through', { outcome: { is: 'success' }, output: '+ demo@1.0.0\n' }, 'ask'],
    ['ended, nobody knows how', { outcome: { is: 'unknown' }, output: '' }, 'ask'],
    ['was broken off', { outcome: { is: 'transient' }, output: '' }, 'ask'],
    ['never ran', { outcome: { is: 'transient' }, output: null }, 'silent'],
    ['failed', { outcome: { is: 'code', code: 1 }, output: 'npm error code E403\n' }, 'silent'],
    ['never reached the registry, by its own words', { outcome: { is: 'unknown' }, output: 'npm error code ECONNREFUSED\n' }, 'silent'],
  ])('is asked about where the same of another session, not sealed yet, may have been done: it %s', async (_, result, expected) => {
    known()
    await said('npm publish', { session: 'session-2', call: 'call-y' })
    const [line] = linesOf('session-2')
    noted('session-2', line, { ...line, kind: 'command', ...result })
    expect(await said('npm publish', { session: 'session-3' })).toBe(expected)
  })

  const RELEASE = 'gh release create v1.1.0 --repo o/r --notes x'
  const URL_OF_IT = 'https://github.com/o/r/releases/tag/v1.1.0\n'
  const ended = (line: object, more: object = {}) => ({ ...line, kind: 'command', outcome: { is: 'success' }, output: URL_OF_IT, intended: undefined, ...more })

  it.each<[string, object, string, string]>([
    ['was done', {}, RELEASE, 'ask'],
    ['was done, and is meant in other words', {}, 'gh release create v1.1.0 --repo o/r --title y', 'ask'],
    ['was done, and another is meant', {}, RELEASE.replace('v1.1.0', 'v1.2.0'), 'silent'],
    ['was done, and something is put into it', {}, 'gh release upload v1.1.0 a.zip --repo o/r', 'silent'],
    ['was done, and it is to be deleted', {}, 'gh release delete v1.1.0 --repo o/r', 'silent'],
    ['failed', { outcome: { is: 'code', code: 1 }, output: 'HTTP 422: Validation Failed\n' }, RELEASE, 'silent'],
    ['never ran', { outcome: { is: 'transient' }, output: null }, RELEASE, 'silent'],
    ['was refused by its own words', { outcome: { is: 'unknown' }, output: 'a release with the same tag name already exists: v1.1.0\n' }, RELEASE, 'silent'],
    ['ended, and nothing says that it was done', { output: '' }, RELEASE, 'silent'],
  ])('is asked about where this session did it: it %s', async (_, result, command, expected) => {
    known()
    expect(await said(RELEASE, { call: 'call-r' })).toBe('silent')
    const lines = linesOf('session-1')
    noted('session-1', ...lines, ended(lines[0], result))
    const { decision, text } = await asked(command)
    expect(decision).toBe(expected)
    if (expected === 'ask') expect(text).toContain('This was done earlier in this session: github o/r, v1.1.0.')
  })

  it('is not asked about against its own call, nor one that is still under way, nor once it was taken back', async () => {
    known()
    expect(await said(RELEASE, { call: 'call-r' })).toBe('silent')
    const lines = linesOf('session-1')
    expect(await said(RELEASE, { call: 'call-r' })).toBe('silent')
    expect(await said(RELEASE, { call: 'call-s' })).toBe('silent')
    noted('session-1', ...lines, ended(lines[0]))
    expect(await said(RELEASE, { call: 'call-r' })).toBe('silent')
    const back = { ...ended(lines[0]), record_id: 'call-d', command: 'gh release delete v1.1.0 --repo o/r --yes', output: '' }
    noted('session-1', ...lines, ended(lines[0]), { ...back, outcome: { is: 'code', code: 1 } })
    expect(await said(RELEASE)).toBe('ask')
    noted('session-1', ...lines, ended(lines[0]), back)
    expect(await said(RELEASE)).toBe('silent')
  })

  it('is let through once where this session did it, by its words', async () => {
    known()
    await said(RELEASE, { call: 'call-r' })
    const lines = linesOf('session-1')
    noted('session-1', ...lines, ended(lines[0]))
    allowOnce(commandId(commandOf(RELEASE.split(' '))), repository())
    expect(await said(RELEASE)).toBe('silent')
    noted('session-1', ...lines, ended(lines[0]))
    expect(await said(RELEASE)).toBe('ask')
  })

  it('is nothing where the place that the other session meant is another now', async () => {
    known()
    await said('npm publish', { session: 'session-2', call: 'call-y' })
    write('.npmrc', 'registry=https://r.example/\n')
    expect(await said('npm publish')).toBe('silent')
    rmSync(join(dir, '.npmrc'))
    rmSync(journal('session-1'))
    expect(await said('npm publish')).toBe('ask')
  })

  it.each([
    ['npm pub', 'ask'],
    ['pnpm publish --no-git-checks', 'ask'],
    ['yarn npm publish', 'ask'],
    ['bun publish', 'ask'],
    ['npm unpublish demo', 'silent'],
    ['npm publish --registry https://r.example/', 'silent'],
  ])('is one, whichever of npm and its kin does it: %s → %s', async (command, expected) => {
    known(done())
    expect(await said(command)).toBe(expected)
  })

  it('is none while npm is told to try only', async () => {
    known(done())
    write('.npmrc', 'dry-run=true\n')
    expect(await said('npm publish')).toBe('silent')
    rmSync(join(dir, '.npmrc'))
  })

  it('is nothing where its package has no version', async () => {
    known(done())
    write('package.json', '{"name":"demo"}\n')
    expect([await said('npm publish'), await said('npm publish', { session: 'session-2' })]).toEqual(['silent', 'silent'])
    write('package.json', '{"name":"demo","version":"1.0.0"}\n')
  })

  it.each(['git push origin main', 'npm publish --dry-run', 'npm run publish:check', 'echo npm publish'])('is not: %s', async (command) => {
    known()
    expect(await said(command)).toBe('silent')
    expect(readdirSync(state(''))).toEqual(['guard-claims'])
  })
})

describe('a stamp', () => {
  it('is another for another content, and none for what changed just now', () => {
    write('stamped', 'a')
    const path = join(dir, 'stamped')
    utimesSync(path, 1, 1)
    expect(stampOf(path, Date.now())).toBeNull()
    expect(stampOf(path, Date.now() + 10_000)).not.toBeNull()
    const before = stampOf(path)
    write('stamped', 'b')
    expect(stampOf(path)).not.toBe(before)
    rmSync(path)
    expect(stampOf(path)).toBeNull()
    expect(stampOf(dir)).toBeNull()
  })
})

describe('a word in a text', () => {
  it.each([
    ['npm publish', 'publish', true],
    ['npm republished', 'publish', false],
    ['unpublish; publish', 'publish', true],
    ['', 'publish', false],
    ['npm publish', '', true],
    ['', '', true],
    ['tool --publish', 'publish', false],
    ['tool --no-publish -publish', 'publish', false],
    ['tool --run; npm publish', 'publish', true],
    ['docker buildx build --push .', '--push', true],
    ['npm ${X:-publish}', 'publish', true],
    ['npm "publish"', 'publish', true],
    ['bin/rails-publish', 'publish', true],
    ['tool --to=publish', 'publish', true],
  ])('%j holds %j: %j, and it ends', (text, word, is) => {
    expect(holds(text, word)).toBe(is)
  })
})

describe('what the index says of a dead end', () => {
  it('names in words what a change of would end it', () => {
    const key = 'reads:[".","npm","run","x"]'
    const [known] = knownIn(liveAmong([held([deadEnd(['npm', 'run', 'x'], 'ERR', [[key, null], ['tool:npm', 'npm 11.19.1']])], { sealed: { ...SEALED, [key]: 'x' } })]), [])
    expect(known?.entry).toMatchObject({ until: ['what "npm run x" can reach', 'tool:npm (npm 11.19.1)'] })
  })
})
