import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import type { Key, Reading } from '../../src/model/key.ts'
import { RANKS } from '../../src/model/rank.ts'
import type { Held } from '../../src/model/store.ts'
import { type Judged, isolate, keysOf, liveOutlines, outlinedOf, remembered, resolve, touchedBy, verdictsOf, wantedKeys } from '../../src/resolve.ts'
import * as reference from './reference.ts'
import { SEALED, deadEnd, deed, gate, handoff, held, residual } from './records.ts'

const KEYS = Object.keys(SEALED)
const COMMANDS = [['npm', 'test'], ['npm', 'run', 'lint'], ['make']]
const someOf = (list: readonly string[], least: number) => fc.uniqueArray(fc.constantFrom(...list), { minLength: least, maxLength: 3 })

const claims = fc
  .uniqueArray(
    fc.record({ kind: fc.constantFrom('gate', 'deadEnd', 'handoff', 'residual', 'deed'), command: fc.constantFrom(...COMMANDS), keys: someOf([...KEYS, 'tool:unsealed'], 1), text: fc.option(fc.constantFrom('one', 'two')) }),
    { minLength: 1, maxLength: 4, selector: ({ kind, command }) => `${kind} ${command.join(' ')}` },
  )
  .map((all) =>
    all.map(({ kind, command, keys, text }) => {
      if (kind === 'gate') return gate(command, keys)
      if (kind === 'handoff') return handoff(command, 'ERR', keys)
      if (kind === 'residual') return residual('a list is sorted before it is cut', command, keys)
      if (kind === 'deed') return deed(command, { kind: 'git-remote', id: 'origin' }, 'refs/heads/main')
      return deadEnd(command, 'ERR', [...keys].sort().map((key): [Key, string | null] => [key, text]))
    }),
  )

const shape = fc.record({
  session: fc.constantFrom('a', 'b', 'c', 'd'),
  until: fc.constantFrom('2026-06-01T10:00:00Z', '2026-06-01T10:00:00.5Z', '2026-06-01T11:00:00Z'),
  rank: fc.constantFrom(...RANKS),
  changed: someOf(KEYS, 0),
  missing: fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, { weight: 2, arbitrary: fc.subarray(KEYS) }),
  odd: fc.constantFrom('none', 'none', 'none', 'seal', 'map', 'structural'),
  answers: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 }),
})

/** Each may answer claims of those before it. */
const store = fc.array(fc.tuple(claims, shape), { minLength: 1, maxLength: 7 }).map((all) => {
  const stored = new Map<string, Held>()
  for (const [i, [claims, { changed, missing, odd, answers, ...more }]] of all.entries()) {
    const sealed = Object.fromEntries(Object.entries(SEALED).filter(([key]) => !missing.includes(key)).map(([key, value]) => [key, changed.includes(key) ? `${value}!` : value]))
    const before = [...stored.values()]
    const answered = new Map<string, Set<string>>()
    for (const [which, claim] of answers) {
      const one = before[which % Math.max(1, before.length)]
      const ids = one?.remnant.claim_dependency_map.map(([id]) => id) ?? []
      if (one !== undefined && ids.length > 0) answered.set(one.digest, (answered.get(one.digest) ?? new Set()).add(ids[claim % ids.length] as string))
    }
    const one = held(claims, {
      ...more,
      sealed,
      supersedes: [...answered].map(([digest, ids]): [string, string[]] => [digest, [...ids].sort()]).sort(([a], [b]) => (a < b ? -1 : 1)),
      change: (remnant) => ({
        ...remnant,
        ...(odd === 'seal' && { environment_fingerprint: sha256(`${i}`) }),
        ...(odd === 'map' && { claim_dependency_map: [] }),
        ...(odd === 'structural' && { structural_keys: ['platform', 'tool:elsewhere'] }),
      }),
    })
    stored.set(one.digest, one)
  }
  return [...stored.values()]
})

const environment = fc
  .record({ changed: someOf(KEYS, 0), lost: fc.option(fc.constantFrom(...KEYS), { freq: 3 }), unread: fc.option(fc.constantFrom(...KEYS), { freq: 3 }), unsealed: fc.constantFrom(null, 'one', 'another') })
  .map(({ changed, lost, unread, unsealed }) => {
    const readings = new Map<Key, Reading>(Object.entries(SEALED).map(([key, value]) => [key, { value: changed.includes(key) ? `${value}!` : value, text: `text of ${value}` }]))
    if (unsealed !== null) readings.set('tool:unsealed', { value: unsealed, text: `text of ${unsealed}` })
    if (lost !== null) readings.delete(lost)
    if (unread !== null) readings.set(unread, { unreadable: 'it took over 2 s' })
    return readings
  })

it('is the same as of the plainest resolver, whatever is stored and whatever has changed', () => {
  fc.assert(
    fc.property(store, environment, (stored, current) => {
      expect(resolve(stored, current)).toEqual(reference.resolve(stored, current))
      expect(wantedKeys(stored)).toEqual(reference.wantedKeys(stored))
    }),
    { numRuns: 150 },
  )
})

const toldOf = ({ one: { digest, rank }, claims, report, drift, holding, contradicted }: Judged): unknown => ({ digest, rank, live: claims.map(({ id }) => id), report, drift, holding: holding.map(({ id }) => id), contradicted: contradicted.map(({ id }) => id) })

it('says the same where it judges anew those alone that a change of some keys may touch, whatever was stored and whatever has changed', () => {
  fc.assert(
    fc.property(store, environment, environment, (stored, before, now) => {
      const live = liveOutlines(outlinedOf(stored))
      const changed = new Set(keysOf(live).filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(now.get(key))))
      const touched = touchedBy(changed, remembered(live))
      const told = verdictsOf(live, before).map(toldOf)
      const judged = verdictsOf([...touched.values()], now).map(toldOf)
      for (const [i, at] of [...touched.keys()].entries()) told[at] = judged[i]
      expect(told).toEqual(verdictsOf(live, now).map(toldOf))
    }),
    { numRuns: 300 },
  )
})

it('judges anew what another remnant contradicts no more, though none of its own keys has changed', () => {
  const without = (key: Key): Record<Key, string> => Object.fromEntries(Object.entries(SEALED).filter(([each]) => each !== key))
  const green = held([gate(['make'], ['file:src/app.ts'])], { session: 'green' })
  const red = held([deadEnd(['make'], 'ERR', [['file:package.json', null]])], { session: 'red', sealed: without('file:src/app.ts') })
  const live = liveOutlines(outlinedOf([green, red]))
  const before = new Map<Key, Reading>(Object.entries(SEALED).map(([key, value]) => [key, { value }]))
  const now = new Map(before).set('file:src/app.ts', { value: 'another' })
  expect(verdictsOf(live, before).map(({ contradicted }) => contradicted.length)).toEqual([1, 1])
  const touched = touchedBy(new Set(['file:src/app.ts']), remembered(live))
  expect(verdictsOf([...touched.values()], now).map(toldOf)).toEqual(verdictsOf(live, now).map(toldOf))
})

it('judges none anew of which no key has changed and nobody may say the opposite', () => {
  const one = (command: string, keys: readonly Key[], session: string): Held => held([gate([command], keys)], { session })
  const live = liveOutlines(outlinedOf([one('make', ['tool:npm'], 'a'), one('ls', ['file:package.json'], 'b')]))
  expect([...touchedBy(new Set(['tool:elsewhere']), remembered(live)).keys()]).toEqual([])
  const sealedWithout = Object.fromEntries(Object.entries(SEALED).filter(([key]) => key !== 'tool:npm'))
  const apart = liveOutlines(outlinedOf([one('make', ['tool:npm'], 'a'), held([gate(['ls'], ['file:package.json'])], { session: 'b', sealed: sealedWithout })]))
  expect([...touchedBy(new Set(['tool:npm']), remembered(apart)).values()].map(({ one: { digest } }) => digest)).toEqual([apart[0]?.one.digest])
})

it('isolates as the plainest way does, whatever the manifest', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'é', '__proto__')
  const manifests = fc.record({
    baselines: fc.dictionary(name, fc.constantFrom('1', '2')),
    structural: fc.array(name, { maxLength: 3 }),
    claims: fc.dictionary(name, fc.array(name, { maxLength: 3 })),
    broken: fc.boolean(),
    current: fc.dictionary(name, fc.constantFrom('1', '2')),
  })
  fc.assert(
    fc.property(manifests, ({ baselines, structural, claims, broken, current }) => {
      const hashes = Object.entries(baselines).map(([key, value]): [string, string] => [key, sha256(value)])
      const manifest = { record_id: 'r', precondition_seal: broken ? '0' : reference.sealOf(hashes), baseline_key_hashes: hashes, structural_keys: structural, claim_dependency_map: Object.entries(claims) }
      const here = new Map(Object.entries(current).map(([key, value]) => [key, sha256(value)]))
      expect(isolate(manifest, here)).toEqual(reference.isolate(manifest, here))
    }),
    { numRuns: 500 },
  )
})
