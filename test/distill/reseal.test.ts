import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import { type Renewal, reseal } from '../../src/distill/reseal.ts'
import type { Claim } from '../../src/model/claim.ts'
import { decodeRemnant, encodeRemnant } from '../../src/model/remnant.ts'
import { type Keyed, SEALED, deadEnd, deed, gate, idOf, readings } from '../resolve/records.ts'

const keyed = ({ list, claim, keys }: Keyed) => ({ claim: { list, ...claim } as Claim, keys })
const TEST = gate(['npm', 'test'], ['file:package.json', 'tool:npm'])
const RED = deadEnd(['npm', 'run', 'lint'], 'ERR', [['tool:npm', 'npm 10.0.0']])
const [OLD, OTHER] = ['a'.repeat(64), 'b'.repeat(64)] as [string, string]

const renewal = (more: Partial<Renewal> = {}): Renewal => ({
  session_id: 'reprobe-1',
  observed_until: '2026-06-02T10:00:00Z',
  head: null,
  claims: [keyed(TEST), keyed(RED)],
  answers: new Map([[OTHER, [idOf(RED)]], [OLD, [idOf(TEST), idOf(RED), idOf(TEST)]]]),
  structural: ['repository', 'platform', 'privilege'],
  ambient: ['os-release', 'file:yarn.lock'],
  values: readings({ 'file:yarn.lock': 'absent' }),
  excluded: [[{ kind: 'uuid', count: 1 }], [{ kind: 'time', count: 2 }, { kind: 'uuid', count: 3 }]],
  ...more,
})

describe('the remnant of a reprobe', () => {
  it('is one that a store takes, under the values of now', () => {
    const remnant = reseal(renewal())
    const { digest, bytes } = encodeRemnant(remnant as never)
    expect(decodeRemnant(bytes, digest)).toEqual(remnant)
    expect(remnant?.baseline_key_hashes).toEqual(['file:package.json', 'os-release', 'platform', 'privilege', 'repository', 'tool:npm'].map((key) => [key, sha256(SEALED[key] as string)]))
    expect(remnant?.provenance.host).toBe('git-remnant')
  })

  it('answers what it was told to, each claim once', () => {
    expect(reseal(renewal())?.supersedes).toEqual([[OLD, [idOf(TEST), idOf(RED)].sort()], [OTHER, [idOf(RED)]]])
    expect(reseal(renewal({ answers: new Map([[OLD, []]]) }))?.supersedes).toEqual([])
  })

  it('forgets no deed that is known to be done for one of which nobody knows', () => {
    const push = (outcome?: { is: 'unknown' }) => keyed(deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main', 'harmful', outcome))
    for (const claims of [[push({ is: 'unknown' }), push()], [push(), push({ is: 'unknown' })]])
      expect(reseal(renewal({ claims }))?.non_idempotent_commits).toEqual([expect.objectContaining({ outcome: { is: 'code', code: 0 } })])
  })

  it('says of a dead end what its precondition is now', () => {
    expect(reseal(renewal())?.falsified_boundaries[0]?.precondition).toEqual([['tool:npm', 'npm 11.19.1']])
  })

  it('keeps the first of two proofs of one claim, and adds up what was stripped', () => {
    const again = gate(['npm', 'test'], ['tool:npm'], { record: 'second' })
    const remnant = reseal(renewal({ claims: [keyed(TEST), keyed(again)] }))
    expect(remnant?.verified_invariants.map(({ verification_receipt }) => verification_receipt.record_id)).toEqual(['record-1'])
    expect(remnant?.ephemeral_exclusion_list).toEqual([{ kind: 'uuid', count: 4 }, { kind: 'time', count: 2 }].sort((a, b) => a.count - b.count))
  })

  it('is none where nothing is claimed, or a key has no value', () => {
    expect(reseal(renewal({ claims: [] }))).toBeNull()
    expect(reseal(renewal({ values: readings({ 'tool:npm': { unreadable: 'it took over 2 s' } }) }))).toBeNull()
    expect(reseal(renewal({ values: readings({ platform: null }) }))).toBeNull()
  })
})
