import { RemnantError } from '../../base/errors.ts'
import type { Candidate } from '../../distill/candidate.ts'
import type { Draft } from '../../distill/draft.ts'
import type { DebugResidual } from '../../model/claim.ts'
import type { Remnant } from '../../model/remnant.ts'
import type { Files } from '../files.ts'
import { fixIn, patchesOf } from './fix.ts'
import type { Git, Repository } from '../git.ts'
import { type Proof, gateDigest, noteParts, noteReds, partsIn, proofsIn, redDigest } from '../proofs.ts'

/** Opened only as far as there is something to look up. */
interface Place {
  readonly files: Files
  repository(): Promise<Repository>
  git(): Promise<Git>
}

type Residual = Pick<DebugResidual, 'regression_gate_signature' | 'verified_patch_receipt'>

/** What `prove` noted in this clone of a residual: of its gate, on commits that are its patch, or that patch less its first attempts. */
export async function proofsOf(residual: Residual & Pick<DebugResidual, 'claim_id'>, host: Place): Promise<readonly Proof[]> {
  return proofsAmong(residual, partsIn(await host.repository(), host.files).get(residual.claim_id) ?? [], host)
}

async function proofsAmong({ regression_gate_signature, verified_patch_receipt }: Residual, parts: Iterable<string>, host: Place): Promise<readonly Proof[]> {
  const gate = gateDigest(regression_gate_signature)
  const noted = proofsIn(await host.repository(), host.files).filter((proof) => proof.gate === gate)
  const ids = [verified_patch_receipt.patch_id, ...parts]
  const found: Proof[] = []
  for (const proof of noted) {
    const patches = await patchesAt(proof.commit, host)
    if (ids.some((id) => patches.has(id))) found.push(proof)
  }
  return found
}

/** A draft whose residuals have the proof that was noted of them before: only PROVEN, and only where the gate was as red as in the session, raises a receipt. */
export async function withProofs(draft: Draft, host: Place): Promise<Draft> {
  if (!draft.candidates.some(({ list }) => list === 'debug_residuals')) return draft
  const candidates: Candidate[] = []
  for (const candidate of draft.candidates) candidates.push(candidate.list === 'debug_residuals' && (await isProven(candidate, host)) ? proven(candidate) : candidate)
  return { ...draft, candidates }
}

/** Notes how the gates of the residuals that were sealed had been red, and what may be the fix, so that `prove` knows both again. */
export async function noteWaysOf({ candidates }: Draft, remnant: Remnant | null, host: Place): Promise<void> {
  const sealed = new Set(remnant?.debug_residuals.map(({ claim_id }) => claim_id))
  const its = candidates.filter(({ claim_id }) => sealed.has(claim_id))
  if (its.length === 0) return
  const repository = await host.repository()
  noteReds(new Map(its.map(({ claim_id, reds = [] }) => [claim_id, reds])), repository, host.files)
  noteParts(new Map(its.map(({ claim_id, parts = [] }) => [claim_id, parts])), repository, host.files)
}

type ResidualCandidate = Extract<Candidate, { list: 'debug_residuals' }>

async function isProven({ body, reds = [], parts = [] }: ResidualCandidate, host: Place): Promise<boolean> {
  const shown = await proofsAmong(body, parts, host)
  return shown.at(-1)?.outcome === 'PROVEN' && (reds.length === 0 || reds.some((signature) => redDigest(signature) === shown.at(-1)?.red))
}

const proven = (candidate: ResidualCandidate): Candidate => ({
  ...candidate,
  body: { ...candidate.body, proof: 'PROVEN' },
  proof: { ...candidate.proof, receipt: { ...candidate.proof.receipt, strength: 'reproduced' } },
})

/** Empty for what is no commit with one parent here, or no longer. */
async function patchesAt(commit: string, host: Place): Promise<ReadonlySet<string>> {
  try {
    return patchesOf(await fixIn(commit, await host.git()))
  } catch (thrown) {
    if (thrown instanceof RemnantError && thrown.fault === 'misuse') return new Set()
    throw thrown
  }
}
