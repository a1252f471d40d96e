import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import manifests from '../../src/probes/manifests.ts'
import { type Ground, folder, ground, read, valueOf } from './ground.ts'

const FILES = {
  'package.json': '{}\n',
  'packages/a/package.json': '{"name":"a"}\n',
  'packages/b/package.json': '{"name":"b"}\n',
  'packages/a/src/main.ts': '',
  'packages/b/base.json': '{"name":"c"}\n',
  '.gitignore': 'node_modules/\ndist/\n',
}
const value = (there: Ground): Promise<string> => valueOf(manifests, 'package.json', there.world())

/** Whether what is done changes the value. */
async function counts(act: (there: Ground) => void): Promise<boolean> {
  const there = ground(FILES)
  const before = await value(there)
  expect(before).toMatch(/^[0-9a-f]{64}$/)
  act(there)
  const after = await value(there)
  expect(after).toMatch(/^[0-9a-f]{64}$/)
  return after !== before
}

describe('manifests', () => {
  it('is the digest of the blobs and paths of the files of that name, the same before git add and after the commit', async () => {
    const there = ground(FILES)
    const lines = (paths: readonly string[]) => paths.map((path) => `${there.git('hash-object', path)} ${path}\n`).join('')
    expect(await value(there)).toBe(sha256(lines(['package.json', 'packages/a/package.json', 'packages/b/package.json'].sort((x, y) => (lines([x]) < lines([y]) ? -1 : 1)))))
    there.write('packages/c/package.json', '{}\n')
    const untracked = await value(there)
    there.git('add', '-A')
    const added = await value(there)
    there.git('commit', '-qm', 'third')
    expect([added, await value(there)]).toEqual([untracked, untracked])
    expect(await valueOf(manifests, 'turbo.json', there.world())).toBe(sha256(''))
  })

  it.each<[string, (there: Ground) => void]>([
    ['one is changed at the top', ({ write }) => write('package.json', '{"a":1}\n')],
    ['one is changed below', ({ write }) => write('packages/a/package.json', '{"name":"z"}\n')],
    ['one is put in', ({ write }) => write('packages/c/package.json', '{}\n')],
    ['one is put in where git took one away', ({ git, write }) => (git('rm', '-q', 'packages/a/package.json'), write('packages/a/package.json', '{}\n'))],
    ['one is removed', ({ top }) => rmSync(join(top, 'packages/b/package.json'))],
    ['its folder is moved', ({ git }) => void git('mv', 'packages/a', 'packages/c')],
    ['two are put in the place of each other', ({ git }) => ['a c', 'b a', 'c b'].forEach((pair) => git('mv', ...(pair.split(' ').map((one) => `packages/${one}`) as [string, string])))],
    ['one becomes a link to another file', ({ top }) => (rmSync(join(top, 'packages/b/package.json')), symlinkSync('base.json', join(top, 'packages/b/package.json')))],
    ['a link to a folder is put in', ({ top }) => symlinkSync('a', join(top, 'packages/c'))],
  ])('drifts where %s', async (_, act) => {
    expect(await counts(act)).toBe(true)
  })

  it.each<[string, (there: Ground) => void]>([
    ['a source changes', ({ write }) => write('packages/a/src/main.ts', 'export {}\n')],
    ['a source is put in or removed', ({ write, top }) => (write('packages/a/src/new.ts', ''), rmSync(join(top, 'packages/a/src/main.ts')))],
    ['another file of its kind changes', ({ write }) => write('packages/b/base.json', '{}\n')],
    ['git ignores one', ({ write }) => write('packages/a/dist/package.json', '{}\n')],
    ['one lies in node_modules, taken by git or not', ({ write, git }) => (write('node_modules/x/package.json', '{}\n'), write('packages/a/node_modules/y/package.json', '{}\n'), void git('add', '-f', 'packages/a/node_modules'))],
    ['a link to a file is put in', ({ top }) => symlinkSync('src/main.ts', join(top, 'packages/a/main.ts'))],
  ])('is the same where %s', async (_, act) => {
    expect(await counts(act)).toBe(false)
  })

  it('follows a manifest that is a link', async () => {
    const there = ground(FILES)
    rmSync(join(there.top, 'packages/b/package.json'))
    symlinkSync('base.json', join(there.top, 'packages/b/package.json'))
    const linked = await value(there)
    there.write('packages/b/base.json', '{"name":"d"}\n')
    expect(await value(there)).not.toBe(linked)
  })

  it('counts the commit of a submodule, and can not tell one that is changed inside', async () => {
    const [there, inner] = [ground(FILES), ground({ 'package.json': '{}\n' })]
    const before = await value(there)
    there.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.top, 'sub')
    expect(await value(there)).not.toBe(before)
    writeFileSync(join(there.top, 'sub/package.json'), '{"a":1}\n')
    expect(await value(there)).toBe('unreadable: submodule "sub" has changes that are not committed in it')
  })

  it('can not tell a manifest that lies outside, and passes by other links that lead there', async () => {
    const there = ground(FILES)
    const elsewhere = join(folder(), 'x.json')
    writeFileSync(elsewhere, '{}\n')
    symlinkSync(elsewhere, join(there.top, 'other.json'))
    expect(await value(there)).toMatch(/^[0-9a-f]{64}$/)
    mkdirSync(join(there.top, 'packages/c'))
    symlinkSync(elsewhere, join(there.top, 'packages/c/package.json'))
    expect(await value(there)).toMatch(/^unreadable: /)
    expect(await valueOf(manifests, 'packages/package.json', there.world())).toMatch(/^unreadable: /)
  })

  it('says when a manifest or a folder changed last, not a source', async () => {
    const there = ground(FILES)
    const quiet = await read(manifests, 'package.json', there.world())
    const later = new Date((Math.ceil(Date.now() / 1000) + 60) * 1000)
    utimesSync(join(there.top, 'packages/a/src/main.ts'), later, later)
    expect(await read(manifests, 'package.json', there.world())).toEqual(quiet)
    utimesSync(join(there.top, 'packages/a/src'), later, later)
    const listed = await read(manifests, 'package.json', there.world())
    expect(listed).toMatchObject({ changed: later.getTime(), written: 'written' in quiet ? quiet.written : null })
    utimesSync(join(there.top, 'packages/b/package.json'), later, later)
    expect(await read(manifests, 'package.json', there.world())).toMatchObject({ written: later.getTime() })
  })

  it.each<[string, (there: Ground) => void]>([
    ['one was removed from a folder that is empty now', ({ top }) => rmSync(join(top, 'packages/c/package.json'))],
    ['one was removed, and the time of its folder set back', ({ top }) => (rmSync(join(top, 'packages/a/package.json')), utimesSync(join(top, 'packages/a'), 0, 0))],
    ['a folder was put in the place of another', ({ git }) => ['a c2', 'b a', 'c2 b'].forEach((pair) => git('mv', ...(pair.split(' ').map((one) => `packages/${one}`) as [string, string])))],
    ['one was changed, and its time set back', ({ write, top }) => (write('packages/a/package.json', '{}\n'), utimesSync(join(top, 'packages/a/package.json'), 0, 0))],
  ])('tells the time where %s', async (_, act) => {
    const there = ground(FILES)
    there.write('packages/c/package.json', '{}\n')
    const last = async () => {
      const reading = await read(manifests, 'package.json', there.world())
      return 'value' in reading ? Math.max(reading.changed ?? Number.POSITIVE_INFINITY, reading.moved ?? 0) : null
    }
    await new Promise((wait) => setTimeout(wait, 30))
    there.write('packages/a/src/main.ts', 'export {}\n')
    mkdirSync(join(there.top, 'node_modules'), { recursive: true })
    const before = Date.now()
    await new Promise((wait) => setTimeout(wait, 30))
    there.write('node_modules/x/package.json', '{}\n')
    expect(await last()).toBeLessThan(before + 10)
    const then = Date.now()
    act(there)
    expect(await last()).toBeGreaterThanOrEqual(then - 10)
  })
})
