import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import repository from '../../src/probes/repository.ts'
import { folder, ground, valueOf } from './ground.ts'

describe('repository', () => {
  it('is unborn before the first commit', async () => {
    expect(await valueOf(repository, '', ground().world())).toBe('unborn')
  })

  it('is the first commit, however many follow, and the same in another clone', async () => {
    const { git, write, world, top } = ground({ a: '1' })
    const first = git('rev-parse', 'HEAD')
    write('a', '2')
    git('commit', '-qam', 'second')
    expect(await valueOf(repository, '', world())).toBe(first)
    const clone = join(folder(), 'elsewhere')
    execFileSync('git', ['clone', '-q', top, clone])
    expect(await valueOf(repository, '', world({ top: clone }))).toBe(first)
  })

  it('follows the first parents, not another history that was merged in', async () => {
    const { git, write, world } = ground({ a: '1' })
    const first = git('rev-parse', 'HEAD')
    git('checkout', '-q', '--orphan', 'other')
    write('b', '2')
    git('add', '-A')
    git('commit', '-qm', 'another root')
    const other = git('rev-parse', 'HEAD')
    git('checkout', '-q', 'main')
    git('merge', '-q', '--allow-unrelated-histories', '-m', 'both', 'other')
    expect(await valueOf(repository, '', world())).toBe(first)
    git('checkout', '-q', 'other')
    expect(await valueOf(repository, '', world())).toBe(other)
  })

  it('is remembered by HEAD, and what is odd in the memory is not believed', async () => {
    const { git, world, top } = ground({ a: '1' })
    const [head, cache] = [git('rev-parse', 'HEAD'), join(top, '.git/remnant/cache/roots.json')]
    await valueOf(repository, '', world())
    expect(JSON.parse(readFileSync(cache, 'utf8'))).toEqual({ [head]: head })
    writeFileSync(cache, JSON.stringify({ [head]: 'f'.repeat(40) }))
    expect(await valueOf(repository, '', world())).toBe('f'.repeat(40))
    for (const odd of ['{', '[]', 'null', JSON.stringify({ [head]: 7 })]) {
      writeFileSync(cache, odd)
      expect(await valueOf(repository, '', world())).toBe(head)
    }
  })

  it('can not be told in a shallow clone, unless configuration says it', async () => {
    const { git, write, world, top } = ground({ a: '1' })
    write('a', '2')
    git('commit', '-qam', 'second')
    const clone = join(folder(), 'shallow')
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${top}`, clone])
    expect(existsSync(join(clone, '.git/shallow'))).toBe(true)
    await expect(repository.read('', world({ top: clone }))).rejects.toMatchObject({ fault: 'missing', hint: expect.stringContaining('repository_root') })
    expect(await valueOf(repository, '', world({ top: clone, config: { repository_root: 'a'.repeat(40) } }))).toBe('a'.repeat(40))
  })
})
