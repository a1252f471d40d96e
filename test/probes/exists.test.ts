import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import exists from '../../src/probes/exists.ts'
import { ground, read, valueOf } from './ground.ts'

describe('exists', () => {
  it.each([
    ['a', 'file'],
    ['dir', 'folder'],
    ['dir/', 'folder'],
    ['dir/b', 'file'],
    ['link', 'folder'],
    ['c', 'absent'],
    ['dir/x/y', 'absent'],
    ['dangling', 'absent'],
  ])('for %s is %s', async (path, value) => {
    const { top, world } = ground({ a: '1', 'dir/b': '2' })
    symlinkSync('nothing', join(top, 'dangling'))
    symlinkSync('dir', join(top, 'link'))
    expect(await read(exists, path, world())).toMatchObject({ value, text: value })
  })

  it('changes with what lies there, not with what that holds', async () => {
    const { git, write, world } = ground({ 'tests/a.py': '1', '.gitignore': 'kept\n' })
    write('tests/a.py', 'other')
    expect(await valueOf(exists, 'tests/a.py', world())).toBe('file')
    write('kept', 'ignored by git')
    expect(await valueOf(exists, 'kept', world())).toBe('file')
    git('rm', '-qf', 'tests/a.py')
    expect(await valueOf(exists, 'tests/a.py', world())).toBe('absent')
  })

  it('is as old as the last change of its folder, however young its content is', async () => {
    const { top, write, world } = ground({ 'dir/b': '2' })
    const old = new Date('2020-02-02T02:02:02Z')
    write('dir/b', 'changed in place')
    utimesSync(join(top, 'dir'), old, old)
    const { changed } = (await read(exists, 'dir/b', world())) as { changed: number }
    const folder = ((await world().stat('dir')) as { changed: number }).changed
    const file = ((await world().stat('dir/b')) as { changed: number }).changed
    expect(changed).toBe(Math.min(folder, file))
    expect(await read(exists, 'dir/none', world())).toMatchObject({ value: 'absent', changed: folder })
  })

  it('leads nowhere else', async () => {
    expect(await valueOf(exists, '../x', ground().world())).toContain('leads out of the work tree')
    expect(await valueOf(exists, '.git', ground().world())).toContain('is no part of the environment')
  })
})
