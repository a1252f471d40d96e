import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { helpOf, manualOf } from '../../src/cli/help.ts'
import { allCommands } from '../../src/commands.ts'
import { clone } from '../clone.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const built = join(top, 'dist/git-remnant.cjs')
const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { version: string }

describe('the built pages', () => {
  it('are where the package says: npm links a manual page only from a list', () => {
    const { bin, man } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { bin: unknown; man: unknown }
    expect({ bin, man }).toEqual({ bin: { 'git-remnant': 'dist/git-remnant.cjs' }, man: ['dist/git-remnant.1'] })
  })

  it('are those of the commands', async () => {
    const commands = await allCommands()
    expect(JSON.parse(readFileSync(join(top, 'dist/help.json'), 'utf8'))).toEqual(helpOf(commands, version))
    expect(readFileSync(join(top, 'dist/git-remnant.1'), 'utf8')).toBe(manualOf(commands, version))
  })

  it('come with the licence of every package that is in the bundle', () => {
    const notices = readFileSync(join(top, 'dist/THIRD-PARTY-NOTICES'), 'utf8')
    for (const name of ['yargs', 'yargs-parser', 'zod', 'canonicalize', 'isomorphic-git', 'unbash']) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
    for (const [, license] of notices.matchAll(/^Licence: (.*); the package holds no licence text\.$/gm)) expect(['MIT', 'Apache-2.0']).toContain(license)
  })
})

describe('the built program', () => {
  it('shows help, from wherever it is asked for', async () => {
    const { run } = clone()
    const { overview, verbs } = helpOf(await allCommands(), version)
    const list = verbs['list'] as string
    for (const [args, text] of [
      [[], overview],
      [['-h'], overview],
      [['help'], overview],
      [['help', 'help'], overview],
      [['help', 'list'], list],
      [['list', '-h'], list],
      [['list', '--help'], list],
      [['--json', 'list', '-h', '--nonsense'], `${JSON.stringify({ schemaVersion: 1, version, text: list })}\n`],
      [['-C', '/nowhere', 'list', '-h'], list],
      [['--version'], `git-remnant ${version}\n`],
    ] as const)
      expect(run([process.execPath, built, ...args])).toEqual({ status: 0, stdout: text, stderr: '' })
  })

  it('does not take what stands behind "--" for its own', () => {
    const { remnant } = clone({ fresh: true })
    expect(remnant('run', '--', 'printf', '%s\\n', '-h')).toEqual({ status: 0, stdout: '-h\n', stderr: '' })
  })

  it('runs through git, and through git -C', () => {
    const { remnant, run, base, dir } = clone({ fresh: true })
    expect(remnant('list')).toEqual({ status: 0, stdout: 'no remnants here\n', stderr: '' })
    expect(run(['git', '-C', dir, 'remnant', 'list'], { cwd: base }).status).toBe(0)
    expect(run(['git-remnant', '-C', dir, 'list'], { cwd: base }).status).toBe(0)
  })

  it('says what does not fit, with the nearest that would', () => {
    const { remnant } = clone({ fresh: true })
    expect(remnant('list', '--jsno')).toEqual({ status: 64, stdout: '', stderr: 'git-remnant: unknown option "--jsno"\nhint: did you mean "--json"?\n' })
    expect(remnant('lst')).toEqual({ status: 64, stdout: '', stderr: 'git-remnant: unknown verb "lst"\nhint: did you mean "git remnant list"?\n' })
    expect(remnant('help', 'lst')).toEqual({ status: 64, stdout: '', stderr: 'git-remnant: unknown verb "lst"\nhint: did you mean "git remnant list"?\n' })
    expect(remnant('run', 'npm', 'test')).toEqual({
      status: 64,
      stdout: '',
      stderr: 'git-remnant: unexpected argument "npm"\nhint: a command stands behind "--": git remnant run -- CMD…\n',
    })
    expect(JSON.parse(remnant('list', '--jsno', '--json').stdout)).toEqual({
      schemaVersion: 1,
      error: { fault: 'misuse', message: 'unknown option "--jsno"', hint: 'did you mean "--json"?' },
    })
  })

  it('ends quietly where its reader has gone, and with 74 where the output can not be kept', () => {
    const { run, dir } = clone()
    const broken = run(['sh', '-c', 'git remnant list --json 2>err | true; cat err'])
    expect(broken).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(run(['sh', '-c', `git-remnant -h | true`])).toEqual({ status: 0, stdout: '', stderr: '' })
    if (process.platform === 'linux') {
      expect(run(['sh', '-c', 'git-remnant list > /dev/full'])).toMatchObject({ status: 74, stderr: 'git-remnant: output could not be written\n' })
      expect(run(['sh', '-c', 'git-remnant -h > /dev/full']).status).toBe(74)
    }
    expect(run(['sh', '-c', `mkdir gone && cd gone && rmdir ../gone && git-remnant list`], { cwd: dir })).toMatchObject({ status: 69 })
  })

  it('calls a promise that nobody keeps a bug', () => {
    const { run, base, installation } = clone({ movable: true })
    const chunk = join(installation, 'dist/list.cjs')
    writeFileSync(chunk, "exports.default = { name: 'list', kind: 'porcelain', summary: '', run: () => new Promise(() => {}) }")
    expect(run(['git-remnant', 'list'], { cwd: base })).toEqual({
      status: 70,
      stdout: '',
      stderr: 'git-remnant: ended before its work was done\nhint: this is a bug of git-remnant: please report it with the lines above\n',
    })
    writeFileSync(chunk, "exports.default = { name: 'list', kind: 'porcelain', summary: '', run: () => new Promise(() => setTimeout(() => Promise.reject(new Error('lost')))) }")
    expect(run(['git-remnant', 'list'], { cwd: base })).toMatchObject({ status: 70, stderr: expect.stringMatching(/^git-remnant: Error: lost\n\s+at [^]*\nhint: this is a bug/) })
    rmSync(chunk)
    expect(run(['git-remnant', '-h'], { cwd: base }).status).toBe(0)
  })

  it('loads no more than it needs', () => {
    const { run, base, dir } = clone()
    const spy = join(base, 'spy.cjs')
    writeFileSync(spy, "process.on('exit', () => require('fs').writeSync(2, Object.keys(require.cache).filter((path) => path.includes('dist')).map((path) => path.split('/').pop()).join(' ')))")
    const loaded = (...args: string[]): string[] => run([process.execPath, '-r', spy, built, ...args], { cwd: dir }).stderr.split('\n').at(-1)?.split(' ') ?? []
    expect(loaded('-h').sort()).toEqual([basename(built), 'words.cjs'])
    expect(loaded('list')).not.toEqual(expect.arrayContaining(['full.cjs']))
    for (const chunk of ['full.cjs', 'isomorphic-git.cjs', 'ephemera.cjs', 'world.cjs', 'lib.cjs']) expect(loaded('list')).not.toContain(chunk)
    expect(loaded('hook', 'post-commit').filter((name) => !['git-remnant.cjs', 'words.cjs', 'cli.cjs', 'hook.cjs', 'git.cjs', 'rolldown-runtime.cjs'].includes(name))).toEqual([])
  })
})
