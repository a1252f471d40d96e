import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Host } from '../../src/command.ts'
import gateCommand from '../../src/commands/gate.ts'
import { junitOf } from '../../src/commands/gate/junit.ts'
import { gatesAmong } from '../../src/host/trial/gates.ts'
import type { Tried } from '../../src/commands/gate/run.ts'
import { touches } from '../../src/commands/gate/touched.ts'
import { ephemera } from '../../src/ephemera.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { type Processes, openProcesses } from '../../src/host/processes.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Config } from '../../src/model/config.ts'
import type { World } from '../../src/model/probe.ts'
import { commandFor } from '../../src/resolve/plan.ts'
import { toolchains } from '../../src/signatures.ts'
import { type Keyed, SEALED, deadEnd, declared, gate, handoff, held, idOf, residual } from '../resolve/records.ts'
import { ENV, type Stage, given, stage } from '../stage.ts'

const CHECK = ['sh', 'check.sh']
const check = (argv = CHECK, folder = '.'): Keyed => gate(argv, [`file:${folder === '.' ? '' : `${folder}/`}check.sh`], { folder })

interface Shape {
  readonly files: Readonly<Record<string, string>>
  readonly claims?: readonly Keyed[]
  readonly own?: boolean
  readonly approved?: readonly Keyed[]
  readonly config?: Config
  readonly processes?: Processes
  readonly env?: Host['env']
  /** Values of keys that were sealed, besides the usual ones. */
  readonly values?: Readonly<Record<string, string>>
}

/** A repository with these files, whose clone sealed these claims and approved their gates. */
async function sealed({ files, claims = [check()], own = true, approved = claims, config = {}, processes = openProcesses(), env = ENV, values }: Shape): Promise<Stage> {
  const root = { value: '' }
  const made = stage({
    files: { '.gitignore': 'kept/\n', ...files },
    sets: { toolchains, ephemera },
    host: { processes, env, config: async () => config, world: async () => ({ rootCommit: async () => root.value }) as World },
  })
  root.value = made.git('rev-list', '--max-parents=0', 'HEAD').trim()
  await made.store.write(held(claims, values === undefined ? {} : { sealed: { ...SEALED, ...values } }).remnant)
  if (!own) made.files.write(join(made.repository.commonDir, 'remnant', 'own'), '')
  const approvals = openApprovals(made.repository, made.files, root.value)
  for (const one of approved) approvals.approve(commandIn(one))
  return made
}

const commandIn = ({ claim }: Keyed) => {
  const { regression_gate_signature, verification_receipt } = claim as unknown as { regression_gate_signature?: ReturnType<typeof commandOf>; verification_receipt: { command: ReturnType<typeof commandOf> } }
  return regression_gate_signature ?? verification_receipt.command
}

interface Document {
  readonly run: number
  readonly known: number
  readonly counts: Readonly<Record<string, number>>
  readonly gates: readonly { readonly result: string; readonly signature: string | null; readonly place: string | null; readonly isolation: string | null; readonly reason: string | null; readonly claim_id: string; readonly seconds: number | null }[]
}

/** A new store, since one keeps what it has read. */
async function run(made: Stage, options: Parameters<typeof given>[0] = {}) {
  const { status, text, data } = await gateCommand.run(given(options), made.host)
  return { status, text: text ?? '', ...(data as unknown as Document) }
}

const results = ({ gates }: Document) => gates.map(({ result }) => result)

describe('git remnant gate', () => {
  it('runs a gate in a temporary tree of the commit, and says what was in force', async () => {
    const made = await sealed({ files: { 'check.sh': 'test -e check.sh && ! test -e extra && pwd >&2\n' } })
    made.write('extra', 'dirt\n')
    const { status, text, gates, counts } = await run(made)
    expect({ status, counts: counts.green, gates }).toEqual({
      status: 0,
      counts: 1,
      gates: [expect.objectContaining({ result: 'green', claim_id: idOf(check()), place: 'temporary', isolation: expect.stringMatching(/^(?:none|bwrap)$/), signature: null })],
    })
    expect(text).toMatch(/^green +`sh check\.sh` {2}\d\.\d s\n1 of 1 gates run: 1 green\nrun in a temporary tree; (?:no sandbox|sandbox: bwrap)\njudged [0-9a-f]{12}; the uncommitted edits of this work tree were not judged$/)
    expect(text).toContain(`\njudged ${made.git('rev-parse', 'HEAD').slice(0, 12)};`)
    made.git('add', 'extra')
    made.git('rm', '-qf', 'extra')
    expect((await run(made)).text).toMatch(/\njudged [0-9a-f]{12}$/)
    expect(made.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
  })

  it('tells a red one by its claim and its signature, and ends with 1', async () => {
    const made = await sealed({ files: { 'check.sh': 'echo "Error: the total is wrong" >&2\nexit 3\n' } })
    const { status, text, gates } = await run(made)
    expect({ status, gates }).toMatchObject({ status: 1, gates: [{ result: 'red', signature: 'Error: the total is wrong' }] })
    expect(text).toContain(`\n  claim ${idOf(check()).slice(0, 12)}: \`sh check.sh\` is a gate of \`.\`\n  | Error: the total is wrong\n  look closer: git remnant why ${idOf(check()).slice(0, 12)}\n`)
  })

  it('tries the commit and not the dirty tree, whichever of them is broken', async () => {
    const made = await sealed({ files: { 'check.sh': 'grep -q good answer\n', answer: 'good\n' } })
    made.write('answer', 'bad\n')
    expect(results(await run(made))).toEqual(['green'])
    made.git('commit', '-qam', 'break it')
    made.write('answer', 'good\n')
    expect(results(await run(made))).toEqual(['red'])
    expect(results(await run(made, { ref: ['HEAD~1', 'main', 'HEAD'] }))).toEqual(['green', 'red'])
    expect(readFileSync(join(made.dir, 'answer'), 'utf8')).toBe('good\n')
  })

  it('calls one flaky that passes when it is run again, which is not green', async () => {
    const made = await sealed({ files: { 'check.sh': 'echo run >>runs\ntest "$(wc -l <runs)" -ge 3\n' } })
    const { status, text, counts } = await run(made)
    expect({ status, flaky: counts.FLAKY, green: counts.green }).toEqual({ status: 1, flaky: 1, green: 0 })
    expect(text).toMatch(/^FLAKY /)
    const worse = await sealed({ files: { 'check.sh': 'echo run >>runs\ntest "$(wc -l <runs)" -ge 4\n' } })
    expect(results(await run(worse))).toEqual(['red'])
  })

  it.each([
    ['was not approved', { approved: [] }],
    ['was approved in another folder', { approved: [check(CHECK, 'packages/a')] }],
    ['was approved with one word more', { approved: [check([...CHECK, '-v'])] }],
  ])('does not run what %s', async (_, more) => {
    const made = await sealed({ files: { 'check.sh': 'exit 1\n' }, ...more })
    const { status, text, gates, run: ran } = await run(made)
    expect({ status, ran, gates }).toMatchObject({ status: 77, ran: 0, gates: [{ result: 'not-approved', seconds: null, isolation: null }] })
    expect(text).toContain(`\n  read it, then: git remnant allow ${idOf(check()).slice(0, 12)}\n`)
  })

  it('does not run what was approved on a commit that is on no branch of this clone', async () => {
    const made = await sealed({ files: { 'check.sh': 'exit 1\n' } })
    const foreign = made.git('commit-tree', '-m', 'of a stranger', 'HEAD^{tree}').trim()
    const { status, gates } = await run(made, { ref: [foreign] })
    expect({ status, gates }).toMatchObject({ status: 77, gates: [{ result: 'not-approved', reason: 'the commit is on no branch of this clone' }] })
  })

  it('knows no gate of a stranger', async () => {
    const made = await sealed({ files: { 'check.sh': 'exit 1\n' }, own: false })
    // A store keeps the list of its own as it read it.
    const { openStore } = await import('../../src/store.ts')
    const store = openStore({ repository: made.repository, git: made.host.git, files: made.files })
    const { status, text, data } = await gateCommand.run(given(), { ...made.host, store: async () => store })
    expect({ status, text, known: data?.['known'] }).toEqual({ status: 0, text: 'no live claim that is trusted here names a gate', known: 0 })
  })

  it('ends what hangs with all that it started, and ends with 124', async () => {
    const made = await sealed({ files: { 'check.sh': 'sleep 86123.5 &\n(setsid sleep 0; sleep 86123.5) & wait\n' }, config: { gate: { timeout_s: 1 } } })
    const { status, gates } = await run(made)
    expect({ status, gates }).toMatchObject({ status: 124, gates: [{ result: 'timed-out', reason: 'it took over 1 s' }] })
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toContain('sleep 86123.5')
  })

  it.each([
    ['a program is missing', 'no-such-program-here\n', 'a program is missing: no-such-program-here: command not found'],
    ['it was not permitted', 'echo "cp: cannot open secret: Permission denied" >&2; exit 1\n', 'it was not permitted: cp: cannot open secret: Permission denied'],
    ['whoever asks for a password took nobody', 'echo "fatal: Authentication failed for the server" >&2; exit 128\n', 'it was not permitted: fatal: Authentication failed for the server'],
    ['a registry wants a login', 'echo "npm error code E401" >&2; echo "npm error 401 Unauthorized" >&2; exit 1\n', expect.stringMatching(/^it was not permitted: /)],
    ['the network failed', 'echo "fatal: unable to access: Could not resolve host: example.org" >&2; exit 1\n', expect.stringMatching(/network/)],
    ['it was killed', 'kill -9 $$\n', 'a signal stopped it'],
  ])('does not hold against the commit that %s', async (_, script, reason) => {
    const made = await sealed({ files: { 'check.sh': script } })
    const { status, gates, run: ran } = await run(made)
    expect({ status, ran, gates }).toMatchObject({ status: 69, ran: 0, gates: [{ result: 'infra', reason }] })
  })

  it('does not hold against the commit that its program, its folder or its file is not there', async () => {
    const claims = [check(['no-such-tool-here', '--version']), check(CHECK, 'gone'), check(['sh', 'test.sh'])]
    const made = await sealed({ files: { 'check.sh': '' }, claims })
    const { status, gates } = await run(made)
    expect(status).toBe(69)
    expect(gates.map(({ result, reason }) => `${result}: ${reason}`).sort()).toEqual([
      'infra: a file is missing: test.sh: No such file or directory',
      'infra: a program is missing: no-such-tool-here',
      'infra: the commit has no folder "gone"',
    ])
  })

  it.each([
    ['make test', { Makefile: 'check:\n\ttrue\n' }, /^it could not run at this commit: make: \*\*\* No rule to make target/],
    ['npm test', { 'package.json': '{"name":"a","scripts":{}}\n' }, /^it could not run at this commit: npm (?:error|ERR!) Missing script/],
    ['python3 -m unittest tests.gone', { 'tests/__init__.py': '' }, /^(?:a file is missing|it could not run at this commit): ERROR: /],
    ['python3 check.py', { a: '' }, /^(?:a file is missing|it could not run at this commit): python3?: can't open file/],
    ['node --test test/gone.test.js', { a: '' }, /^(?:a file is missing|it could not run at this commit): Could not find/],
    ['sh test.sh', { a: '' }, /^(?:a file is missing|it could not run at this commit): test\.sh: No such file/],
  ])('calls it no red that `%s` found nothing to run', async (line, files, reason) => {
    const made = await sealed({ files: files as unknown as Record<string, string>, claims: [check(line.split(' '))] })
    const { status, gates } = await run(made)
    expect({ status, gates }).toMatchObject({ status: 69, gates: [{ result: 'infra', signature: null, reason: expect.stringMatching(reason) }] })
  })

  it('is red though what it names never was a path', async () => {
    const named = gate(['sh', 'check.sh', 'unit/sum'], ['file:check.sh', 'exists:unit/sum'])
    const made = await sealed({ files: { 'check.sh': 'echo "Error: no" >&2; exit 1\n' }, claims: [named], values: { 'exists:unit/sum': 'absent' } })
    expect(await run(made)).toMatchObject({ status: 1, gates: [{ result: 'red', signature: 'Error: no' }] })
    const gone = await sealed({ files: { 'check.sh': 'echo "Error: no" >&2; exit 1\n' }, claims: [named], values: { 'exists:unit/sum': 'file' } })
    expect(await run(gone)).toMatchObject({ status: 69, gates: [{ result: 'infra', reason: '"unit/sum", which it names, is not there' }] })
  })

  it.each([
    ['npm test', { 'package.json': '{"name":"a","scripts":{"test":"npm run build && node -e 0"}}\n' }, /^npm (?:error|ERR!) Missing script: "build"/],
    ['npm test', { 'package.json': '{"name":"a","scripts":{"test":"python3 -m nowhere_at_all"}}\n' }, /No module named nowhere_at_all/],
    ['make test', { Makefile: 'test:\n\t@$(MAKE) --no-print-directory -f b.mk unit\n', 'b.mk': 'other:\n\ttrue\n' }, /No rule to make target/],
  ])('calls `%s` red where it ran, and what it runs in its turn found nothing to run', async (line, files, signature) => {
    const made = await sealed({ files: files as unknown as Record<string, string>, claims: [check(line.split(' '))] })
    const { status, gates } = await run(made)
    expect({ status, gates }).toMatchObject({ status: 1, gates: [{ result: 'red', signature: expect.stringMatching(signature) }] })
  })

  it('believes the closing lines of a tool that fails with status 0', async () => {
    const test = "import test from 'node:test'\nimport assert from 'node:assert'\ntest('adds', () => assert.equal(1, 2))\n"
    const made = await sealed({ files: { 'a.test.mjs': test, 'package.json': '{"scripts":{"test":"node --test a.test.mjs || true"}}\n' }, claims: [gate(['npm', 'test'], ['file:package.json'])] })
    expect(await run(made)).toMatchObject({ status: 1, gates: [{ result: 'red', signature: expect.stringContaining('✖ adds') }] })
  })

  it('gives a gate nothing of the git that called it', async () => {
    const made = await sealed({ files: { 'check.sh': 'test -z "$GIT_DIR$GIT_INDEX_FILE$GIT_PREFIX" && git rev-parse HEAD\n' }, env: { ...ENV, GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere/index', GIT_PREFIX: 'x/' } })
    expect(results(await run(made))).toEqual(['green'])
  })

  it('runs each distinct command once, for all claims that name it', async () => {
    const claims = [check(), declared('the total is right', CHECK, ['file:check.sh']), residual('the total was off by one', CHECK, ['file:check.sh'])]
    const made = await sealed({ files: { 'check.sh': '' }, claims })
    expect(await run(made)).toMatchObject({ known: 1, run: 1, gates: [{ result: 'green' }] })
  })

  it.each([[4, '  and 1 more claim'], [5, '  and 2 more claims']])('names three of the %d claims of a red gate, and counts the others', async (count, line) => {
    const claims = [check(), ...Array.from({ length: count - 1 }, (_, i) => declared(`total ${i} is right`, CHECK, ['file:check.sh']))]
    const made = await sealed({ files: { 'check.sh': 'exit 1\n' }, claims })
    expect((await run(made)).text.split('\n')).toContain(line)
  })

  it('runs several at once, as many as there are cores', async () => {
    let [now, most] = [0, 0]
    const { collect, through } = openProcesses()
    const processes: Processes = {
      through,
      collect: async (argv, options) => {
        if (argv[0] !== 'sh' && !argv.includes('sh')) return collect(argv, options)
        most = Math.max(most, ++now)
        for (let waited = 0; now < 2 && most < 2 && waited < 2000; waited += 20) await new Promise((resolve) => setTimeout(resolve, 20))
        now -= 1
        return { status: 0, signal: null, timedOut: false, output: '', stdout: '', cut: false }
      },
    }
    const claims = ['check.sh', 'test.sh', 'lint.sh'].map((name) => gate(['sh', name], [`file:${name}`]))
    const made = await sealed({ files: { 'check.sh': '', 'test.sh': '', 'lint.sh': '' }, claims, processes })
    expect(results(await run(made))).toEqual(['green', 'green', 'green'])
    expect(most).toBe(Math.min(3, availableParallelism(), 2))
  })

  it.each(['in-place', 'temporary'])('holds nothing against the commit where a file that the gate names was never in git, in a tree that is %s', async (place) => {
    const made = await sealed({ files: { 'check.sh': '' }, claims: [check(), gate(['sh', 'test.sh'], ['file:test.sh'])] })
    if (place === 'in-place') made.write('kept/tool.sh', 'exit 0\n')
    const { gates } = await run(made)
    expect(gates.map(({ result }) => result).sort()).toEqual(['green', 'infra'])
    expect(gates.find(({ result }) => result === 'infra')?.reason).toMatch(/^(?:(?:a file is missing|it could not run at this commit): test\.sh: No such file or directory|"test\.sh", which it names, is not there)$/)
  })

  describe('where the work tree is exactly the commit and holds what was installed,', () => {
    const installed = (made: Stage) => made.write('kept/tool.sh', 'exit 0\n')

    it('runs there, and says so', async () => {
      const made = await sealed({ files: { 'check.sh': 'sh kept/tool.sh\n' } })
      installed(made)
      const { status, text, gates } = await run(made)
      expect({ status, gates }).toMatchObject({ status: 0, gates: [{ result: 'green', place: 'in-place' }] })
      expect(text).toMatch(/\nrun in the work tree itself, which is exactly the commit; (?:no sandbox|sandbox: bwrap)\njudged [0-9a-f]{12}$/)
    })

    it.each([
      ['a file differs', (made: Stage) => made.write('check.sh', 'exit 0 # fixed\n')],
      ['a file is untracked', (made: Stage) => made.write('new', '')],
      ['git was told to overlook a file', (made: Stage) => made.git('update-index', '--assume-unchanged', 'check.sh')],
      ['another commit is asked for', (made: Stage) => made.git('commit', '-q', '--allow-empty', '-m', 'more')],
    ])('does not where %s', async (_, change) => {
      const made = await sealed({ files: { 'check.sh': 'exit 0\n' } })
      installed(made)
      const commit = made.git('rev-parse', 'HEAD').trim()
      change(made)
      expect(await run(made, { ref: [commit] })).toMatchObject({ gates: [{ result: 'green', place: 'temporary' }] })
    })

    it('is what a red one in a temporary tree may lack, which is said', async () => {
      const made = await sealed({ files: { 'check.sh': 'sh kept/tool.sh\n' } })
      installed(made)
      made.write('more', '')
      const { gates, text } = await run(made)
      expect(gates).toMatchObject([{ result: 'red', place: 'temporary' }])
      expect(text).toContain('\n  the temporary tree had not what git ignores: kept/; "gate.copy" in the configuration lists what it needs\n')
    })

    it('does not where the configuration says how a tree is made', async () => {
      const made = await sealed({ files: { 'check.sh': 'sh kept/tool.sh\n' }, config: { gate: { copy: ['kept'] } } })
      installed(made)
      expect(await run(made)).toMatchObject({ gates: [{ result: 'green', place: 'temporary' }] })
    })

    it('runs again in a temporary tree what changed the work tree under it', async () => {
      const made = await sealed({ files: { 'check.sh': 'echo more >>answer\n', answer: '' } })
      installed(made)
      expect(await run(made)).toMatchObject({ gates: [{ result: 'green', place: 'temporary' }] })
      expect(made.warned).toEqual(['git-remnant: the work tree changed while `sh check.sh` ran; it is run again in a temporary tree'])
    })

    it('calls it no red that what it runs is missing there', async () => {
      const made = await sealed({ files: { 'README.md': '', 'check.sh': '' } })
      made.git('rm', '-q', 'check.sh')
      made.git('commit', '-q', '-m', 'lose it')
      installed(made)
      expect(await run(made)).toMatchObject({ status: 69, gates: [{ result: 'infra', place: 'in-place', reason: 'it could not run at this commit: check.sh: No such file or directory' }] })
    })
  })

  describe('a gate that last took over 30 s', () => {
    const slow = async (config: Config = {}) => {
      const made = await sealed({ files: { 'check.sh': '' }, config })
      const times = [0, 31_000, 31_000, 31_500]
      const host = { ...made.host, now: () => new Date(times.length > 1 ? (times.shift() as number) : (times[0] as number)) }
      expect((await gateCommand.run(given(), host)).status).toBe(0)
      return { ...made, host }
    }

    it('is named and not run', async () => {
      const made = await slow()
      const { status, text, gates } = await run(made)
      expect({ status, gates }).toMatchObject({ status: 0, gates: [{ result: 'slow', reason: 'it last took 31 s', seconds: null }] })
      expect(text).toBe('slow         `sh check.sh`  (it last took 31 s)\n  git remnant gate --ci runs it\n0 of 1 gates run: 1 slow')
    })

    it('is run with --ci, and then is slow no more if it was not', async () => {
      const made = await slow()
      expect(results(await run(made, { ci: true }))).toEqual(['green'])
      expect(results(await run(made))).toEqual(['green'])
    })

    it('is run where the configuration says so', async () => {
      expect(results(await run(await slow({ gate: { slow: true } })))).toEqual(['green'])
    })
  })

  it('runs with --changed-since only what the change touches', async () => {
    const claims = [check(), check(CHECK, 'packages/a'), check(CHECK, 'packages/b/test'), gate(['node', '--version'], ['tool:node'])]
    const sources = { 'packages/a/package.json': '{}', 'packages/a/check.sh': '', 'packages/b/package.json': '{}', 'packages/b/test/check.sh': '', 'packages/b/index.js': '' }
    const made = await sealed({ files: { 'check.sh': '', ...sources }, claims })
    const names = async (rev: string) => {
      const { data } = await gateCommand.run(given({ 'changed-since': rev }), made.host)
      return (data as unknown as { gates: { command: { folder: string } }[] }).gates.map(({ command }) => command.folder)
    }
    expect(await names('HEAD')).toEqual([])
    made.git('commit', '-q', '--allow-empty', '-m', 'nothing')
    expect(await names('HEAD~1')).toEqual([])
    made.write('packages/b/index.js', '1\n')
    made.git('commit', '-qam', 'of b')
    expect(await names('HEAD~1')).toEqual(['.', 'packages/b/test'])
    expect(await run(made, { 'changed-since': 'HEAD~1' })).toMatchObject({ text: expect.stringContaining('2 of 4 gates run: 2 green, 2 not touched') })
  })

  it('refuses a commit that is none', async () => {
    const made = await sealed({ files: {} })
    await expect(run(made, { ref: ['nothing'] })).rejects.toMatchObject({ fault: 'misuse', message: 'there is no commit "nothing"' })
    await expect(run(made, { ref: ['--all'] })).rejects.toMatchObject({ fault: 'misuse', message: 'there is no commit "--all"' })
    await expect(run(made, { 'changed-since': 'HEAD:README.md' })).rejects.toMatchObject({ fault: 'misuse' })
  })

  it('clears away after itself', async () => {
    const made = await sealed({ files: { 'check.sh': 'mkdir -p out && touch out/file && chmod 500 out; exit 1\n' } })
    await run(made)
    expect(existsSync(join(made.repository.commonDir, 'worktrees'))).toBe(false)
    expect(made.git('status', '--porcelain')).toBe('')
  })
})

describe('git remnant gate --ci', () => {
  it.each([
    ['there is no claim', { claims: [handoff(CHECK, 'it fails', ['file:check.sh'])], approved: [] }, {}, 77],
    ['none is approved', { approved: [] }, {}, 77],
    ['none is touched', {}, { 'changed-since': 'HEAD' }, 77],
    ['none could be judged', { claims: [check(['no-such-tool-here', '--version'])] }, {}, 77],
    ['one is green', {}, {}, 0],
  ] as const)('never succeeds where nothing was run: %s', async (_, more, options, status) => {
    const made = await sealed({ files: { 'check.sh': '' }, ...more })
    expect((await run(made, { ci: true, ...options })).status).toBe(status)
  })

  it('is no success where one is green and another could not be judged', async () => {
    const made = await sealed({ files: { 'check.sh': '' }, claims: [check(), check(['no-such-tool-here', '--version'])] })
    expect(await run(made, { ci: true })).toMatchObject({ status: 69, counts: { green: 1, infra: 1 } })
    expect(await run(made)).toMatchObject({ status: 0, counts: { green: 1, infra: 1 } })
  })

  it('writes JUnit besides', async () => {
    const claims = [check(), gate(['sh', 'test.sh'], ['file:test.sh'])]
    const made = await sealed({ files: { 'check.sh': '', 'test.sh': 'printf "Error: \\033[1mno\\033[0m <b> & \\"x\\" ]]> \\001\\n" >&2; exit 1\n' }, claims })
    mkdirSync(join(made.base, 'out'))
    expect((await run(made, { ci: true, junit: join(made.base, 'out/junit.xml') })).status).toBe(1)
    const { elements, texts } = xmlOf(readFileSync(join(made.base, 'out/junit.xml'), 'utf8'))
    expect(elements.filter(({ name }) => name === 'testcase').map(({ attributes }) => attributes['name'])).toEqual(['sh check.sh', 'sh test.sh'])
    expect(elements.find(({ name }) => name === 'testsuite')?.attributes).toMatchObject({ tests: '2', failures: '1', errors: '0', skipped: '0' })
    expect(elements.find(({ name }) => name === 'failure')?.attributes).toMatchObject({ type: 'red', message: 'Error: no <b> & "x" ]]>' })
    expect(texts).toContain(`claim ${idOf(claims[1] as Keyed)}`)
  })
})

describe('JUnit XML', () => {
  it('has a form for every result', () => {
    const [known] = gatesAmong([held([check()])], toolchains)
    const gate = { ...(known as Tried['gate']), command: commandOf(['sh', 'check.sh', '\u0000\u001b]0;x\u0007<&"\ud800']) }
    const of = (result: Tried['result']): Tried => ({ gate, commit: 'c'.repeat(40), result, seconds: 1.25, isolation: 'none', place: 'temporary', signature: null, reason: 'because', lacked: [] })
    const { elements } = xmlOf(junitOf((['green', 'red', 'FLAKY', 'timed-out', 'infra', 'not-approved', 'slow'] as const).map(of)))
    expect(elements.map(({ name }) => name).filter((name) => !name.startsWith('test'))).toEqual(['failure', 'failure', 'error', 'error', 'skipped', 'skipped'])
    expect(elements[0]?.attributes).toMatchObject({ tests: '7', failures: '2', errors: '2', skipped: '2', time: '8.750' })
  })
})

describe('the gates that claims name', () => {
  it.each([
    ['an invariant that is a gate', check(), 1],
    ['a debug residual', residual('the total was off by one', ['node', 'x.js'], ['tree:.']), 1],
    ['what is declared with the command itself', declared('it adds', CHECK, ['file:check.sh']), 0],
    ['what passes and is no gate', gate(['node', '-e', '0'], ['tree:.']), 0],
    ['a dead end', deadEnd(CHECK, 'no', [['tool:sh', null]]), 0],
    ['an open handoff', handoff(CHECK, 'no', ['file:check.sh']), 0],
  ] as const)('%s', (_, claim, count) => {
    const effect = (claim.claim as { effect?: { value: string } }).effect?.value
    expect(gatesAmong([held([claim])], toolchains)).toHaveLength(_.startsWith('what is declared') && effect === 'sh check.sh' ? 1 : count)
  })

  it('are one where they differ in temporary caches alone', () => {
    const [a, b, c] = ['/tmp/a', '/tmp/b', '.c'].map((folder) => residual(`the cache is ${folder.length}`, ['ruff', 'check', '--cache-dir', folder], ['file:check.sh'])) as [Keyed, Keyed, Keyed]
    expect(gatesAmong([held([a, b, c])], toolchains).map(({ claims }) => claims.length).sort()).toEqual([1, 2])
  })

  it('are those of live claims: what a later remnant answered runs no more', () => {
    const old = held([check()], { session: 'old' })
    const answer = held([gate(['sh', 'test.sh'], ['file:test.sh'])], { session: 'new', supersedes: [[old.digest, [idOf(check())]]] })
    expect(gatesAmong([old, answer], toolchains).map(({ command }) => command.argv[1])).toEqual(['test.sh'])
  })

  it('are run without the temporary caches of whoever ran them first, and are one however these lay', () => {
    const cached = (name: string, value: string): Keyed => {
      const one = check()
      const { verification_receipt: receipt } = one.claim as unknown as { verification_receipt: { command: object } }
      return { ...one, claim: { ...one.claim, verification_receipt: { ...receipt, command: { ...receipt.command, env: [[name, value]] } } } as unknown as Keyed['claim'] }
    }
    const envOf = (...claims: Keyed[]) => gatesAmong(claims.map((one, i) => held([one], { session: `s${i}` })), toolchains).map(({ command }) => command.env)
    expect(envOf(cached('TMPDIR', '/tmp/a'), cached('UV_CACHE_DIR', '/var/tmp/b'), check())).toEqual([[]])
    expect(envOf(cached('CI', '1'))).toEqual([[['CI', '1']]])
    expect(commandFor({ ...cached('TMPDIR', '/tmp/a').claim, list: 'verified_invariants' } as unknown as Parameters<typeof commandFor>[0])).toMatchObject({ argv: CHECK, env: [] })
  })

  describe('one that a reprobe found red', () => {
    const KEYS = ['file:check.sh']
    const old = held([check()], { session: 'old' })
    const red = held([deadEnd(CHECK, 'Error: no', [], { keys: KEYS })], { session: 'red', supersedes: [[old.digest, [idOf(check())]]] })
    const commandsOf = (...stored: Parameters<typeof gatesAmong>[0][number][]) => gatesAmong(stored, toolchains).map(({ command, claims }) => [command.argv.join(' '), claims.map(({ claim_id }) => claim_id)])

    it('is a gate still, by the failure that answers it', () => {
      expect(commandsOf(old, red)).toEqual([['sh check.sh', [idOf(deadEnd(CHECK, 'Error: no', []))]]])
      const open = handoff(CHECK, 'Error: no', KEYS)
      expect(commandsOf(old, held([open], { session: 'open', supersedes: [[old.digest, [idOf(check())]]] }))).toEqual([['sh check.sh', [idOf(open)]]])
    })

    it('is one by way of any number of other failures, and of remnants that only carried it on', () => {
      const other = deadEnd(CHECK, 'Error: something else', [], { keys: KEYS })
      const again = held([other, gate(['npm', '--version'], ['tool:npm'])], { session: 'again', supersedes: [[red.digest, [idOf(deadEnd(CHECK, 'Error: no', []))]]] })
      const carried = held([other], { session: 'carried', supersedes: [[again.digest, [idOf(other)]]] })
      expect(commandsOf(old, red, again, carried).find(([command]) => command === 'sh check.sh')).toEqual(['sh check.sh', [idOf(other)]])
    })

    it('is the gate itself again once that was sealed, and none where what it answered is forgotten', () => {
      const green = held([check()], { session: 'green', supersedes: [[red.digest, [idOf(deadEnd(CHECK, 'Error: no', []))]]] })
      expect(commandsOf(old, red, green)).toEqual([['sh check.sh', [idOf(check())]]])
      expect(commandsOf(red)).toEqual([])
    })

    it('is a gate still where its own session saw it red later, and the last remnant stands for all of them', () => {
      const red = deadEnd(CHECK, 'Error: no', [], { keys: KEYS })
      const [first, then, last] = [held([check()], { session: 's', until: '2026-01-01T00:00:00Z' }), held([red], { session: 's', until: '2026-01-01T00:00:00.5Z' }), held([red, gate(['npm', '--version'], ['tool:npm'])], { session: 's', until: '2026-01-01T00:00:01Z' })]
      expect(commandsOf(first, then)).toEqual([['sh check.sh', [idOf(red)]]])
      expect(commandsOf(last, first, then).find(([command]) => command === 'sh check.sh')).toEqual(['sh check.sh', [idOf(red)]])
      expect(commandsOf(held([check()], { session: 'another', until: '2026-01-01T00:00:00Z', rank: 'other' }), then)).toEqual([])
      // What was red first, and never green since, was no gate in its session.
      expect(commandsOf(held([red], { session: 't', until: '2026-01-01T00:00:00Z' }), held([check(['npm', 'test'])], { session: 't', until: '2026-01-01T00:00:01Z' })).map(([command]) => command)).toEqual(['npm test'])
    })

    it('is none by a failure of another command, or one that answers no gate', () => {
      const another = held([deadEnd(['sh', 'other.sh'], 'Error: no', [], { keys: KEYS })], { session: 'other', supersedes: [[old.digest, [idOf(check())]]] })
      expect(commandsOf(old, another)).toEqual([])
      const plain = held([deadEnd(CHECK, 'Error: no', [], { keys: KEYS })], { session: 'plain' })
      const answer = held([deadEnd(CHECK, 'Error: more', [], { keys: KEYS })], { session: 'more', supersedes: [[plain.digest, [idOf(deadEnd(CHECK, 'Error: no', []))]]] })
      expect(commandsOf(plain, answer)).toEqual([])
    })

    it('is none by the word of others', () => {
      expect(commandsOf({ ...old, rank: 'reported' }, red)).toEqual([])
      expect(commandsOf({ ...old, rank: 'reported' }, { ...red, rank: 'reported' })).toEqual([])
    })
  })

  it('rest on their sources, but for those that read none and those whose files were traced', () => {
    const sources = (keyed: Keyed) => gatesAmong([held([keyed])], toolchains).map(({ readsSources }) => readsSources)
    expect(sources(gate(['npm', 'test'], ['tool:npm', 'file:package.json']))).toEqual([true])
    expect(sources(gate(['npm', 'test'], ['tool:npm', 'file:package.json', 'file:src/app.js']))).toEqual([false])
    expect(sources(gate(['npm', '--version'], ['tool:npm']))).toEqual([false])
  })
})

describe('a change', () => {
  it.each([
    ['file:src/a.js', 'src/a.js', true],
    ['file:src/a.js', 'src/a.jsx', false],
    ['file:sub/module/a.js', 'sub/module', true],
    ['absent:jest.config.js', 'jest.config.js', true],
    ['tree:src', 'src/deep/a.js', true],
    ['tree:src', 'srcs/a.js', false],
    ['tree:.', 'anything', true],
    ['tree:.', '.remnants/ab/x.json', false],
    ['reads:["a","npm","test"]', 'docs/page.md', true],
    ['reads:["a","npm","test"]', '.remnants/ab/x.json', false],
    ['manifests:package.json', 'packages/a/package.json', true],
    ['manifests:package.json', 'sub/module', true],
    ['manifests:package.json', '.remnants/ab/x.json', false],
    ['names:src', 'src/a.js', true],
    ['names:src', 'lib/a.js', false],
    ['lock:npm/left-pad', 'package-lock.json', true],
    ['lock:npm/left-pad', 'packages/a/yarn.lock', true],
    ['lock:pip/flask', 'requirements-dev.txt', true],
    ['lock:npm/left-pad', 'src/lock.js', false],
    ['tool:npm', 'npm', false],
    ['env:CI', 'CI', false],
    ['platform', 'platform', false],
  ])('of what %s names touches it: %s %s', (key, path, touched) => {
    expect(touches([key], [path])).toBe(touched)
  })
})

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Reads XML strictly, as far as JUnit needs it. Throws where it is not well-formed. */
function xmlOf(text: string): { elements: Element[]; texts: string } {
  const elements: Element[] = []
  const open: string[] = []
  let texts = ''
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) throw new Error('a character that XML has not')
  const plain = (raw: string): string => {
    if (/[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/.test(raw)) throw new Error(`not escaped: ${raw}`)
    return raw.replace(/&(?:(amp|lt|gt|quot)|#(\d+));/g, (_, name: string | undefined, code: string) => (name === undefined ? String.fromCodePoint(Number(code)) : { amp: '&', lt: '<', gt: '>', quot: '"' }[name] ?? ''))
  }
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  if (body === text) throw new Error('no declaration')
  let at = 0
  for (const tag of body.matchAll(/<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g)) {
    texts += plain(body.slice(at, tag.index))
    at = tag.index + tag[0].length
    const name = tag[2] as string
    if (tag[1] === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`)
      continue
    }
    if (open.length === 0 && elements.length > 0) throw new Error('two roots')
    elements.push({ name, attributes: Object.fromEntries([...(tag[3] as string).matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key as string, plain(value as string)])) })
    if (tag[4] !== '/') open.push(name)
  }
  if (open.length > 0 || plain(body.slice(at)).trim() !== '') throw new Error('it is not closed')
  return { elements, texts }
}

const hasSandbox = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', '--', 'true']).status === 0

describe.skipIf(!hasSandbox)('a gate in a sandbox (needs a bwrap that works)', () => {
  const OUTSIDE = '/var/tmp/git-remnant-outside'
  const WRITES = { outside: `touch ${OUTSIDE} 2>/dev/null\n`, 'a ref of git': 'git update-ref refs/heads/evil HEAD 2>/dev/null\n', 'its own tree': 'touch kept/made\n', 'its temporary folder': 'touch "$TMPDIR/made" "$XDG_CACHE_HOME/made"\n' }

  it.each([
    ['outside', 'temporary', false],
    ['a ref of git', 'temporary', false],
    ['its own tree', 'temporary', true],
    ['its temporary folder', 'temporary', true],
    ['outside', 'in-place', false],
    ['a ref of git', 'in-place', false],
    ['its own tree', 'in-place', true],
    ['its temporary folder', 'in-place', true],
  ] as const)('writing to %s, in a tree that is %s, is allowed: %s', async (what, place, allowed) => {
    const made = await sealed({ files: { 'check.sh': `mkdir -p kept; ${WRITES[what]}` } })
    if (place === 'in-place') made.write('kept/installed', 'x\n')
    expect((await run(made)).gates).toMatchObject([{ result: allowed ? 'green' : 'red', place, isolation: 'bwrap' }])
    expect([existsSync(OUTSIDE), made.git('branch', '--list', 'evil')]).toEqual([false, ''])
  })

  it('finds nobody on the network, which is held against no commit', async () => {
    const server = createServer((socket) => socket.end('here\n')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const connect = `require('node:net').connect(${port},'127.0.0.1').on('error',(e)=>{console.error('Error: '+e.code);process.exit(1)}).on('data',()=>process.exit(0))`
    expect((await openProcesses().collect(['node', '-e', connect], { cwd: '/', env: process.env, timeout: 5000, limit: 1000 })).status).toBe(0)
    const made = await sealed({ files: { 'check.sh': 'node connect.cjs\n', 'connect.cjs': `${connect}\n` } })
    expect(await run(made)).toMatchObject({ status: 69, gates: [{ result: 'infra', isolation: 'bwrap', reason: 'the sandbox has no network, and nothing outside it can be written' }] })
  })

  it('is red for what is wrong with the commit, and says what was in force', async () => {
    const made = await sealed({ files: { 'check.sh': 'echo "Error: the total is wrong" >&2; exit 1\n' } })
    const { status, text, gates } = await run(made)
    expect({ status, gates }).toMatchObject({ status: 1, gates: [{ result: 'red', isolation: 'bwrap', signature: 'Error: the total is wrong' }] })
    expect(text).toMatch(/\nrun in a temporary tree; sandbox: bwrap\njudged [0-9a-f]{12}$/)
  })
})
