import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Host } from '../../src/command.ts'
import { openFiles } from '../../src/host/files.ts'
import { verdictsHere } from '../../src/host/here.ts'
import type { Reading } from '../../src/model/key.ts'
import type { Outlook } from '../../src/model/store.ts'
import { outlined } from '../../src/model/outline.ts'
import type { Judged } from '../../src/resolve.ts'
import { deadEnd, gate, held } from '../resolve/records.ts'

const MINE = outlined(held([gate(['npm', 'test'], ['tool:npm']), deadEnd(['npm', 'run', 'x'], 'Missing script', [['tool:npm', 'npm 11.19.1']])]))
const THEIRS = outlined(held([gate(['./told'], ['tool:./told'])], { session: 'theirs', rank: 'other' }))

const tell = ({ one: { digest }, report: { verdict }, drift }: Judged) => ({ document: { digest, verdict }, beside: drift.map(({ is }) => is) })

/** A place whose store and keys a test changes; it counts what was worked out, and what was read. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-here-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'remnant'))
  const now = { mark: 'mark' as string | null, stored: [MINE] as Awaited<ReturnType<Outlook['outlines']>>, npm: { value: '11.19.1', text: 'npm 11.19.1' } as Reading, gitDir: folder }
  const seen = { outlines: 0, read: [] as string[] }
  const read = (id: string) => async (argument: string): Promise<Reading> => {
    seen.read.push(argument === '' ? id : `${id}:${argument}`)
    return id === 'tool' && argument === 'npm' ? now.npm : { value: `of ${id}` }
  }
  const probes = ['tool', 'platform', 'privilege', 'repository', 'os-release'].map((id) => ({ id, why: 'a stand-in', argument: id === 'tool' ? 'NAME' : '', read: read(id) }))
  const host = {
    installation: folder,
    files: openFiles(),
    repository: async () => ({ commonDir: folder, gitDir: now.gitDir }),
    sets: async () => ({ probes }),
    world: async () => ({}),
    store: async () => ({
      outlook: async () => ({
        mark: now.mark,
        outlines: async () => {
          seen.outlines += 1
          return now.stored
        },
      }),
    }),
  } as unknown as Host
  const cache = join(folder, 'remnant', 'cache')
  const look = async () => {
    const here = await verdictsHere(host, tell)
    return { held: here.held, skipped: here.skipped, documents: JSON.parse(here.documents) as unknown, remnants: here.remnants() }
  }
  return { now, seen, cache, look }
}

it('tells what it told while nothing has changed, and reads every key again to know that', async () => {
  const { seen, look, cache } = place()
  const first = await look()
  const once = [...seen.read].sort()
  seen.read.length = 0
  expect(await look()).toEqual(first)
  expect(seen.outlines).toBe(1)
  expect([...seen.read].sort()).toEqual(once)
  expect(readdirSync(cache)).toHaveLength(1)
})

it.each([
  ['what is stored', 2, (at: ReturnType<typeof place>) => void (at.now.mark = 'another')],
  ['the value of a key', 1, (at: ReturnType<typeof place>) => void (at.now.npm = { value: '12.0.0', text: 'npm 12.0.0' })],
  ['the text of a key', 1, (at: ReturnType<typeof place>) => void (at.now.npm = { value: '11.19.1', text: 'npm, still 11.19.1' })],
  ['whether a key can be read', 1, (at: ReturnType<typeof place>) => void (at.now.npm = { unreadable: 'it took over 2 s' })],
])('works it out again where %s is another, and reads what is stored again only where that is', async (_, outlines, change) => {
  const at = place()
  await at.look()
  change(at)
  const second = await at.look()
  expect(at.seen.outlines).toBe(outlines)
  expect(await at.look()).toEqual(second)
  expect(at.seen.outlines).toBe(outlines)
  rmSync(at.cache, { recursive: true })
  expect(await at.look()).toEqual(second)
})

it.each([
  ['one bit is another', (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === bytes.length - 5 ? byte ^ 1 : byte)))],
  ['it ends early', (bytes: Buffer) => bytes.subarray(0, bytes.length - 3)],
  ['it is anything else', () => Buffer.from('git-remnant-verdicts 2\n{}')],
])('works it out again where %s in what it remembered', async (_, spoil) => {
  const { seen, look, cache } = place()
  const first = await look()
  const [name = ''] = readdirSync(cache)
  writeFileSync(join(cache, name), spoil(readFileSync(join(cache, name))))
  expect(await look()).toEqual(first)
  expect(seen.outlines).toBe(2)
})

it('remembers nothing where something stored could not be read, or may change unseen', async () => {
  const { now, seen, look } = place()
  now.mark = null
  await look()
  await look()
  now.mark = 'mark'
  now.stored = [MINE, { digest: '0'.repeat(64), fault: 'is damaged' }]
  await look()
  await look()
  expect(seen.outlines).toBe(4)
})

it('keeps apart what it told of two work trees', async () => {
  const { now, look, cache } = place()
  await look()
  now.gitDir = `${now.gitDir}/worktrees/other`
  now.npm = { value: '12.0.0' }
  await look()
  expect(readdirSync(cache)).toHaveLength(2)
})

it('starts no program that only a stranger names, at the second look neither', async () => {
  const { now, seen, look } = place()
  now.stored = [MINE, THEIRS]
  const first = await look()
  expect(await look()).toEqual(first)
  now.npm = { value: '12.0.0' }
  await look()
  expect(seen.read).not.toContain('tool:./told')
})
