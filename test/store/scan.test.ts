import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { BOUNDARY_CLASSES, CLAIM_LISTS, type ClaimList, claimId } from '../../src/model/claim.ts'
import { outlineOf } from '../../src/model/outline.ts'
import { STRENGTHS } from '../../src/model/receipt.ts'
import { type Remnant, decodeRemnant } from '../../src/model/remnant.ts'
import { RemnantScan } from '../../src/store/scan.ts'

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What the strict reader makes of bytes under their own name; null: it refuses them. */
function decoded(bytes: Uint8Array): Remnant | null {
  try {
    return decodeRemnant(bytes, digestOf(bytes))
  } catch {
    return null
  }
}

const sortedBy = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [canonical(one), one]))].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map(([, one]) => one)

const words = fc.oneof(fc.constantFrom('npm', 'a "quoted" word', 'back\\slash', 'tab\there', '\u0001', '\u007f', 'ü→𝄞', '\u2028', ' '), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }))
const sha = fc.nat(40).map((n) => digestOf(Buffer.from(String(n))))
const key = fc.constantFrom('platform', 'tool:npm', 'file:a b.json', 'file:ünï', 'reads:[".","npm test"]', 'target:git-remote/origin')
const nullable = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of)
const cached = fc.constantFrom('ruff', '--cache-dir', '/tmp/a b', '--cache-dir=/var/folders/"x', 'X_CACHE_DIR')
const command = fc.record({
  folder: words,
  env: fc.array(fc.oneof(fc.tuple(words, words), fc.tuple(cached, cached)), { maxLength: 2 }),
  argv: fc.oneof(fc.array(words, { minLength: 1, maxLength: 3 }), fc.array(cached, { minLength: 1, maxLength: 4 })),
  where: fc.constantFrom('here', 'here', 'container:box', 'host:höst'),
  privilege: fc.constantFrom('user', 'root'),
})
const outcome = fc.oneof(
  fc.record({ is: fc.constant('code'), code: fc.oneof(fc.constantFrom(0, 1, -1, 127), fc.integer()) }),
  fc.record({ is: fc.constant('summary'), passed: fc.boolean() }),
  fc.record({ is: fc.constantFrom('success', 'failure', 'answer', 'transient', 'unknown') }),
)
const receipt = fc.record({ host: fc.constantFrom('codex', 'claude-code'), record_id: words, command, outcome, output_sha256: nullable(sha), strength: fc.constantFrom(...STRENGTHS) })
const branches = fc.array(fc.record({ patch_id: nullable(words), gate: command, terminal_error_signature: words }), { maxLength: 2 }).map(sortedBy)
const texts = fc.array(words, { maxLength: 3 }).map(sortedBy)
const effect = fc.record({ verb: fc.constantFrom('use', 'avoid', 'require'), kind: fc.constantFrom('command', 'path', 'key', 'tool', 'interface'), value: words })
const proof = fc.constantFrom('PROVEN', 'VACUOUS', 'STILL_RED', 'FLAKY', 'INFRA_FAILURE')

const claims: { readonly [L in ClaimList]: fc.Arbitrary<object> } = {
  verified_invariants: fc.record({ statement: words, effect, verification_receipt: receipt, context_independence_proof: fc.record({ rules: texts, stripped: texts }) }),
  falsified_boundaries: fc.record({
    class: fc.constantFrom(...BOUNDARY_CLASSES),
    path: command,
    precondition: fc.array(fc.tuple(key, nullable(words)), { maxLength: 3 }).map(sortedBy),
    terminal_error_signature: words,
    verification_receipt: receipt,
  }),
  non_idempotent_commits: fc.record({
    mutation: command,
    repeat: fc.constantFrom('harmful', 'convergent'),
    target: fc.record({ kind: fc.constantFrom('git-remote', 'registry'), id: words }),
    identifier: nullable(words),
    state_hash: nullable(words),
    outcome,
    verification_receipt: receipt,
  }),
  debug_residuals: fc.record({
    root_cause_invariant: words,
    falsified_branches: branches,
    verified_patch_receipt: fc.record({ patch_id: words, diff_sha256: sha }),
    regression_gate_signature: command,
    proof: nullable(proof),
    verification_receipt: receipt,
  }),
  unresolved_handoffs: fc.record({ failing_gate: command, terminal_error_signature: words, open_since_patch: nullable(words), falsified_branches: branches, verification_receipt: receipt }),
}

const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 3 }).map((list) => list.sort())
const listOf = (list: ClaimList) => fc.array(claims[list], { maxLength: 2 }).map((all) => sortedIds(all.map((claim) => ({ claim_id: (claimId[list] as (claim: object) => string)(claim), ...claim }))))
const sortedIds = <T extends { readonly claim_id: string }>(all: readonly T[]): T[] => [...new Map(all.map((one) => [one.claim_id, one])).values()].sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))

const remnants = fc
  .record({
    session: words,
    host: fc.constantFrom('codex', 'gemini-cli'),
    until: fc.constantFrom('2026-06-01T10:22:31Z', '2026-06-01T10:22:31.125Z'),
    head: nullable(fc.constantFrom('a'.repeat(40), 'b'.repeat(64))),
    patches: texts,
    seal: sha,
    baselines: fc.uniqueArray(fc.tuple(key, sha), { maxLength: 4, selector: ([key]) => key }).map((list) => list.sort(([a], [b]) => (a < b ? -1 : 1))),
    structural: keys,
    causal: fc.array(keys, { minLength: 1, maxLength: 3 }),
    isMapped: fc.boolean(),
    excluded: fc.array(fc.record({ kind: words, count: fc.nat() }), { maxLength: 2 }).map(sortedBy),
    supersedes: fc.array(fc.tuple(sha, fc.array(sha, { maxLength: 2 }).map(sortedBy)), { maxLength: 2 }).map(sortedBy),
    lists: fc.record({ verified_invariants: listOf('verified_invariants'), falsified_boundaries: listOf('falsified_boundaries'), non_idempotent_commits: listOf('non_idempotent_commits'), debug_residuals: listOf('debug_residuals'), unresolved_handoffs: listOf('unresolved_handoffs') }),
  })
  .map(({ session, host, until, head, patches, seal, baselines, structural, causal, isMapped, excluded, supersedes, lists }) => {
    const ids = CLAIM_LISTS.flatMap((list) => lists[list].map(({ claim_id }) => claim_id)).sort()
    return {
      schema: 'git-remnant/1',
      session_id: session,
      provenance: { host, observed_until: until, head, patch_ids: patches },
      environment_fingerprint: seal,
      baseline_key_hashes: baselines,
      structural_keys: structural,
      claim_dependency_map: isMapped ? ids.map((id, i) => [id, causal[i % causal.length]]) : [],
      ...lists,
      ephemeral_exclusion_list: excluded,
      supersedes,
    }
  })

/** One scan for all, so that what it shares is tried too. */
const scan = new RemnantScan()

describe('one pass over the bytes of a remnant', () => {
  it('gives the outline that the strict reader\'s remnant has', () => {
    fc.assert(
      fc.property(remnants, (remnant) => {
        const bytes = Buffer.from(canonical(remnant))
        const whole = decoded(bytes)
        expect(whole).not.toBeNull()
        expect(scan.outline(bytes, true)).toEqual(outlineOf(whole as Remnant))
        expect(scan.outline(bytes, false)).toEqual(outlineOf(whole as Remnant))
      }),
      { numRuns: 300 },
    )
  })

  it('takes nothing that the strict reader refuses, whatever bytes were changed, cut, put in or moved', () => {
    const change = fc.record({ at: fc.nat(), many: fc.constantFrom(0, 0, 1, 1, 2, 5, 64), from: fc.nat(), put: fc.constantFrom('', 'a', '0', '"', '\\', ' ', ',', '[', ']', '{}', 'null', '\\u0061', '\\n', '\u0000', '-', 'é', '\xff', 'COPY') })
    fc.assert(
      fc.property(remnants, fc.array(change, { minLength: 1, maxLength: 2 }), (remnant, changes) => {
        let bytes = Buffer.from(canonical(remnant))
        for (const { at, many, from, put } of changes) {
          const place = at % bytes.length
          const other = from % bytes.length
          const middle = put === 'COPY' ? bytes.subarray(other, other + 70) : Buffer.from(put, put === '\xff' ? 'latin1' : 'utf8')
          bytes = Buffer.concat([bytes.subarray(0, place), middle, bytes.subarray(place + many)])
        }
        const outline = scan.outline(bytes, true)
        if (outline !== null) expect(outline).toEqual(outlineOf(decoded(bytes) as Remnant))
      }),
      { numRuns: 1500 },
    )
  })

  it('takes nothing that the strict reader refuses, whatever value stands where another stood', () => {
    const other = fc.oneof(fc.constantFrom<unknown>('', 'x'.repeat(501), 'x'.repeat(2001), 'A', 'no key at all\n', 0, 1.5, 1e21, -0, null, [], {}, ['b', 'a'], [['b', 'a']]), words)
    fc.assert(
      fc.property(remnants, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), other, fc.constantFrom('set', 'set', 'drop', 'twice', 'add', 'turn'), (remnant, path, value, how) => {
        const root = JSON.parse(canonical(remnant)) as Record<string, unknown>
        let holder: Record<string, unknown> | unknown[] = root
        let name: string | number = ''
        for (const step of path) {
          const names: (string | number)[] = Array.isArray(holder) ? holder.map((_, i) => i) : Object.keys(holder)
          if (names.length === 0) break
          name = names[step % names.length] as string | number
          const inner = (holder as Record<string, unknown>)[name]
          if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0 || step === path.at(-1)) break
          holder = inner as Record<string, unknown>
        }
        const list = Array.isArray(holder) ? holder : null
        if (how === 'set') (holder as Record<string, unknown>)[name] = value
        else if (list === null) how === 'add' ? ((holder as Record<string, unknown>)['more'] = value) : Reflect.deleteProperty(holder, name)
        else if (how === 'drop') list.splice(Number(name), 1)
        else if (how === 'turn') list.reverse()
        else list.push(how === 'twice' ? list[0] : value)
        const bytes = Buffer.from(canonical(root))
        const outline = scan.outline(bytes, true)
        const whole = decoded(bytes)
        if (outline !== null) expect(outline).toEqual(outlineOf(whole as Remnant))
        else if (whole !== null) expect(bytes.toString()).toMatch(/\d{16}/)
      }),
      { numRuns: 800 },
    )
  })

  it('believes no bytes that are not UTF-8, though what they share with others is known', () => {
    const [remnant] = fc.sample(remnants, { numRuns: 1, seed: 1 }) as [object]
    const known = Buffer.from(canonical({ ...remnant, structural_keys: ['file:�'] }))
    expect(scan.outline(known, true)).not.toBeNull()
    const broken = Buffer.from(known.toString('latin1').replace('\xef\xbf\xbd', '\xff'), 'latin1')
    expect(broken.length).toBe(known.length - 2)
    expect(scan.outline(broken, true)).toBeNull()
  })
})
