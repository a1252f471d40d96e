import { execFileSync } from 'node:child_process'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFiles } from '../../src/host/files.ts'
import { type Git, openGit, openRepository } from '../../src/host/git.ts'
import { readKeys } from '../../src/host/keys.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { openWorld } from '../../src/host/world.ts'
import { probes } from '../../src/probes.ts'
import { folder, ground } from '../probes/ground.ts'

/** A git that counts its commands by name. */
function counting(git: Git): { git: Git; calls: string[] } {
  const calls: string[] = []
  const note = (args: readonly string[]): void => void calls.push(args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-c') ?? '')
  return { calls, git: { repository: git.repository, run: (args, more) => (note(args), git.run(args, more)), try: (args, more) => (note(args), git.try(args, more)) } }
}

describe('a world', () => {
  it('starts git a fixed number of times, however many keys are read', async () => {
    const { top, git: make, write } = ground({ 'package-lock.json': '{"packages":{}}', a: '1', b: '2', 'c/d': '3' })
    make('remote', 'add', 'origin', 'https://example.invalid/a.git')
    write('b', 'dirty')
    const repository = openRepository(top, {})
    const { git, calls } = counting(openGit(repository, { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1' }))
    const world = openWorld({ repository, git, files: openFiles(), processes: openProcesses(), env: {}, config: {} })
    const keys = ['repository', 'tree:.', 'tree:c', 'tree:none', 'file:a', 'file:b', 'file:c/d', 'absent:x', 'lock:npm/x', 'lock:npm/y', 'target:git-remote/origin', 'target:github/a/b', 'target:npm/z', 'platform']
    const values = await readKeys(keys, probes, world, 10_000)
    expect(values.size).toBe(keys.length)
    expect([...values].filter(([, reading]) => 'unreadable' in reading).map(([key]) => key)).toEqual(['target:github/a/b'])
    expect(calls.sort()).toEqual(['config', 'hash-object', 'hash-object', 'ls-files', 'remote', 'rev-list', 'rev-parse', 'status'])
  })

  it('reads nothing before it is asked, and runs nothing for most keys', async () => {
    const { top } = ground({ a: '1' })
    const repository = openRepository(top, {})
    const { git, calls } = counting(openGit(repository, { PATH: process.env.PATH }))
    const refusing = { collect: () => Promise.reject(new Error('ran')), through: () => Promise.reject(new Error('ran')) }
    const world = openWorld({ repository, git, files: openFiles(), processes: refusing, env: { PATH: process.env.PATH }, config: {} })
    expect(calls).toEqual([])
    const values = await readKeys(['platform', 'privilege', 'os-release', 'env:CI', 'absent:a', 'absent-tool:git'], probes, world)
    expect([...values.values()].every((reading) => 'value' in reading)).toBe(true)
    expect(calls).toEqual([])
  })

  it('is one moment: what changes later is another world', async () => {
    const { write, world } = ground({ a: '1' })
    const now = world()
    const before = [await now.tree('.'), await now.blob('a')]
    write('a', '2')
    expect([await now.tree('.'), await now.blob('a')]).toEqual(before)
    expect(await world().blob('a')).not.toBe(before[1])
  })

  it('gives equal values for two clones at different places', async () => {
    const { top, world } = ground({ 'package-lock.json': '{"packages":{"node_modules/x":{"version":"1.0.0"}}}', 'src/a.js': '1\n', 'bin/x.sh': '#!/bin/sh\n' })
    const clone = join(folder(), 'some/where else')
    execFileSync('git', ['clone', '-q', top, clone])
    const keys = ['platform', 'privilege', 'os-release', 'repository', 'tool:git', 'tool:bin/x.sh', 'tool:none', 'file:src/a.js', 'file:none', 'tree:.', 'tree:src', 'tree:none', 'lock:npm/x', 'absent:src', 'absent-tool:git', 'env:HOME']
    const [here, there] = [await readKeys(keys, probes, world(), 10_000), await readKeys(keys, probes, world({ top: clone }), 10_000)]
    const valuesOf = (readings: typeof here): unknown[] => [...readings].map(([key, reading]) => [key, 'value' in reading ? reading.value : reading])
    expect(valuesOf(there)).toEqual(valuesOf(here))
    expect([...here.values()].filter((reading) => 'unreadable' in reading)).toEqual([])
  })

  it('tells what an entry is, and when it or a link to it changed', async () => {
    const { top, world } = ground({ 'dir/a': '12345' })
    symlinkSync('dir/a', join(top, 'link'))
    writeFileSync(join(top, 'run'), '', { mode: 0o755 })
    const now = world()
    expect(await now.stat('dir/a')).toMatchObject({ kind: 'file', size: 5, executable: false })
    expect(await now.stat('run')).toMatchObject({ kind: 'file', executable: true })
    expect(await now.stat('dir')).toMatchObject({ kind: 'folder', executable: false, changed: statSync(join(top, 'dir')).mtimeMs })
    expect(await now.stat('.')).toMatchObject({ kind: 'folder' })
    expect(await now.stat('none')).toBeNull()
    expect((await now.stat('link'))!.changed).toBeGreaterThanOrEqual((await now.stat('dir/a'))!.changed)
    expect(Buffer.from((await now.read('link'))!).toString()).toBe('12345')
    expect([await now.read('none'), await now.read('dir'), await now.blob('dir')]).toEqual([null, null, null])
  })

  describe('tells where a path really is', () => {
    const linked = () => {
      const { top, world } = ground({ 'dir/a': '1', 'dir/deep/b': '2' })
      const outside = folder()
      writeFileSync(join(outside, 'secret'), 'x')
      const links = { file: 'dir/a', folder: 'dir', chain: 'folder', out: outside, gone: 'not-there', git: '.git', loop: 'loop', top: '.' }
      for (const [name, target] of Object.entries(links)) symlinkSync(target, join(top, name))
      return world()
    }

    it.each([
      ['.', '.'],
      ['dir/a', 'dir/a'],
      ['dir', 'dir'],
      ['file', 'dir/a'],
      ['folder', 'dir'],
      ['folder/deep/b', 'dir/deep/b'],
      ['chain/a', 'dir/a'],
      ['top', '.'],
      ['top/dir/a', 'dir/a'],
      ['none', null],
      ['dir/none', null],
      ['dir/a/below-a-file', null],
      ['gone', null],
    ])('%s: %s', async (path, real) => {
      expect(await linked().real(path)).toBe(real)
    })

    it.each(['out', 'out/secret', 'git', 'git/config', '.git', '.git/config', '.remnants', 'loop', '../above', '/etc/passwd'])('and not where it leads out, or where no key may look: %s', async (path) => {
      await expect(linked().real(path)).rejects.toMatchObject({ name: 'RemnantError' })
    })
  })

  it('reads settings as git does, subsections in their own case', async () => {
    const { git, world } = ground()
    git('config', 'Core.QuotePath', 'false')
    git('config', 'branch.Feature.remote', 'one')
    git('config', '--add', 'branch.Feature.remote', 'two')
    const now = world()
    expect([await now.gitConfig('core.quotepath'), await now.gitConfig('CORE.quotePath'), await now.gitConfig('branch.Feature.remote')]).toEqual(['false', 'false', 'two'])
    expect([await now.gitConfig('branch.feature.remote'), await now.gitConfig('not.set')]).toEqual([null, null])
  })

  it('looks into the home folder for a plain name alone', async () => {
    const { home, world } = ground()
    writeFileSync(join(home, '.npmrc'), 'a=b\n')
    writeFileSync(join(dirname(home), 'above'), 'x')
    const now = world()
    expect(Buffer.from((await now.homeFile('.npmrc'))!).toString()).toBe('a=b\n')
    expect([await now.homeFile('../above'), await now.homeFile('..'), await now.homeFile('.none')]).toEqual([null, null, null])
  })

  it('tells what lies outside, but nothing of git, and no folder or large file', async () => {
    const { home, top, world } = ground()
    writeFileSync(join(home, 'x'), 'a')
    writeFileSync(join(home, 'large'), Buffer.alloc(1024 * 1024 + 1))
    symlinkSync(join(home, 'x'), join(top, 'link'))
    symlinkSync(join(top, '.git/HEAD'), join(top, 'head'))
    const now = world()
    const said = async (path: string) => {
      const found = await now.outside(path)
      return found === null ? null : `${found.kind} ${found.bytes === null ? '-' : Buffer.from(found.bytes).toString()}`
    }
    expect([await said('~/x'), await said(join(home, 'x')), await said('link'), await said('../home/x')]).toEqual(['file a', 'file a', 'file a', 'file a'])
    expect([await said('~/large'), await said(home), await said('head'), await said('~/none')]).toEqual(['file -', 'folder -', 'file -', null])
  })

  it('is none in a bare repository', async () => {
    const bare = join(folder(), 'bare.git')
    execFileSync('git', ['init', '-q', '--bare', bare])
    const repository = openRepository(bare, {})
    const open = (): unknown => openWorld({ repository, git: openGit(repository, {}), files: openFiles(), processes: openProcesses(), env: {}, config: {} })
    expect(open).toThrow(expect.objectContaining({ fault: 'missing', message: 'a bare repository has no work tree' }))
  })
})
