import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openRepository } from '../../src/host/git.ts'
import { openTombstones } from '../../src/store/sync/tombstones.ts'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { type Sharer, bareIn, refsIn, sharer } from '../sharing.ts'
import { gitIn, stage } from '../stage.ts'

let remote: string
let here: Sharer
beforeEach(() => {
  remote = bareIn(stage().base)
  here = sharer(remote)
})

const refOf = (digest: string): string => `refs/remnants/${digest}`
const claimOf = (gate: string): string => aRemnant([gate]).verified_invariants[0]?.claim_id as string
const sealed = async (gate: string, ...older: [digest: string, gate: string][]): Promise<string> =>
  (await here.store.write(aRemnant([gate], { supersedes: older.map(([digest, gate]): [string, string[]] => [digest, [claimOf(gate)]]) }))).digest
const tombstones = (one: Sharer = here) => openTombstones(one.repository.commonDir, one.files)
const oidOf = (digest: string): string => here.git('rev-parse', refOf(digest)).trim()
const objects = (): string => here.git('count-objects', '-v')
const faults = async (): Promise<unknown[]> => {
  const found: unknown[] = []
  for await (const one of here.store.audit(await here.store.digests())) found.push(...one.faults)
  return found
}

describe('forget', () => {
  it('removes ref, copy and objects, leaves a tombstone, and touches nothing else', async () => {
    const kept = await sealed('npm run lint')
    const before = objects()
    const digest = await sealed('npm test')
    const oid = oidOf(digest)
    const answer = await here.forget(digest.slice(0, 12))
    expect(answer).toMatchObject({ data: { digest, refs: 1, objects: 'removed', rewritten: [], copies: [join(here.dir, `.remnants/${digest.slice(0, 2)}/${digest}.json`)] } })
    expect(answer.text?.split('\n').slice(0, 2)).toEqual([`forgot ${digest.slice(0, 12)}: its ref is removed, a tombstone keeps it away from here`, '  objects  removed'])
    expect(here.refs()).toEqual([refOf(kept)])
    expect(() => here.git('cat-file', '-e', oid)).toThrow()
    expect(objects()).toBe(before)
    expect(await here.store.digests()).toEqual([kept])
    expect(tombstones().read(digest)).toEqual({ schema: 'git-remnant/tombstone/1', remnant: digest, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null })
    expect(tombstones().audit()).toEqual([])
    expect(await faults()).toEqual([])
    here.git('fsck', '--strict')
  })

  it('done again says that it is done, and does no harm', async () => {
    const kept = await sealed('npm run lint')
    const digest = await sealed('npm test')
    expect((await here.forget(digest)).data).toMatchObject({ already: false })
    const again = await here.forget(digest.slice(0, 12))
    expect([again.text, again.status ?? 0]).toEqual([`${digest.slice(0, 12)} is forgotten already: nothing of it is here, and a tombstone keeps it away\n  origin does not have it`, 0])
    expect(again.data).toMatchObject({ digest, already: true, refs: 0, copies: [] })
    expect(here.refs()).toEqual([refOf(kept)])
    expect(tombstones().has(digest)).toBe(true)
  })

  it('says what is not here', async () => {
    expect(await here.forget('abcdef')).toEqual({ text: 'no remnant "abcdef" here', data: { digest: null }, status: 1 })
    await expect(here.forget('main')).rejects.toMatchObject({ fault: 'misuse' })
    expect(await here.forget('abcdef', { undo: true })).toMatchObject({ status: 1 })
  })

  it('writes remnants of this clone that supersede it anew without it, and keeps their lineage', async () => {
    const oldest = await sealed('npm run a')
    const middle = await sealed('npm run b', [oldest, 'npm run a'])
    const newer = await sealed('npm run c', [middle, 'npm run b'])
    const newest = await sealed('npm run d', [newer, 'npm run c'])
    const answer = await here.forget(middle)
    const [first, second] = answer.data?.rewritten as { from: string; to: string }[]
    expect([first?.from, second?.from]).toEqual([newer, newest])
    expect(here.refs()).toEqual([oldest, first?.to, second?.to].map((each) => refOf(each as string)).sort())
    expect(await here.store.read(first?.to as string)).toMatchObject({ remnant: { ...aRemnant(['npm run c']), supersedes: [[oldest, [claimOf('npm run a')]]] }, rank: 'own' })
    expect(await here.store.read(second?.to as string)).toMatchObject({ remnant: { supersedes: [[first?.to, [claimOf('npm run c')]]] } })
    expect(answer.data).toMatchObject({ objects: 'removed' })
    expect(tombstones().read(newer)).toMatchObject({ replaced_by: first?.to })
    expect(await faults()).toEqual([])
    here.git('fsck', '--strict')
  })

  it('says where the objects stay since a remnant of others supersedes it, and reads that one as before', async () => {
    const there = sharer(remote)
    const older = (await there.store.write(aRemnant(['npm run a']))).digest
    const newer = (await there.store.write(aRemnant(['npm run b'], { supersedes: [[older, [claimOf('npm run a')]]] }))).digest
    await there.push()
    await here.fetch()
    const answer = await here.forget(older)
    expect(answer).toMatchObject({ data: { refs: 1, objects: 'reachable', superseded_by_others: [newer] }, text: expect.stringContaining(`  objects  stay: ${newer.slice(0, 12)} of others supersedes it`) })
    expect(here.refs()).toEqual([refOf(newer)])
    expect(await here.store.digests()).toEqual([newer])
    expect(await faults()).toEqual([])
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], there: 1, kept_away: [older] } })
    const mine = await here.store.write(aRemnant(['npm run mine'], { supersedes: [[newer, [claimOf('npm run b')]]] }))
    expect(await faults()).toEqual([])
    here.git('fsck', '--strict')
    await here.forget(newer)
    expect(here.refs()).not.toContain(refOf(mine.digest))
    expect(await faults()).toEqual([])
  })

  it('says what the remote still has, and prints no command that removes anything', async () => {
    const digest = await sealed('npm test')
    await here.push()
    const answer = await here.forget(digest)
    expect(answer.data).toMatchObject({ remote: { remote: 'origin', refs: [refOf(digest)] } })
    expect(answer.text).toContain(`  origin still has ${refOf(digest)}\n  whoever may write there can delete that ref there`)
    expect(answer.text).not.toMatch(/git (?:push|update-ref)|--delete|--force|rm /)
    expect(refsIn(remote)).toEqual([refOf(digest)])
    expect((await here.fetch()).data).toMatchObject({ kept_away: [digest] })
    expect((await here.push()).data).toMatchObject({ sent: [], there: [] })
  })

  it('says so where the remote does not answer', async () => {
    const digest = await sealed('npm test')
    here.git('remote', 'set-url', 'origin', join(here.base, 'nowhere'))
    const answer = await here.forget(digest)
    expect(answer.text).toContain('  origin did not answer, and may have it')
    expect(here.refs()).toEqual([])
  })

  it('says so where a branch holds the file, and leaves tracked files alone', async () => {
    const digest = await sealed('npm test')
    const path = `.remnants/${digest.slice(0, 2)}/${digest}.json`
    here.git('add', '-f', path)
    here.git('commit', '-qm', 'keep it')
    const commit = here.git('rev-parse', 'HEAD').slice(0, 12)
    const answer = await here.forget(digest)
    expect(answer.text).toContain(`  objects  stay: commit ${commit}, ${join(here.dir, path)} still hold the same file`)
    expect(existsSync(join(here.dir, path))).toBe(true)
    expect(await here.store.digests()).toEqual([])
    here.git('fsck', '--strict')
  })

  it('says so where the objects lie in a pack', async () => {
    const digest = await sealed('npm test')
    here.git('gc', '-q')
    expect(await here.forget(digest)).toMatchObject({ data: { objects: 'packed', refs: 1 } })
    expect(here.refs()).toEqual([])
    here.git('gc', '-q', '--prune=now')
    expect(here.git('count-objects', '-v')).toMatch(/count: 0/)
    here.git('fsck', '--strict')
  })

  it('keeps away what git itself fetches again, and what is sealed again', async () => {
    const digest = await sealed('npm test')
    await here.push()
    await here.forget(digest)
    here.git('fetch', '-q', 'origin', 'refs/remnants/*:refs/remnants/*')
    expect(here.refs()).toEqual([refOf(digest)])
    expect(await here.store.digests()).toEqual([])
    await expect(here.store.write(aRemnant(['npm test']))).rejects.toMatchObject({ fault: 'refused', hint: `git remnant forget --undo ${digest.slice(0, 12)}` })
    expect(await here.forget(digest)).toMatchObject({ data: { refs: 1 } })
    expect(here.refs()).toEqual([])
    expect(await here.forget(digest, { undo: true })).toMatchObject({ data: { lifted: true }, status: 0 })
    expect(readdirSync(join(here.repository.commonDir, 'remnant/tombstones'))).toEqual([])
    expect((await here.store.write(aRemnant(['npm test']))).digest).toBe(digest)
  })

  it('says where nothing else has it, and promises no way back that there is not', async () => {
    const lone = sharer(remote, { alone: true })
    const { digest } = await lone.store.write(aRemnant(['npm test']))
    expect((await lone.forget(digest)).text).toContain('unless another clone fetched it from here, nothing has it any more')
    const undone = await lone.forget(digest, { undo: true })
    expect(undone).toMatchObject({ status: 0, text: expect.stringContaining('is not here: remnants of this clone are shared with no remote') })
    expect(undone.text).not.toContain('git remnant fetch')
    const shared = await sealed('npm test')
    expect((await here.forget(shared)).text).not.toContain('nothing has it')
    expect((await here.forget(shared, { undo: true })).text).toBe(`${shared.slice(0, 12)} may come back: git remnant fetch, if the remote still has it`)
  })

  it('removes the copies in every work tree', async () => {
    const linked = join(here.base, 'linked')
    here.git('worktree', 'add', '-q', '-b', 'side', linked)
    const digest = await sealed('npm test')
    const { openStore } = await import('../../src/store.ts')
    const store = openStore({ repository: openRepository(linked, here.env), git: here.host.git, files: here.files })
    await store.checkout()
    const copy = join(linked, `.remnants/${digest.slice(0, 2)}/${digest}.json`)
    expect(existsSync(copy)).toBe(true)
    await here.forget(digest)
    expect(existsSync(copy)).toBe(false)
    expect(gitIn(linked, 'status', '--porcelain', '--ignored')).not.toContain(digest)
  })

  it('can be done again where it was cut short', async () => {
    const digest = await sealed('npm test')
    tombstones().add({ remnant: digest, forgotten_at: '2026-06-01T11:00:00Z', replaced_by: null })
    expect(await here.forget(digest)).toMatchObject({ data: { refs: 1, objects: 'removed' } })
    expect(here.refs()).toEqual([])
  })

  it('warns that what it had answered counts again', async () => {
    const older = await sealed('npm run a')
    const newer = await sealed('npm run b', [older, 'npm run a'])
    expect((await here.forget(newer)).text).toContain(`what it had answered of ${older.slice(0, 12)} counts again: git remnant reprobe checks it`)
  })

  it('removes the lines that were kept of its session', async () => {
    const { journalName, sealedFolder } = await import('../../src/host/journals/append.ts')
    const digest = await sealed('npm test')
    const { provenance, session_id } = aRemnant()
    const [mine, other] = [`${journalName(provenance.host, session_id)}.1.jsonl`, `${journalName(provenance.host, 'another')}.jsonl`]
    for (const name of [mine, other]) here.files.write(join(sealedFolder(here.repository), name), 'x\n')
    await here.forget(digest)
    expect(readdirSync(sealedFolder(here.repository))).toEqual([other])
    expect(digest).toBe(digestOfRemnant(aRemnant(['npm test'])))
  })
})
