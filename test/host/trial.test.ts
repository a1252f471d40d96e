import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { type Trial, type TrialOptions, openTrial } from '../../src/host/trial.ts'
import { environmentOf } from '../../src/host/trial/environment.ts'
import { commandOf } from '../../src/model/command.ts'
import { ENV, type Layout, type Stage, gitIn, stage } from '../stage.ts'

const processes = openProcesses()

async function trialOf(on: Stage, more: Partial<TrialOptions> = {}): Promise<Trial> {
  const git = await on.host.git()
  const trial = await openTrial({ repository: on.repository, git, files: on.files, processes, env: on.env, config: {}, commit: on.git('rev-parse', 'HEAD').trim(), ...more })
  onTestFinished(() => trial.close())
  return trial
}

const limit = { timeoutMs: 20_000 }
const print = (path: string) => commandOf(['cat', path])

/** All of a repository that a trial must leave alone. */
const stateOf = (on: Stage): string[] => [
  ...['status --porcelain --ignored', 'stash list', 'worktree list --porcelain', 'for-each-ref', 'reflog', 'ls-files --stage', 'config --list --local'].map((words) => on.git(...words.split(' '))),
  readdirSync(on.repository.commonDir).sort().join(' '),
]

async function faultOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (thrown) {
    if (thrown instanceof RemnantError) return `${thrown.fault}: ${thrown.message}`
    throw thrown
  }
  return 'none'
}

describe('a trial', () => {
  it('shows a commit as it is, whatever lies in the user\'s tree, and leaves nothing behind', async () => {
    const on = stage({ files: { 'a.txt': 'committed\n', '.gitignore': 'junk\n' } })
    on.write('a.txt', 'edited\n')
    on.write('new.txt', 'new\n')
    on.write('junk/x', 'x\n')
    const before = stateOf(on)
    const trial = await trialOf(on)
    expect((await trial.run(print('a.txt'), limit)).output).toBe('committed\n')
    expect((await trial.run(print('new.txt'), limit)).status).toBe(1)
    expect(trial.folder.startsWith(on.dir)).toBe(false)
    expect(on.git('worktree', 'list')).toContain(trial.folder)
    await trial.close()
    await trial.close()
    expect(existsSync(dirname(trial.folder))).toBe(false)
    expect(stateOf(on)).toEqual(before)
  })

  it.each<Layout>(['plain', 'worktree', 'bare', 'separate', 'submodule'])('is made of a %s repository', async (layout) => {
    const on = stage({ layout, files: { 'a.txt': 'committed\n' } })
    const commit = layout === 'bare' ? commitIn(on) : on.git('rev-parse', 'HEAD').trim()
    const before = [on.git('worktree', 'list'), on.git('for-each-ref')]
    const trial = await trialOf(on, { commit })
    expect((await trial.run(print('a.txt'), limit)).output).toBe('committed\n')
    await trial.close()
    expect([on.git('worktree', 'list'), on.git('for-each-ref')]).toEqual(before)
  })

  it('lays paths of another commit over it, and takes away what that has not', async () => {
    const on = stage({ files: { 'src.txt': 'old\n', 'test/a b.txt': 'old\n', 'test/gone.txt': 'old\n' } })
    const commit = on.git('rev-parse', 'HEAD').trim()
    on.write('src.txt', 'new\n')
    on.write('test/a b.txt', 'new\n')
    on.write('test/added[1].txt', 'new\n')
    on.git('rm', '-q', 'test/gone.txt')
    on.git('add', '-A')
    on.git('commit', '-qm', 'fix')
    const overlay = { commit: on.git('rev-parse', 'HEAD').trim(), paths: ['test/a b.txt', 'test/added[1].txt', 'test/gone.txt'] }
    const trial = await trialOf(on, { commit, overlay })
    expect((await trial.run(commandOf(['cat', 'src.txt', 'test/a b.txt', 'test/added[1].txt']), limit)).output).toBe('old\nnew\nnew\n')
    expect(existsSync(join(trial.folder, 'test/gone.txt'))).toBe(false)
  })

  it('starts no hook of the repository', async () => {
    const on = stage()
    const mark = join(on.base, 'mark')
    const hook = join(on.repository.commonDir, 'hooks/post-checkout')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 })
    gitIn(on.dir, 'checkout', '-q', '--detach')
    expect(existsSync(mark)).toBe(true)
    rmSync(mark)
    await trialOf(on, { overlay: { commit: on.git('rev-parse', 'HEAD').trim(), paths: ['README.md'] } })
    expect(existsSync(mark)).toBe(false)
  })

  it('honours folder, environment and redirection of a command', async () => {
    const on = stage({ files: { 'packages/a/in.txt': 'inside\n' } })
    const trial = await trialOf(on)
    const shell = commandOf(['sh', '-c', 'pwd; printf "%s\\n" "$COLOUR"; cat'], { folder: 'packages/a', env: [['COLOUR', 'a b']] })
    const { output } = await trial.run({ ...shell, argv: [...shell.argv, '<', 'in.txt'] }, limit)
    expect(output).toBe(`${trial.folder}/packages/a\na b\ninside\n`)
  })

  it.each([
    ['needs root', commandOf(['true'], { privilege: 'root' })],
    ['ran in a container or on another host', commandOf(['true'], { where: 'container:db' })],
    ['ran in a container or on another host', commandOf(['true'], { where: 'host:far' })],
    ['ran outside the repository', commandOf(['true'], { folder: '/tmp' })],
    ['ran outside the repository', commandOf(['true'], { folder: '../other' })],
  ])('refuses a command that %s', async (why, command) => {
    const trial = await trialOf(stage())
    expect(await faultOf((async () => trial.run(command, limit))())).toBe(`refused: the command ${why}`)
  })

  it('ends a command at the limit, with what it left in the background', async () => {
    const on = stage()
    const beats = join(on.base, 'beats')
    const trial = await trialOf(on)
    const started = Date.now()
    const { timedOut } = await trial.run(commandOf(['sh', '-c', `(while :; do printf x >> '${beats}'; sleep 0.05; done) & sleep 30`]), { timeoutMs: 400 })
    expect(timedOut).toBe(true)
    expect(Date.now() - started).toBeLessThan(10_000)
    const size = existsSync(beats) ? statSync(beats).size : 0
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(existsSync(beats) ? statSync(beats).size : 0).toBe(size)
  })

  it('removes folders that its programs have closed to writing', async () => {
    const trial = await trialOf(stage())
    await trial.run(commandOf(['sh', '-c', 'mkdir -p shut/inner && touch shut/inner/x && chmod 500 shut/inner shut']), limit)
    await trial.close()
    expect(existsSync(dirname(trial.folder))).toBe(false)
  })
})

describe('dependencies of a trial', () => {
  const workspace = {
    '.gitignore': 'node_modules\n',
    'packages/part/index.js': "module.exports = 'committed'\n",
    'packages/part/package.json': '{"name":"part"}\n',
    'main.js': "console.log(require('part'), require('lib'))\n",
  }
  const withModules = (link: string): Stage => {
    const on = stage({ files: workspace })
    on.write('node_modules/lib/index.js', "module.exports = 'lib'\n")
    symlinkSync(link.replace('{tree}', on.dir), join(on.dir, 'node_modules/part'))
    return on
  }

  it('are a copy of the ignored folder: a workspace package that is linked in it is the commit\'s, not the user\'s new code', async () => {
    const on = withModules('../packages/part')
    on.write('packages/part/index.js', "module.exports = 'new code of the user'\n")
    const trial = await trialOf(on)
    expect((await trial.run(commandOf(['node', 'main.js']), limit)).output).toBe('committed lib\n')
    expect(realpathSync(join(trial.folder, 'node_modules/lib'))).toBe(join(trial.folder, 'node_modules/lib'))
    await trial.run(commandOf(['sh', '-c', 'echo broken > node_modules/lib/index.js']), limit)
    expect(readFileSync(join(on.dir, 'node_modules/lib/index.js'), 'utf8')).toContain("'lib'")
  })

  it('are refused where a link in them leads into the user\'s tree', async () => {
    const on = withModules('{tree}/packages/part')
    expect(await faultOf(trialOf(on))).toMatch(/^missing: "node_modules\/part" leads into your own work tree/)
    expect(on.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('are refused where the folder itself is a link', async () => {
    const on = stage({ files: { '.gitignore': 'node_modules\n' } })
    mkdirSync(join(on.base, 'elsewhere'))
    symlinkSync(join(on.base, 'elsewhere'), join(on.dir, 'node_modules'))
    expect(await faultOf(trialOf(on))).toMatch(/^missing: "node_modules" leads/)
  })

  it.each([
    ['bin/tool', (dir: string) => `#!${dir}/.venv/bin/python\n`],
    ['lib/editable.pth', (dir: string) => `${dir}/src\n`],
  ])('are refused where "%s" of them names the user\'s tree', async (path, text) => {
    const on = stage({ files: { '.gitignore': '.venv\n' } })
    on.write(`.venv/${path}`, text(on.dir))
    expect(await faultOf(trialOf(on, { config: { gate: { copy: ['.venv'] } } }))).toMatch(/leads into your own work tree/)
  })

  it('are not copied where git would not ignore them', async () => {
    const on = stage()
    on.write('node_modules/lib/index.js', 'x\n')
    const trial = await trialOf(on)
    expect(existsSync(join(trial.folder, 'node_modules'))).toBe(false)
    expect(await faultOf(trialOf(on, { config: { gate: { copy: ['node_modules'] } } }))).toBe('misuse: "gate.copy" lists "node_modules", which git does not ignore')
    expect(await faultOf(trialOf(on, { config: { gate: { copy: ['../other'] } } }))).toMatch(/^misuse: .*no folder of the repository/)
  })

  it('come from the set-up instead where one is configured, if it is approved', async () => {
    const on = withModules('../packages/part')
    const config = { gate: { setup: [['sh', '-c', 'mkdir made && echo by-setup > made/x']] } }
    expect(await faultOf(trialOf(on, { config }))).toBe('refused: the set-up of "gate.setup" is not approved')
    const trial = await trialOf(on, { config, approved: (argv) => argv[0] === 'sh' })
    expect((await trial.run(print('made/x'), limit)).output).toBe('by-setup\n')
    expect(existsSync(join(trial.folder, 'node_modules'))).toBe(false)
    const failing = { gate: { setup: [['sh', '-c', 'exit 3']] } }
    expect(await faultOf(trialOf(on, { config: failing, approved: () => true }))).toBe('missing: the set-up "sh" ended with status 3')
  })
})

describe('the environment of a trial', () => {
  it('has nothing of git, of the runner that called us, or of the user\'s tree', async () => {
    const on = stage({ files: { 'tools/hello': '#!/bin/sh\necho committed\n', '.gitignore': 'node_modules\n' } })
    const env = {
      ...on.env,
      GIT_DIR: on.repository.gitDir,
      GIT_INDEX_FILE: join(on.base, 'index'),
      NODE_TEST_CONTEXT: 'child-v8',
      PATH: `${on.dir}/node_modules/.bin:${on.dir}/tools:${on.env.PATH}`,
      NODE_PATH: `${on.dir}/tools`,
    }
    const trial = await trialOf(on, { env })
    const { output } = await trial.run(commandOf(['env']), limit)
    expect(output).not.toContain(`${on.dir}/`)
    expect(output).not.toMatch(/^(?:GIT_DIR|GIT_INDEX_FILE|NODE_TEST_CONTEXT)=/m)
    expect(output).toContain(`NODE_PATH=${trial.folder}/tools\n`)
    expect(output).toContain(`PWD=${trial.folder}\n`)
    const temporary = /^TMPDIR=(.*)$/m.exec(output)?.[1] ?? ''
    expect(dirname(temporary)).toBe(dirname(trial.folder))
  })

  it('keeps a program of the user\'s tree that no commit could have', () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'remnant-home-')))
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    mkdirSync(join(base, 'trial'))
    expect(environmentOf({ PATH: '/home/dev/.nvm/bin:/usr/bin' }, { workTree: '/home/dev', folder: join(base, 'trial'), home: base }).PATH).toBe('/home/dev/.nvm/bin:/usr/bin')
  })
})

describe('isolation of a trial', () => {
  const pretending = (status: number) => {
    const started: (readonly string[])[] = []
    const ended = { signal: null, timedOut: false, output: '', stdout: '', cut: false }
    return { started, collect: async (argv: readonly string[]) => (started.push(argv), { ...ended, status }), through: processes.through }
  }

  it('is bwrap\'s where that works: no network, nothing outside to be written, processes of its own', async () => {
    const on = stage()
    const fake = pretending(0)
    const trial = await trialOf(on, { processes: fake })
    expect(trial.isolation).toBe('bwrap')
    await trial.run(commandOf(['npm', 'test']), limit)
    await trial.run(commandOf(['npm', 'test']), limit)
    expect(fake.started.map((argv) => argv.at(-1))).toEqual(['true', 'test', 'test'])
    const words = (fake.started[1] as string[]).join(' ')
    expect(words).toMatch(/^bwrap --ro-bind \/ \/ .*--unshare-net --unshare-pid --die-with-parent /)
    expect(words).toContain(`--bind ${dirname(trial.folder)} ${dirname(trial.folder)} `)
    expect(words).toMatch(/ -- npm test$/)
  })

  it.skipIf(!existsSync('/dev/shm'))('shows its tree where the temporary folder lies among devices', async () => {
    const given = process.env.TMPDIR
    const among = mkdtempSync('/dev/shm/remnant-trial-')
    onTestFinished(() => {
      if (given === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = given
      rmSync(among, { recursive: true })
    })
    process.env.TMPDIR = among
    const on = stage({ files: { 'a.txt': 'committed\n' } })
    const trial = await trialOf(on)
    expect(await trial.run(print('a.txt'), limit)).toMatchObject({ status: 0, output: 'committed\n' })
  })

  it.each([
    ['bwrap: execvp no-such: No such file or directory\n', 127],
    ['bwrap: execvp ./x: Permission denied\n', 126],
    ['1 failed\nbwrap: execvp no-such: No such file or directory\n', 1],
  ])('gives a program that bwrap can not start the status that a shell gives: %j', async (output, status) => {
    const collect = async (argv: readonly string[]) => ({ signal: null, timedOut: false, output: argv.at(-1) === 'true' ? '' : output, stdout: '', cut: false, status: argv.at(-1) === 'true' ? 0 : 1 })
    const trial = await trialOf(stage(), { processes: { collect, through: processes.through } })
    expect((await trial.run(commandOf(['no-such']), limit)).status).toBe(status)
  })

  it('is none where bwrap is missing or may not work, and it says so', async () => {
    const trial = await trialOf(stage(), { processes: pretending(127) })
    expect(trial.isolation).toBe('none')
  })
})

describe('what ends the program', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'remnant-program-')))
  const program = join(base, 'program.mjs')

  beforeAll(async () => {
    const host = (name: string): string => JSON.stringify(join(import.meta.dirname, '../../src/host', name))
    const source = join(base, 'source.ts')
    writeFileSync(
      source,
      `import { openTrial } from ${host('trial.ts')}
      import { openGit, openRepository } from ${host('git.ts')}
      import { openProcesses } from ${host('processes.ts')}
      import { openFiles } from ${host('files.ts')}
      const [, , dir, commit] = process.argv
      const { env } = process
      const repository = openRepository(dir, env)
      const trial = await openTrial({ repository, git: openGit(repository, env), files: openFiles(), processes: openProcesses(), env, config: {}, commit })
      console.log(trial.folder)
      await trial.run({ folder: '.', env: [], argv: ['sleep', '30'], where: 'here', privilege: 'user' }, { timeoutMs: 60000 })`,
    )
    await build({ input: source, platform: 'node', resolve: { mainFields: ['module', 'main'] }, output: { file: program, format: 'esm', codeSplitting: false }, logLevel: 'silent' })
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('by %s leaves nothing, at the latest after the next trial', async (signal) => {
    const on = stage()
    const child = spawn('node', [program, on.dir, on.git('rev-parse', 'HEAD').trim()], { env: ENV as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'inherit'] })
    const folder = await new Promise<string>((resolve) => {
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
      child.once('exit', () => resolve('ended too soon'))
    })
    expect(on.git('worktree', 'list')).toContain(folder)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const ended = new Promise((resolve) => child.once('exit', (_, by) => resolve(by)))
    child.kill(signal)
    expect(await ended).toBe(signal)
    if (signal === 'SIGKILL') await (await trialOf(on)).close()
    expect(existsSync(dirname(folder))).toBe(false)
    expect(on.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('is no matter for a trial that is still under way', async () => {
    const on = stage()
    const first = await trialOf(on)
    await (await trialOf(on)).close()
    expect((await first.run(print('README.md'), limit)).status).toBe(0)
  })
})

function commitIn(bare: Stage): string {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: bare.dir, input: 'committed\n', encoding: 'utf8', env: ENV as NodeJS.ProcessEnv }).trim()
  const tree = execFileSync('git', ['mktree'], { cwd: bare.dir, input: `100644 blob ${blob}\ta.txt\n`, encoding: 'utf8', env: ENV as NodeJS.ProcessEnv }).trim()
  return bare.git('commit-tree', '-m', 'start', tree).trim()
}
