import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { openGit, openRepository } from '../../src/host/git.ts'
import { claimsOf } from '../../src/model/remnant.ts'
import type { Store, Stored } from '../../src/model/store.ts'
import { openStore } from '../../src/store.ts'
import { pathOf, refOf } from '../../src/store/recipe.ts'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { ENV, QUICK, type Stage, gitIn, stage } from '../stage.ts'

const COUNT = 70
const REMNANTS = Array.from({ length: COUNT }, (_, i) => aRemnant([`npm run gate-${i}`, 'npm test'], { session_id: `session-${i}` }))

let filled: Stage
let dir: string
let copies = 0
beforeAll(async () => {
  filled = stage()
  const { repository, host, files } = filled
  // Waits for no disk here either.
  const quick = { ...files, write: (path: string, content: string | Uint8Array) => put(path, content, 'w'), append: (path: string, text: string) => put(path, text, 'a') }
  const store = openStore({ repository, git: host.git, files: quick, disk: QUICK })
  for (const remnant of REMNANTS) await store.write(remnant)
})
afterAll(() => filled.dispose())
beforeEach(() => {
  dir = join(filled.base, `copy-${copies++}`)
  cpSync(filled.dir, dir, { recursive: true })
})

function put(path: string, content: string | Uint8Array, flag: 'w' | 'a'): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { flag })
}

const LATER = 60_000
const copyOf = (digest: string): string => join(dir, pathOf(digest))
const index = (): string => join(dir, '.git/remnant/cache/outlines')

function opened(now: () => number): Store {
  const repository = openRepository(dir, ENV)
  return openStore({ repository, git: async () => openGit(repository, ENV), files: filled.files, disk: QUICK, now })
}

/** A store as a later process opens it: on its clock everything has lain still for a while. */
const look = async (again = true): Promise<{ mark: string | null; stored: readonly Stored[] }> => {
  const outlook = await opened(() => Date.now() + LATER).outlook()
  return { mark: outlook.mark, stored: await outlook.outlines(again) }
}

/** What the resolver looks at in a remnant. */
const essence = (stored: readonly Stored[]): string =>
  canonical(
    stored.map((one) =>
      'fault' in one
        ? { digest: one.digest, fault: one.fault }
        : {
            digest: one.digest,
            rank: one.rank,
            seal: [one.remnant.environment_fingerprint, one.remnant.baseline_key_hashes, one.remnant.structural_keys, one.remnant.claim_dependency_map],
            claims: claimsOf(one.remnant).map(({ list, claim_id }) => ({ list, claim_id })),
            from: [one.remnant.session_id, one.remnant.provenance.host, one.remnant.provenance.observed_until, one.remnant.supersedes],
          },
    ),
  )

it('answers the same from the index as from the remnants, and leaves the prose out', async () => {
  const read = await look(false)
  await look()
  expect(statSync(index()).mode & 0o777).toBe(0o600)
  const indexed = await look()
  expect(essence(indexed.stored)).toBe(essence(read.stored))
  expect(indexed.stored).toHaveLength(COUNT)
  expect(indexed.mark).toBe(read.mark)
  expect(indexed.mark).not.toBeNull()
  expect(readFileSync(index(), 'utf8')).not.toContain('is a gate of')
})

it('writes no index for somebody who looks once', async () => {
  await look(false)
  expect(() => statSync(index())).toThrow('ENOENT')
})

it.each([
  ['one bit is another', (bytes: Buffer) => bytes.map((byte, i) => (i === 5000 ? byte ^ 1 : byte))],
  ['it ends early', (bytes: Buffer) => bytes.subarray(0, bytes.length - 7)],
  ['it is empty', () => Buffer.alloc(0)],
  ['it is of another form', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('outlines 1 ', 'outlines 0 '), 'latin1')],
  ['it is anything else', () => Buffer.from('{"texts":[]}')],
])('reads the remnants where %s, and puts the index right', async (_, spoilt) => {
  await look()
  const right = readFileSync(index())
  const before = await look()
  writeFileSync(index(), spoilt(right))
  expect(essence((await look()).stored)).toBe(essence(before.stored))
  expect(readFileSync(index())).toEqual(right)
})

it('sees that a copy was changed, names what can not be healed, and has another mark', async () => {
  await look()
  const { mark } = await look()
  const digest = digestOfRemnant(REMNANTS[3] as never)
  gitIn(dir, 'update-ref', '-d', refOf(digest))
  truncateSync(copyOf(digest), 100)
  const after = await look()
  expect(after.mark).not.toBe(mark)
  expect(after.stored.filter((one) => 'fault' in one)).toMatchObject([{ digest, fault: expect.stringContaining('does not hash to its name') as string }])
})

it('takes out what is gone', async () => {
  await look()
  const digest = digestOfRemnant(REMNANTS[5] as never)
  gitIn(dir, 'update-ref', '-d', refOf(digest))
  rmSync(copyOf(digest))
  const { stored } = await look()
  expect(stored).toHaveLength(COUNT - 1)
  expect(stored.map((one) => one.digest)).not.toContain(digest)
})

it('promises nothing while something changed just now', async () => {
  expect((await opened(Date.now).outlook()).mark).toBeNull()
})

it('finds what has no copy under the commit that its ref names', async () => {
  rmSync(join(dir, '.remnants'), { recursive: true })
  gitIn(dir, 'pack-refs', '--all')
  const read = await look(false)
  await look()
  const indexed = await look()
  expect(indexed.stored).toHaveLength(COUNT)
  expect(essence(indexed.stored)).toBe(essence(read.stored))
})

it.skipIf(process.getuid?.() === 0)('resolves where no index can be written', async () => {
  chmodSync(join(dir, '.git/remnant'), 0o500)
  expect((await look()).stored).toHaveLength(COUNT)
  chmodSync(join(dir, '.git/remnant'), 0o700)
})
