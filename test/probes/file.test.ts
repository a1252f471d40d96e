import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import file from '../../src/probes/file.ts'
import { folder, ground, read, valueOf } from './ground.ts'

describe('file', () => {
  it('is the id that git gives to the content as it lies, committed or not', async () => {
    const { git, write, world } = ground({ 'src/a.txt': 'one\n' })
    expect(await valueOf(file, 'src/a.txt', world())).toBe(git('rev-parse', 'HEAD:src/a.txt'))
    write('src/a.txt', 'two\n')
    const dirty = await valueOf(file, 'src/a.txt', world())
    expect(dirty).toBe('f719efd430d52bcfc8566a43b2eb655688d38871')
    git('commit', '-qam', 'second')
    expect(await valueOf(file, 'src/a.txt', world())).toBe(dirty)
    expect(git('rev-parse', 'HEAD:src/a.txt')).toBe(dirty)
  })

  it('is absent where nothing is, in a folder that is not there too', async () => {
    const { world } = ground({ a: '1' })
    expect(await valueOf(file, 'b', world())).toBe('absent')
    expect(await valueOf(file, 'x/y/z', world())).toBe('absent')
    expect(await valueOf(file, 'a/below-a-file', world())).toBe('absent')
  })

  it('says when the file, or the nearest folder above one that is not there, changed last', async () => {
    const { write, world, top } = ground({ a: '1' })
    write('dir/sub/b', '2')
    const old = new Date('2020-02-02T02:02:02Z')
    for (const path of ['dir/sub', 'dir']) utimesSync(join(top, path), old, old)
    expect(await read(file, 'dir/c', world())).toMatchObject({ value: 'absent', changed: old.getTime() })
    expect(await read(file, 'dir/sub/deeper/c', world())).toMatchObject({ value: 'absent', changed: old.getTime() })
    utimesSync(join(top, 'a'), old, old)
    const reading = await read(file, 'a', world())
    // Setting the time back is itself a change of the inode.
    expect('changed' in reading && (reading.changed as number) > Date.now() - 60_000).toBe(true)
  })

  it('says when a folder above it can last have been put there, which no date of its own shows', async () => {
    const { write, world, top } = ground({ a: '1' })
    write('pkg/sub/b', '1')
    write('other/sub/b', '2')
    const movedIn = async () => ((await read(file, 'pkg/sub/b', world())) as { moved: number }).moved
    const [before, own] = [await movedIn(), ((await read(file, 'other/sub/b', world())) as { changed: number }).changed]
    await new Promise((done) => setTimeout(done, 50))
    renameSync(join(top, 'pkg'), join(top, 'gone'))
    renameSync(join(top, 'other'), join(top, 'pkg'))
    expect(await movedIn()).toBeGreaterThan(before)
    expect(await read(file, 'pkg/sub/b', world())).toMatchObject({ changed: own })
    expect(await read(file, 'a', world())).toMatchObject({ moved: 0 })
  })

  it('is the content that git would store, whatever the line ends here', async () => {
    const { git, write, world } = ground({ '.gitattributes': '*.txt text\n*.bin -text\n', 'a.txt': 'one\ntwo\n', 'a.bin': 'x\n' })
    const stored = git('rev-parse', 'HEAD:a.txt')
    write('a.txt', 'one\r\ntwo\r\n')
    write('a.bin', 'one\r\ntwo\r\n')
    expect(await valueOf(file, 'a.txt', world())).toBe(stored)
    expect(await valueOf(file, 'a.bin', world())).toBe(git('hash-object', '--no-filters', 'a.bin'))
  })

  it('is the same with core.autocrlf, for files with CRLF in them and in the repository too', async () => {
    const { git, top, world } = ground({ 'unix.txt': 'one\ntwo\n', 'dos.txt': 'one\r\ntwo\r\n' })
    const clone = join(folder(), 'clone')
    execFileSync('git', ['clone', '-q', '-c', 'core.autocrlf=true', top, clone])
    expect(execFileSync('git', ['ls-files', '--eol', 'unix.txt'], { cwd: clone, encoding: 'utf8' })).toContain('w/crlf')
    for (const name of ['unix.txt', 'dos.txt']) {
      expect(await valueOf(file, name, world())).toBe(git('rev-parse', `HEAD:${name}`))
      expect(await valueOf(file, name, world({ top: clone }))).toBe(git('rev-parse', `HEAD:${name}`))
    }
  })

  it('goes through a clean filter of the user', async () => {
    const { git, write, world } = ground({ '.gitattributes': '*.up filter=up\n', 'a.up': 'small\n' })
    git('config', 'filter.up.clean', 'tr a-z A-Z')
    write('a.up', 'small\n')
    write('other', 'SMALL\n')
    expect(await valueOf(file, 'a.up', world())).toBe(git('hash-object', 'other'))
  })

  it.each(['we"ird', '"quoted', 'new\nline', 'back\\slash', ' space ', 'ünï', '-dash', 'tab\there', 'cr\r'])('reads a file named %j', async (name) => {
    const { git, write, world } = ground()
    write(name, 'content\n')
    expect(await valueOf(file, name, world())).toBe(git('hash-object', '--', name))
  })

  it('reads many at once, and one that can not be read hides no other', async () => {
    const { write, world, top, git } = ground()
    for (let i = 0; i < 40; i++) write(`f${i}`, `${i}\n`)
    const now = world()
    const values = await Promise.all([...Array(40).keys()].map((i) => valueOf(file, `f${i}`, now)))
    expect(values).toEqual(git('hash-object', ...[...Array(40).keys()].map((i) => `f${i}`)).split('\n'))
    const fading = world()
    const readings = [valueOf(file, 'f1', fading), valueOf(file, 'f2', fading)]
    rmSync(join(top, 'f1'))
    expect(await Promise.all(readings)).toEqual([expect.stringMatching(/^unreadable: /), values[2]])
  })

  it('follows a link within the work tree, and none out of it', async () => {
    const { git, top, world } = ground({ 'real/a': '1\n' })
    const outside = folder()
    writeFileSync(join(outside, 'secret'), 's')
    symlinkSync('real', join(top, 'in'))
    symlinkSync(outside, join(top, 'out'))
    symlinkSync(join(outside, 'nothing'), join(top, 'dangling-out'))
    symlinkSync('nothing', join(top, 'dangling'))
    symlinkSync('circle', join(top, 'circle'))
    const now = world()
    expect(await valueOf(file, 'in/a', now)).toBe(git('rev-parse', 'HEAD:real/a'))
    expect(await valueOf(file, 'dangling', now)).toBe('absent')
    for (const path of ['out/secret', 'out/nothing', 'dangling-out']) expect(await valueOf(file, path, now)).toMatch(/^unreadable: .* leads out of the work tree$/)
    expect(await valueOf(file, 'circle', now)).toMatch(/^unreadable: /)
  })

  it.each(['../a', 'x/../a', '/etc/passwd', '.git/config', 'sub/.GIT/config', '.remnants/config.json', ''])('refuses the path %j', async (path) => {
    const { world } = ground({ a: '1' })
    expect(await valueOf(file, path, world())).toMatch(/^unreadable: path /)
  })

  it('is unreadable for a folder, and for what is neither', async () => {
    const { top, world } = ground({ a: '1' })
    mkdirSync(join(top, 'dir'))
    execFileSync('mkfifo', [join(top, 'fifo')])
    expect(await valueOf(file, 'dir', world())).toBe('unreadable: "dir" is no file')
    expect(await valueOf(file, 'fifo', world())).toBe('unreadable: "fifo" is no file')
  })

  it('reads a linked work tree as it lies there', async () => {
    const { git, write, top, world } = ground({ a: '1\n' })
    const linked = join(top, '..', 'linked')
    git('worktree', 'add', '-q', linked, '-b', 'other')
    writeFileSync(join(linked, 'a'), '2\n')
    write('a', '3\n')
    expect(await valueOf(file, 'a', world({ top: linked }))).toBe('0cfbf08886fca9a91cb753ec8734c84fcbe52c9f')
    expect(await valueOf(file, 'a', world())).toBe('00750edc07d6415dcc07ae0351e9397b0222b7ba')
  })
})
