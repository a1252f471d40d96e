import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Effect, claimId } from '../../src/model/claim.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Receipt } from '../../src/model/receipt.ts'

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
const gate = commandOf(['npm', 'test'], { folder: 'packages/a', env: [['CI', '1']] })
const GATE = '{"argv":["npm","test"],"env":[["CI","1"]],"folder":"packages/a","privilege":"user","where":"here"}'
const verification_receipt: Receipt = { host: 'codex', record_id: 'r', command: gate, outcome: { is: 'code', code: 0 }, output_sha256: null, strength: 'recorded' }
const statement = '`npm test` is a gate of `packages/a` – „wahr“'
const signature = 'Error: expected "1"\nreceived 2'
const effect: Effect = { verb: 'use', kind: 'command', value: 'npm test' }
const context_independence_proof = { rules: [], stripped: [] }

describe('a claim id', () => {
  it.each<[string, string, string, string]>([
    [
      'verified invariant',
      claimId.verified_invariants({ statement, effect, verification_receipt, context_independence_proof }),
      '["verified_invariant","`npm test` is a gate of `packages/a` – „wahr“"]',
      'e1f2795c',
    ],
    [
      'falsified boundary',
      claimId.falsified_boundaries({ class: 'red', path: gate, precondition: [], terminal_error_signature: signature, verification_receipt }),
      `["falsified_boundary",${GATE},"Error: expected \\"1\\"\\nreceived 2"]`,
      'b36c66ce',
    ],
    [
      'non-idempotent commit',
      claimId.non_idempotent_commits({
        mutation: gate, repeat: 'harmful', target: { kind: 'npm', id: 'x' }, identifier: null, state_hash: 'h', outcome: { is: 'success' }, verification_receipt,
      }),
      `["non_idempotent_commit",${GATE},{"id":"x","kind":"npm"},null]`,
      'adc19560',
    ],
    [
      'debug residual',
      claimId.debug_residuals({
        root_cause_invariant: 'r', falsified_branches: [], verified_patch_receipt: { patch_id: 'p1', diff_sha256: 'd' }, regression_gate_signature: gate, proof: null, verification_receipt,
      }),
      `["debug_residual",${GATE},"p1"]`,
      'e81cc057',
    ],
    [
      'unresolved handoff',
      claimId.unresolved_handoffs({ failing_gate: gate, terminal_error_signature: signature, open_since_patch: 'p', falsified_branches: [], verification_receipt }),
      `["unresolved_handoff",${GATE},"Error: expected \\"1\\"\\nreceived 2"]`,
      'c4d3814f',
    ],
  ])('of a %s is the hash of what it is about', (_, id, about, pinned) => {
    expect(id).toBe(sha256(about))
    expect(id.slice(0, 8)).toBe(pinned)
  })

  it('has no receipt, effect or proof in it', () => {
    const one = claimId.verified_invariants({ statement, effect, verification_receipt, context_independence_proof })
    const other = claimId.verified_invariants({
      statement,
      effect: { ...effect, verb: 'avoid' },
      verification_receipt: { ...verification_receipt, record_id: 's', strength: 'asserted' },
      context_independence_proof: { rules: ['x'], stripped: ['uuid'] },
    })
    expect(other).toBe(one)
  })
})

describe('an effect', () => {
  it.each([
    [effect, true],
    [{ ...effect, value: '' }, false],
    [{ ...effect, value: 'x'.repeat(501) }, false],
    [{ ...effect, verb: 'run' }, false],
    [{ ...effect, kind: 'file' }, false],
    [{ ...effect, note: 'x' }, false],
  ])('%j is valid: %s', (value, valid) => {
    expect(Effect.safeParse(value).success).toBe(valid)
  })
})
