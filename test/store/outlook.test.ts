import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openGit, openRepository } from '../../src/host/git.ts'
import { outlined } from '../../src/model/outline.ts'
import type { Outlook, Store } from '../../src/model/store.ts'
import { openStore } from '../../src/store.ts'
import { pathOf, refOf } from '../../src/store/git/recipe.ts'
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

function opened(now: () => number): Store {
  const repository = openRepository(dir, ENV)
  return openStore({ repository, git: async () => openGit(repository, ENV), files: filled.files, disk: QUICK, now })
}

type Told = Awaited<ReturnType<Outlook['outlines']>>

/** A store as a later process opens it: on its clock everything has lain still for a while. */
const look = async (): Promise<{ mark: string | null; stored: Told }> => {
  const outlook = await opened(() => Date.now() + LATER).outlook()
  return { mark: outlook.mark, stored: await outlook.outlines() }
}

/** The same by way of whole remnants. */
const whole = async (): Promise<Told> => {
  const all: Told[number][] = []
  for await (const one of opened(Date.now).readAll()) all.push(outlined(one))
  return all
}

it('answers what whole remnants say, and holds none of their prose', async () => {
  const { mark, stored } = await look()
  expect(stored).toEqual(await whole())
  expect(stored).toHaveLength(COUNT)
  expect(JSON.stringify(stored)).not.toContain('is a gate of')
  expect(mark).not.toBeNull()
  expect((await look()).mark).toBe(mark)
})

it('looks closely at what nobody is known to have looked at, and remembers that', async () => {
  const known = join(dir, '.git/remnant/known')
  const before = readFileSync(known, 'utf8').split('\n').sort()
  rmSync(known)
  expect((await look()).stored).toEqual(await whole())
  expect(readFileSync(known, 'utf8').split('\n').sort()).toEqual(before)
})

it('sees that a copy was changed, names what can not be healed, and has another mark', async () => {
  const { mark } = await look()
  const digest = digestOfRemnant(REMNANTS[3] as never)
  gitIn(dir, 'update-ref', '-d', refOf(digest))
  truncateSync(copyOf(digest), 100)
  const after = await look()
  expect(after.mark).not.toBe(mark)
  expect(after.stored.filter((one) => 'fault' in one)).toMatchObject([{ digest, fault: expect.stringContaining('does not hash to its name') as string }])
})

it('takes a changed copy from its ref, and puts the copy right', async () => {
  const digest = digestOfRemnant(REMNANTS[4] as never)
  const right = readFileSync(copyOf(digest), 'utf8')
  writeFileSync(copyOf(digest), right.replace('is a gate of', 'is no gate of'))
  const { stored } = await look()
  expect(stored).toEqual(await whole())
  expect(stored.filter((one) => 'fault' in one)).toEqual([])
  expect(readFileSync(copyOf(digest), 'utf8')).toBe(right)
})

it('leaves out what is gone', async () => {
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

it('finds what has no copy in the commit that its ref names', async () => {
  const { mark, stored } = await look()
  rmSync(join(dir, '.remnants'), { recursive: true })
  gitIn(dir, 'pack-refs', '--all')
  const from = await look()
  expect(from.stored).toEqual(stored)
  expect(from.mark).not.toBeNull()
  expect(from.mark).not.toBe(mark)
})

it.skipIf(process.getuid?.() === 0)('resolves where nothing can be written', async () => {
  rmSync(join(dir, '.git/remnant/known'))
  chmodSync(join(dir, '.git/remnant'), 0o500)
  expect((await look()).stored).toHaveLength(COUNT)
  chmodSync(join(dir, '.git/remnant'), 0o700)
})
