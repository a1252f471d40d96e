import { describe, expect, it } from 'vitest'
import type { Host } from '../../../src/command.ts'
import type { Fix } from '../../../src/host/proofs/fix.ts'
import { type Raised, raise } from '../../../src/commands/prove/raise.ts'
import type { Side } from '../../../src/commands/prove/side.ts'
import { sha256 } from '../../../src/base/digest.ts'
import { type DebugResidual, claimId } from '../../../src/model/claim.ts'
import { commandOf } from '../../../src/model/command.ts'
import type { World } from '../../../src/model/probe.ts'
import { type Remnant, fingerprintOf } from '../../../src/model/remnant.ts'
import { aRemnant } from '../../remnants.ts'
import { type Layout, type Stage, stage } from '../../stage.ts'
import { asSealed } from './sealed.ts'

const COMMIT = 'd'.repeat(40)
const FIX: Fix = { commit: COMMIT, parent: 'e'.repeat(40), from: 0, until: 1, changed: [] }
const GREEN: Side = { commit: COMMIT, isolation: 'none', runs: [{ is: 'green', closed: true, output_sha256: null }, { is: 'green', closed: true, output_sha256: 'f'.repeat(64) }] }

function residualOf(patch_id: string, proof: DebugResidual['proof'] = null): DebugResidual {
  const command = commandOf(['npm', 'test'])
  const about = {
    root_cause_invariant: 'The sum subtracts',
    falsified_branches: [],
    verified_patch_receipt: { patch_id, diff_sha256: 'b'.repeat(64) },
    regression_gate_signature: command,
    proof,
    verification_receipt: { host: 'claude-code', record_id: 'call-1', command, outcome: { is: 'code' as const, code: 0 }, output_sha256: null, strength: 'recorded' as const },
  }
  return { claim_id: claimId.debug_residuals(about), ...about }
}

const [ITS, OTHER] = [residualOf('a'.repeat(64)), residualOf('c'.repeat(64))]

function holding(residuals: readonly DebugResidual[], more: Partial<Remnant> = {}): Remnant {
  const debug_residuals = [...residuals].sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))
  return aRemnant([], { debug_residuals, claim_dependency_map: debug_residuals.map(({ claim_id }): [string, string[]] => [claim_id, ['tool:npm']]), ...more })
}

const staged = (other: Readonly<Record<string, string>> = {}, layout: Layout = 'plain'): { on: Stage; host: Host } => {
  const on = stage({ layout, sets: { probes: asSealed(other) }, host: { world: async () => ({}) as unknown as World } })
  return { on, host: on.host }
}

const remnantOf = async (on: Stage, raised: Raised | null): Promise<Remnant> => {
  const stored = raised?.is === 'sealed' ? await on.store.read(raised.written.digest) : null
  if (stored === null || !('remnant' in stored)) throw new Error(JSON.stringify(raised))
  return stored.remnant
}

describe('a residual that was shown', () => {
  it('is sealed anew with its proof, under the baselines that it had, and no other claim with it', async () => {
    const { on, host } = staged()
    const { digest } = await on.store.write(holding([ITS, OTHER]))
    const remnant = await remnantOf(on, await raise([{ digest, claim: ITS }], GREEN, FIX, host))
    const { command } = ITS.verification_receipt
    expect(remnant.debug_residuals).toEqual([
      { ...ITS, proof: 'PROVEN', verification_receipt: { host: 'git-remnant', record_id: expect.any(String), command, outcome: { is: 'code', code: 0 }, output_sha256: 'f'.repeat(64), strength: 'reproduced' } },
    ])
    expect(remnant.supersedes).toEqual([[digest, [ITS.claim_id]]])
    expect(remnant.baseline_key_hashes).toEqual(holding([ITS]).baseline_key_hashes)
    expect([remnant.provenance.host, remnant.provenance.head]).toEqual(['git-remnant', COMMIT])
    expect(remnant.session_id).toMatch(/^prove-/)
  })

  it('is answered in each remnant that holds it', async () => {
    const { on, host } = staged()
    const digests = [(await on.store.write(holding([ITS]))).digest, (await on.store.write(holding([ITS], { session_id: 'other' }))).digest].sort()
    const remnant = await remnantOf(on, await raise(digests.map((digest) => ({ digest, claim: ITS })), GREEN, FIX, host))
    expect(remnant.supersedes).toEqual(digests.map((digest) => [digest, [ITS.claim_id]]))
  })

  it('keeps the baseline of a file that has changed since: it was that of the session', async () => {
    const { on, host } = staged()
    const sealed = holding([ITS])
    const baselines: [string, string][] = [['file:package.json', sha256('blob')], ...sealed.baseline_key_hashes]
    const { digest } = await on.store.write({ ...sealed, baseline_key_hashes: baselines, environment_fingerprint: fingerprintOf(baselines), claim_dependency_map: [[ITS.claim_id, ['file:package.json', 'tool:npm']]] })
    expect((await remnantOf(on, await raise([{ digest, claim: ITS }], GREEN, FIX, host))).baseline_key_hashes).toEqual(baselines)
  })

  it('is left alone where it is proven already, or there is none', async () => {
    const { on, host } = staged()
    const proven = residualOf('a'.repeat(64), 'PROVEN')
    const { digest } = await on.store.write(holding([proven]))
    expect(await raise([{ digest, claim: proven }], GREEN, FIX, host)).toBeNull()
    expect(await raise([], GREEN, FIX, host)).toBeNull()
  })

  it.each([
    ['a program', { tool: '12.0.0' }],
    ['the platform', { platform: 'darwin arm64 -' }],
  ])('is not raised where %s is another than in the session', async (_, other) => {
    const { on, host } = staged(other)
    const { digest } = await on.store.write(holding([ITS]))
    expect(await raise([{ digest, claim: ITS }], GREEN, FIX, host)).toEqual({ is: 'not', reason: 'the programs or the place on which the claim rests are not what they were' })
    expect(await on.store.digests()).toEqual([digest])
  })

  it('is not raised under a seal that contradicts itself', async () => {
    const { on, host } = staged()
    const { digest } = await on.store.write(holding([ITS], { environment_fingerprint: '0'.repeat(64) }))
    expect((await raise([{ digest, claim: ITS }], GREEN, FIX, host))?.is).toBe('not')
  })

  it('is not raised in a bare repository', async () => {
    const { on, host } = staged({}, 'bare')
    const { digest } = await on.store.write(holding([ITS]))
    expect((await raise([{ digest, claim: ITS }], GREEN, FIX, host))?.is).toBe('not')
  })
})
