import { sha256 } from '../../src/base/digest.ts'
import type { Claim, FalsifiedBoundary, UnresolvedHandoff } from '../../src/model/claim.ts'
import { type CanonicalCommand, commandKey, commandSketch } from '../../src/model/command.ts'
import type { Key, KeyValues } from '../../src/model/key.ts'
import { verdictOf } from '../../src/model/outcome.ts'
import { RANKS, type Rank, atLeast, isTrusted } from '../../src/model/rank.ts'
import { type Remnant, claimsOf, fingerprintOf } from '../../src/model/remnant.ts'
import type { Held } from '../../src/model/store.ts'
import type { ClaimHere, DeltaReport, Drift, Manifest, Resolution, Resolved, Verdict, VerdictReason } from '../../src/model/verdict.ts'

/** Resolving in the plainest way, over whole remnants and without anything that is shared: what the resolver is held against. */


/**
 * What still holds, here and now (003): every remnant with a live claim, in the order given, with its verdict over live claims.
 * Reads nothing; `current` holds what was read for `wantedKeys(stored)`. A key that is not in it counts as drifted.
 */
export const resolve = (stored: readonly Held[], current: KeyValues): Resolution => resolveLive(liveAmong(stored), current)

/** The same, where what is live has been worked out already. */
function resolveLive(live: readonly Live[], current: KeyValues): Resolution {
  const hashes = hashesOf(current)
  const judged = live.map((one) => judge(one, hashes, current))
  return { remnants: withContradictions(judged, contradictionsAmong(judged)) }
}

/** The keys on which the live claims' verdicts rest, each once, sorted. */
export const wantedKeys = (stored: readonly Held[]): Key[] => keysOfLive(liveAmong(stored))

/** The same, where what is live has been worked out already. */
function keysOfLive(live: readonly Live[]): Key[] {
  const keys = new Set<Key>()
  // Remnants that were read from an index share their lists.
  const seen = new Set<unknown>()
  for (const { remnant, claims } of live) {
    if (!seen.has(remnant.baseline_key_hashes)) for (const [key] of remnant.baseline_key_hashes) keys.add(key)
    for (const key of remnant.structural_keys) keys.add(key)
    seen.add(remnant.baseline_key_hashes)
    for (const key of causalKeys(remnant, claims)) keys.add(key)
  }
  return [...keys].sort()
}

function judge(live: Live, hashes: ReadonlyMap<Key, string>, current: KeyValues): Resolved {
  const { digest, remnant, rank, claims } = live
  const report = isolate(manifestOf(remnant, digest, claims.map((claim) => claim.claim_id)), hashes)
  const drift = explain(report.drifted_keys, remnant, current)
  return { digest, remnant, rank, ...report, drift, claims: claimsHere(live, report, hashes) }
}

function hashesOf(current: KeyValues): Map<Key, string> {
  const hashes = new Map<Key, string>()
  for (const [key, reading] of current) if ('value' in reading) hashes.set(key, sha256(reading.value))
  return hashes
}

/** A remnant with those of its claims that nobody has answered. */
interface Live extends Held {
  readonly claims: readonly Claim[]
}

/** The live claims as they stand here, before contradictions are looked for. */
function claimsHere({ remnant, claims }: Live, report: DeltaReport, hashes: ReadonlyMap<Key, string>): ClaimHere[] {
  const keys = new Map(remnant.claim_dependency_map)
  const retained = new Set(report.retained_claims)
  const hasDeed = report.reason !== 'seal-contradiction' && claims.some(({ list }) => list === 'non_idempotent_commits')
  const baselines = hasDeed ? new Map(remnant.baseline_key_hashes) : new Map<Key, string>()
  return claims.map((claim) => ({
    claim,
    keys: keys.get(claim.claim_id) ?? [],
    holds: retained.has(claim.claim_id) || isStillDone(claim, baselines, hashes),
    contradicted: false,
  }))
}

/** The distinct causal keys of some of a remnant's claims. */
function causalKeys(remnant: Remnant, claims: readonly Claim[]): Set<Key> {
  if (claims.length === remnant.claim_dependency_map.length) return new Set(remnant.claim_dependency_map.flatMap(([, keys]) => keys))
  const counted = new Set(claims.map((claim) => claim.claim_id))
  return new Set(remnant.claim_dependency_map.flatMap(([claim, keys]) => (counted.has(claim) ? keys : [])))
}

/** What was done stays done while its target is the same, whatever else drifts: forgetting it is the dangerous direction. */
function isStillDone(claim: Claim, baselines: ReadonlyMap<Key, string>, hashes: ReadonlyMap<Key, string>): boolean {
  if (claim.list !== 'non_idempotent_commits') return false
  const key = `target:${claim.target.kind}/${claim.target.id}`
  const sealed = baselines.get(key)
  return sealed !== undefined && hashes.get(key) === sealed
}

/** What may be shown of a remnant's keys: the public texts that its boundaries kept, and those read now. */
function explain(keys: readonly Key[], remnant: Remnant, current: KeyValues): Drift[] {
  if (keys.length === 0) return []
  const sealed = new Set(remnant.baseline_key_hashes.map(([key]) => key))
  const texts = publicTexts(remnant)
  return keys.map((key) => {
    const reading = current.get(key)
    return {
      key,
      was: texts.get(key) ?? null,
      is: reading !== undefined && 'value' in reading ? (reading.text ?? null) : null,
      unreadable: reading === undefined ? 'it was not read' : 'value' in reading ? null : reading.unreadable,
      sealed: sealed.has(key),
    }
  })
}

function publicTexts(remnant: Remnant): Map<Key, string> {
  const texts = new Map<Key, string>()
  for (const boundary of remnant.falsified_boundaries)
    for (const [key, text] of boundary.precondition) if (text !== null && !texts.has(key)) texts.set(key, text)
  return texts
}

/**
 * The delta report of one record (003): which named keys drifted, and which claims that leaves standing.
 * `current`: SHA-256 by key of what was read now; a key that is missing from it has drifted. Keys that the record does not
 * name are never looked at. Lists are sorted by UTF-16 code units, as canonical JSON sorts names. Linear but for that sorting.
 */
export function isolate(manifest: Manifest, current: ReadonlyMap<string, string>): DeltaReport {
  const { baseline_key_hashes, structural_keys, claim_dependency_map } = manifest
  const all = claim_dependency_map.map(([claim]) => claim)

  // Where the seal contradicts the baselines, neither can be believed: no drift may be laid to any key, and no claim stands.
  if (sealOf(baseline_key_hashes) !== manifest.precondition_seal) return full('seal-contradiction', [], all)
  if (baseline_key_hashes.length === 0 || claim_dependency_map.length === 0) return full('no-manifest', [], [])

  const drifted = driftedKeys(manifest, current)
  if (drifted.size === 0) return report('NO_DRIFT', null, drifted, all, [])

  const shaken = structural_keys.filter((key) => drifted.has(key))
  if (shaken.length > 0) {
    const baselines = new Set(baseline_key_hashes.map(([key]) => key))
    return full(shaken.some((key) => baselines.has(key)) ? 'structural' : 'no-baseline', drifted, all)
  }

  const invalidated = claim_dependency_map.filter(([, keys]) => keys.some((key) => drifted.has(key))).map(([claim]) => claim)
  if (invalidated.length === 0) return report('AMBIENT_DRIFT_ONLY', null, drifted, all, [])
  if (invalidated.length === all.length) return full('all-claims', drifted, all)
  const gone = new Set(invalidated)
  return report('PARTIAL_REPROBE_REQUIRED', null, drifted, all.filter((claim) => !gone.has(claim)), invalidated)
}

/** The manifest of a remnant over those of its claims that are live. */
function manifestOf(remnant: Remnant, digest: string, live: readonly string[]): Manifest {
  const all = live.length === remnant.claim_dependency_map.length
  const counted = new Set(all ? [] : live)
  return {
    record_id: digest,
    precondition_seal: remnant.environment_fingerprint,
    baseline_key_hashes: remnant.baseline_key_hashes,
    structural_keys: remnant.structural_keys,
    claim_dependency_map: all ? remnant.claim_dependency_map : remnant.claim_dependency_map.filter(([claim]) => counted.has(claim)),
  }
}

/** Remnants that were read from an index share their lists of baselines; nobody changes one. */
export function sealOf(baselines: Manifest['baseline_key_hashes']): string {
  const known = seals.get(baselines)
  if (known !== undefined) return known
  const seal = fingerprintOf(baselines)
  seals.set(baselines, seal)
  return seal
}

const seals = new WeakMap<Manifest['baseline_key_hashes'], string>()

function driftedKeys({ baseline_key_hashes, structural_keys, claim_dependency_map }: Manifest, current: ReadonlyMap<string, string>): Set<string> {
  const drifted = new Set<string>()
  const sealed = new Set<string>()
  for (const [key, hash] of baseline_key_hashes) {
    sealed.add(key)
    if (current.get(key) !== hash) drifted.add(key)
  }
  const unsealed = (key: string) => !sealed.has(key) && drifted.add(key)
  structural_keys.forEach(unsealed)
  for (const [, keys] of claim_dependency_map) keys.forEach(unsealed)
  return drifted
}

const full = (reason: VerdictReason, drifted: Iterable<string>, invalidated: readonly string[]): DeltaReport =>
  report('FULL_RECONSTRUCTION_REQUIRED', reason, drifted, [], invalidated)

const report = (
  verdict: Verdict,
  reason: VerdictReason,
  drifted: Iterable<string>,
  retained: readonly string[],
  invalidated: readonly string[],
): DeltaReport => ({
  verdict,
  reason,
  drifted_keys: [...drifted].sort(),
  retained_claims: [...retained].sort(),
  invalidated_claims: [...invalidated].sort(),
})

/**
 * The remnants that have a live claim, in the order given, each with those claims.
 * A claim is live until a remnant of its own rank or above answers it in `supersedes`, a failure also until its command later
 * passed here with the same keys; of one session's remnants of one rank only the last (`observed_until`) stands, of several that were
 * observed until one moment one whose claims no other has all of with more, of these the one with the greatest digest.
 */
function liveAmong(stored: readonly Held[]): Live[] {
  const answers = answersIn(stored)
  const passes = passesIn(stored)
  return lastOfEachSession(stored).flatMap((held) => {
    const claims = claimsOf(held.remnant).filter((claim) => !answers.settle(held, claim.claim_id) && passes.lastLike(held, claim) === null)
    return claims.length === 0 ? [] : [{ ...held, claims }]
  })
}

interface Passes {
  lastLike(held: Held, claim: Claim): Held | null
}

/** Passing runs are looked up by what their seals say of a failure's keys, so that many runs of one command cost no more than reading them. */
function passesIn(stored: readonly Held[]): Passes {
  const failed = new Set<string>()
  for (const { remnant } of stored) for (const claim of failuresIn(remnant)) failed.add(commandSketch(failingCommand(claim)))
  const passed = new Map<string, Held[]>()
  if (failed.size > 0)
    for (const held of stored)
      if (isTrusted(held.rank))
        for (const command of passingCommands(held.remnant)) {
          if (!failed.has(commandSketch(command))) continue
          const key = commandKey(command)
          const known = passed.get(key)
          if (known?.at(-1) !== held) {
            if (known === undefined) passed.set(key, [held])
            else known.push(held)
          }
        }
  const indices = new Map<string, Map<string, Held>>()
  const indexFor = (command: string, keys: readonly Key[], least: Rank): Map<string, Held> => {
    const name = JSON.stringify([command, keys, least])
    const known = indices.get(name)
    if (known !== undefined) return known
    const index = new Map<string, Held>()
    for (const held of passed.get(command) ?? []) {
      if (!atLeast(held.rank, least)) continue
      const says = whatSays(held.remnant, keys)
      const other = says === null ? undefined : index.get(says)
      if (says !== null && (other === undefined || instant(other.remnant) < instant(held.remnant))) index.set(says, held)
    }
    indices.set(name, index)
    return index
  }
  return {
    lastLike: (held, claim) => {
      if (passed.size === 0 || (claim.list !== 'falsified_boundaries' && claim.list !== 'unresolved_handoffs')) return null
      const command = commandKey(failingCommand(claim))
      const causal = passed.has(command) ? held.remnant.claim_dependency_map.find(([id]) => id === claim.claim_id)?.[1] : undefined
      if (causal === undefined) return null
      const keys = [...new Set([...causal, ...held.remnant.structural_keys])].sort()
      const says = whatSays(held.remnant, keys)
      const last = says === null ? undefined : indexFor(command, keys, held.rank === 'own' ? 'own' : 'signed').get(says)
      return last !== undefined && instant(last.remnant) > instant(held.remnant) ? last : null
    },
  }
}

const failuresIn = ({ falsified_boundaries, unresolved_handoffs }: Remnant): readonly (FalsifiedBoundary | UnresolvedHandoff)[] =>
  unresolved_handoffs.length === 0 ? falsified_boundaries : [...falsified_boundaries, ...unresolved_handoffs]

const failingCommand = (claim: Pick<FalsifiedBoundary, 'path'> | Pick<UnresolvedHandoff, 'failing_gate'>): CanonicalCommand => ('path' in claim ? claim.path : claim.failing_gate)

const passingCommands = ({ verified_invariants, debug_residuals }: Remnant): CanonicalCommand[] => [
  ...verified_invariants.filter(({ verification_receipt: { outcome } }) => verdictOf(outcome) === true).map(({ verification_receipt }) => verification_receipt.command),
  ...debug_residuals.map(({ regression_gate_signature }) => regression_gate_signature),
]

/** What a seal says of these keys, as one text; null: not of all of them. */
function whatSays({ baseline_key_hashes }: Remnant, keys: readonly Key[]): string | null {
  const hashes = new Map(baseline_key_hashes)
  return keys.every((key) => hashes.has(key)) ? keys.map((key) => hashes.get(key)).join(' ') : null
}

function answersIn(stored: readonly Held[]): { settle(held: Held, claim: string): boolean } {
  const by = new Map<Rank, Map<string, Set<string>>>(RANKS.map((rank) => [rank, new Map()]))
  for (const { remnant, rank } of stored) {
    const answered = by.get(rank) as Map<string, Set<string>>
    for (const [digest, claims] of remnant.supersedes) {
      const known = answered.get(digest) ?? new Set()
      for (const claim of claims) known.add(claim)
      answered.set(digest, known)
    }
  }
  return { settle: (held, claim) => RANKS.some((rank) => atLeast(rank, held.rank) && by.get(rank)?.get(held.digest)?.has(claim) === true) }
}

function lastOfEachSession(stored: readonly Held[]): Held[] {
  const standing = (held: Held): boolean => {
    const its = stored.filter((other) => sessionOf(other) === sessionOf(held))
    const now = its.filter(({ remnant }) => its.every((other) => instant(other.remnant) <= instant(remnant)))
    const whole = now.filter((one) => !now.some((other) => idsOf(other).size > idsOf(one).size && [...idsOf(one)].every((id) => idsOf(other).has(id))))
    return whole.includes(held) && whole.every(({ digest }) => digest <= held.digest)
  }
  return stored.filter(standing)
}

const idsOf = ({ remnant }: Held): ReadonlySet<string> => new Set(claimsOf(remnant).map(({ claim_id }) => claim_id))

/** Neither a rank nor a host's id holds a space. */
const sessionOf = ({ rank, remnant }: Held): string => `${rank} ${remnant.provenance.host} ${remnant.session_id}`

/** Times may have fractions or none, so that their texts do not sort as they are. */
function instant({ provenance }: Remnant): string {
  const [whole, fraction = ''] = provenance.observed_until.slice(0, -1).split('.')
  return `${whole}.${fraction.padEnd(9, '0')}`
}

/** What one remnant says of one command: the claims that rest on its being green, and those that it is red. */
interface Testimony {
  readonly digest: string
  readonly rank: Rank
  readonly green: string[]
  readonly deadEnd: string[]
  readonly handoff: string[]
}

/**
 * The claims that equally good evidence contradicts, by digest: the same canonical command green and red, where the keys of
 * both match here. Neither is believed until probed. A remnant is contradicted by its own rank or above only. A handoff is its
 * gate's last run, so within one remnant it follows the green and does not contradict it. A done deed is never contradicted:
 * that the same command failed another time undoes nothing.
 */
function contradictionsAmong(remnants: readonly Resolved[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const testimonies of testimoniesOf(remnants).values()) {
    const greens = rankOf(testimonies, ({ green }) => green.length > 0)
    const reds = rankOf(testimonies, ({ deadEnd, handoff }) => deadEnd.length + handoff.length > 0)
    for (const said of testimonies) {
      const suspended = [
        ...(said.deadEnd.length > 0 || reds.besides(said) ? said.green : []),
        ...(said.green.length > 0 || greens.besides(said) ? said.deadEnd : []),
        ...(greens.besides(said) ? said.handoff : []),
      ]
      if (suspended.length === 0) continue
      const against = found.get(said.digest) ?? new Set()
      for (const claim of suspended) against.add(claim)
      found.set(said.digest, against)
    }
  }
  return found
}

/** The reports with contradicted claims moved from the retained to the invalidated. */
const withContradictions = (remnants: readonly Resolved[], contradictions: ReadonlyMap<string, ReadonlySet<string>>): Resolved[] =>
  remnants.map((resolved) => {
    const against = contradictions.get(resolved.digest)
    if (against === undefined) return resolved
    const retained = resolved.retained_claims.filter((claim) => !against.has(claim))
    const verdict: Verdict = retained.length === 0 ? 'FULL_RECONSTRUCTION_REQUIRED' : 'PARTIAL_REPROBE_REQUIRED'
    return {
      ...resolved,
      verdict,
      reason: 'contradiction',
      retained_claims: retained,
      invalidated_claims: [...resolved.invalidated_claims, ...against].sort(),
      claims: resolved.claims.map((here) => (against.has(here.claim.claim_id) ? { ...here, holds: false, contradicted: true } : here)),
    }
  })

/** Of the commands that somebody may call green and somebody red: most stores hold none. */
function testimoniesOf(remnants: readonly Resolved[]): Map<string, Testimony[]> {
  const disputed = disputedAmong(remnants)
  if (disputed.size === 0) return new Map()
  const byCommand = new Map<string, Map<string, Testimony>>()
  for (const { digest, rank, claims } of remnants)
    for (const { claim, holds } of claims) {
      const side = holds ? sideOf(claim) : null
      if (side === null) continue
      if (!disputed.has(commandSketch(side.command))) continue
      const key = commandKey(side.command)
      const said = byCommand.get(key) ?? new Map<string, Testimony>()
      const testimony = said.get(digest) ?? { digest, rank, green: [], deadEnd: [], handoff: [] }
      testimony[side.as].push(claim.claim_id)
      byCommand.set(key, said.set(digest, testimony))
    }
  return new Map([...byCommand].map(([key, said]) => [key, [...said.values()]]))
}

/** Sketches of such commands. */
function disputedAmong(remnants: readonly Resolved[]): Set<string> {
  const greens = new Set<string>()
  const reds: CanonicalCommand[] = []
  for (const { claims } of remnants)
    for (const { claim, holds } of claims) {
      const side = holds ? sideOf(claim) : null
      if (side?.as === 'green') greens.add(commandSketch(side.command))
      else if (side !== null) reds.push(side.command)
    }
  return new Set(reds.map(commandSketch).filter((sketch) => greens.has(sketch)))
}

function sideOf(claim: Claim): { command: CanonicalCommand; as: 'green' | 'deadEnd' | 'handoff' } | null {
  switch (claim.list) {
    case 'verified_invariants':
      return verdictOf(claim.verification_receipt.outcome) === true ? { command: claim.verification_receipt.command, as: 'green' } : null
    case 'debug_residuals':
      return { command: claim.regression_gate_signature, as: 'green' }
    case 'falsified_boundaries':
      return { command: claim.path, as: 'deadEnd' }
    case 'unresolved_handoffs':
      return { command: claim.failing_gate, as: 'handoff' }
    case 'non_idempotent_commits':
      return null
  }
}

/** Counts, so that many remnants about one command cost no more than reading them. */
function rankOf(testimonies: readonly Testimony[], says: (said: Testimony) => boolean): { besides(said: Testimony): boolean } {
  const saying = testimonies.filter(says)
  const upTo = new Map(RANKS.map((least) => [least, saying.filter(({ rank }) => atLeast(rank, least)).length]))
  return { besides: (said) => (upTo.get(said.rank) as number) - (says(said) ? 1 : 0) > 0 }
}
