import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import absent from '../../src/probes/absent.ts'
import { folder, ground, read, valueOf } from './ground.ts'

describe('absent', () => {
  it.each([
    ['a', 'present'],
    ['dir', 'present'],
    ['dir/', 'present'],
    ['dir/b', 'present'],
    ['c', 'absent'],
    ['dir/x/y', 'absent'],
    ['dangling', 'absent'],
  ])('for %s is %s', async (path, value) => {
    const { top, world } = ground({ a: '1', 'dir/b': '2' })
    symlinkSync('nothing', join(top, 'dangling'))
    expect(await read(absent, path, world())).toMatchObject({ value, text: value })
  })

  it('says when its folder changed last', async () => {
    const { top, world } = ground({ 'dir/b': '2' })
    const old = new Date('2020-02-02T02:02:02Z')
    utimesSync(join(top, 'dir'), old, old)
    expect(await read(absent, 'dir/x', world())).toMatchObject({ value: 'absent', text: 'absent', changed: old.getTime() })
  })

  it.each<[string, string, string, 'absent' | 'present']>([
    ['above the work tree', '../node_modules/zzz/index.js', 'node_modules/zzz', 'present'],
    ['above, of a scope', '../node_modules/@a/zzz/index.js', 'node_modules/@a/zzz', 'present'],
    ['above, as a file', '../node_modules/zzz.js', 'p/node_modules/zzz', 'present'],
    ['in NODE_PATH', '../modules/zzz/index.js', 'node_modules/zzz', 'present'],
    ['in the home folder', '../home/.node_modules/zzz/index.js', 'node_modules/zzz', 'present'],
    ['beside it', '../zzz/index.js', 'node_modules/zzz', 'absent'],
    ['above, for what is no package', '../node_modules/zzz/index.js', 'zzz', 'absent'],
  ])('of a package looks where Node goes on looking: %s', async (_, path, argument, value) => {
    const { top, write, world } = ground({ a: '1' })
    const there = () => world({ env: { NODE_PATH: join(top, '..', 'modules') } })
    expect(await valueOf(absent, argument, there())).toBe('absent')
    write(path, '')
    expect(await valueOf(absent, argument, there())).toBe(value)
  })

  it('tells nothing of what lies outside', async () => {
    const { top, world } = ground({ a: '1' })
    symlinkSync(folder(), join(top, 'out'))
    for (const path of ['out/x', 'out', '../x', '/etc/passwd']) expect(await valueOf(absent, path, world())).toMatch(/^unreadable: .* leads out/)
  })
})
