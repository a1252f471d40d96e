import { describe, expect, it } from 'vitest'
import { writeMany } from '../../../src/store/git/bulk.ts'
import { bring } from '../../../src/store/sync/bringing.ts'
import { openTombstones } from '../../../src/store/sync/tombstones.ts'
import { type Transport, openTransport } from '../../../src/store/sync/transport.ts'
import { aRemnant, digestOfRemnant } from '../../remnants.ts'
import { type Sharer, bareIn, sharer } from '../../sharing.ts'
import { QUICK, gitIn, stage } from '../../stage.ts'

const MANY = Array.from({ length: 20 }, (_, i) => aRemnant([`make gate${i}`]))
const DIGESTS = MANY.map(digestOfRemnant).sort()

/** A disk on which somebody removes all objects that no ref leads to, at the moment in which many refs are about to be made. */
function swept({ dir }: Sharer): typeof QUICK {
  let left = 1
  return {
    ...QUICK,
    renameSync: (from, to) => {
      if (String(to).endsWith('packed-refs') && left-- > 0) {
        gitIn(dir, 'repack', '-a', '-d', '-q')
        gitIn(dir, 'prune', '--expire=now')
      }
      QUICK.renameSync(from, to)
    },
  }
}

const whole = ({ dir }: Sharer): string => gitIn(dir, 'fsck', '--strict', '--no-dangling')

describe('many remnants, while objects without a ref are removed', () => {
  it('are whole in the end, where they were fetched', async () => {
    const remote = bareIn(stage().base)
    const there = sharer(remote)
    for (const remnant of MANY) await there.store.write(remnant)
    await there.push()
    const here = sharer(remote)
    const git = await here.host.git()
    const { fetched, rejected } = await bring({ git, files: here.files, disk: swept(here), transport: openTransport(git, 'origin'), accepted: true })
    expect({ fetched, rejected }).toEqual({ fetched: DIGESTS, rejected: [] })
    expect(whole(here)).toBe('')
  })

  it('are whole in the end, where they were sealed', async () => {
    const here = sharer(bareIn(stage().base))
    expect((await writeMany(MANY, { git: await here.host.git(), files: here.files, disk: swept(here), own: true })).sort()).toEqual(DIGESTS)
    expect(whole(here)).toBe('')
  })
})

describe('a remnant that is forgotten while a fetch is under way', () => {
  it.each(['before its refs are made', 'while they are made'])('stays away: %s', async (when) => {
    const remote = bareIn(stage().base)
    const there = sharer(remote)
    for (const remnant of MANY) await there.store.write(remnant)
    await there.push()
    const here = sharer(remote)
    const git = await here.host.git()
    const [digest = ''] = DIGESTS
    // As another process would do that fetched it meanwhile.
    const forget = (): void => openTombstones(here.repository.commonDir, here.files).add({ remnant: digest, forgotten_at: '2026-06-01T00:00:00Z', replaced_by: null })
    const line = openTransport(git, 'origin')
    const transport: Transport = { ...line, bring: (...args) => line.bring(...args).then(() => (when.startsWith('before') ? forget() : undefined)) }
    const disk: typeof QUICK = { ...QUICK, renameSync: (from, to) => (QUICK.renameSync(from, to), when.startsWith('while') && String(to).endsWith('packed-refs') ? forget() : undefined) }
    const { fetched } = await bring({ git, files: here.files, disk, transport, accepted: true })
    expect(fetched).toEqual(DIGESTS.slice(1))
    expect(here.refs()).toEqual(DIGESTS.slice(1).map((one) => `refs/remnants/${one}`))
  })
})
