import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { ENV, type Stage, gitIn, stage } from '../stage.ts'
import { ageLocks } from './dying.ts'
import { all, audit } from './store-suite.ts'

let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remnant-writer-'))
  const bundle = await rolldown({ input: new URL('writer.ts', import.meta.url).pathname, platform: 'node', resolve: { mainFields: ['module', 'main'] }, logLevel: 'silent' })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'writer.mjs' })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const writer = (staged: Stage, first: number, count: number): ChildProcess =>
  spawn(process.execPath, [join(folder, 'writer.mjs'), staged.dir, String(first), String(count)], { env: ENV as NodeJS.ProcessEnv, stdio: ['ignore', 'ignore', 'inherit'] })

const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.on('close', resolve))

const digestsOf = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => digestOfRemnant(aRemnant([`npm run ${first + i}`]))).sort()

it('takes what several processes write at once, the same and different, and loses nothing', async () => {
  const staged = stage()
  const statuses = await Promise.all([writer(staged, 0, 12), writer(staged, 0, 12), writer(staged, 6, 12)].map(ended))
  expect(statuses).toEqual([0, 0, 0])
  expect(await staged.store.digests()).toEqual(digestsOf(0, 18))
  for (const stored of await all(staged.store)) expect(stored).toMatchObject({ rank: 'own' })
  expect(gitIn(staged.dir, 'fsck', '--strict', '--no-dangling')).toBe('')
}, 60_000)

it('loses nothing while git packs refs and objects', async () => {
  const staged = stage()
  const child = writer(staged, 0, 15)
  const end = ended(child)
  while (child.exitCode === null && child.signalCode === null) {
    gitIn(staged.dir, 'pack-refs', '--all')
    await wait(5)
  }
  expect(await end).toBe(0)
  expect(gitIn(staged.dir, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/remnants').trim().split('\n')).toEqual(digestsOf(0, 15))
}, 60_000)

it('is whole after each kill -9, and complete once a writer lives long enough', async () => {
  const staged = stage()
  for (const ms of [60, 120, 160, 200, 260, 330]) {
    const child = writer(staged, 0, 60)
    const end = ended(child)
    await wait(ms)
    child.kill('SIGKILL')
    await end
    for (const stored of await all(staged.store)) expect(stored).toHaveProperty('remnant')
    for (const { faults } of await audit(staged.store, await staged.store.digests())) expect(faults).toEqual([])
  }
  expect(gitIn(staged.dir, 'fsck', '--strict', '--no-dangling')).toBe('')
  ageLocks(staged.dir)
  expect(await ended(writer(staged, 0, 5))).toBe(0)
  expect(await staged.store.digests()).toEqual(expect.arrayContaining(digestsOf(0, 5)))
}, 60_000)
