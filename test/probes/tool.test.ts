import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readKeys } from '../../src/host/keys.ts'
import type { Reading } from '../../src/model/key.ts'
import type { World } from '../../src/model/probe.ts'
import tool from '../../src/probes/tool.ts'
import { folder, ground, program, read, runsIn, valueOf } from './ground.ts'

const PERL = '/usr/bin/perl'
const says = (output: string | null): World =>
  ({ program: async () => ({ path: '/usr/bin/x', found: '/usr/bin/x', own: false, size: 1, changed: 5, inode: 1 }), version: async () => output }) as unknown as World

/** Folders for PATH: one of the test's own before the system's. */
function path(): { bin: string; log: string; PATH: string } {
  const base = folder()
  mkdirSync(join(base, 'bin'))
  return { bin: join(base, 'bin'), log: join(base, 'log'), PATH: `${join(base, 'bin')}:${process.env.PATH}` }
}

describe('tool', () => {
  it.each([
    ['v20.19.0\n', '20.19.0'],
    ['git version 2.39.5\n', '2.39.5'],
    ['gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright', '12.2.0-14+deb12u1'],
    ['Python 3.13.0rc2\n', '3.13.0rc2'],
    ['go version go1.22.1 linux/amd64\n', '1.22.1'],
    ['\u001b[32mtool\u001b[0m 1.2.3-beta.1\r\n', '1.2.3-beta.1'],
    ['no number here\nsecond line 1\n', 'no number here'],
    ['  release 7  \n', 'release 7'],
  ])('takes the version out of %j', async (output, value) => {
    expect(await tool.read('x', says(output))).toEqual({ value, text: `x ${value}`, changed: 5 })
  })

  it('is unreadable where nothing is said in time', async () => {
    expect(await tool.read('x', says(null))).toEqual({ unreadable: '"x --version" could not be told' })
  })

  it('is absent where there is none', async () => {
    expect(await read(tool, 'surely-no-such-program', ground().world())).toEqual({ value: 'absent', text: 'surely-no-such-program absent' })
  })

  it('agrees with what git says', async () => {
    const version = /\d+(\.\d+)+[\w.+-]*/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.[0]
    expect(await read(tool, 'git', ground().world())).toMatchObject({ value: version, text: `git ${version}` })
  })

  it('reads standard error where standard output has no version', async () => {
    const { bin, log, PATH } = path()
    program(join(bin, 'shy'), log, 'echo hello; echo "shy 3.2.1" >&2')
    expect(await valueOf(tool, 'shy', ground().world({ env: { PATH } }))).toBe('3.2.1')
  })

  it('asks Go for its version as Go wants to be asked', async () => {
    const { bin, log, PATH } = path()
    program(join(bin, 'go'), log, '[ "$1" = version ] && echo "go version go1.22.1 linux/amd64" || { echo "flag provided but not defined: -version" >&2; exit 2; }')
    expect(await valueOf(tool, 'go', ground().world({ env: { PATH } }))).toBe('1.22.1')
  })

  it.each(['', 'echo "mute: unknown option --version" >&2; exit 2\n'])('is told by its own file where a program says nothing, or complains: %j', async (script) => {
    const { bin, PATH } = path()
    writeFileSync(join(bin, 'mute'), `#!/bin/sh\n${script}`, { mode: 0o755 })
    expect(await valueOf(tool, 'mute', ground().world({ env: { PATH } }))).toBe(`file ${execFileSync('git', ['hash-object', join(bin, 'mute')], { encoding: 'utf8' }).trim()}`)
  })

  it('runs a program of PATH once, and not again while its file is the same', async () => {
    const { bin, log, PATH } = path()
    const { world, top } = ground()
    program(join(bin, 'slow'), log, 'print "slow 1.0.0\\n";', PERL)
    const one = world({ env: { PATH } })
    expect(await Promise.all([valueOf(tool, 'slow', one), valueOf(tool, 'slow', one)])).toEqual(['1.0.0', '1.0.0'])
    expect(await valueOf(tool, 'slow', world({ env: { PATH } }))).toBe('1.0.0')
    expect(runsIn(log)).toBe(1)
    expect(statSync(join(top, '.git/remnant/cache/tools.json')).mode & 0o777).toBe(0o600)
    program(join(bin, 'slow'), log, 'print "slow 1.10.0\\n";', PERL)
    expect(await valueOf(tool, 'slow', world({ env: { PATH } }))).toBe('1.10.0')
    expect(runsIn(log)).toBe(2)
  })

  it.each(['{', 'null', '[{"found":7}]', '[[[', '\0'])('reads on when its memory holds %j', async (garbage) => {
    const { bin, log, PATH } = path()
    const { world, write } = ground()
    program(join(bin, 'slow'), log, 'print "slow 1.0.0\\n";', PERL)
    write('.git/remnant/cache/tools.json', garbage)
    for (let i = 0; i < 2; i++) expect(await valueOf(tool, 'slow', world({ env: { PATH } }))).toBe('1.0.0')
    expect(runsIn(log)).toBe(1)
  })

  it('reads on when its memory can not be written', async () => {
    const { bin, log, PATH } = path()
    const { world, write } = ground()
    program(join(bin, 'slow'), log, 'print "slow 1.0.0\\n";', PERL)
    write('.git/remnant', 'a file where the folder would be')
    expect(await valueOf(tool, 'slow', world({ env: { PATH } }))).toBe('1.0.0')
  })

  it('does not remember what only hands over to others', async () => {
    const { bin, log, PATH } = path()
    const { world } = ground()
    program(join(bin, 'shim'), log, 'echo 1.0.0')
    program(join(bin, 'dispatcher'), log, 'print "$0 2.0.0\\n";', PERL)
    symlinkSync('dispatcher', join(bin, 'cargo'))
    for (const name of ['shim', 'shim', 'cargo', 'cargo']) await valueOf(tool, name, world({ env: { PATH } }))
    expect(runsIn(log)).toBe(4)
  })

  it('starts a program under the name by which it was found', async () => {
    const { bin, log, PATH } = path()
    program(join(bin, 'dispatcher'), log, 'echo "${0##*/} 1.0"')
    symlinkSync('dispatcher', join(bin, 'applet'))
    const now = ground().world({ env: { PATH } })
    const applet = await now.program('applet', '.')
    expect(applet).toMatchObject({ found: join(bin, 'applet'), path: join(bin, 'dispatcher'), own: false })
    expect((await now.version(applet!))?.split('\n')[0]).toBe('applet 1.0')
  })

  it('is unreadable after the limit when a program hangs, and the program ends', async () => {
    const { bin, log, PATH } = path()
    const now = ground().world({ env: { PATH } })
    program(join(bin, 'hangs'), log, `(while :; do echo beat >> '${log}.beats'; sleep 0.05; done) & sleep 30`)
    const started = performance.now()
    const readings = await readKeys(['tool:hangs', 'platform'], [tool, { id: 'platform', why: '', argument: '', read: async () => ({ value: 'v' }) }], now, 300)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect([...readings]).toEqual<[string, Reading][]>([
      ['tool:hangs', { unreadable: 'it took over 0.3 s' }],
      ['platform', { value: 'v' }],
    ])
    expect(await valueOf(tool, 'hangs', now)).toBe('unreadable: "hangs --version" could not be told')
    const beats = runsIn(`${log}.beats`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(beats).toBeGreaterThan(0)
    expect(runsIn(`${log}.beats`)).toBe(beats)
  })

  it('runs programs outside the repository, without what could steer them', async () => {
    const { bin, log, PATH } = path()
    const there = ground()
    program(join(bin, 'curious'), log, 'echo "9.9"; pwd > "$0.cwd"; env > "$0.env"')
    const env = { PATH: `${join(there.top, 'bin')}:relative::${PATH}`, NODE_OPTIONS: '--require ./x.js', GIT_DIR: '/x', JAVA_HOME: join(there.top, 'jdk'), CARGO_HOME: '/opt/cargo', LD_PRELOAD: '/x.so' }
    mkdirSync(join(there.top, 'bin'))
    expect(await valueOf(tool, 'curious', there.world({ env }))).toBe('9.9')
    expect(readFileSync(join(bin, 'curious.cwd'), 'utf8').trim()).toBe('/')
    const seen = readFileSync(join(bin, 'curious.env'), 'utf8')
    expect(seen).toContain('CARGO_HOME=/opt/cargo')
    expect(seen).not.toMatch(/^(?:NODE_OPTIONS|GIT_|JAVA_HOME|LD_PRELOAD)/m)
    expect(seen).toContain(`PATH=${bin}:`)
    expect(seen).not.toMatch(/^PATH=.*(?:relative|::)/m)
    expect(seen).not.toContain(there.top)
  })

  it("reads a package manager's own package.json instead of running it", async () => {
    const { bin, log, PATH } = path()
    const home = join(dirname(bin), 'lib/node_modules/npm')
    program(join(home, 'bin/npm-cli.js'), log, 'echo 0.0.1')
    program(join(home, 'bin/npx-cli.js'), log, 'echo 0.0.1')
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'npm', version: '11.19.1', bin: { npm: 'bin/npm-cli.js', npx: './bin/npx-cli.js' } }))
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
    symlinkSync('../lib/node_modules/npm/bin/npx-cli.js', join(bin, 'npx'))
    const now = ground().world({ env: { PATH } })
    expect(await read(tool, 'npm', now)).toMatchObject({ value: '11.19.1', text: 'npm 11.19.1' })
    expect(await valueOf(tool, 'npx', now)).toBe('11.19.1')
    expect(runsIn(log)).toBe(0)
  })

  it("takes the version that the project pins from corepack's stand-in, and runs it never", async () => {
    const { bin, log, PATH } = path()
    const home = join(dirname(bin), 'lib/node_modules/corepack')
    program(join(home, 'dist/yarn.js'), log, 'echo 0.0.1')
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'corepack', version: '0.34.0', bin: { yarn: 'dist/yarn.js' } }))
    symlinkSync('../lib/node_modules/corepack/dist/yarn.js', join(bin, 'yarn'))
    const { world, write } = ground()
    expect(await valueOf(tool, 'yarn', world({ env: { PATH } }))).toMatch(/^unreadable: /)
    write('package.json', JSON.stringify({ packageManager: 'yarn@4.1.0+sha256.abc' }))
    expect(await valueOf(tool, 'yarn', world({ env: { PATH } }))).toBe('4.1.0')
    expect(runsIn(log)).toBe(0)
  })
})

describe('a tool of the work tree', () => {
  it('is found upwards from its folder before PATH, and read from its package', async () => {
    const { bin, log, PATH } = path()
    const { top, write, world } = ground()
    program(join(bin, 'jest'), log, 'echo 1.1.1')
    for (const [where, version] of [['', '29.7.0'], ['packages/a/', '30.0.0']] as const) {
      write(`${where}node_modules/jest/package.json`, JSON.stringify({ name: 'jest', version, bin: './bin/jest.js' }))
      program(join(top, where, 'node_modules/jest/bin/jest.js'), log, 'echo 0.0.1')
      mkdirSync(join(top, where, 'node_modules/.bin'))
      symlinkSync('../jest/bin/jest.js', join(top, where, 'node_modules/.bin/jest'))
    }
    const now = world({ env: { PATH } })
    expect(await valueOf(tool, 'jest', now)).toBe('29.7.0')
    expect(await valueOf(tool, 'packages/b/src/jest', now)).toBe('29.7.0')
    expect(await read(tool, 'packages/a/src/jest', now)).toMatchObject({ value: '30.0.0', text: 'jest 30.0.0' })
    expect(runsIn(log)).toBe(0)
  })

  it('is read through the shims that pnpm writes', async () => {
    const { top, log, write, world } = { ...ground(), ...path() }
    write('node_modules/.pnpm/jest@29.7.0/node_modules/jest/package.json', JSON.stringify({ name: 'jest', version: '29.7.0', bin: { jest: 'bin/jest.js' } }))
    program(join(top, 'node_modules/.pnpm/jest@29.7.0/node_modules/jest/bin/jest.js'), log, 'echo 0.0.1')
    symlinkSync('.pnpm/jest@29.7.0/node_modules/jest', join(top, 'node_modules/jest'))
    program(join(top, 'node_modules/.bin/jest'), log, 'basedir=$(dirname "$0")\nexec node  "$basedir/../jest/bin/jest.js" "$@"')
    expect(await valueOf(tool, 'jest', world())).toBe('29.7.0')
    expect(runsIn(log)).toBe(0)
  })

  it('is a file of its own where no package names it, and never run', async () => {
    const { top, git, log, world } = { ...ground({ 'package.json': '{"version":"1.0.0","bin":"other.js"}' }), ...path() }
    program(join(top, 'scripts/check.sh'), log, 'echo 1.2.3')
    program(join(top, 'node_modules/.bin/odd'), log, 'echo 1.2.3')
    const now = world()
    expect(await valueOf(tool, 'scripts/check.sh', now)).toBe(`file ${git('hash-object', 'scripts/check.sh')}`)
    expect(await valueOf(tool, './scripts/check.sh', now)).toBe(`file ${git('hash-object', 'scripts/check.sh')}`)
    expect(await valueOf(tool, 'odd', now)).toBe(`file ${git('hash-object', 'node_modules/.bin/odd')}`)
    expect(runsIn(log)).toBe(0)
  })

  it('is not run when PATH leads into the work tree, by a link or through another work tree of the repository', async () => {
    const { bin, log, PATH } = path()
    const { top, git, world } = ground({ a: '1' })
    program(join(top, 'bin/danger'), log, 'echo 6.6.6')
    symlinkSync(join(top, 'bin/danger'), join(bin, 'linked-danger'))
    const blob = git('hash-object', 'bin/danger')
    expect(await valueOf(tool, 'danger', world({ env: { PATH: `${join(top, 'bin')}:${PATH}` } }))).toBe(`file ${blob}`)
    expect(await valueOf(tool, 'linked-danger', world({ env: { PATH } }))).toBe(`file ${blob}`)
    expect(await valueOf(tool, 'danger', world({ env: { PATH: `bin::.:${PATH}` } }))).toBe('absent')
    const linked = join(top, '../linked')
    git('worktree', 'add', '-q', linked, '-b', 'other')
    expect(await valueOf(tool, 'danger', world({ top: linked, env: { PATH: `${join(top, 'bin')}:${PATH}` } }))).toBe(`file ${blob}`)
    expect(runsIn(log)).toBe(0)
  })

  it('in a Python environment is the distribution that made it; its interpreter is the system\'s own', async () => {
    const { bin, log, PATH } = path()
    const { top, write, world } = ground()
    write('.venv/pyvenv.cfg', 'home = /usr/bin\n')
    program(join(top, '.venv/bin/pytest'), log, 'echo 0.0.1')
    write('.venv/lib/python3.11/site-packages/other-1.0.0.dist-info/entry_points.txt', '[console_scripts]\nother = x:y\n')
    write('.venv/lib/python3.11/site-packages/pytest-9.0.3.dist-info/entry_points.txt', '[console_scripts]\npy.test = pytest:main\npytest = pytest:main\n')
    program(join(bin, 'python3.99'), log, 'echo "Python 3.99.1"')
    symlinkSync(join(bin, 'python3.99'), join(top, '.venv/bin/python'))
    const env = { PATH: `${join(top, '.venv/bin')}:${PATH}` }
    expect(await valueOf(tool, 'pytest', world({ env }))).toBe('9.0.3')
    expect(await valueOf(tool, '.venv/bin/pytest', world({ env: { PATH } }))).toBe('9.0.3')
    expect(runsIn(log)).toBe(0)
    expect(await valueOf(tool, '.venv/bin/python', world({ env: { PATH } }))).toBe('3.99.1')
  })

  it('that is a link out of the work tree is not run either', async () => {
    const { log, PATH } = path()
    const outside = folder()
    const { top, world } = ground()
    program(join(outside, 'danger'), log, 'echo 6.6.6')
    mkdirSync(join(top, 'node_modules/.bin'), { recursive: true })
    symlinkSync(join(outside, 'danger'), join(top, 'node_modules/.bin/danger'))
    expect(await valueOf(tool, 'danger', world({ env: { PATH } }))).toMatch(/^file [0-9a-f]{40}$/)
    expect(runsIn(log)).toBe(0)
  })

  it('says when its file, or the link to it, changed last', async () => {
    const { bin, log, PATH } = path()
    program(join(bin, 'a-tool'), log, 'echo 1.0.0')
    const { mtimeMs, ctimeMs } = statSync(join(bin, 'a-tool'))
    expect(await read(tool, 'a-tool', ground().world({ env: { PATH } }))).toEqual({ value: '1.0.0', text: 'a-tool 1.0.0', changed: Math.max(mtimeMs, ctimeMs) })
  })

  it.each(['..', '../x', 'a/../../x', '/usr/bin/git', 'dir/', '.'])('refuses %j', async (argument) => {
    expect(await valueOf(tool, argument, ground().world())).toMatch(/^unreadable: /)
  })

  it('passes over what can not be executed', async () => {
    const { bin, log, PATH } = path()
    const second = join(folder(), 'bin')
    program(join(second, 'x-tool'), log, 'echo 2.0.0')
    program(join(bin, 'x-tool'), log, 'echo 1.0.0')
    chmodSync(join(bin, 'x-tool'), 0o644)
    expect(await valueOf(tool, 'x-tool', ground().world({ env: { PATH: `${PATH}:${second}` } }))).toBe('2.0.0')
    rmSync(join(bin, 'x-tool'))
    mkdirSync(join(bin, 'x-tool'))
    expect(await valueOf(tool, 'x-tool', ground().world({ env: { PATH: `${PATH}:${second}` } }))).toBe('2.0.0')
  })

  it('tells this very program without starting it', async () => {
    const { world, top } = ground()
    const env = { PATH: dirname(realpathSync(process.execPath)) + ':' + process.env.PATH }
    expect(await valueOf(tool, 'node', world({ env }))).toBe(process.version.slice(1))
    expect(() => statSync(join(top, '.git/remnant/cache/tools.json'))).toThrow()
  })
})
