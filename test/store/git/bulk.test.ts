import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Git, GitOptions } from '../../../src/host/git.ts'
import { writeMany } from '../../../src/store/git/bulk.ts'
import { mendMissing } from '../../../src/store/verify/mending.ts'
import { openTombstones } from '../../../src/store/sync/tombstones.ts'
import { aRemnant, anInvariant, digestOfRemnant } from '../../remnants.ts'
import { type Layout, QUICK, type Stage, gitIn, stage } from '../../stage.ts'
import { all, audit } from '../store-suite.ts'

const MANY = Array.from({ length: 20 }, (_, i) => aRemnant([`npm run ${i}`]))
const DIGESTS = MANY.map(digestOfRemnant).sort()
const refs = ({ dir }: Stage): string => gitIn(dir, 'for-each-ref', 'refs/remnants')

async function bulk(made: Stage, remnants = MANY, { own = true, seen = [] as string[][] } = {}): Promise<string[]> {
  const git = await made.host.git()
  const watched: Git = { ...git, try: (args: readonly string[], options?: GitOptions) => (seen.push([...args]), git.try(args, options)) }
  return writeMany(remnants, { git: watched, files: made.files, disk: QUICK, own })
}

describe('many remnants that are stored at once', () => {
  it.each<Layout>(['plain', 'bare', 'worktree', 'sha256'])('are the same as if each had been stored by itself (%s)', async (layout) => {
    const [one, other] = [stage({ layout }), stage({ layout })]
    const seen: string[][] = []
    expect((await bulk(one, MANY, { seen })).sort()).toEqual(DIGESTS)
    expect(seen.map((args) => args.filter((arg, i) => arg !== '-c' && args[i - 1] !== '-c').join(' '))).toEqual(['index-pack --stdin', '--no-replace-objects cat-file --batch-check'])
    for (const remnant of MANY.slice(0, 3)) await other.store.write(remnant)
    for (const line of refs(other).trim().split('\n')) expect(refs(one)).toContain(line)
    expect((await all(one.store)).map((stored) => [stored.digest, 'rank' in stored && stored.rank])).toEqual(DIGESTS.map((digest) => [digest, 'own']))
    expect((await audit(one.store, DIGESTS)).flatMap(({ faults }) => faults)).toEqual([])
    expect(gitIn(one.dir, 'fsck', '--strict', '--no-dangling')).toBe('')
    expect(await bulk(one)).toEqual([])
    expect((await one.store.write(MANY[7] as never)).written).toBe(false)
  })

  it('stand behind what they supersede, there or among them, and are refused whole where that is nowhere', async () => {
    const made = stage()
    const { digest } = await made.store.write(aRemnant(['make first']))
    const second = aRemnant(['make second'], { supersedes: [[digest, [anInvariant('make first').claim_id]]] })
    const third = aRemnant(['make third'], { supersedes: [[digestOfRemnant(second), [anInvariant('make second').claim_id]]] })
    expect(await bulk(made, [second, third])).toEqual([second, third].map(digestOfRemnant))
    expect((await audit(made.store, await made.store.digests())).flatMap(({ faults }) => faults)).toEqual([])
    const before = refs(made)
    await expect(bulk(made, [...MANY, aRemnant(['make last'], { supersedes: [['f'.repeat(64), []]] })])).rejects.toMatchObject({ fault: 'unwritable' })
    openTombstones(made.repository.commonDir, made.files).add({ remnant: DIGESTS[0] as string, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null })
    await expect(bulk(made)).rejects.toMatchObject({ fault: 'refused' })
    expect(refs(made)).toBe(before)
  })

  it('leave no ref where their objects can not be written, and leave a ref of another commit as it is', async () => {
    const made = stage()
    const git = await made.host.git()
    const broken: Git = { ...git, try: async (args, options) => (args.includes('index-pack') ? { status: 128, stdout: new Uint8Array(), stderr: 'fatal: write error: No space left on device' } : git.try(args, options)) }
    await expect(writeMany(MANY, { git: broken, files: made.files, disk: QUICK, own: true })).rejects.toMatchObject({ fault: 'unwritable', hint: 'make room on the disk' })
    expect(refs(made)).toBe('')
    made.git('update-ref', `refs/remnants/${DIGESTS[3]}`, 'HEAD')
    await expect(bulk(made)).rejects.toMatchObject({ fault: 'corrupt' })
    expect(made.git('rev-parse', `refs/remnants/${DIGESTS[3]}`)).toBe(made.git('rev-parse', 'HEAD'))
    expect(made.files.stat(join(made.repository.commonDir, 'remnant/own'))).toBeNull()
  })
})

it('gives a clone that has many copies and no refs its refs at once', async () => {
  const made = stage()
  for (const remnant of MANY) await made.store.write(remnant)
  const whole = refs(made)
  for (const line of whole.trim().split('\n')) made.git('update-ref', '-d', line.split('\t')[1] as string)
  rmSync(join(made.repository.commonDir, 'remnant'), { recursive: true })
  expect(refs(made)).toBe('')
  const place = { repository: made.repository, git: await made.host.git(), files: made.files, store: made.store, disk: QUICK }
  expect((await mendMissing(DIGESTS, place)).sort()).toEqual(DIGESTS)
  expect(refs(made)).toBe(whole)
  expect(await mendMissing(DIGESTS, place)).toEqual([])
})
