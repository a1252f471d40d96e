import { sha256 } from '../src/base/digest.ts'
import { type VerifiedInvariant, claimId } from '../src/model/claim.ts'
import { commandOf } from '../src/model/command.ts'
import { type Remnant, encodeRemnant, fingerprintOf } from '../src/model/remnant.ts'

/** A valid remnant with one gate for each name; `more` replaces whole fields. */
export function aRemnant(gates: readonly string[] = ['npm test'], more: Partial<Remnant> = {}): Remnant {
  const baselines: [string, string][] = [
    ['platform', sha256('linux x64 glibc')],
    ['privilege', sha256('user')],
    ['repository', sha256('0'.repeat(40))],
    ['tool:npm', sha256('11.19.1')],
  ]
  const claims = gates.map((gate) => anInvariant(gate)).sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))
  return {
    schema: 'git-remnant/1',
    session_id: 'session-1',
    provenance: { host: 'claude-code', observed_until: '2026-06-01T10:22:31Z', head: null, patch_ids: [] },
    environment_fingerprint: fingerprintOf(baselines),
    baseline_key_hashes: baselines,
    structural_keys: ['platform', 'privilege', 'repository'],
    claim_dependency_map: claims.map((claim): [string, string[]] => [claim.claim_id, ['tool:npm']]),
    verified_invariants: claims,
    falsified_boundaries: [],
    non_idempotent_commits: [],
    debug_residuals: [],
    unresolved_handoffs: [],
    ephemeral_exclusion_list: [],
    supersedes: [],
    ...more,
  }
}

export function anInvariant(gate: string): VerifiedInvariant {
  const command = commandOf(gate.split(' '))
  const about = {
    statement: `\`${gate}\` is a gate of \`.\``,
    effect: { verb: 'use' as const, kind: 'command' as const, value: gate },
    verification_receipt: {
      host: 'claude-code',
      record_id: `record of ${gate}`,
      command,
      outcome: { is: 'code' as const, code: 0 },
      output_sha256: null,
      strength: 'recorded' as const,
    },
    context_independence_proof: { rules: [], stripped: [] },
  }
  return { claim_id: claimId.verified_invariants(about), ...about }
}

export const digestOfRemnant = (remnant: Remnant): string => encodeRemnant(remnant).digest
