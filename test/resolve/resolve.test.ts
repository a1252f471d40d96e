import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import type { Rank } from '../../src/model/rank.ts'
import type { Held } from '../../src/model/store.ts'
import type { Resolved } from '../../src/model/verdict.ts'
import { resolve, wantedKeys } from '../../src/resolve.ts'
import { type Keyed, SEALED, deadEnd, declared, deed, gate, handoff, held, idOf, readings, residual } from './records.ts'

const NPM_TEST = gate(['npm', 'test'], ['file:package.json', 'tool:npm'])
const LINT = gate(['npm', 'run', 'lint'], ['file:src/app.ts'])
const PUSH = deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main')

const only = (remnants: readonly Resolved[]): Resolved => {
  expect(remnants).toHaveLength(1)
  return remnants[0] as Resolved
}
const at = (remnants: readonly Resolved[], { digest }: Held) => remnants.find((resolved) => resolved.digest === digest)
const ids = (...claims: Keyed[]) => claims.map(idOf).sort()
const liveIds = (remnants: readonly Resolved[]) => remnants.flatMap(({ claims }) => claims.map(({ claim }) => claim.claim_id)).sort()

describe('resolve', () => {
  it('retains every claim where nothing drifted', () => {
    const stored = held([NPM_TEST, LINT])
    expect(only(resolve([stored], readings()).remnants)).toMatchObject({
      digest: stored.digest,
      verdict: 'NO_DRIFT',
      reason: null,
      drifted_keys: [],
      retained_claims: ids(NPM_TEST, LINT),
      invalidated_claims: [],
    })
  })

  it('loses nothing when only an ambient key drifted', () => {
    const report = only(resolve([held([NPM_TEST])], readings({ 'os-release': '6.2 debian-13' })).remnants)
    expect(report).toMatchObject({ verdict: 'AMBIENT_DRIFT_ONLY', drifted_keys: ['os-release'], retained_claims: ids(NPM_TEST) })
  })

  it('suspends the claims that touch a drifted key and keeps the others', () => {
    const report = only(resolve([held([NPM_TEST, LINT])], readings({ 'tool:npm': '11.20.0' })).remnants)
    expect(report).toMatchObject({ verdict: 'PARTIAL_REPROBE_REQUIRED', retained_claims: ids(LINT), invalidated_claims: ids(NPM_TEST) })
    expect(report.claims.map(({ claim, holds }) => [claim.claim_id, holds])).toEqual(
      [LINT, NPM_TEST].map((keyed) => [idOf(keyed), keyed === LINT]).sort(),
    )
  })

  it.each([
    ['is unreadable', { 'file:package.json': { unreadable: 'it took over 2 s' } }],
    ['was not read', { 'file:package.json': null }],
  ] as const)('counts a key that %s as drifted', (_, changed) => {
    const report = only(resolve([held([NPM_TEST, LINT])], readings(changed)).remnants)
    expect(report).toMatchObject({ verdict: 'PARTIAL_REPROBE_REQUIRED', drifted_keys: ['file:package.json'] })
  })

  it('explains a drifted key with the public texts that there are', () => {
    const usage = deadEnd(['npm', 'run', 'biuld'], 'Missing script: "biuld"', [['file:package.json', null], ['tool:npm', 'npm 11.19.1']])
    const current = readings({ 'tool:npm': { value: '11.20.0', text: 'npm 11.20.0' }, 'file:package.json': { value: 'blob-9' }, platform: { unreadable: 'no libc' } })
    expect(only(resolve([held([usage])], current).remnants).drift).toEqual([
      { key: 'file:package.json', was: null, is: null, unreadable: null, sealed: true },
      { key: 'platform', was: null, is: null, unreadable: 'no libc', sealed: true },
      { key: 'tool:npm', was: 'npm 11.19.1', is: 'npm 11.20.0', unreadable: null, sealed: true },
    ])
  })

  it('believes nothing under a seal that contradicts its baselines, not even a deed', () => {
    const broken = held([NPM_TEST, PUSH], { change: (remnant) => ({ ...remnant, environment_fingerprint: sha256('another') }) })
    const report = only(resolve([broken], readings()).remnants)
    expect(report).toMatchObject({ reason: 'seal-contradiction', retained_claims: [], invalidated_claims: ids(NPM_TEST, PUSH) })
    expect(report.claims.some(({ holds }) => holds)).toBe(false)
  })

  it('believes nothing without a manifest', () => {
    const report = only(resolve([held([NPM_TEST], { change: (remnant) => ({ ...remnant, claim_dependency_map: [] }) })], readings()).remnants)
    expect(report).toMatchObject({ reason: 'no-manifest', retained_claims: [], invalidated_claims: [] })
    expect(report.claims.map(({ holds }) => holds)).toEqual([false])
  })

  it('has nothing to say of no remnants, or of one without claims', () => {
    expect(resolve([], readings())).toEqual({ remnants: [] })
    expect(resolve([held([])], readings())).toEqual({ remnants: [] })
  })
})

describe('a done deed', () => {
  it.each([
    ['a structural key drifted', { platform: 'linux arm64 glibc' }, 'structural', true],
    ['an ambient key drifted', { 'os-release': 'other' }, null, true],
    ['its target is another', { 'target:git-remote/origin': 'https://example.org/fork.git' }, 'all-claims', false],
    ['its target can\'t be read', { 'target:git-remote/origin': { unreadable: 'no such remote' } }, 'all-claims', false],
    ['its target and a structural key are others', { platform: 'x', 'target:git-remote/origin': 'y' }, 'structural', false],
  ] as const)('where %s: stands = %4$s', (_, changed, reason, holds) => {
    const report = only(resolve([held([PUSH])], readings(changed)).remnants)
    expect(report.reason).toBe(reason)
    expect(report.claims.map((here) => here.holds)).toEqual([holds])
  })

  it('stays among the invalidated of the report, as document 003 has it', () => {
    const report = only(resolve([held([PUSH, NPM_TEST])], readings({ platform: 'linux arm64 glibc' })).remnants)
    expect(report).toMatchObject({ retained_claims: [], invalidated_claims: ids(PUSH, NPM_TEST) })
    expect(report.claims.filter(({ holds }) => holds).map(({ claim }) => claim.claim_id)).toEqual([idOf(PUSH)])
  })
})

describe('liveness', () => {
  const old = held([NPM_TEST, LINT], { session: 'old' })
  const answer = (shape: { rank: Rank; claims?: readonly string[] }) =>
    held([gate(['cargo', 'test'], ['tree:.'])], { session: 'answer', rank: shape.rank, supersedes: [[old.digest, shape.claims ?? [idOf(NPM_TEST)]]] })

  it('ends for a claim that a later remnant answers, and for no other', () => {
    expect(liveIds(resolve([old, answer({ rank: 'own' })], readings()).remnants)).toEqual([idOf(LINT), idOf(gate(['cargo', 'test'], []))].sort())
  })

  it('ends for a remnant whose claims are all answered', () => {
    const remnants = resolve([old, answer({ rank: 'own', claims: ids(NPM_TEST, LINT) })], readings()).remnants
    expect(at(remnants, old)).toBeUndefined()
  })

  it('is not ended by a stranger for what this clone sealed', () => {
    expect(at(resolve([old, answer({ rank: 'other' })], readings()).remnants, old)?.retained_claims).toEqual(ids(NPM_TEST, LINT))
  })

  it('is ended by a stranger for a stranger, and by this clone for a stranger', () => {
    const theirs = { ...old, rank: 'other' as const }
    for (const rank of ['own', 'other'] as const) expect(at(resolve([theirs, answer({ rank })], readings()).remnants, theirs)?.retained_claims).toEqual(ids(LINT))
  })

  it('counts verdicts over live claims only', () => {
    const remnants = resolve([old, answer({ rank: 'own' })], readings({ 'tool:npm': '11.20.0' })).remnants
    expect(at(remnants, old)).toMatchObject({ verdict: 'AMBIENT_DRIFT_ONLY', retained_claims: ids(LINT), invalidated_claims: [] })
  })

  it('is the same whatever the order of the store', () => {
    const all = [old, answer({ rank: 'own' }), held([PUSH], { session: 'third' })]
    const sorted = (list: readonly Held[]) => [...resolve(list, readings()).remnants].sort((a, b) => (a.digest < b.digest ? -1 : 1))
    expect(sorted([...all].reverse())).toEqual(sorted(all))
  })
})

describe('one session\'s remnants', () => {
  const early = held([NPM_TEST], { until: '2026-06-01T10:00:00Z' })
  const late = held([LINT], { until: '2026-06-01T10:00:00.5Z' })

  it('leave the one that was observed last', () => {
    expect(resolve([late, early], readings()).remnants.map(({ digest }) => digest)).toEqual([late.digest])
    expect(resolve([early, late], readings()).remnants.map(({ digest }) => digest)).toEqual([late.digest])
  })

  it('leave the greatest digest of those observed at one time', () => {
    const twin = held([LINT], { until: '2026-06-01T10:00:00Z' })
    const greatest = [early.digest, twin.digest].sort()[1]
    expect(resolve([early, twin], readings()).remnants.map(({ digest }) => digest)).toEqual([greatest])
  })

  it('don\'t count across ranks: a stranger can\'t take a session over', () => {
    expect(resolve([early, { ...late, rank: 'other' }], readings()).remnants.map(({ digest }) => digest)).toEqual([early.digest, late.digest])
  })

  it('are another session\'s under another name', () => {
    expect(resolve([early, held([LINT], { session: 'session-2' })], readings()).remnants).toHaveLength(2)
  })
})

describe('a contradiction', () => {
  const green = held([NPM_TEST], { session: 'green' })
  const dead = deadEnd(['npm', 'test'], 'ERR', [['tree:.', null]])
  const red = held([dead, LINT], { session: 'red' })

  it('suspends both sides, and only them', () => {
    const remnants = resolve([green, red], readings()).remnants
    expect(at(remnants, green)).toMatchObject({
      verdict: 'FULL_RECONSTRUCTION_REQUIRED',
      reason: 'contradiction',
      drifted_keys: [],
      retained_claims: [],
      invalidated_claims: ids(NPM_TEST),
    })
    expect(at(remnants, red)).toMatchObject({
      verdict: 'PARTIAL_REPROBE_REQUIRED',
      reason: 'contradiction',
      retained_claims: ids(LINT),
      invalidated_claims: ids(dead),
    })
    expect(at(remnants, green)?.claims.map(({ holds, contradicted }) => [holds, contradicted])).toEqual([[false, true]])
  })

  it('is none where only one side\'s keys match: that one holds', () => {
    const afterEdit = resolve([green, red], readings({ 'tree:.': 'tree-9' })).remnants
    expect(at(afterEdit, green)?.retained_claims).toEqual(ids(NPM_TEST))
    expect(at(afterEdit, red)).toMatchObject({ reason: null, invalidated_claims: ids(dead) })
    const afterUpdate = resolve([green, red], readings({ 'tool:npm': '12' })).remnants
    expect(at(afterUpdate, red)?.retained_claims).toEqual(ids(dead, LINT))
  })

  it('is none between two commands', () => {
    const elsewhere = held([deadEnd(['npm', 'test'], 'ERR', [['tree:.', null]], { folder: 'packages/a' })], { session: 'red' })
    expect(resolve([green, elsewhere], readings()).remnants.map(({ reason }) => reason)).toEqual([null, null])
  })

  it.each([
    ['a handoff', handoff(['npm', 'test'], 'ERR', ['tree:.']), NPM_TEST],
    ['a dead end against a residual\'s gate', dead, residual('a list is sorted before it is cut', ['npm', 'test'], ['file:package.json'])],
    ['a dead end against a declaration', dead, declared('the tests need no network', ['npm', 'test'], ['file:package.json'])],
  ])('is seen for %s', (_, against, claim) => {
    const remnants = resolve([held([claim], { session: 'a' }), held([against], { session: 'b' })], readings()).remnants
    expect(remnants.map(({ reason }) => reason)).toEqual(['contradiction', 'contradiction'])
  })

  it('is seen within one remnant for a dead end, not for a handoff, which is its gate\'s last run', () => {
    expect(only(resolve([held([NPM_TEST, dead])], readings()).remnants).reason).toBe('contradiction')
    const open = handoff(['npm', 'test'], 'ERR', ['tree:.'])
    expect(only(resolve([held([NPM_TEST, open])], readings()).remnants)).toMatchObject({ verdict: 'NO_DRIFT', retained_claims: ids(NPM_TEST, open) })
  })

  it('by a stranger suspends the stranger\'s claim alone', () => {
    const remnants = resolve([green, { ...red, rank: 'other' }], readings()).remnants
    expect(at(remnants, green)).toMatchObject({ verdict: 'NO_DRIFT', retained_claims: ids(NPM_TEST) })
    expect(at(remnants, red)).toMatchObject({ reason: 'contradiction', invalidated_claims: ids(dead) })
  })

  it('never undoes a deed', () => {
    const failed = held([deadEnd(['git', 'push', 'origin', 'main'], 'denied', [['privilege', 'user']])], { session: 'red' })
    expect(resolve([held([PUSH], { session: 'green' }), failed], readings()).remnants.map(({ reason }) => reason)).toEqual([null, null])
  })

  it('counts no receipt that proves neither', () => {
    const asked = gate(['npm', 'test'], ['tree:.'])
    const answer = { ...asked, claim: { ...asked.claim, verification_receipt: { ...(NPM_TEST.claim as never as { verification_receipt: object }).verification_receipt, outcome: { is: 'answer' } } } }
    expect(resolve([held([answer], { session: 'green' }), red], readings()).remnants.map(({ reason }) => reason)).toEqual([null, null])
  })
})

describe('wantedKeys', () => {
  it('names each key of live claims once, sorted', () => {
    const keys = wantedKeys([held([NPM_TEST], { session: 'a' }), held([LINT], { session: 'b' })])
    expect(keys).toEqual(Object.keys(SEALED).sort())
  })

  it('names causal and structural keys that have no baseline', () => {
    const bare = held([gate(['make'], ['tool:make'])], { sealed: { 'os-release': 'x' } })
    expect(wantedKeys([bare])).toEqual(['os-release', 'platform', 'privilege', 'repository', 'tool:make'])
  })

  it('names nothing for remnants that are answered or outlived', () => {
    const old = held([NPM_TEST], { session: 'old', sealed: { 'file:gone': '1' } })
    const outlived = held([LINT], { session: 'new', until: '2026-05-01T00:00:00Z', sealed: { 'file:outlived': '1' } })
    const answer = held([LINT], { session: 'new', supersedes: [[old.digest, [idOf(NPM_TEST)]]] })
    expect(wantedKeys([old, outlived, answer])).toEqual(wantedKeys([answer]))
  })
})
