import { describe, expect, it } from 'vitest'
import { DEFAULT_BUDGET, briefHere } from '../../src/host/briefing.ts'
import { type Keyed, deadEnd, gate, held, hostOf, idOf } from '../resolve/records.ts'
import { type Stage, stage } from '../stage.ts'

const gateOf = (name: string, key: string, folder = '.'): Keyed => gate(['npm', 'run', name], [key], { folder })
const A = gateOf('a', 'file:a/package.json')
const B = gateOf('b', 'tree:b/src')
const C = gateOf('c', 'tree:.', 'c')
const USAGE = deadEnd(['npm', 'run', 'biuld'], 'Missing script: "biuld"', [['tool:npm', null]])

/** The claims that are told, in the order of their weight. */
async function order(set: Stage | null, path: string | null): Promise<string[]> {
  const host = hostOf({ stored: [held([A, B, C, USAGE], { sealed: { 'file:a/package.json': '1', 'tree:b/src': '1', 'tree:.': '1', 'tool:npm': '1', platform: 'p', privilege: 'u', repository: 'r' } })], current: new Map(Object.entries({ 'file:a/package.json': '1', 'tree:b/src': '1', 'tree:.': '1', 'tool:npm': '1', platform: 'p', privilege: 'u', repository: 'r' }).map(([key, value]) => [key, { value }])) })
  const git = async () => {
    if (set === null) throw new Error('no git')
    return (await set.host.git()) as never
  }
  return [...(await briefHere({ ...host, git }, DEFAULT_BUDGET, path)).brief.claims]
}

const [a, b, c, usage] = [A, B, C, USAGE].map(idOf) as [string, string, string, string]
const gates = (told: readonly string[]): string[] => told.filter((id) => id !== usage)

describe('a brief', () => {
  it('tells first what has to do with files that are changed here', async () => {
    const set = stage({ files: { 'a/package.json': '{}\n', 'b/src/x.ts': '1\n', 'c/y': '1\n' } })
    set.write('b/src/x.ts', '2\n')
    expect((await order(set, null))[0]).toBe(b)
    set.git('checkout', '-q', '--', '.')
    set.write('c/new file', '1\n')
    expect((await order(set, null))[0]).toBe(c)
  })

  it('tells first what has to do with files that this branch has changed', async () => {
    const set = stage({ files: { 'a/package.json': '{}\n', 'b/src/x.ts': '1\n' } })
    set.git('checkout', '-q', '-b', 'work', '--track', 'main')
    set.write('a/package.json', '{"a":1}\n')
    set.git('commit', '-qam', 'a')
    expect((await order(set, null))[0]).toBe(a)
  })

  it('puts a path that was asked for before what is at hand', async () => {
    const set = stage({ files: { 'a/package.json': '{}\n', 'b/src/x.ts': '1\n' } })
    set.write('b/src/x.ts', '2\n')
    expect(gates(await order(set, 'a/package.json')).slice(0, 2)).toEqual([a, b])
    expect(gates(await order(set, 'c/deep/file')).slice(0, 2)).toEqual([c, b])
  })

  it('has its own order where nothing is changed, or git can not be asked', async () => {
    const quiet = await order(stage(), null)
    expect(quiet[0]).toBe(usage)
    expect(await order(null, null)).toEqual(quiet)
    expect([...quiet].sort()).toEqual([a, b, c, usage].sort())
  })
})
