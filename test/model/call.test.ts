import { describe, expect, it } from 'vitest'
import { type Call, DONE, callsOf, coded, enteredBy, nameOf, untold } from '../../src/model/call.ts'

const call = (id: string, more: Partial<Call> = {}): Call => ({ session: 's', id, tool: 'shell', at: null, cwd: '/r', command: 'make', ...more })

describe('the calls of a log', () => {
  it('count once each, by session and id', () => {
    const calls = callsOf('pi')
    calls.begin(call('a'))
    calls.begin(call('a', { command: 'other' }))
    expect(calls.waiting('s', 'a')?.command).toBe('make')
    expect(calls.waiting('t', 'a')).toBeNull()
    expect([...calls.finish(call('a'), coded(0, 'x'), null)]).toHaveLength(1)
    calls.begin(call('a'))
    expect([[...calls.finish(call('a'), coded(1, 'y'), null)], calls.waiting('s', 'a'), [...calls.left()]]).toEqual([[], null, []])
  })

  it('that are left have an unknown outcome, and may have changed something', () => {
    const calls = callsOf('pi')
    for (const one of [call('a'), call('b', { tool: 'edit', edits: [{ path: 'x', before: null, after: null }] }), call('c', { tool: 'other' })]) calls.begin(one)
    expect([...calls.left()].map(({ record_id, kind, outcome, edits }) => [record_id, kind, outcome.is, edits.map(({ path }) => path)])).toEqual([
      ['a', 'command', 'unknown', []],
      ['b', 'edit', 'unknown', ['x']],
      ['c', 'edit', 'unknown', ['.']],
    ])
  })

  it('that never ran tell nothing, and an edit of nobody knows what is one of any file', () => {
    const calls = callsOf('pi')
    expect([...calls.finish(call('a'), null, null)]).toEqual([])
    expect([...calls.finish(call('b', { tool: 'edit', edits: [] }), DONE, null)]).toMatchObject([{ edits: [{ path: '.' }] }])
  })

  it('have names that a receipt can carry', () => {
    expect([...callsOf('pi').finish(call('x'.repeat(300)), untold(null), null)][0]?.record_id).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set([nameOf('a', 'b'), nameOf('ab'), nameOf('a', 'b', null), nameOf(1), nameOf('1')]).size).toBe(5)
  })
})

describe('an exit status', () => {
  it.each<[number, string]>([[0, 'code'], [2, 'code'], [-9, 'transient'], [1e300, 'unknown'], [0.5, 'unknown'], [Number.NaN, 'unknown']])('of %s is %s', (code, is) => {
    expect(coded(code, 'x').outcome.is).toBe(is)
  })
})

describe('the folder that a text enters', () => {
  it.each<[string, string | null]>([
    ['cd /r && make', '/r'],
    ["cd '/r s' && make", '/r s'],
    ['  cd C:\\r && make', null],
    ['cd C:/r && make', 'C:/r'],
    ['cd r && make', null],
    ['cd /r; make', null],
    ['make && cd /r && x', null],
    ['cd /$x && make', null],
  ])('by "%s" is %s', (command, folder) => {
    expect(enteredBy(command)).toBe(folder)
  })
})
