import { readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FETCH_AGAIN_MS, type SharingPlace, fetchInBackground, shareWith, sharedRemote, tellLater, toldLater } from '../../src/host/sharing.ts'
import { loadConfig } from '../../src/host/config.ts'
import { aRemnant } from '../remnants.ts'
import { bareIn, refsIn, sharer } from '../sharing.ts'
import { type Stage, stage } from '../stage.ts'

const placeIn = (set: Stage, more: Partial<SharingPlace> = {}): SharingPlace => ({ ...set.host, now: () => new Date(), config: async () => loadConfig(set.repository, set.files), ...more })

describe('the remote that may have remnants', () => {
  it('is the one that was named, and none before', async () => {
    const set = stage()
    await expect(sharedRemote(placeIn(set))).rejects.toMatchObject({ fault: 'refused', hint: 'git remnant init --share REMOTE names one' })
    expect([shareWith('origin', set.repository, set.files), shareWith('origin', set.repository, set.files)]).toEqual([true, false])
    expect(await sharedRemote(placeIn(set))).toBe('origin')
  })

  it('is written beside what the local configuration says already, in a file of its owner', () => {
    const set = stage()
    const path = join(set.repository.commonDir, 'remnant/config.json')
    set.files.write(path, '{"guard":"note","gate":{"timeout_s":5}}')
    shareWith('origin', set.repository, set.files)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ schema: 'git-remnant/config/1', guard: 'note', gate: { timeout_s: 5 }, share: 'origin' })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    set.files.write(path, '{"guard":')
    expect(() => shareWith('other', set.repository, set.files)).toThrow(/configuration/)
    expect(readFileSync(path, 'utf8')).toBe('{"guard":')
  })
})

describe('a fetch in the background', () => {
  it('is not started where no remote was named, and where REMNANT is 0', async () => {
    const set = stage()
    expect(await fetchInBackground(placeIn(set), FETCH_AGAIN_MS.session)).toBe(false)
    shareWith('origin', set.repository, set.files)
    expect(await fetchInBackground(placeIn(set, { env: { ...set.env, REMNANT: '0' } }), FETCH_AGAIN_MS.session)).toBe(false)
  })

  it('brings what the remote has, and is not started again within ten minutes', async () => {
    const remote = bareIn(stage().base)
    const [there, here] = [sharer(remote), sharer(remote)]
    await there.store.write(aRemnant())
    await there.push()
    expect(await fetchInBackground(placeIn(here), FETCH_AGAIN_MS.merge)).toBe(true)
    for (const again of Object.values(FETCH_AGAIN_MS)) expect(await fetchInBackground(placeIn(here), again)).toBe(false)
    for (let tries = 0; tries < 400 && refsIn(here.dir).length === 0; tries++) await wait(50)
    expect(refsIn(here.dir)).toEqual(refsIn(remote))
    const stamp = join(here.repository.commonDir, 'remnant/sharing/fetched')
    const old = new Date(Date.now() - 11 * 60_000)
    const later = placeIn(here, { now: () => new Date(Date.now() + 11 * 60_000) })
    utimesSync(stamp, old, old)
    expect(await fetchInBackground(later, FETCH_AGAIN_MS.session)).toBe(true)
    // It writes into a repository that goes with this test.
    for (let tries = 0; tries < 400 && here.refs().length === 0; tries++) await wait(50)
    await wait(1500)
  })

  it('keeps quiet where the configuration can not be read', async () => {
    const set = stage()
    set.files.write(join(set.repository.commonDir, 'remnant/config.json'), '{')
    expect(await fetchInBackground(placeIn(set), FETCH_AGAIN_MS.session)).toBe(false)
  })
})

describe('what nobody was there to read', () => {
  it('is told once, each line once, the last hundred', () => {
    const { repository, files } = stage()
    expect(toldLater(repository, files)).toEqual([])
    tellLater(['one', 'two'], repository, files)
    tellLater(['three', 'one'], repository, files)
    expect(toldLater(repository, files)).toEqual(['two', 'three', 'one'])
    expect(toldLater(repository, files)).toEqual([])
    tellLater(Array.from({ length: 150 }, (_, i) => `line ${i}`), repository, files)
    expect(toldLater(repository, files)).toHaveLength(100)
  })
})
