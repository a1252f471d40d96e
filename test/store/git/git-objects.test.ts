import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGit } from '../../../src/host/git.ts'
import { encodeRemnant } from '../../../src/model/remnant.ts'
import { openStore } from '../../../src/store.ts'
import { bring } from '../../../src/store/sync/bringing.ts'
import { objectsOf, pathOf, refOf } from '../../../src/store/git/recipe.ts'
import { readRef } from '../../../src/store/git/refs.ts'
import { openTransport } from '../../../src/store/sync/transport.ts'
import { aRemnant, anInvariant, digestOfRemnant } from '../../remnants.ts'
import { ENV, type Layout, QUICK, type Stage, gitIn, hasReftable, stage } from '../../stage.ts'
import { all, audit, keepsThePromise } from '../store-suite.ts'

const fsck = (dir: string): string => execFileSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: dir, env: ENV as NodeJS.ProcessEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const reopened = ({ repository, files }: Stage) => openStore({ repository, git: async () => openGit(repository, ENV), files, disk: QUICK })

function keptIn(title: string, layout: Layout): void {
  keepsThePromise(title, () => {
    const staged = stage({ layout })
    return { store: staged.store, reopen: () => reopened(staged), fsck: () => expect(fsck(staged.dir)).toBe('') }
  })
}

keptIn('a store in a SHA-256 repository', 'sha256')
keptIn('a store in a linked work tree of a SHA-256 repository', 'sha256-worktree')

// Only git 2.45 and later can make refs in a table.
describe.skipIf(!hasReftable)('refs in a table', () => {
  keptIn('a store in a repository with a reftable', 'reftable')
  keptIn('a store in a linked work tree of a repository with a reftable', 'reftable-worktree')

  it('hold what files hold: the same commits under the same names', async () => {
    const [table, files] = [stage({ layout: 'reftable' }), stage()]
    for (const { store } of [table, files]) await store.write(aRemnant())
    const refsIn = ({ dir }: Stage): string => gitIn(dir, 'for-each-ref', 'refs/remnants')
    expect(refsIn(table)).toBe(refsIn(files))
    expect(await Promise.all([reopened(table), reopened(table)].map((store) => store.write(aRemnant(['npm run lint']))))).toMatchObject([{ written: expect.any(Boolean) as boolean }, {}])
    expect(await table.store.digests()).toHaveLength(2)
  })
})

describe('a SHA-256 repository', () => {
  it('has one commit id for one remnant, whoever writes it, and not the one of a SHA-1 repository', async () => {
    const logs: string[] = []
    for (const layout of ['sha256', 'sha256-worktree'] as const) {
      const staged = stage({ layout })
      const { digest } = await staged.store.write(aRemnant())
      const { ref } = await staged.store.write(aRemnant(['npm run lint'], { supersedes: [[digest, [anInvariant('npm test').claim_id]]] }))
      logs.push(gitIn(staged.dir, 'log', '--format=%H', ref))
    }
    expect(logs).toEqual([PINNED, PINNED])
  })

  it('keeps them as git itself reads them: the bytes, the path, the message', async () => {
    const { dir, store } = stage({ layout: 'sha256' })
    const { digest, ref } = await store.write(aRemnant())
    expect(gitIn(dir, 'cat-file', 'blob', `${ref}:${pathOf(digest)}`)).toBe(readFileSync(join(dir, pathOf(digest)), 'utf8'))
    expect(gitIn(dir, 'show', '--no-patch', '--format=%an <%ae> %at%n%B', ref).trim()).toBe(`git-remnant <git-remnant@remnant.invalid> 1780309351\nRemnant ${digest}`)
    expect(gitIn(dir, 'status', '--porcelain')).toBe('')
  })

  it('reads them when git has packed objects and refs, and writes none of them again', async () => {
    const staged = stage({ layout: 'sha256' })
    const { digest } = await staged.store.write(aRemnant())
    gitIn(staged.dir, 'gc', '-q', '--prune=now')
    rmSync(join(staged.dir, '.remnants'), { recursive: true })
    expect(await all(reopened(staged))).toEqual([{ digest, remnant: aRemnant(), rank: 'own' }])
    expect(await audit(staged.store, [digest])).toEqual([{ digest, faults: [] }])
    expect((await reopened(staged).write(aRemnant())).written).toBe(false)
  })

  it('takes what several write at once, the same and different', async () => {
    const staged = stage({ layout: 'sha256' })
    const gates = ['one', 'two', 'one', 'three', 'two', 'one']
    const results = await Promise.all(gates.map((gate) => reopened(staged).write(aRemnant([gate]))))
    expect(results.filter(({ written }) => written)).toHaveLength(3)
    expect(await staged.store.digests()).toEqual(['one', 'two', 'three'].map((gate) => digestOfRemnant(aRemnant([gate]))).sort())
    expect(fsck(staged.dir)).toBe('')
  })

  it('gets the remnants of another clone, and of a SHA-1 repository nothing but the reason', async () => {
    const [here, there, other] = [stage({ layout: 'sha256' }), stage({ layout: 'sha256' }), stage()]
    const older = await there.store.write(aRemnant())
    const newer = await there.store.write(aRemnant(['npm run lint'], { supersedes: [[older.digest, [anInvariant('npm test').claim_id]]] }))
    await other.store.write(aRemnant(['other']))
    for (const [name, from] of [['there', there], ['other', other]] as const) gitIn(here.dir, 'remote', 'add', name, from.dir)
    const git = openGit(here.repository, ENV)
    const fetch = (remote: string) => bring({ git, files: here.files, disk: QUICK, transport: openTransport(git, remote), accepted: true })
    expect(await fetch('there')).toMatchObject({ fetched: [older.digest, newer.digest].sort(), rejected: [] })
    expect(await all(here.store)).toEqual((await all(there.store)).map((stored) => ({ ...stored, rank: 'reported' })))
    expect((await audit(here.store, [older.digest, newer.digest])).map(({ faults }) => faults)).toEqual([[], []])
    await expect(fetch('other')).rejects.toMatchObject({ fault: 'missing', message: expect.stringContaining('"other" names its objects in another way') as string })
    expect(await here.store.digests()).toHaveLength(2)
    expect(fsck(here.dir)).toBe('')
  })

  it('refuses a ref that another process has locked, and takes it once that has ended', async () => {
    const { dir, store } = stage({ layout: 'sha256' })
    await store.write(aRemnant(['first']))
    const lock = join(dir, '.git', `${refOf(digestOfRemnant(aRemnant()))}.lock`)
    writeFileSync(lock, '')
    await expect(store.write(aRemnant())).rejects.toMatchObject({ fault: 'unwritable', message: expect.stringContaining('is locked by another process') as string })
    expect(existsSync(lock)).toBe(true)
    expect(await store.digests()).toHaveLength(1)
    rmSync(lock)
    expect((await store.write(aRemnant())).written).toBe(true)
    expect(fsck(dir)).toBe('')
  })

  it('makes no ref to an object that is damaged, and says so', async () => {
    const { dir, store } = stage({ layout: 'sha256' })
    const remnant = aRemnant()
    const { digest, bytes } = encodeRemnant(remnant)
    await store.write(remnant)
    const [blob] = objectsOf(digest, bytes, remnant, [], 'sha256')
    const path = join(dir, '.git/objects', blob?.oid.slice(0, 2) ?? '', blob?.oid.slice(2) ?? '')
    gitIn(dir, 'update-ref', '-d', refOf(digest))
    rmSync(path)
    writeFileSync(path, 'not an object')
    await expect(store.write(remnant)).rejects.toMatchObject({ fault: 'corrupt', hint: 'git fsck' })
    expect(gitIn(dir, 'for-each-ref', 'refs/remnants')).toBe('')
    expect(await store.read(digest)).toMatchObject({ remnant }) // the copy is whole
  })

  it.each<[string, (path: string) => void, string]>([
    ['an id of SHA-1\'s length', (path) => writeFileSync(path, `${'a'.repeat(40)}\n`), 'names no commit'],
    ['nothing', (path) => writeFileSync(path, ''), 'is empty'],
  ])('takes a ref with %s for damaged', async (_title, harm, damaged) => {
    const { dir, repository, store } = stage({ layout: 'sha256' })
    const { digest, ref } = await store.write(aRemnant())
    harm(join(dir, '.git', ref))
    expect(readRef(repository, digest)).toEqual({ damaged })
    expect((await audit(store, [digest])).map(({ faults }) => faults)).toMatchObject([[{ subject: ref, fault: damaged }]])
    await expect(store.write(aRemnant())).rejects.toMatchObject({ fault: 'corrupt' })
  })
})

const PINNED = 'f90a477be30bbd8bedae7db717291a0eabe925e31cbb53fc16a5c8dafcb64a76\nb5b99f1306ea237320a2c5edacf34b208c92acf00c0fb04567777938bde5d771\n'
