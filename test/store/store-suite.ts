import { describe, expect, it } from 'vitest'
import type { Store, Stored } from '../../src/model/store.ts'
import { aRemnant, anInvariant, digestOfRemnant } from '../remnants.ts'

export interface StoreUnderTest {
  readonly store: Store
  /** The same store, opened anew. */
  reopen(): Store
  /** Throws when git finds anything wrong. */
  fsck?(): void
}

/** What every store promises. */
export function keepsThePromise(title: string, open: () => StoreUnderTest): void {
  describe(title, () => {
    it('is empty at first', async () => {
      const { store } = open()
      expect(await store.digests()).toEqual([])
      expect(await all(store)).toEqual([])
      expect(await store.read('0'.repeat(64))).toBeNull()
    })

    it('gives back what was written, under its digest, also when it is opened anew', async () => {
      const { store, reopen, fsck } = open()
      const remnant = aRemnant(['npm test', 'npm run lint'])
      const digest = digestOfRemnant(remnant)
      expect(await store.write(remnant)).toEqual({ digest, ref: `refs/remnants/${digest}`, written: true })
      for (const each of [store, reopen()]) {
        expect(await each.digests()).toEqual([digest])
        expect(await each.read(digest)).toEqual({ digest, remnant, rank: 'own' })
        expect(await each.read(digest)).toEqual({ digest, remnant, rank: 'own' })
      }
      fsck?.()
    })

    it('writes a second time without writing', async () => {
      const { store, reopen, fsck } = open()
      await store.write(aRemnant())
      expect((await store.write(aRemnant())).written).toBe(false)
      expect((await reopen().write(aRemnant())).written).toBe(false)
      expect(await store.digests()).toHaveLength(1)
      fsck?.()
    })

    it('lists and reads in the order of digests', async () => {
      const { store, fsck } = open()
      const remnants = ['one', 'two', 'three', 'four'].map((gate) => aRemnant([gate]))
      for (const remnant of remnants) await store.write(remnant)
      const sorted = remnants.map(digestOfRemnant).sort()
      expect(await store.digests()).toEqual(sorted)
      expect((await all(store)).map(({ digest }) => digest)).toEqual(sorted)
      fsck?.()
    })

    it('keeps what answers an earlier remnant, and finds nothing wrong with either', async () => {
      const { store, fsck } = open()
      const older = await store.write(aRemnant())
      const newer = await store.write(aRemnant(['npm run lint'], { supersedes: [[older.digest, [anInvariant('npm test').claim_id]]] }))
      expect((await audit(store, [older.digest, newer.digest])).map(({ faults }) => faults)).toEqual([[], []])
      fsck?.()
    })

    it('refuses what answers a remnant that is not here, and changes nothing', async () => {
      const { store, fsck } = open()
      const lost = digestOfRemnant(aRemnant(['lost']))
      await expect(store.write(aRemnant(['npm test'], { supersedes: [[lost, []]] }))).rejects.toMatchObject({ fault: 'unwritable' })
      expect(await store.digests()).toEqual([])
      fsck?.()
    })

    it('refuses a remnant that breaks its own rules, and changes nothing', async () => {
      const { store, fsck } = open()
      await expect(store.write(aRemnant(['npm test'], { claim_dependency_map: [[anInvariant('other').claim_id, ['tool:npm']]] }))).rejects.toMatchObject({ fault: 'malformed' })
      expect(await store.digests()).toEqual([])
      fsck?.()
    })

    it('says of a digest that it does not hold that it is not here', async () => {
      const { store } = open()
      expect(await audit(store, ['1'.repeat(64)])).toMatchObject([{ digest: '1'.repeat(64), faults: [{ fault: 'is not here' }] }])
    })

    it('names a seal that contradicts its baselines', async () => {
      const { store } = open()
      const { digest } = await store.write(aRemnant(['npm test'], { environment_fingerprint: '2'.repeat(64) }))
      expect(await audit(store, [digest])).toMatchObject([{ faults: [{ subject: digest, fault: 'has a seal that contradicts its baselines' }] }])
    })

    it('is the same store whatever the order of writing', async () => {
      const remnants = ['one', 'two', 'three'].map((gate) => aRemnant([gate]))
      const [one, other] = [open(), open()]
      for (const remnant of remnants) await one.store.write(remnant)
      for (const remnant of [...remnants].reverse()) await other.store.write(remnant)
      expect(await all(one.store)).toEqual(await all(other.store))
    })
  })
}

export async function all(store: Store): Promise<Stored[]> {
  const found: Stored[] = []
  for await (const each of store.readAll()) found.push(each)
  return found
}

export async function audit(store: Store, digests: readonly string[]) {
  const found = []
  for await (const each of store.audit(digests)) found.push(each)
  return found
}
