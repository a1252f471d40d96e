import { describe, expect, it } from 'vitest'
import { type Intended, SILENT, type Told, judgeDeadEnd, judgeDeed, under } from '../../src/guard.ts'
import type { DeadEnd, Deed, Green, Here } from '../../src/guard/entry.ts'
import { deadEndText, openDeedText } from '../../src/guard/words.ts'
import { insteadOfAsking } from '../../src/model/agent.ts'
import type { BoundaryClass } from '../../src/model/claim.ts'
import type { Rank } from '../../src/model/rank.ts'

const ID = 'a'.repeat(64)
const DIGEST = 'd'.repeat(64)

const deadEnd = (more: Partial<DeadEnd> = {}): DeadEnd => ({
  is: 'dead-end',
  claim_id: ID,
  digest: DIGEST,
  rank: 'own',
  grounds: [{ key: 'tree:.', sealed: '', value: null, stamp: null }],
  command: 'jest',
  class: 'program-missing',
  signature: 'jest: command not found',
  until: ['absent-tool:jest (absent)'],
  ...more,
})
const green = (rank: Rank = 'own'): Green => ({ is: 'green', claim_id: 'b'.repeat(64), digest: DIGEST, rank, grounds: [], command: 'jest' })
const here = <E extends DeadEnd | Green | Deed>(entry: E, holds: boolean | null = true): Here<E> => ({ entry, holds })

const said = (deadEnds: readonly Here<DeadEnd>[], greens: readonly Here<Green>[] = [], told: Told = 'never') => judgeDeadEnd('jest --ci', deadEnds, greens, () => told).decision

describe('a known dead end', () => {
  it.each<[string, BoundaryClass, Told, string]>([
    ['is noted the first time', 'program-missing', 'never', 'note'],
    ['is noted again where one call comes twice', 'program-missing', 'now', 'note'],
    ['is stopped the second time', 'program-missing', 'before', 'deny'],
    ['is stopped the second time', 'usage', 'before', 'deny'],
    ['is stopped the second time', 'dependency', 'before', 'deny'],
    ['is only ever noted', 'path-missing', 'before', 'note'],
    ['is only ever noted', 'denied', 'before', 'note'],
    ['is only ever noted', 'red', 'before', 'note'],
    ['is told in full to somebody who asks', 'usage', 'asked', 'deny'],
    ['is silent where it was seen to pass after all', 'usage', 'passed', 'silent'],
  ])('%s: %s, %s', (_, kind, told, expected) => {
    expect(said([here(deadEnd({ ...(kind === 'usage' && { command: 'jest --tpyo', signature: 'unknown option --tpyo' }), class: kind }))], [], told)).toBe(expected)
  })

  it.each<[string, Here<DeadEnd>[], Here<Green>[], Told, string]>([
    ['drifted', [here(deadEnd(), false)], [], 'before', 'silent'],
    ['of which that can not be told', [here(deadEnd(), null)], [], 'before', 'silent'],
    ['of nobody known', [here(deadEnd({ rank: 'other' }))], [], 'never', 'silent'],
    ['reported by others, the first time', [here(deadEnd({ rank: 'reported' }))], [], 'never', 'note'],
    ['reported by others, the second time', [here(deadEnd({ rank: 'reported' }))], [], 'before', 'silent'],
    ['reported by others, to somebody who asks', [here(deadEnd({ rank: 'reported' }))], [], 'asked', 'note'],
    ['signed by an accepted key', [here(deadEnd({ rank: 'signed' }))], [], 'before', 'deny'],
    ['against which something passed', [here(deadEnd())], [here(green())], 'before', 'silent'],
    ['against which something may have passed', [here(deadEnd())], [here(green(), null)], 'before', 'silent'],
    ['against which something passed in another environment', [here(deadEnd())], [here(green(), false)], 'before', 'deny'],
    ['against which others say that something passed', [here(deadEnd())], [here(green('reported'))], 'before', 'deny'],
    ['reported, against which others say that something passed', [here(deadEnd({ rank: 'reported' }))], [here(green('reported'))], 'never', 'silent'],
    ['that drifted, beside one that holds', [here(deadEnd({ claim_id: 'c'.repeat(64) }), false), here(deadEnd())], [], 'before', 'deny'],
  ])('%s', (_, deadEnds, greens, told, expected) => {
    expect(said(deadEnds, greens, told)).toBe(expected)
  })

  it('is told with what failed, with which words, in which remnant, what would have to change, how to look and how to go past it', () => {
    const { text, claim_id, digest } = judgeDeadEnd('jest --ci', [here(deadEnd())], [], () => 'before')
    expect({ claim_id, digest }).toEqual({ claim_id: ID, digest: DIGEST })
    for (const part of ['`jest --ci`', 'jest: command not found', 'absent-tool:jest (absent)', 'dddddddddddd', 'git remnant why aaaaaaaaaaaa', 'git remnant allow --once aaaaaaaaaaaa', 'REMNANT=0', '"guard"']) expect(text).toContain(part)
  })

  it('is told by the most trusted', () => {
    const { text } = judgeDeadEnd('jest', [here(deadEnd({ rank: 'reported', digest: 'e'.repeat(64) })), here(deadEnd())], [], () => 'never')
    expect(text).toContain('dddddddddddd')
    expect(text).not.toContain('reported')
  })

  it.each(['rm -rf build --nope', 'git push --nope', 'npm publish --nope'])('does not spell %s out', (line) => {
    expect(judgeDeadEnd(line, [here(deadEnd({ class: 'usage' }))], [], () => 'never').text).not.toContain(line)
  })

  it.each<[Rank, string]>([
    ['own', 'failed in an earlier session, under keys that hold here, with: '],
    ['signed', 'failed as its signer recorded, under keys that hold here, with: '],
    ['reported', 'failed elsewhere, under keys that hold here, with: '],
  ])('says of what is %s no more than is known: where it ran', (rank, words) => {
    const text = deadEndText(deadEnd({ rank }), 'jest', false)
    expect(text).toContain(words)
    expect(text).not.toContain('in this work tree')
  })

  it('stays within 600 characters, and on one plain line, whatever a record says', () => {
    const hostile = `\u001b[31m\u202e${'x\n'.repeat(2000)}`
    for (const rank of ['own', 'reported'] as const)
      for (const told of ['never', 'asked'] as const) {
        const { text } = judgeDeadEnd(hostile, [here(deadEnd({ rank, signature: hostile, until: Array.from({ length: 50 }, () => hostile) }))], [], () => told)
        expect(text.length).toBeLessThanOrEqual(600)
        expect(text).toMatch(/^[\x20-\x7e→…`]+$/)
        expect(text).toContain('REMNANT=0, or "guard" in the configuration.')
      }
  })
})

describe('a mutation that was made before', () => {
  const deed = (more: Partial<Deed> = {}): Deed => ({
    is: 'deed',
    claim_id: ID,
    digest: DIGEST,
    rank: 'own',
    grounds: [],
    command: 'npm publish',
    operation: 'npm publish',
    target: 'npm/demo',
    identifier: 'demo@1.0.0',
    state_hash: null,
    unknown: false,
    ...more,
  })
  const intended: Intended = { command: 'npm publish --tag next', operation: 'npm publish', target: 'npm/demo', identifier: 'demo@1.0.0', state_hash: null, named: true }

  it.each<[string, Partial<Intended>, Partial<Deed>, boolean | null, string]>([
    ['is asked about by its identity, whatever its words', {}, {}, true, 'ask'],
    ['is nothing under another identity', { identifier: 'demo@1.0.1' }, {}, true, 'silent'],
    ['is nothing where its identity is not known', { identifier: null }, {}, true, 'silent'],
    ['is nothing at another target', { target: 'npm/other' }, {}, true, 'silent'],
    ['is nothing where its target is another now', {}, {}, false, 'silent'],
    ['is nothing where its target can not be told', {}, {}, null, 'silent'],
    ['is noted where others report it', {}, { rank: 'reported' }, true, 'note'],
    ['is nothing where nobody known says it', {}, { rank: 'other' }, true, 'silent'],
    ['is nothing where another thing was done to it', { operation: 'gh release create' }, { operation: 'gh release delete' }, true, 'silent'],
    ['is nothing where its words do not name it and were others', { named: false }, {}, true, 'silent'],
    ['is asked about where its words were the same', { named: false, command: 'npm publish' }, {}, true, 'ask'],
    ['is asked about where the same was sent in other words', { named: false, state_hash: 'aa' }, { state_hash: 'aa' }, true, 'ask'],
    ['is nothing where something else was sent', { named: false, command: 'npm publish', state_hash: 'aa' }, { state_hash: 'bb' }, true, 'silent'],
    ['is nothing where nobody knows what the file held', { named: false, command: 'npm publish', identifier: '@seed.sql' }, { identifier: '@seed.sql' }, true, 'silent'],
    ['is asked about by the name that its own words asked for', { named: false, command: 'npm publish', identifier: 'feat' }, { identifier: 'pull/12', asked: 'feat' }, true, 'ask'],
    ['is nothing where other words ask for what goes by that name', { named: false, identifier: 'feat' }, { identifier: 'pull/12', asked: 'feat' }, true, 'silent'],
    ['is nothing where the same words ask for another name now', { named: false, command: 'npm publish', identifier: 'other' }, { identifier: 'pull/12', asked: 'feat' }, true, 'silent'],
    ['is asked about where its outcome is not known', {}, { unknown: true }, true, 'ask'],
    ['is asked about where neither outcome nor identity is known and the words are the same', { identifier: null, command: 'npm publish' }, { unknown: true, identifier: null }, true, 'ask'],
    ['is nothing where the words are others then', { identifier: null }, { unknown: true, identifier: null }, true, 'silent'],
  ])('%s', (_, what, known, holds, expected) => {
    expect(judgeDeed({ ...intended, ...what }, [here(deed(known), holds)]).decision).toBe(expected)
  })

  it('is told with its identifier and without the command', () => {
    const { text } = judgeDeed(intended, [here(deed())])
    for (const part of ['npm demo', 'demo@1.0.0', 'was done before', 'git remnant why aaaaaaaaaaaa']) expect(text).toContain(part)
    expect(text).not.toContain('npm publish')
    expect(judgeDeed(intended, [here(deed({ unknown: true }))]).text).toContain('no result of it was recorded')
  })

  it('is told as done where one remnant knows that and another does not', () => {
    expect(judgeDeed(intended, [here(deed({ unknown: true, claim_id: '0'.repeat(64) })), here(deed())]).text).toContain('was done before')
  })

  it('stays within 600 characters where a host can not ask, and still says how to go past it', () => {
    const long = `npm/${'x'.repeat(300)}`
    const asks = [true, false].map((unknown) => judgeDeed({ ...intended, target: long, identifier: long }, [here(deed({ target: long, identifier: long, unknown }))]))
    for (const asked of [...asks, { ...SILENT, text: openDeedText(long, long) }]) {
      const text = insteadOfAsking(asked)
      expect(text.length).toBeLessThanOrEqual(600)
      expect(text).toMatch(/git remnant allow --once .+, REMNANT=0, or "guard" in the configuration\./)
    }
  })

  it('stays within 600 characters', () => {
    const long = '\u202e'.repeat(3000)
    expect(judgeDeed({ ...intended, target: long, identifier: long }, [here(deed({ target: long, identifier: long, rank: 'reported' }))]).text.length).toBeLessThanOrEqual(600)
  })
})

describe('the mode', () => {
  const decision = { decision: 'deny', text: 'x', claim_id: null, digest: null } as const
  it.each([
    ['off', 'silent'],
    ['note', 'note'],
    ['full', 'deny'],
  ] as const)('%s leaves %s of a stop', (mode, expected) => {
    expect(under(mode, decision).decision).toBe(expected)
  })

  it('makes no note of silence', () => {
    expect(under('note', { ...decision, decision: 'silent', text: '' })).toMatchObject({ decision: 'silent', text: '' })
  })
})
