import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { digestOf } from '../../src/base/digest.ts'
import { RemnantError } from '../../src/base/errors.ts'
import { type VerifiedInvariant, claimId } from '../../src/model/claim.ts'
import { MAX_REMNANT_BYTES, type Remnant, claimsOf, decodeRemnant, encodeRemnant, fingerprintOf, idOf, incoherence } from '../../src/model/remnant.ts'

/** Written by hand from the on-disk format, and hashed by another program. */
const TEXT = [
  '{"baseline_key_hashes":[["platform","0b7701ec133f6773a200bfe0bd503e82501e6db7bc10f392d9ca0a95a7745263"],["tool:npm","6560f091659115684257f57d6e657318d40ce1e2ffd380db62a0ac99ed05249a"]],',
  '"claim_dependency_map":[["7bed56687311798ac0617067f4cb12cae2ceaa2982c6b3df49f0ce3bb6b7f0e6",["tool:npm"]]],',
  '"debug_residuals":[],',
  '"environment_fingerprint":"3bef9d7b7cef6aef96760e740ab8625f1357dfef864cf48118260e1e26a4ee83",',
  '"ephemeral_exclusion_list":[{"count":14,"kind":"uuid"}],',
  '"falsified_boundaries":[],',
  '"non_idempotent_commits":[],',
  '"provenance":{"head":null,"host":"claude-code","observed_until":"2026-06-01T10:22:31Z","patch_ids":[]},',
  '"schema":"git-remnant/1",',
  '"session_id":"s-1",',
  '"structural_keys":["platform"],',
  '"supersedes":[],',
  '"unresolved_handoffs":[],',
  '"verified_invariants":[{"claim_id":"7bed56687311798ac0617067f4cb12cae2ceaa2982c6b3df49f0ce3bb6b7f0e6","context_independence_proof":{"rules":["no-deixis"],"stripped":["uuid"]},"effect":{"kind":"command","value":"npm test","verb":"use"},"statement":"`npm test` is a gate of `.`","verification_receipt":{"command":{"argv":["npm","test"],"env":[],"folder":".","privilege":"user","where":"here"},"host":"claude-code","outcome":{"code":0,"is":"code"},"output_sha256":null,"record_id":"toolu_1","strength":"recorded"}}]}',
].join('')
const DIGEST = '6196450df409c06f20e0dbf7e22c15a28830278ef012c7c7d502677bace9936c'
const FINGERPRINT = '3bef9d7b7cef6aef96760e740ab8625f1357dfef864cf48118260e1e26a4ee83'

const remnant = JSON.parse(TEXT) as Remnant
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const decoded = (text: string): Remnant => decodeRemnant(Buffer.from(text), sha256(text))
const invariant = remnant.verified_invariants[0] as VerifiedInvariant
const another = (statement: string): VerifiedInvariant => ({ ...invariant, statement, claim_id: claimId.verified_invariants({ ...invariant, statement }) })

describe('a remnant', () => {
  it('is its canonical bytes under their digest', () => {
    const encoded = encodeRemnant(remnant)
    expect(Buffer.from(encoded.bytes).toString('utf8')).toBe(TEXT)
    expect(encoded.digest).toBe(DIGEST)
  })

  it('reads back as it was written', () => {
    expect(decodeRemnant(Buffer.from(TEXT), DIGEST)).toEqual(remnant)
  })

  it('has the same digest whatever the order in which its fields were set', () => {
    const turned = Object.fromEntries(Object.entries(remnant).reverse()) as Remnant
    expect(encodeRemnant(turned).digest).toBe(DIGEST)
  })

  it('has a seal that follows from its baselines in any order', () => {
    expect(fingerprintOf(remnant.baseline_key_hashes)).toBe(FINGERPRINT)
    expect(fingerprintOf([...remnant.baseline_key_hashes].reverse())).toBe(FINGERPRINT)
    expect(fingerprintOf([])).toBe(sha256('{}'))
  })

  it('is the digest of the canonical object, whatever the names and their order', () => {
    const names = fc.oneof(fc.constantFrom('__proto__', '10', '9', 'a\u2028b', '"', '\\'), fc.string({ unit: 'grapheme' }), fc.string())
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.string({ unit: 'grapheme' }))), fc.boolean(), (pairs, sorted) => {
        const entries = sorted ? pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : pairs
        expect(fingerprintOf(entries)).toBe(digestOf(Object.fromEntries(entries)))
      }),
    )
  })

  it.each([255, 256, 257, 511, 512, 513, 1025])('is the same digest where %i keys are hashed in parts', (many) => {
    const entries = Array.from({ length: many }, (_, i): [string, string] => [`${String(i).padStart(5, '0')}${i % 3 === 0 ? '\u00e4"\u{1f600}' : ''}`, sha256(String(i))])
    expect(fingerprintOf(entries)).toBe(digestOf(Object.fromEntries(entries)))
  })

  it('names its claims by their lists', () => {
    expect(claimsOf(remnant)).toEqual([{ list: 'verified_invariants', ...invariant }])
    expect(claimsOf(remnant).map(idOf)).toEqual([invariant.claim_id])
  })

  it('is not written over 1 MiB', () => {
    const grown = { ...remnant, session_id: 'x'.repeat(MAX_REMNANT_BYTES) }
    expect(() => encodeRemnant(grown)).toThrow('over 1 MiB')
    expect(() => decodeRemnant(Buffer.from(canonical(grown)), DIGEST)).toThrow('over 1 MiB')
  })
})

describe('stored bytes are refused', () => {
  const changed = (more: object): string => canonical({ ...remnant, ...more })
  it.each<[string, string, RegExp]>([
    ['with an unknown field', changed({ extra: 'canary' }), /has an unknown field$/],
    ['with an unknown field inside', changed({ provenance: { ...remnant.provenance, extra: 'canary' } }), /unknown field at "provenance"$/],
    ['without a field', changed({ supersedes: undefined }), /lacks an array at "supersedes"$/],
    ['with a newer schema', changed({ schema: 'git-remnant/2' }), /schema that this version does not know$/],
    ['with a schema of something else', changed({ schema: 'canary' }), /not allowed at "schema"$/],
    ['without a session', changed({ session_id: '' }), /not allowed at "session_id"$/],
    ['with a time without zone', changed({ provenance: { ...remnant.provenance, observed_until: '2026-06-01T10:22:31' } }), /at "provenance.observed_until"$/],
    ['with a number that is no integer', changed({ ephemeral_exclusion_list: [{ kind: 'uuid', count: 1.5 }] }), /at "ephemeral_exclusion_list\[0\].count"$/],
    ['with a key that is none', changed({ structural_keys: ['canary key'] }), /at "structural_keys\[0\]"$/],
    ['with a final newline', `${TEXT}\n`, /not in canonical form$/],
    ['with spaces', TEXT.replace('{', '{ '), /not in canonical form$/],
    ['with fields in another order', JSON.stringify(Object.fromEntries(Object.entries(remnant).reverse())), /not in canonical form$/],
    ['with a key twice', TEXT.replace('"schema":', '"schema":"x","schema":'), /not in canonical form$/],
    ['with an escape that is not needed', TEXT.replace('s-1', '\\u0073-1'), /not in canonical form$/],
    ['that are no JSON', TEXT.slice(0, -1), /not complete JSON|not JSON at character/],
    ['that are another value', '[]', /lacks an object$/],
  ])('%s', (_, text, message) => {
    const refused = thrownBy(() => decoded(text))
    expect(refused.message).toMatch(message)
    expect(refused.message).not.toContain('canary')
    expect(refused.fault).toBe('malformed')
  })

  it('under another digest', () => {
    expect(thrownBy(() => decodeRemnant(Buffer.from(TEXT), 'f'.repeat(64))).message).toBe('remnant "ffffffffffff" does not hash to its name')
  })

  it('with a byte that is no UTF-8', () => {
    const bytes = Buffer.from(TEXT)
    bytes[bytes.indexOf('s-1')] = 0xff
    expect(thrownBy(() => decodeRemnant(bytes, sha256(bytes))).message).toMatch(/not UTF-8/)
  })

  it('with a hint to update, where a newer version wrote them', () => {
    expect(thrownBy(() => decoded(changed({ schema: 'git-remnant/2' }))).hint).toBe('update git-remnant')
  })
})

describe('a remnant that contradicts itself is refused', () => {
  const [first, second] = remnant.baseline_key_hashes as [Remnant['baseline_key_hashes'][number], Remnant['baseline_key_hashes'][number]]
  const two = [another('a'), another('b')].sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))
  const mapOf = (claims: readonly VerifiedInvariant[]): Remnant['claim_dependency_map'] => claims.map((claim) => [claim.claim_id, ['tool:npm']])
  it.each<[string, Partial<Remnant>, string | null]>([
    ['as it is', {}, null],
    ['two claims in order', { verified_invariants: two, claim_dependency_map: mapOf(two) }, null],
    ['a broken seal (a verdict)', { environment_fingerprint: 'f'.repeat(64) }, null],
    ['no baselines (a verdict)', { baseline_key_hashes: [] }, null],
    ['no map (a verdict)', { claim_dependency_map: [] }, null],
    ['baselines out of order', { baseline_key_hashes: [second, first] }, 'has baselines that are not sorted, or a key twice'],
    ['a baseline twice', { baseline_key_hashes: [first, first] }, 'has baselines that are not sorted, or a key twice'],
    ['structural keys out of order', { structural_keys: ['repository', 'platform'] }, 'has structural keys that are not sorted, or one twice'],
    ['a structural key twice', { structural_keys: ['platform', 'platform'] }, 'has structural keys that are not sorted, or one twice'],
    ['a map out of order', { verified_invariants: two, claim_dependency_map: mapOf([...two].reverse()) }, 'has a dependency map that is not sorted, or a claim twice'],
    ['a claim without a key', { claim_dependency_map: [[invariant.claim_id, []]] }, 'has a claim without a key'],
    ['causal keys out of order', { claim_dependency_map: [[invariant.claim_id, ['tool:npm', 'platform']]] }, 'has causal keys that are not sorted, or one twice'],
    ['a causal key twice', { claim_dependency_map: [[invariant.claim_id, ['platform', 'platform']]] }, 'has causal keys that are not sorted, or one twice'],
    ['a claim under a wrong id', { verified_invariants: [{ ...invariant, claim_id: 'a'.repeat(64) }] }, 'has a claim whose id does not follow from it, "aaaaaaaaaaaa"'],
    ['claims out of order', { verified_invariants: [...two].reverse(), claim_dependency_map: mapOf(two) }, 'has verified_invariants that are not sorted, or one twice'],
    ['a claim twice', { verified_invariants: [invariant, invariant] }, 'has verified_invariants that are not sorted, or one twice'],
    ['a map of another claim', { claim_dependency_map: mapOf([another('a')]) }, 'has a dependency map that does not fit its claims'],
    ['a map that misses a claim', { verified_invariants: two, claim_dependency_map: mapOf(two).slice(0, 1) }, 'has a dependency map that does not fit its claims'],
  ])('%s', (_, more, fault) => {
    const odd = { ...remnant, ...more }
    expect(incoherence(odd)).toBe(fault)
    const read = (): Remnant => decoded(canonical(odd))
    if (fault === null) expect(read()).toEqual(odd)
    else expect(thrownBy(read).message).toContain(fault)
  })
})

function thrownBy(work: () => unknown): RemnantError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof RemnantError) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}
