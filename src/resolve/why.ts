import type { Claim } from '../model/claim.ts'
import { shown } from '../model/command.ts'
import type { KeyValues } from '../model/key.ts'
import type { Place } from '../model/observation.ts'
import { outlineOf } from '../model/outline.ts'
import { claimsOf } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import type { Drift, Resolution, Verdict, VerdictReason } from '../model/verdict.ts'
import { opponentsOf } from './contradiction.ts'
import { driftInWords, explain, keyInWords } from './drift.ts'
import { answerersOf, outlivedBy, successorOf } from './liveness.ts'
import { byWeight } from './told.ts'
import { KINDS, data, outcome, rankNote, stated } from './words.ts'

/** One remnant's telling of a claim: its own receipt, and what has become of it here. */
export interface Telling {
  readonly held: Held
  readonly claim: Claim
  /** `fallen`: its command later passed with the same keys · `outlived`: a later or fuller remnant of the same session stands in this one's place. */
  readonly state: 'holds' | 'suspended' | 'contradicted' | 'answered' | 'fallen' | 'outlived'
  /** The remnants that answered or contradict it, or in which its command passed. */
  readonly overruled_by: readonly string[]
  /** null: the remnant has no live claim. */
  readonly verdict: Verdict | null
  readonly reason: VerdictReason
  /** `unknown`: the claim is not live here, so its keys were not read. */
  readonly keys: readonly (Drift & { readonly state: 'same' | 'drifted' | 'unknown' })[]
}

interface Here {
  readonly held: readonly Held[]
  readonly current: KeyValues
  readonly resolution: Resolution
}

/** What a remnant that holds `claim` says of it, here and now. */
export function tellingOf(held: Held, { claim_id }: Claim, here: Here): Telling {
  const claim = claimsOf(held.remnant).find((one) => one.claim_id === claim_id) as Claim
  const resolved = here.resolution.remnants.find(({ digest }) => digest === held.digest)
  const live = resolved?.claims.find((one) => one.claim.claim_id === claim_id)
  const answered = answerersOf(held, claim_id, here.held)
  const passed = outlivedBy(held, claim, here.held)
  const drifted = new Set(resolved?.drifted_keys)
  const sealed = new Set(held.remnant.baseline_key_hashes.map(([key]) => key))
  const known = live !== undefined && resolved?.reason !== 'seal-contradiction' && resolved?.reason !== 'no-manifest'
  const keys = held.remnant.claim_dependency_map.find(([id]) => id === claim_id)?.[1] ?? []
  return {
    held,
    claim,
    ...(live === undefined
      ? answered.length > 0
        ? { state: 'answered', overruled_by: answered }
        : passed.length > 0
          ? { state: 'fallen', overruled_by: passed }
          : { state: 'outlived', overruled_by: successorOf(held, here.held) }
      : live.contradicted
        ? { state: 'contradicted', overruled_by: opponentsOf(held.digest, claim, here.resolution.remnants) }
        : { state: live.holds ? 'holds' : 'suspended', overruled_by: [] }),
    verdict: resolved?.verdict ?? null,
    reason: resolved?.reason ?? null,
    keys: explain(keys, outlineOf(held.remnant), (key) => sealed.has(key), here.current).map((drift) => ({ ...drift, state: known ? (drifted.has(drift.key) ? 'drifted' : 'same') : 'unknown' })),
  }
}

/** What this clone knows of a claim besides its remnants. */
export interface Beside {
  /** What `prove` noted of it, on which commit. */
  readonly proofs: readonly { readonly outcome: string; readonly commit: string }[]
  /** Where the record of each remnant's receipt stands, by digest, as far as a log of it is here. */
  readonly places: ReadonlyMap<string, Place>
}

const NOTHING: Beside = { proofs: [], places: new Map() }

/** A claim and all that stands behind it, in plain words; recorded texts as data. */
export const claimInWords = (claim: Claim, tellings: readonly Telling[], { proofs, places }: Beside = NOTHING): string =>
  [
    `claim ${short(claim.claim_id)}  ${KINDS[claim.list]}`,
    `  ${stated(toldOf(claim, tellings))}`,
    ...aboutOf(toldOf(claim, tellings)),
    ...proofs.map(({ outcome, commit }) => row('noted', `${outcome} on commit ${short(commit)}, by "prove" in this clone`)),
    ...tellings.flatMap((telling) => tellingInWords(telling, places.get(telling.held.digest) ?? null)),
  ].join('\n')

/** The telling that stands for all: of what may be believed the most, one that knows what came of it. */
function toldOf(claim: Claim, tellings: readonly Telling[]): Claim {
  const [best] = [...tellings].sort((a, b) => Number(b.state === 'holds') - Number(a.state === 'holds') || byWeight(wordOf(a), wordOf(b)))
  return best?.claim ?? claim
}

const wordOf = ({ held: { rank }, claim }: Telling) => ({ rank, claim })

function aboutOf(claim: Claim): string[] {
  switch (claim.list) {
    case 'verified_invariants':
      return [
        row('effect', `${claim.effect.verb} ${claim.effect.kind} ${data(claim.effect.value)}`),
        row('rules', list(claim.context_independence_proof.rules, 'none named')),
        row('stripped', list(claim.context_independence_proof.stripped, 'nothing')),
      ]
    case 'falsified_boundaries':
      return [row('class', claim.class), ...claim.terminal_error_signature.split('\n').slice(0, 6).map((line) => row('signature', data(line)))]
    case 'non_idempotent_commits':
      return [row('again', claim.repeat === 'harmful' ? 'would do harm' : 'would change nothing')]
    case 'debug_residuals':
      return [row('patch', data(claim.verified_patch_receipt.patch_id)), row('proof', claim.proof ?? 'not proven yet')]
    case 'unresolved_handoffs':
      return [row('since', claim.open_since_patch === null ? 'no patch was recorded' : data(claim.open_since_patch))]
  }
}

function tellingInWords(telling: Telling, place: Place | null): string[] {
  const { held, claim, keys } = telling
  const { host, record_id, strength, output_sha256, ...receipt } = claim.verification_receipt
  return [
    `remnant ${short(held.digest)}${rankNote(held.rank)}`,
    row('receipt', `${strength} by ${host}, record ${data(record_id)}`),
    ...(place === null ? [] : [row('log', `${data(place.file)}, line ${place.line}`)]),
    row('command', `${data(shown(receipt.command))} (in ${data(receipt.command.folder)})`),
    row('outcome', outcome(receipt.outcome)),
    row('output', output_sha256 === null ? 'too short for a digest, or none' : `sha256 ${short(output_sha256)}`),
    ...keys.map((key) => (key.state === 'drifted' ? row('drifted', driftInWords(key)) : row(key.state === 'same' ? 'same' : 'key', data(keyInWords(key.key))))),
    row('here', stateInWords(telling)),
  ]
}

function stateInWords({ state, overruled_by, verdict, reason }: Telling): string {
  const judged = `${verdict}${reason === null ? '' : `, ${reason}`}`
  const by = overruled_by.map(short).join(', ')
  switch (state) {
    case 'holds':
      return `holds (${judged})`
    case 'suspended':
      return `suspended until probed (${judged})`
    case 'contradicted':
      return `suspended until probed: other evidence, as good, says the opposite: remnant ${by} (${judged})`
    case 'answered':
      return `answered by remnant ${by}`
    case 'fallen':
      return `fell: its command later passed with the same keys, in remnant ${by}`
    case 'outlived':
      return `a later or fuller remnant of the same session stands in its place: ${by}`
  }
}

const row = (label: string, text: string): string => `  ${label.padEnd(9)} ${text}`
const list = (ids: readonly string[], none: string): string => (ids.length === 0 ? none : ids.map(data).join(', '))
const short = (id: string): string => id.slice(0, 12)
