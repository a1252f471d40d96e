import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import alike from '../../src/probes/alike.ts'
import { ground, read, valueOf } from './ground.ts'

describe('alike', () => {
  it('is what lies in a folder under names that hold one of some parts, by mode and name', async () => {
    const { world, write } = ground({ 'src/b.js': '', 'src/a/deep/x.js': '', 'src/lib.c': '', 'top.txt': '' })
    write('src/run.sh', '', 0o755)
    expect(await valueOf(alike, '["src","a","run"]', world())).toBe(sha256('040000 a\n100755 run.sh\n'))
    expect(await valueOf(alike, '["src","none"]', world())).toBe(sha256(''))
    expect(await valueOf(alike, '["none","a"]', world())).toBe('absent')
  })

  it('changes with such a name or its mode, and with no other', async () => {
    const { world, write } = ground({ 'src/b.js': '', 'src/sum.c': '' })
    const value = () => valueOf(alike, '["src","sum"]', world())
    const before = await value()
    write('src/other.c', '')
    write('src/b.js', '', 0o755)
    write('src/sum.c', 'changed')
    expect(await value()).toBe(before)
    write('src/libsum.a', '')
    const more = await value()
    expect(more).not.toBe(before)
    write('src/sum.c', 'changed', 0o755)
    expect(await value()).not.toBe(more)
  })

  it.each(['', '[]', '["src"]', '["src",""]', '{}', 'src'])('is nothing by %j', async (argument) => {
    expect(await read(alike, argument, ground().world())).toEqual({ unreadable: 'it names no folder and names' })
  })
})
