import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { outgoing, send } from '../../../src/store/sync/sending.ts'
import { type Sent, type Transport, openTransport } from '../../../src/store/sync/transport.ts'
import { type Sharer, bareIn, commitWith, gitWith, refsIn, sharer } from '../../sharing.ts'
import { gitIn, stage } from '../../stage.ts'

const MANY = 230
const nameOf = (i: number): string => `refs/remnants/${(i * 0x1000001).toString(16).padStart(64, '0')}`
const REFS = Array.from({ length: MANY }, (_, i) => nameOf(i)).sort()

let remote: string
let here: Sharer
let oid: string
let transport: Transport
const at = (ref: string): string | null => (REFS.includes(ref) ? oid : null)
beforeEach(async () => {
  remote = bareIn(stage().base)
  here = sharer(remote)
  oid = commitWith(here.dir, 'x', 'ours')
  // One that is here and is not to leave stands beside them.
  gitWith(here.dir, [...REFS, nameOf(MANY + 1)].map((ref) => `create ${ref} ${oid}\n`).join(''), 'update-ref', '--stdin')
  transport = openTransport(await here.host.git(), 'origin')
})

const left = (): string[] => readdirSync(join(here.repository.commonDir, 'remnant')).filter((name) => name.startsWith('outbox'))

describe('many refs', () => {
  it('arrive as they are here, those alone that were to leave, and leave nothing behind', async () => {
    expect(new Set((await transport.send(REFS, at)).map(({ state }) => state))).toEqual(new Set(['sent']))
    expect(refsIn(remote)).toEqual(REFS)
    expect(gitIn(remote, 'rev-parse', REFS[7] as string).trim()).toBe(oid)
    expect(left()).toEqual([])
    expect(gitIn(here.dir, 'for-each-ref', 'refs/worktree')).toBe('')
    expect(new Set((await transport.send(REFS, at)).map(({ state }) => state))).toEqual(new Set(['there']))
  })

  it.each([
    ['a commit of somebody', () => gitIn(remote, 'rev-parse', 'refs/heads/theirs').trim(), ['config', 'core.ignoreCase', 'false']],
    ['an ancestor of ours, where a plain push would move it forward', () => gitIn(here.dir, 'rev-parse', `${oid}^`).trim(), ['config', 'core.ignoreCase', 'false']],
    ['an ancestor, though this clone follows their refs', () => gitIn(here.dir, 'rev-parse', `${oid}^`).trim(), ['config', '--add', 'remote.origin.fetch', '+refs/remnants/*:refs/remotes/origin/remnants/*']],
    ['an ancestor, though this clone is a mirror', () => gitIn(here.dir, 'rev-parse', `${oid}^`).trim(), ['config', '--add', 'remote.origin.fetch', '+refs/*:refs/mirror/*']],
  ])('change none that the remote has as another: %s', async (_, theirs, settings) => {
    const parent = oid
    oid = commitWith(here.dir, 'x', 'newer', '-p', parent)
    gitWith(here.dir, REFS.map((ref) => `update ${ref} ${oid}\n`).join(''), 'update-ref', '--stdin')
    gitIn(remote, 'update-ref', 'refs/heads/theirs', commitWith(remote, 'y', 'theirs'))
    gitIn(here.dir, 'push', '-q', 'origin', `${parent}:refs/heads/base`)
    const other = theirs()
    gitIn(remote, 'update-ref', REFS[3] as string, other)
    gitIn(here.dir, ...settings)
    gitIn(here.dir, 'fetch', '-q', 'origin')
    const said = await transport.send(REFS, at)
    expect(said[3]).toEqual({ ref: REFS[3], state: 'taken' })
    expect(said.filter(({ state }) => state === 'sent')).toHaveLength(MANY - 1)
    expect(gitIn(remote, 'rev-parse', REFS[3] as string).trim()).toBe(other)
  })

  it('are taken one by one where the folder for them can not be made', async () => {
    const { repository } = await here.host.git()
    const git = { ...(await here.host.git()), repository: { ...repository, gitDir: join(repository.gitDir, 'none') } }
    expect(new Set((await openTransport(git, 'origin').send(REFS, at)).map(({ state }) => state))).toEqual(new Set(['sent']))
    expect(refsIn(remote)).toEqual(REFS)
    expect(left()).toEqual([])
  })

  it('take away what a killed push left a day ago, and not what another one uses', async () => {
    const [old, young] = ['outbox-old', 'outbox-young'].map((name) => join(here.repository.commonDir, 'remnant', name)) as [string, string]
    for (const folder of [old, young]) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
    }
    utimesSync(old, new Date(0), new Date(0))
    await transport.send(REFS, at)
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  })
})

describe('sending', () => {
  const fake = (broken = Infinity): Transport & { readonly sizes: number[] } => {
    const sizes: number[] = []
    return {
      sizes,
      list: async () => new Map(),
      bring: async () => {},
      send: async (refs) => {
        if (sizes.push(refs.length) > broken) throw new Error('the line is cut')
        return refs.map((ref): Sent => ({ ref, state: 'sent' }))
      },
    }
  }
  const remembered = () => {
    const all: string[] = []
    return { isFirst: true, has: (ref: string) => all.includes(ref), add: (refs: readonly string[]) => void all.push(...refs), all }
  }
  const refs = Array.from({ length: 5500 }, (_, i) => nameOf(i))

  it('carries more with each connection, so that what all of them are told stays in proportion', async () => {
    const line = fake()
    expect(await send(refs, () => oid, line, remembered())).toHaveLength(refs.length)
    expect(line.sizes).toEqual([1000, 3000, 1500])
  })

  it('remembers what had arrived before a line was cut', async () => {
    const sent = remembered()
    await expect(send(refs, () => oid, fake(1), sent)).rejects.toThrow('the line is cut')
    expect(sent.all).toEqual(refs.slice(0, 1000))
    expect(outgoing(refs, () => oid, new Map(sent.all.map((ref) => [ref, oid])), sent).open).toEqual(refs.slice(1000))
  })
})
