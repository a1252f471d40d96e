import { randomUUID } from 'node:crypto'
import type { Host } from '../../command.ts'
import { reseal } from '../../distill/reseal.ts'
import { type Here, resolveHere } from '../../host/here.ts'
import { type Key, splitKey } from '../../model/key.ts'
import type { Receipt } from '../../model/receipt.ts'
import type { Remnant } from '../../model/remnant.ts'
import type { Written } from '../../model/store.ts'
import type { Resolved } from '../../model/verdict.ts'
import type { Fix } from '../../host/proofs/fix.ts'
import type { HeldResidual } from './known.ts'
import type { Side } from './side.ts'

/** What became of sealed residuals that were shown. `not`: nothing was sealed, and why. */
export type Raised = { readonly is: 'sealed'; readonly written: Written } | { readonly is: 'not'; readonly reason: string }

/**
 * Seals a remnant that answers exactly a residual that was shown: the same claim with its proof, reproduced here (004, DESIGN 7).
 * Its files are those of the session's end, so their baselines are carried over; nothing is raised where the programs or the
 * place are others than they were, since then the runs say nothing of that seal.
 */
export async function raise(residuals: readonly HeldResidual[], green: Side, fix: Fix, host: Host): Promise<Raised | null> {
  const open = residuals.filter(({ claim }) => claim.proof !== 'PROVEN')
  if (open.length === 0) return null
  if ((await host.repository()).workTree === null) return { is: 'not', reason: 'a bare repository has no work tree whose keys could be looked at' }
  const here = await resolveHere(host)
  const standing = open.flatMap((one) => resolvedIn(one, here)).filter(isSameEnvironment)
  const last = standing.sort((a, b) => (a.remnant.provenance.observed_until < b.remnant.provenance.observed_until ? 1 : -1))[0]
  if (last === undefined) return { is: 'not', reason: 'the programs or the place on which the claim rests are not what they were' }

  const { remnant } = last
  const claims = remnant.debug_residuals.filter(({ claim_id }) => open.some(({ digest, claim }) => digest === last.digest && claim.claim_id === claim_id))
  const keys = new Map(remnant.claim_dependency_map)
  const renewed = reseal({
    session_id: `prove-${randomUUID()}`,
    observed_until: host.now().toISOString(),
    head: fix.commit,
    claims: claims.map((claim) => ({
      claim: { list: 'debug_residuals', ...claim, proof: 'PROVEN', verification_receipt: receiptOf(claim.regression_gate_signature, green) },
      keys: keys.get(claim.claim_id) ?? [],
    })),
    answers: new Map(standing.map((held) => [held.digest, claims.map(({ claim_id }) => claim_id).filter((id) => held.remnant.debug_residuals.some((one) => one.claim_id === id))])),
    structural: remnant.structural_keys,
    ambient: ambientOf(remnant),
    values: new Map(),
    sealed: new Map(remnant.baseline_key_hashes),
    excluded: [],
  })
  return renewed === null ? { is: 'not', reason: 'a key of the claim has no baseline' } : { is: 'sealed', written: await (await host.store()).write(renewed) }
}

const resolvedIn = ({ digest }: HeldResidual, { resolution }: Here): Resolved[] => resolution.remnants.filter((one) => one.digest === digest)

/** Only what lies in the work tree has changed since, if anything. */
const isSameEnvironment = ({ reason, drifted_keys }: Resolved): boolean =>
  reason !== 'seal-contradiction' && reason !== 'no-manifest' && drifted_keys.every((key) => IN_THE_TREE.has(splitKey(key).probe))

const IN_THE_TREE = new Set(['alike', 'file', 'manifests', 'tree', 'names', 'lock', 'absent'])

/** What was sealed beside the claims' own keys. */
function ambientOf({ baseline_key_hashes, claim_dependency_map, structural_keys }: Remnant): Key[] {
  const causal = new Set([...claim_dependency_map.flatMap(([, keys]) => keys), ...structural_keys])
  return baseline_key_hashes.map(([key]) => key).filter((key) => !causal.has(key))
}

function receiptOf(command: Receipt['command'], { runs }: Side): Receipt {
  const last = runs.at(-1)
  return { host: 'git-remnant', record_id: randomUUID(), command, outcome: { is: 'code', code: 0 }, output_sha256: last?.is === 'green' ? last.output_sha256 : null, strength: 'reproduced' }
}
