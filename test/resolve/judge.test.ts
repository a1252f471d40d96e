import { describe, expect, it } from 'vitest'
import type { Claim } from '../../src/model/claim.ts'
import type { KeyValues } from '../../src/model/key.ts'
import { resolve } from '../../src/resolve.ts'
import { type Shown, type Telling, judge, tells } from '../../src/resolve/judge.ts'
import { type Suspended, suspendedIn } from '../../src/resolve/plan.ts'
import { type Keyed, type Shape, deadEnd, declared, gate, handoff, held, idOf, readings, receipt, residual } from './records.ts'

const KEYS = ['file:package.json']
const TEST = gate(['npm', 'test'], KEYS)
const RED = deadEnd(['npm', 'test'], 'ERR one', [['file:package.json', null]])
const OPEN = handoff(['npm', 'test'], 'ERR one', KEYS)
const FIXED = residual('a list is sorted before it is cut', ['npm', 'test'], KEYS)
const SAID = declared('the tests need no network', ['npm', 'test'], KEYS)

/** A claim as a run would show it. */
const shownAs = ({ list, claim, keys }: Keyed) => ({ claim: { list, ...claim } as Claim, keys })
const suspended = (claim: Keyed, shape: Shape = {}): Suspended => suspendedIn(resolve([held([claim], shape)], readings({ 'file:package.json': 'changed' })))[0] as Suspended

const NOW: KeyValues = readings({ 'file:package.json': 'changed' })
const telling = (more: Partial<Telling> = {}): Telling => ({ receipt: { ...receipt(['npm', 'test'], { is: 'code', code: 0 }), host: 'git-remnant', strength: 'witnessed' }, signature: null, shows: [], purged: null, ...more })
const green = (more: Partial<Telling> = {}): Shown => ({ passed: true, tellings: [telling({ shows: [shownAs(TEST)], ...more })], values: NOW })
const red = (signature: string | null, more: Partial<Telling> = {}): Shown => ({
  passed: false,
  tellings: [telling({ signature, shows: signature === null ? [] : [shownAs(deadEnd(['npm', 'test'], signature, [['file:package.json', null]]))], ...more })],
  values: NOW,
})

describe('a suspended claim, after its command was run again', () => {
  it('that tells a successor to have a path stays suspended while that is not there', () => {
    const needs = (there: string) => {
      const said = declared('the tests read the table', ['npm', 'test'], ['exists:data.csv', ...KEYS])
      const claim: Keyed = { ...said, claim: { ...said.claim, effect: { verb: 'require', kind: 'path', value: 'data.csv' } } as Keyed['claim'] }
      return judge(suspended(claim), { ...green(), values: readings({ 'file:package.json': 'changed', 'exists:data.csv': there }) })
    }
    expect(needs('absent')).toEqual({ is: 'stays', reason: 'precondition' })
    expect(needs('file')).toMatchObject({ is: 'held', claim: { keys: ['exists:data.csv', ...KEYS] } })
  })

  it.each([
    ['a gate that is green', TEST, green(), 'held'],
    ['a residual whose gate is green', FIXED, green(), 'held'],
    ['a declaration whose command passes', SAID, green(), 'held'],
    ['a dead end with the same words', RED, red('ERR one'), 'held'],
    ['an open gate with the same words', OPEN, red('ERR one'), 'held'],
    ['a gate that is red', TEST, red('ERR two'), 'broken'],
    ['a dead end with other words', RED, red('ERR two'), 'broken'],
    ['an open gate with other words', OPEN, red('ERR two'), 'broken'],
    ['a dead end whose words nobody vouches for any more', RED, red('ERR one', { shows: [], purged: 'secret' }), 'stays'],
    ['a dead end that passes', RED, green(), 'fell'],
    ['an open gate that is green', OPEN, green(), 'fell'],
    ['a gate that fails without words', TEST, red(null), 'stays'],
    ['a gate that is shown to be something else', TEST, green({ shows: [shownAs(gate(['npm', 'test'], KEYS, { statement: '`npm test` passes in `.`' }))] }), 'broken'],
    ['a gate on whose keys nobody can look', TEST, green({ shows: [], purged: 'unsealed' }), 'stays'],
  ])('%s → %4$s', (_, claim, shown, is) => {
    expect(judge(suspended(claim), shown).is).toBe(is)
  })

  it('rises to reproduced, but never what was declared', () => {
    const strengthOf = (claim: Keyed): unknown => {
      const judged = judge(suspended(claim), green())
      return judged.is === 'held' && [judged.claim.claim.claim_id, judged.claim.claim.verification_receipt.host, judged.claim.claim.verification_receipt.strength]
    }
    expect(strengthOf(TEST)).toEqual([idOf(TEST), 'git-remnant', 'reproduced'])
    expect(strengthOf(SAID)).toEqual([idOf(SAID), 'git-remnant', 'asserted'])
  })

  it('rests on its old keys too, but not on what was absent and no longer is', () => {
    const old = deadEnd(['npm', 'test'], 'ERR one', [['absent:jest.config.js', null], ['file:package.json', null], ['tree:.', null]])
    const values = readings({ 'file:package.json': 'changed', 'absent:jest.config.js': 'present' })
    const judged = judge(suspended(old), { ...red('ERR one'), values })
    expect(judged.is === 'held' && judged.claim.keys).toEqual(['file:package.json', 'tree:.'])
  })

  it('stays suspended where the run changed what it rests on', () => {
    const values = readings({ 'file:package.json': null })
    expect(judge(suspended(FIXED), { ...green(), values })).toEqual({ is: 'stays', reason: 'keys-changed' })
  })

  it('stays an open gate under its new words', () => {
    const judged = judge(suspended(OPEN), red('ERR two'))
    expect(judged.is === 'broken' && judged.instead.map(({ claim }) => [claim.list, claim.claim_id])).toEqual([['unresolved_handoffs', idOf(handoff(['npm', 'test'], 'ERR two', KEYS))]])
  })

  it('of others holds by what our run shows, without their words', () => {
    const branch = { patch_id: 'p', gate: receipt(['npm', 'test'], { is: 'code', code: 1 }).command, terminal_error_signature: 'ERR zero' }
    const theirs = suspended({ ...OPEN, claim: { ...OPEN.claim, open_since_patch: 'p', falsified_branches: [branch] } as never }, { rank: 'other' })
    const judged = judge(theirs, red('ERR one'))
    expect(judged.is === 'held' && judged.claim.claim).toMatchObject({ claim_id: idOf(OPEN), open_since_patch: null, falsified_branches: [] })
    expect(judge(suspended(RED, { rank: 'other' }), red('ERR one')).is).toBe('held')
  })

  it('is read in the words in which it was written', () => {
    const both: Shown = { ...red('<path>/a.js: ERR'), tellings: [...red('<path>/a.js: ERR').tellings, ...red('ERR one').tellings] }
    expect(tells(suspended(RED).here.claim, both)).toBe(true)
    expect(judge(suspended(RED), both).is).toBe('held')
  })
})
