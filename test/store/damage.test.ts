import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openGit } from '../../src/host/git.ts'
import { canonical } from '../../src/base/canonical.ts'
import { sha256 } from '../../src/base/digest.ts'
import { openStore } from '../../src/store.ts'
import { objectsOf, pathOf, refOf } from '../../src/store/git/recipe.ts'
import { aRemnant, anInvariant, digestOfRemnant } from '../remnants.ts'
import { ENV, type Stage, gitIn, stage } from '../stage.ts'
import { all, audit } from './store-suite.ts'

const copyOf = (staged: Stage, digest: string): string => join(staged.dir, pathOf(digest))

/** Puts a remnant's ref on a commit of our own making that holds these bytes at its place. */
function plant(staged: Stage, digest: string, text: string, path = pathOf(digest)): void {
  const git = (input: string, ...args: string[]): string => execFileSync('git', args, { cwd: staged.dir, env: ENV as NodeJS.ProcessEnv, input, encoding: 'utf8' }).trim()
  let entry = `100644 blob ${git(text, 'hash-object', '-w', '--stdin')}`
  for (const name of path.split('/').reverse()) entry = `040000 tree ${git(`${entry}\t${name}\n`, 'mktree')}`
  gitIn(staged.dir, 'update-ref', refOf(digest), git('planted\n', 'commit-tree', entry.slice('040000 tree '.length)))
}

it('rewrites a copy that a formatter changed, and reads the remnant all the same', async () => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  const before = readFileSync(copyOf(staged, digest))
  writeFileSync(copyOf(staged, digest), `${JSON.stringify(JSON.parse(before.toString()), null, 2)}\n`)
  expect(await audit(staged.store, [digest])).toEqual([{ digest, faults: [{ subject: pathOf(digest), fault: 'differs from its ref', repair: 'git remnant checkout' }] }])
  expect(await staged.store.read(digest)).toMatchObject({ digest, rank: 'own', remnant: aRemnant() })
  expect(readFileSync(copyOf(staged, digest))).toEqual(before)
})

it('reads a remnant without a copy from its ref, finds no fault in that, and writes no copy', async () => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  rmSync(join(staged.dir, '.remnants'), { recursive: true })
  expect(await all(staged.store)).toMatchObject([{ digest, remnant: aRemnant() }])
  expect(await audit(staged.store, [digest])).toEqual([{ digest, faults: [] }])
  expect(existsSync(join(staged.dir, '.remnants'))).toBe(false)
})

it('reads a copy that has no ref, as in a clone of a repository that tracks them', async () => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  gitIn(staged.dir, 'update-ref', '-d', refOf(digest))
  expect(await all(staged.store)).toMatchObject([{ digest, remnant: aRemnant() }])
  expect(await audit(staged.store, [digest])).toEqual([{ digest, faults: [] }])
  await staged.store.write(aRemnant())
  expect(gitIn(staged.dir, 'for-each-ref', '--format=%(refname)', 'refs/remnants')).toBe(`${refOf(digest)}\n`)
})

it('makes the missing refs of what a new remnant answers, where only copies are here', async () => {
  const staged = stage()
  const older = await staged.store.write(aRemnant())
  gitIn(staged.dir, 'update-ref', '-d', older.ref)
  await staged.store.write(aRemnant(['npm run lint'], { supersedes: [[older.digest, [anInvariant('npm test').claim_id]]] }))
  expect(gitIn(staged.dir, 'for-each-ref', 'refs/remnants').trim().split('\n')).toHaveLength(2)
  expect(gitIn(staged.dir, 'fsck', '--strict', '--no-dangling')).toBe('')
})

it('follows no symbolic link: not of a copy, nor of the folders that lead to it', async () => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  const outside = join(staged.base, 'outside')
  for (const place of [copyOf(staged, digest), dirname(copyOf(staged, digest)), join(staged.dir, '.remnants')]) {
    renameSync(place, outside)
    symlinkSync(outside, place)
    const store = openStore({ repository: staged.repository, git: async () => openGit(staged.repository, ENV), files: staged.files })
    expect(await audit(store, [digest])).toMatchObject([{ faults: [{ subject: pathOf(digest), fault: 'is reached through a symbolic link' }] }])
    expect(await store.read(digest)).toMatchObject({ remnant: aRemnant() })
    rmSync(place)
    renameSync(outside, place)
  }
})

it('refuses to write through a linked folder, with nothing written', async () => {
  const staged = stage()
  const outside = join(staged.base, 'outside')
  mkdirSync(outside)
  symlinkSync(outside, join(staged.dir, '.remnants'))
  await expect(staged.store.write(aRemnant())).rejects.toMatchObject({ fault: 'unwritable', message: expect.stringContaining('is not a plain folder') as string })
  expect(gitIn(staged.dir, 'for-each-ref', 'refs/remnants')).toBe('')
  expect(await staged.store.digests()).toEqual([])
})

it('names a linked copy that has no ref instead of reading it', async () => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  gitIn(staged.dir, 'update-ref', '-d', refOf(digest))
  renameSync(copyOf(staged, digest), join(staged.base, 'outside'))
  symlinkSync(join(staged.base, 'outside'), copyOf(staged, digest))
  expect(await staged.store.read(digest)).toMatchObject({ fault: expect.stringContaining('symbolic link') as string })
})

const OTHER = digestOfRemnant(aRemnant(['other']))

it.each<[string, (staged: Stage, digest: string) => void, string, string]>([
  ['an empty ref', (staged, digest) => writeFileSync(join(staged.dir, '.git', refOf(digest)), ''), 'is empty', 'has a ref that is empty'],
  ['a ref with something else in it', (staged, digest) => writeFileSync(join(staged.dir, '.git', refOf(digest)), 'ref: refs/heads/main\n'), 'names no commit', 'has a ref that names no commit'],
  ['a ref to a commit that is not here', (staged, digest) => writeFileSync(join(staged.dir, '.git', refOf(digest)), `${'1'.repeat(40)}\n`), 'has git objects that are missing or damaged', 'missing or damaged'],
  ['a ref to another commit', (staged, digest) => gitIn(staged.dir, 'update-ref', refOf(digest), 'HEAD'), 'leads to what holds no remnant of that name', 'missing or damaged'],
  ['a ref to other content', (staged, digest) => plant(staged, digest, '{}'), 'leads to a commit that holds what does not hash to its name', 'does not hash to its name'],
])('names %s, and the others are still read', async (_title, harm, audited, read) => {
  const staged = stage()
  const { digest } = await staged.store.write(aRemnant())
  await staged.store.write(aRemnant(['other']))
  rmSync(join(staged.dir, '.remnants'), { recursive: true })
  harm(staged, digest)
  expect((await audit(staged.store, [digest, OTHER])).map(({ faults }) => faults.map(({ subject, fault }) => [subject, fault]))).toEqual([[[refOf(digest), audited]], []])
  const found = await all(staged.store)
  expect(found.find((each) => each.digest === digest)).toMatchObject({ fault: expect.stringContaining(read) as string })
  expect(found.find((each) => each.digest === OTHER)).toMatchObject({ remnant: aRemnant(['other']) })
})

it('names a commit that does not follow from its remnant, and refuses to write over it', async () => {
  const staged = stage()
  const remnant = aRemnant()
  const digest = digestOfRemnant(remnant)
  plant(staged, digest, canonical(remnant))
  const before = gitIn(staged.dir, 'for-each-ref')
  expect(await audit(staged.store, [digest])).toMatchObject([{ faults: [{ subject: refOf(digest), fault: 'names a commit that does not follow from its remnant' }] }])
  await expect(staged.store.write(remnant)).rejects.toMatchObject({ fault: 'corrupt', message: expect.stringContaining(refOf(digest)) as string })
  expect(gitIn(staged.dir, 'for-each-ref')).toBe(before)
  expect(existsSync(copyOf(staged, digest))).toBe(false)
})

it.each<[string, string, string]>([
  ['a schema that it does not know', canonical({ ...aRemnant(), schema: 'git-remnant/2' }), 'has a schema that this version does not know'],
  ['an unknown field', canonical({ ...aRemnant(), more: 1 }), 'has an unknown field'],
  ['another spelling', JSON.stringify(aRemnant(), null, 1), 'is not in canonical form'],
  ['a claim whose id does not follow', canonical({ ...aRemnant(), verified_invariants: [{ ...anInvariant('npm test'), statement: 'Else.' }] }), 'has a claim whose id does not follow from it'],
  ['a map that does not fit', canonical({ ...aRemnant(), claim_dependency_map: [['3'.repeat(64), ['platform']]] }), 'has a dependency map that does not fit its claims'],
  ['no JSON at all', 'nothing', 'text is not '],
])('skips and names what honestly hashes to its name but has %s', async (_title, text, fault) => {
  const staged = stage()
  const digest = sha256(text)
  plant(staged, digest, text)
  await staged.store.write(aRemnant())
  const found = await all(staged.store)
  expect(found).toHaveLength(2)
  expect(found.find((each) => each.digest === digest)).toMatchObject({ fault: expect.stringContaining(fault) as string })
  const audited = await audit(staged.store, [digest])
  expect(audited[0]?.faults[0]).toMatchObject({ subject: digest, fault: expect.stringContaining(fault) as string })
})

it('reads no remnant over 1 MiB into its memory', async () => {
  const staged = stage()
  const text = JSON.stringify('x'.repeat(1024 * 1024))
  const digest = sha256(text)
  plant(staged, digest, text)
  expect((await all(staged.store)).find((each) => each.digest === digest)).toMatchObject({ fault: expect.stringContaining('is over 1 MiB') as string })
})

it('names an answer to a claim that the earlier remnant does not make', async () => {
  const staged = stage()
  const older = await staged.store.write(aRemnant())
  const newer = await staged.store.write(aRemnant(['npm run lint'], { supersedes: [[older.digest, ['4'.repeat(64)]]] }))
  expect(await audit(staged.store, [newer.digest])).toMatchObject([{ faults: [{ subject: newer.digest, fault: expect.stringContaining('answers a claim') as string }] }])
})

it('says that what a remnant answers is not here, once its ref and copy have gone', async () => {
  const staged = stage()
  const older = await staged.store.write(aRemnant())
  const newer = await staged.store.write(aRemnant(['npm run lint'], { supersedes: [[older.digest, [anInvariant('npm test').claim_id]]] }))
  gitIn(staged.dir, 'update-ref', '-d', older.ref)
  rmSync(copyOf(staged, older.digest))
  expect(await audit(staged.store, [newer.digest])).toMatchObject([{ faults: [{ subject: newer.digest, fault: expect.stringContaining('which is not here') as string }] }])
})

it('writes an object anew that a crash of another program cut short', async () => {
  const staged = stage()
  const remnant = aRemnant()
  const digest = digestOfRemnant(remnant)
  for (const { oid } of objectsOf(digest, Buffer.from(canonical(remnant)), remnant, [], 'sha1')) {
    const path = join(staged.dir, '.git/objects', oid.slice(0, 2), oid.slice(2))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
  }
  await staged.store.write(remnant)
  expect(gitIn(staged.dir, 'fsck', '--strict', '--no-dangling')).toBe('')
})

it('names a damaged object among many without losing the rest', async () => {
  const staged = stage()
  const digests: string[] = []
  for (let i = 0; i < 55; i++) digests.push((await staged.store.write(aRemnant([`npm run ${i}`]))).digest)
  rmSync(join(staged.dir, '.remnants'), { recursive: true })
  const harmed = [digests[3], digests[40]] as string[]
  for (const digest of harmed) {
    const oid = gitIn(staged.dir, 'rev-parse', `${refOf(digest)}:${pathOf(digest)}`).trim()
    const path = join(staged.dir, '.git/objects', oid.slice(0, 2), oid.slice(2))
    chmodSync(path, 0o644)
    truncateSync(path, 20)
  }
  const found = await all(staged.store)
  expect(found).toHaveLength(55)
  expect(found.filter((each) => 'fault' in each).map(({ digest }) => digest)).toEqual(harmed.sort())
}, 60_000)

it('waits for a lock that another process holds, gives up with a hint, and passes over one that its dead owner left', async () => {
  const staged = stage()
  const digest = digestOfRemnant(aRemnant())
  const lock = join(staged.dir, '.git', `${refOf(digest)}.lock`)
  mkdirSync(dirname(lock), { recursive: true })
  writeFileSync(lock, '')
  await expect(staged.store.write(aRemnant())).rejects.toMatchObject({ fault: 'unwritable', hint: 'try again in some seconds' })
  expect(gitIn(staged.dir, 'for-each-ref', 'refs/remnants')).toBe('')
  execFileSync('touch', ['-d', '1 hour ago', lock])
  expect((await openStore({ repository: staged.repository, git: async () => openGit(staged.repository, ENV), files: staged.files }).write(aRemnant())).written).toBe(true)
  expect(existsSync(lock)).toBe(false)
})

it('believes its list of what was validated only under its own first line', async () => {
  const staged = stage()
  const text = canonical({ ...aRemnant(), more: 1 })
  const digest = sha256(text)
  plant(staged, digest, text)
  staged.files.write(join(staged.dir, '.git/remnant/known'), `git-remnant-known 0\n${digest}\n`)
  expect(await all(staged.store)).toMatchObject([{ fault: expect.stringContaining('unknown field') as string }])
  await staged.store.write(aRemnant())
  expect(readFileSync(join(staged.dir, '.git/remnant/known'), 'utf8')).toBe(`git-remnant-known 1\n${digestOfRemnant(aRemnant())}\n`)
})
