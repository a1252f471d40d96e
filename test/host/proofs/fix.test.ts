import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../src/base/digest.ts'
import { type Fix, fixIn, patchesOf } from '../../../src/host/proofs/fix.ts'
import { stage } from '../../stage.ts'

const row = (path: string): Fix['changed'][number] => ({ path, before: 'a'.repeat(40), after: 'b'.repeat(40) })
const fix = (...paths: string[]): Fix => ({ commit: 'c'.repeat(40), parent: 'd'.repeat(40), from: 0, until: 1, changed: paths.map(row) })
const patch = (...paths: string[]): string => digestOf([...paths].sort().map((path) => [path, 'a'.repeat(40), 'b'.repeat(40)]))

describe('the patches of which a commit is the fix', () => {
  it.each<[string, Fix, string[], string[]]>([
    ['its code, with any of its tests or none', fix('a.js', 'test/a.js', 'test/b.js'), [patch('a.js'), patch('a.js', 'test/a.js'), patch('a.js', 'test/b.js'), patch('a.js', 'test/a.js', 'test/b.js')], [patch('test/a.js')]],
    ['not a part of its code', fix('a.js', 'b.js'), [patch('a.js', 'b.js')], [patch('a.js'), patch('b.js')]],
    ['none where only tests changed', fix('test/a.js'), [], [patch('test/a.js')]],
    ['none where nothing changed', fix(), [], [patch()]],
  ])('are %s', (_, of, are, not) => {
    const patches = patchesOf(of)
    expect([...patches].sort()).toEqual([...are].sort())
    expect(not.filter((one) => patches.has(one))).toEqual([])
  })

  it('are the same however the repository names its objects: a log knows one name for a content', async () => {
    const patches = (['plain', 'sha256'] as const).map(async (layout) => {
      const made = stage({ layout, files: { 'a.js': 'one\n', 'gone.js': 'gone\n', 'ä.js': '\n' } })
      for (const [path, text] of [['a.js', 'two\n'], ['ä.js', ''], ['new.js', 'a\nb'], ['test/new.js', 'test']] as const) made.write(path, text)
      made.git('rm', '-q', 'gone.js')
      made.git('add', '-A')
      made.git('commit', '-q', '-m', 'fix')
      return [...patchesOf(await fixIn('HEAD', await made.host.git()))].sort()
    })
    const [sha1, sha256] = await Promise.all(patches)
    expect(sha1).toHaveLength(2)
    expect(sha256).toEqual(sha1)
  })

  it('are counted out of few tests alone', () => {
    const tests = Array.from({ length: 9 }, (_, i) => `test/${i}.js`)
    expect([...patchesOf(fix('a.js', ...tests))].sort()).toEqual([patch('a.js'), patch('a.js', ...tests)].sort())
  })
})
