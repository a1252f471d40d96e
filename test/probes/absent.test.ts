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
    expect(await read(absent, 'dir/x', world())).toEqual({ value: 'absent', text: 'absent', changed: old.getTime() })
  })

  it('tells nothing of what lies outside', async () => {
    const { top, world } = ground({ a: '1' })
    symlinkSync(folder(), join(top, 'out'))
    for (const path of ['out/x', 'out', '../x', '/etc/passwd']) expect(await valueOf(absent, path, world())).toMatch(/^unreadable: .* leads out/)
  })
})
