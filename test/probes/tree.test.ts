import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import tree from '../../src/probes/tree.ts'
import { type Ground, folder, ground, read, valueOf } from './ground.ts'

const FILES = { 'a.txt': 'one\n', 'src/b.js': 'two\n', 'src/deep/c.js': 'three\n', '.gitignore': 'ignored\n' }

/** What the value has to be, worked out from a commit of everything by git and sort alone. */
function expected({ git, top }: Ground, folder = '.'): string {
  const listed = execFileSync('git', ['ls-tree', '-r', '-z', git('write-tree'), ...(folder === '.' ? [] : [`${folder}/`])], { cwd: top })
  const lines = listed.toString('latin1').split('\0').filter((line) => line !== '' && !line.includes('\t.remnants/'))
  const sorted = lines.map((line) => line.replace(/^(\d+) \w+ (\w+)\t/, '$1 $2 ')).sort()
  return createHash('sha256').update(Buffer.from(sorted.map((line) => `${line}\n`).join(''), 'latin1')).digest('hex')
}

describe('tree', () => {
  it('is pinned for one file', async () => {
    const { world } = ground({ a: 'a\n' })
    // printf '100644 78981922613b2afb6025042ff6bd878ac1994e85 a\n' | sha256sum
    expect(await valueOf(tree, '.', world())).toBe('a50b7811b7ed56110ac79e74997adee5b5b68fd5fb7f7beb3a5ded44bf479c49')
  })

  it('is the same before git add, after it and after the commit', async () => {
    const there = ground(FILES)
    const { git, write, world, top } = there
    const before = await valueOf(tree, '.', world())
    write('a.txt', 'changed\n')
    write('new/file.sh', '#!/bin/sh\n', 0o755)
    write('ünï', 'x\n')
    write('with "quotes"\nand lines', 'y\n')
    symlinkSync('a.txt', join(top, 'link'))
    chmodSync(join(top, 'src/b.js'), 0o755)
    rmSync(join(top, 'src/deep/c.js'))
    write('ignored', 'not seen\n')
    const dirty = await valueOf(tree, '.', world())
    git('add', '-A')
    const added = await valueOf(tree, '.', world())
    const computed = expected(there)
    git('commit', '-qm', 'second')
    expect([dirty, added, await valueOf(tree, '.', world())]).toEqual([computed, computed, computed])
    expect(before).not.toBe(computed)
  })

  it('covers only its folder', async () => {
    const there = ground(FILES)
    const { git, write, world } = there
    const [src, all] = [await valueOf(tree, 'src', world()), await valueOf(tree, '.', world())]
    expect(src).toBe(expected(there, 'src'))
    write('a.txt', 'changed\n')
    write('src-other/x', 'beside\n')
    expect(await valueOf(tree, 'src', world())).toBe(src)
    expect(await valueOf(tree, './src/', world())).toBe(src)
    expect(await valueOf(tree, '.', world())).not.toBe(all)
    write('src/new.js', 'inside\n')
    git('add', '-A')
    expect(await valueOf(tree, 'src', world())).toBe(expected(there, 'src'))
  })

  it('is absent where no folder is, and empty where nothing in it counts', async () => {
    const { top, world } = ground(FILES)
    mkdirSync(join(top, 'hollow'))
    expect(await read(tree, 'nowhere', world())).toEqual({ value: 'absent' })
    expect(await valueOf(tree, 'a.txt', world())).toBe('absent')
    expect(await valueOf(tree, 'hollow', world())).toBe(createHash('sha256').digest('hex'))
  })

  it('leaves .remnants out, tracked or not', async () => {
    const { git, write, world } = ground(FILES)
    const before = await valueOf(tree, '.', world())
    write('.remnants/ab/x.json', '{}')
    expect(await valueOf(tree, '.', world())).toBe(before)
    git('add', '-A')
    git('commit', '-qm', 'kept')
    write('.remnants/ab/x.json', '{"b":1}')
    expect(await valueOf(tree, '.', world())).toBe(before)
    expect(await valueOf(tree, '.remnants', world())).toMatch(/^unreadable: /)
  })

  it('is the same in a clone elsewhere, with other line ends, and in a linked work tree', async () => {
    const { git, world, top } = ground({ ...FILES, 'dos.txt': 'one\r\ntwo\r\n' })
    const value = await valueOf(tree, '.', world())
    const [clone, crlf, linked] = [join(folder(), 'a'), join(folder(), 'b'), join(top, '..', 'linked')]
    execFileSync('git', ['clone', '-q', top, clone])
    execFileSync('git', ['clone', '-q', '-c', 'core.autocrlf=true', top, crlf])
    git('worktree', 'add', '-q', linked, '-b', 'other')
    for (const other of [clone, crlf, linked]) expect(await valueOf(tree, '.', world({ top: other }))).toBe(value)
    writeFileSync(join(crlf, 'a.txt'), 'one\r\n')
    writeFileSync(join(crlf, 'dos.txt'), 'one\r\ntwo\r\nthree\r\n')
    const dirty = await valueOf(tree, '.', world({ top: crlf }))
    execFileSync('git', ['add', '-A'], { cwd: crlf, stdio: 'ignore' })
    expect(await valueOf(tree, '.', world({ top: crlf }))).toBe(dirty)
    expect(dirty).not.toBe(value)
  })

  it('minds the executable bit only where git does', async () => {
    const { git, top, world } = ground(FILES)
    git('config', 'core.fileMode', 'false')
    const value = await valueOf(tree, '.', world())
    chmodSync(join(top, 'a.txt'), 0o755)
    writeFileSync(join(top, 'new.sh'), '#!/bin/sh\n', { mode: 0o755 })
    const dirty = await valueOf(tree, '.', world())
    git('add', '-A')
    expect(await valueOf(tree, '.', world())).toBe(dirty)
    git('rm', '-qf', 'new.sh')
    expect(await valueOf(tree, '.', world())).toBe(value)
  })

  it('sees a file that git was told not to look at, and keeps one that need not lie here', async () => {
    const { git, write, top, world } = ground(FILES)
    const value = await valueOf(tree, '.', world())
    git('update-index', '--assume-unchanged', 'a.txt')
    expect(await valueOf(tree, '.', world())).toBe(value)
    write('a.txt', 'changed behind its back\n')
    expect(await valueOf(tree, '.', world())).not.toBe(value)
    write('a.txt', FILES['a.txt'])
    git('update-index', '--skip-worktree', 'src/b.js')
    rmSync(join(top, 'src/b.js'))
    expect(await valueOf(tree, '.', world())).toBe(value)
  })

  it('does not care when a file was touched', async () => {
    const { world, top } = ground(FILES)
    const value = await valueOf(tree, '.', world())
    writeFileSync(join(top, 'a.txt'), FILES['a.txt'])
    expect(await valueOf(tree, '.', world())).toBe(value)
    renameSync(join(top, 'a.txt'), join(top, 'b.txt'))
    expect(await valueOf(tree, '.', world())).not.toBe(value)
  })

  it('says when a file in it changed last', async () => {
    const { write, world } = ground(FILES)
    const then = Date.now() - 50
    write('src/deep/c.js', 'now\n')
    const reading = await read(tree, '.', world())
    expect('changed' in reading && (reading.changed as number) >= then && (reading.changed as number) <= Date.now() + 50).toBe(true)
  })

  it('holds submodules by their commit, and doubts one that is changed inside', async () => {
    const there = ground(FILES)
    const { git, world, top } = there
    const inner = ground({ x: '1\n' })
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.top, 'sub')
    git('commit', '-qm', 'with a submodule')
    expect(await valueOf(tree, '.', world())).toBe(expected(there))
    expect(await valueOf(tree, 'sub', world())).toBe('unreadable: it lies in another repository')
    writeFileSync(join(top, 'sub/x'), '2\n')
    expect(await valueOf(tree, '.', world())).toBe('unreadable: submodule "sub" has changes that are not committed in it')
    expect(await valueOf(tree, 'src', world())).toBe(expected(there, 'src'))
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '-qam', 'inside'], { cwd: join(top, 'sub') })
    const moved = await valueOf(tree, '.', world())
    git('add', 'sub')
    expect(moved).toBe(expected(there))
    expect(await valueOf(tree, '.', world())).toBe(moved)
  })

  it('leaves out a linked work tree that lies inside', async () => {
    const { git, world } = ground(FILES)
    const value = await valueOf(tree, '.', world())
    git('worktree', 'add', '-q', 'inside', '-b', 'other')
    expect(await valueOf(tree, '.', world())).toBe(value)
    expect(await valueOf(tree, 'inside', world())).toBe('unreadable: it lies in another repository')
  })

  it('reads the files of a conflict as they lie', async () => {
    const { git, write, world } = ground(FILES)
    git('checkout', '-qb', 'other')
    write('a.txt', 'theirs\n')
    git('commit', '-qam', 'theirs')
    git('checkout', '-q', 'main')
    write('a.txt', 'ours\n')
    git('commit', '-qam', 'ours')
    expect(() => git('merge', 'other')).toThrow()
    const conflicted = await valueOf(tree, '.', world())
    git('add', 'a.txt')
    expect(await valueOf(tree, '.', world())).toBe(conflicted)
  })

  it('reads an unborn repository', async () => {
    const there = ground()
    there.write('a', '1\n')
    const value = await valueOf(tree, '.', there.world())
    there.git('add', '-A')
    expect(value).toBe(expected(there))
  })

  it('leaves the index untouched', async () => {
    const { git, top, world } = ground(FILES)
    writeFileSync(join(top, 'a.txt'), FILES['a.txt'])
    const before = execFileSync('sha256sum', ['.git/index'], { cwd: top, encoding: 'utf8' })
    await valueOf(tree, '.', world())
    expect(execFileSync('sha256sum', ['.git/index'], { cwd: top, encoding: 'utf8' })).toBe(before)
    expect(git('status', '--porcelain')).toBe('')
  })
})
