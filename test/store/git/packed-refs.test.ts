import * as fs from 'node:fs'
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { leftovers } from '../../../src/store/leftovers.ts'
import { addPackedRefs } from '../../../src/store/git/packed-refs.ts'
import { commitWith, gitWith } from '../../sharing.ts'
import { QUICK, type Stage, type StageOptions, gitIn, hasReftable, stage } from '../../stage.ts'
import { dyingMachine } from '../dying.ts'

const nameOf = (digit: string): string => `refs/remnants/${digit.repeat(64)}`

let made: Stage
let oid: string
let path: string
const begin = (options: StageOptions = {}): void => {
  made = stage(options)
  oid = commitWith(made.dir, 'x', 'ours')
  path = join(made.repository.commonDir, 'packed-refs')
}
beforeEach(() => begin())

const add = (...digits: string[]): Promise<string[]> => addPackedRefs(new Map(digits.map((digit) => [nameOf(digit), oid])), made.repository, QUICK)
const refs = (): string[] => gitIn(made.dir, 'for-each-ref', '--format=%(refname) %(objectname)').trim().split('\n').sort()
const remnants = (): string[] => refs().filter((line) => line.startsWith('refs/remnants/')).map((line) => line.split(' ')[0] as string)

describe('refs that are packed at once', () => {
  it.each<[string, StageOptions]>([['sha1', {}], ['sha256', { layout: 'sha256' }], ['a linked work tree', { layout: 'worktree' }]])('are there for git, sorted among its own, tags still peeled (%s)', async (_, options) => {
    begin(options)
    for (const name of ['a', 'z']) made.git('tag', '-a', '-m', name, name)
    made.git('branch', 'zz')
    made.git('update-ref', 'refs/zzz/last', oid)
    made.git('pack-refs', '--all')
    const before = refs()
    expect(await add('3', '1', '2')).toEqual([])
    expect(refs()).toEqual([...before, ...['1', '2', '3'].map((digit) => `${nameOf(digit)} ${oid}`)].sort())
    expect(made.git('rev-parse', 'z^{}')).toBe(made.git('rev-parse', 'HEAD'))
    const names = readFileSync(path, 'utf8').split('\n').flatMap((line) => /^[0-9a-f]+ (.+)/.exec(line)?.[1] ?? [])
    expect(names).toEqual([...names].sort())
    expect(existsSync(`${path}.lock`)).toBe(false)
    const packed = readFileSync(path, 'utf8')
    made.git('pack-refs', '--all')
    expect(readFileSync(path, 'utf8')).toBe(packed)
    made.git('update-ref', '-d', nameOf('2'))
    expect(remnants()).toEqual([nameOf('1'), nameOf('3')])
    made.git('fsck', '--strict')
  })

  it('are made where nothing was packed yet, and keep the rights of the file', async () => {
    rmSync(path, { force: true })
    expect(await add('1')).toEqual([])
    expect(remnants()).toEqual([nameOf('1')])
    fs.chmodSync(path, 0o664)
    expect(await add('2')).toEqual([])
    expect(lstatSync(path).mode & 0o777).toBe(0o664)
    expect(readFileSync(path, 'utf8').match(/^#/gm)).toHaveLength(1)
  })

  it('leave alone what is there: packed, loose, being made, or in the way', async () => {
    made.git('update-ref', nameOf('1'), 'HEAD')
    made.git('pack-refs', '--all')
    made.git('update-ref', nameOf('2'), 'HEAD')
    writeFileSync(join(made.repository.commonDir, `${nameOf('3')}.lock`), '')
    made.git('update-ref', `${nameOf('4')}/below`, 'HEAD')
    const before = refs()
    expect(await add('1', '2', '3', '4', '5')).toEqual(['1', '2', '3', '4'].map(nameOf))
    expect(refs()).toEqual([...before, `${nameOf('5')} ${oid}`].sort())
    made.git('pack-refs', '--all')
    expect(await add('4')).toEqual([nameOf('4')])
    expect(await addPackedRefs(new Map([[`${nameOf('5')}/x`, oid]]), made.repository, QUICK)).toEqual([`${nameOf('5')}/x`])
  })

  it.each<[string, () => void]>([
    ['a lock of another process', () => writeFileSync(`${path}.lock`, '')],
    ['a link', () => {
      made.git('pack-refs', '--all')
      renameSync(path, `${path}-elsewhere`)
      symlinkSync(`${path}-elsewhere`, path)
    }],
    ['a form that nobody knows', () => writeFileSync(path, '# pack-refs with: peeled \nsomething else\n')],
    ['a last line that is cut', () => writeFileSync(path, `${oid} refs/heads/x`)],
  ])('are left to git where the file is not one to be written: %s', async (_, spoil) => {
    spoil()
    const before = existsSync(path) ? readFileSync(path, 'utf8') : null
    expect(await add('1', '2')).toEqual([nameOf('1'), nameOf('2')])
    expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(before)
  })

  // An older git has no tables of refs.
  it.skipIf(!hasReftable)('are left to git where refs lie in a table', async () => {
    begin({ layout: 'reftable' })
    expect(await add('1')).toEqual([nameOf('1')])
  })

  /** What `verify --repair` would take away a minute later, if this process were dead. */
  const leftOver = (): string[] => {
    const folder = join(made.repository.commonDir, 'remnant')
    for (const name of existsSync(folder) ? fs.readdirSync(folder) : []) {
      const [, ours] = /^\.packed-refs\.(\d+)\./.exec(name) ?? []
      if (ours === String(process.pid)) renameSync(join(folder, name), join(folder, name.replace(ours, String(2 ** 22 + 1))))
    }
    return leftovers(made.repository, made.files, Date.now() + 60_000)
  }

  it('are made where a file has one name only, by a lock that is a file of its own', async () => {
    const single = { ...QUICK, linkSync: (() => { throw Object.assign(new Error('no links'), { code: 'EPERM' }) }) as typeof fs.linkSync }
    expect(await addPackedRefs(new Map([[nameOf('1'), oid]]), made.repository, single)).toEqual([])
    expect([remnants(), existsSync(`${path}.lock`), leftOver()]).toEqual([[nameOf('1')], false, []])
  })

  it('leave nothing beside them, and leave the lock of another alone', async () => {
    writeFileSync(`${path}.lock`, '')
    expect(await add('1')).toEqual([nameOf('1')])
    expect([existsSync(`${path}.lock`), leftOver()]).toEqual([true, []])
    rmSync(`${path}.lock`)
    expect([await add('1'), leftOver()]).toEqual([[], []])
  })

  it('are all there or none, at whatever step the machine dies', async () => {
    gitWith(made.dir, '', 'pack-refs', '--all')
    const before = readFileSync(path, 'utf8')
    for (let n = 1; ; n++) {
      const machine = dyingMachine(n, made.files)
      const whole = await addPackedRefs(new Map(['1', '2'].map((digit) => [nameOf(digit), oid])), made.repository, machine.disk).then((left) => left.length === 0, () => false)
      const now = remnants()
      expect([[], [nameOf('1'), nameOf('2')]]).toContainEqual(now)
      if (whole) break
      expect(n).toBeLessThan(20)
      if (existsSync(`${path}.lock`)) expect(leftOver()).toContain(`${path}.lock`)
      for (const left of leftOver()) rmSync(left)
      expect([existsSync(`${path}.lock`), leftOver()]).toEqual([false, []])
      writeFileSync(path, before)
    }
    expect(remnants()).toHaveLength(2)
  })

  it('say so on a full disk, and change nothing', async () => {
    made.git('pack-refs', '--all')
    const before = readFileSync(path, 'utf8')
    const full = { ...QUICK, writeSync: (() => { throw Object.assign(new Error('full'), { code: 'ENOSPC' }) }) as typeof fs.writeSync }
    await expect(addPackedRefs(new Map([[nameOf('1'), oid]]), made.repository, full)).rejects.toMatchObject({ fault: 'unwritable', hint: 'make room on the disk' })
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })
})
