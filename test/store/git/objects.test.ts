import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openGit, openRepository } from '../../../src/host/git.ts'
import { openStore } from '../../../src/store.ts'
import { AtomicFs } from '../../../src/store/git/atomic-fs.ts'
import { encodeRemnant } from '../../../src/model/remnant.ts'
import { objectsOf } from '../../../src/store/git/recipe.ts'
import { aRemnant, digestOfRemnant } from '../../remnants.ts'
import { ENV, type Stage, gitIn, stage } from '../../stage.ts'
import { all } from '../store-suite.ts'

function counted(dir: string, staged: Stage) {
  const repository = openRepository(dir, ENV)
  const asked: string[] = []
  const git = openGit(repository, ENV)
  const spied = { ...git, try: (...call: Parameters<typeof git.try>) => (asked.push(call[0].join(' ')), git.try(...call)) }
  return { asked, store: openStore({ repository, git: async () => spied, files: staged.files }) }
}

it('reads objects that another repository lends', async () => {
  const staged = stage()
  await staged.store.write(aRemnant())
  gitIn(staged.base, 'clone', '-q', '--shared', '--mirror', staged.dir, 'borrower.git')
  expect(await all(counted(join(staged.base, 'borrower.git'), staged).store)).toMatchObject([{ remnant: aRemnant() }])
})

it('reads objects that a partial clone fetches when they are needed', async () => {
  const staged = stage()
  await staged.store.write(aRemnant())
  gitIn(staged.dir, 'config', 'uploadpack.allowFilter', 'true')
  gitIn(staged.dir, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  gitIn(staged.base, 'clone', '-q', '--mirror', '--filter=blob:none', `file://${staged.dir}`, 'partial.git')
  expect(await all(counted(join(staged.base, 'partial.git'), staged).store)).toMatchObject([{ remnant: aRemnant() }])
})

it('starts no git for a few remnants, and two for many, however many they are', async () => {
  const staged = stage()
  for (let i = 0; i < 20; i++) await staged.store.write(aRemnant([`npm run ${i}`]))
  gitIn(staged.dir, 'gc', '-q')
  const few = counted(staged.dir, staged)
  await all(few.store)
  fs.rmSync(join(staged.dir, '.remnants'), { recursive: true })
  await all(few.store)
  expect(few.asked).toEqual([])

  for (let i = 20; i < 55; i++) await staged.store.write(aRemnant([`npm run ${i}`]))
  fs.rmSync(join(staged.dir, '.remnants'), { recursive: true })
  const many = counted(staged.dir, staged)
  expect(await all(many.store)).toHaveLength(55)
  expect(many.asked).toEqual(['--no-replace-objects cat-file --batch-check', '--no-replace-objects cat-file --batch'])
}, 60_000)

it('is not misled by a replaced object', async () => {
  const staged = stage()
  const { digest, ref } = await staged.store.write(aRemnant())
  const blob = gitIn(staged.dir, 'rev-parse', `${ref}:.remnants/${digest.slice(0, 2)}/${digest}.json`).trim()
  gitIn(staged.dir, 'replace', blob, gitIn(staged.dir, 'rev-parse', 'HEAD:README.md').trim())
  fs.writeFileSync(join(staged.dir, '.git/objects/info/alternates'), `${staged.dir}/.git/objects\n`)
  fs.rmSync(join(staged.dir, '.remnants'), { recursive: true })
  expect(await all(staged.store)).toMatchObject([{ remnant: aRemnant() }])
})

it('writes objects as git does: read-only, and nothing is left beside them', async () => {
  const staged = stage()
  const remnant = aRemnant()
  const digest = digestOfRemnant(remnant)
  await staged.store.write(remnant)
  for (const { oid } of objectsOf(digest, encodeRemnant(remnant).bytes, remnant, [], 'sha1')) {
    const folder = join(staged.dir, '.git/objects', oid.slice(0, 2))
    expect(fs.statSync(join(folder, oid.slice(2))).mode & 0o777).toBe(0o444)
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('tmp'))).toEqual([])
  }
  expect(fs.readdirSync(join(staged.dir, '.git/refs/remnants'))).toEqual([digest])
})

it('keeps local state for its owner alone', async () => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  const folder = join(staged.dir, '.git/remnant')
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of fs.readdirSync(folder)) expect([name, fs.statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
  expect(fs.readFileSync(join(folder, 'own'), 'utf8')).toBe(`?${digest}\n${digest}\n`)
})

it('lets isomorphic-git change nothing but objects and refs of remnants', async () => {
  const { dir } = stage()
  const { promises } = new AtomicFs(join(dir, '.git'), fs)
  for (const path of ['HEAD', 'config', 'packed-refs', 'refs/heads/main', 'refs/remnants/x', 'objects/info/alternates', '../README.md'])
    await expect(promises.writeFile(join(dir, '.git', path), 'x')).rejects.toThrow('changes nothing but')
  for (const forbidden of [promises.unlink, promises.rmdir, promises.rm, promises.symlink]) await expect(forbidden()).rejects.toThrow('changes nothing but')
  expect(gitIn(dir, 'status', '--porcelain')).toBe('')
})

it('makes a ref once: the same again is no change, another is refused, loose or packed', async () => {
  const { dir } = stage()
  const [ref, one, other] = [join(dir, '.git/refs/remnants', 'a'.repeat(64)), gitIn(dir, 'rev-parse', 'HEAD'), gitIn(dir, 'rev-parse', 'HEAD^{tree}')]
  const atomic = new AtomicFs(join(dir, '.git'), fs)
  await atomic.promises.writeFile(ref, one)
  expect([...atomic.made]).toEqual(['a'.repeat(64)])
  for (const pack of [false, true]) {
    if (pack) gitIn(dir, 'pack-refs', '--all')
    const later = new AtomicFs(join(dir, '.git'), fs)
    await later.promises.writeFile(ref, one)
    expect([...later.made]).toEqual([])
    await expect(later.promises.writeFile(ref, other)).rejects.toMatchObject({ fault: 'corrupt' })
    expect(gitIn(dir, 'rev-parse', `refs/remnants/${'a'.repeat(64)}`)).toBe(one)
    expect(fs.existsSync(`${ref}.lock`)).toBe(false)
  }
})

it('says that nothing can be written where that is so, with nothing half-written', async () => {
  const staged = stage()
  const full = { ...fs, openSync: ((path: string, flags: string, mode: number) => {
    if (flags === 'wx') throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return fs.openSync(path, flags, mode)
  }) as typeof fs.openSync }
  const store = openStore({ repository: staged.repository, git: async () => openGit(staged.repository, ENV), files: staged.files, disk: full })
  await expect(store.write(aRemnant())).rejects.toMatchObject({ fault: 'unwritable', hint: 'make room on the disk' })
  expect(await staged.store.digests()).toEqual([])
  expect(gitIn(staged.dir, 'fsck', '--strict', '--no-dangling')).toBe('')
})
