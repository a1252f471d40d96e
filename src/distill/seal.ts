import { canonical } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import type { Claim, ClaimList } from '../model/claim.ts'
import { neededPath } from '../model/effect.ts'
import { type Key, type KeyValues, type Reading, publicText, splitKey } from '../model/key.ts'
import { REMNANT_SCHEMA, type Remnant, fingerprintOf } from '../model/remnant.ts'
import type { Candidate, Purge } from './candidate.ts'
import type { Draft } from './draft.ts'

/**
 * By what right the values of this moment stand for those of the observation.
 * `here`: the caller vouches that this tree is where and how the session ended · `own-place`: the log was made here, so
 * what has not changed since the observation still is what it was · `journal`: only what was seen at that moment.
 */
export type Grounds = 'here' | 'own-place' | 'journal'

/** Hashes that an earlier seal of the same session recorded, by claim and key: what was seen then stays seen. */
export type Earlier = ReadonlyMap<string, ReadonlyMap<Key, string>>

/** What earlier seals of a session recorded. */
export const earlierSeals = (remnants: readonly Remnant[]): Earlier =>
  new Map(
    remnants.flatMap(({ baseline_key_hashes, structural_keys, claim_dependency_map }) => {
      const hashes = new Map(baseline_key_hashes)
      return claim_dependency_map.map(([id, keys]): [string, Map<Key, string>] => [id, new Map([...keys, ...structural_keys].map((key) => [key, hashes.get(key) ?? '']))])
    }),
  )

export interface Distillation {
  /** null: nothing irreducible was left. */
  readonly remnant: Remnant | null
  readonly purged: readonly Purge[]
  /** By claim: how each of its causal and structural keys came to its baseline. */
  readonly sightings: ReadonlyMap<string, ReadonlyMap<Key, Sighting>>
}

/**
 * `then`: looked at when it was observed, or stated by the log · `unchanged`: read now, and not changed since it was observed ·
 * `vouched`: read now, and somebody vouched that this is how it was · `sealed-before`: as an earlier seal of the session has it.
 */
export type Sighting = 'then' | 'unchanged' | 'vouched' | 'sealed-before'

export interface Standing {
  readonly candidates: readonly Sealable[]
  readonly purged: readonly Purge[]
  readonly values: KeyValues
}

type Sealable = Candidate & { readonly baselines: ReadonlyMap<Key, string>; readonly sightings: ReadonlyMap<Key, Sighting> }

/** Keeps the candidates whose every causal and structural key was seen, and is now what it was then (DESIGN 6; 000, step 4). */
export function stillTrue(draft: Draft, values: KeyValues, grounds: Grounds, earlier: Earlier): Standing {
  const candidates: Sealable[] = []
  const purged: Purge[] = [...draft.purged]
  for (const candidate of draft.candidates) {
    const baselines = new Map<Key, string>()
    const sightings = new Map<Key, Sighting>()
    let fault: Pick<Purge, 'rule' | 'reason'> | null = null
    for (const key of [...new Set([...candidate.keys, ...draft.structural])]) {
      const found = baselineOf(key, candidate, values.get(key), grounds, earlier.get(candidate.claim_id)?.get(key))
      if (!('rule' in found) && found.value === 'absent' && key === neededBy(candidate)) fault ??= { rule: 'effect', reason: 'the path that it names is not there' }
      else if ('rule' in found) fault ??= found
      else {
        baselines.set(key, found.value)
        sightings.set(key, found.sighting)
      }
    }
    if (fault === null) candidates.push({ ...candidate, baselines, sightings })
    else purged.push({ ...fault, record_id: candidate.proof.receipt.record_id, list: candidate.list })
  }
  return { ...oneValueAKey(candidates, purged), values }
}

/** The key of what must be there, by the effect of the claim. */
const neededBy = (candidate: Candidate): Key | null => (candidate.list === 'verified_invariants' ? neededPath(candidate.body.effect) : null)

interface Baseline {
  readonly value: string
  readonly sighting: Sighting
}

function baselineOf(key: Key, { proof, again }: Candidate, now: Reading | undefined, grounds: Grounds, sealedBefore: string | undefined): Baseline | Pick<Purge, 'rule' | 'reason'> {
  const seen = proof.seen[key]
  const current = now === undefined || 'unreadable' in now ? undefined : now
  if (ABSENCE.has(splitKey(key).probe) && current?.value === 'present') return { rule: 'precondition', reason: `"${key}" is no longer absent` }
  if (seen !== undefined && splitKey(key).probe === 'target') return { value: seen, sighting: 'then' } // what was done there stays done, wherever the name points now
  if (seen !== undefined && current === undefined && again?.includes(key) === true) return { rule: 'precondition', reason: `"${key}" may have changed since it was observed, and can not be read` }
  if (seen !== undefined)
    return current === undefined || current.value === seen ? { value: seen, sighting: 'then' } : { rule: 'precondition', reason: `"${key}" changed between the observation and the seal` }
  if (current === undefined)
    return { rule: 'unsealed', reason: now !== undefined && 'unreadable' in now ? `"${key}" can not be read: ${now.unreadable}` : `nobody saw "${key}"` }
  if (again?.includes(key) === true && !isOlder(current, proof.at)) return { rule: 'precondition', reason: `"${key}" may have changed since it was observed` }
  if (again?.includes(key) === true && grounds !== 'journal') return { value: current.value, sighting: 'unchanged' }
  if (grounds === 'here') return { value: current.value, sighting: 'vouched' }
  if (sealedBefore === sha256(current.value)) return { value: current.value, sighting: 'sealed-before' }
  if (grounds === 'journal' || proof.at === null) return { rule: 'unsealed', reason: `nobody saw "${key}" when it was observed` }
  if (current.changed !== undefined && current.changed > Date.parse(proof.at))
    return { rule: 'unsealed', reason: `"${key}" may have changed since it was observed` }
  return { value: current.value, sighting: 'unchanged' }
}

/** Whether what a key shows is as it was at this time: neither did it change itself, nor can a folder above it have been moved. */
const isOlder = ({ changed, moved = 0 }: Exclude<Reading, { unreadable: string }>, at: string | null): boolean => changed !== undefined && at !== null && Math.max(changed, moved) <= Date.parse(at)

const ABSENCE = new Set(['absent', 'absent-tool'])

/** One seal holds one value a key: where two observations saw different ones, the latest decides and the others are past. */
function oneValueAKey(candidates: readonly Sealable[], purged: readonly Purge[]): { candidates: readonly Sealable[]; purged: readonly Purge[] } {
  const latest = new Map<Key, { value: string; at: string }>()
  for (const { baselines, proof } of candidates)
    for (const [key, value] of baselines) {
      const known = latest.get(key)
      const at = proof.at ?? ''
      if (known === undefined || at > known.at || (at === known.at && value < known.value)) latest.set(key, { value, at })
    }
  const stands = (one: Sealable): boolean => [...one.baselines].every(([key, value]) => latest.get(key)?.value === value)
  const past = candidates.filter((one) => !stands(one))
  return {
    candidates: candidates.filter(stands),
    purged: [
      ...purged,
      ...past.map(({ proof, list }): Purge => ({ rule: 'precondition', reason: 'something that it rests on changed afterwards', record_id: proof.receipt.record_id, list })),
    ],
  }
}

/** The remnant over what stands; the same claims and values give the same bytes. */
export function sealed({ candidates, purged, values }: Standing, draft: Draft): Distillation {
  const claims = strongestOfEach(candidates)
  const sightings = new Map(claims.map((one) => [one.claim_id, one.sightings]))
  if (claims.length === 0) return { remnant: null, purged, sightings }
  const baselines = new Map(claims.flatMap(({ baselines }) => [...baselines]))
  for (const key of draft.ambient) {
    const reading = values.get(key)
    if (reading !== undefined && !('unreadable' in reading) && !(key.startsWith('file:') && reading.value === 'absent') && !baselines.has(key))
      baselines.set(key, reading.value)
  }
  const hashes = [...baselines].map(([key, value]): [Key, string] => [key, sha256(value)]).sort(byFirst)
  const last = claims.reduce((a, b) => (moment(b) > moment(a) ? b : a))
  const list = <L extends ClaimList>(name: L): Remnant[L] =>
    claims.filter((claim) => claim.list === name).map((claim) => stored(claim, draft)) as unknown as Remnant[L]
  const remnant: Remnant = {
    schema: REMNANT_SCHEMA,
    session_id: draft.session.session,
    provenance: { host: draft.host, observed_until: moment(last), head: last.proof.head, patch_ids: patchIds(claims) },
    environment_fingerprint: fingerprintOf(hashes),
    baseline_key_hashes: hashes,
    structural_keys: [...draft.structural],
    claim_dependency_map: claims.map(({ claim_id, keys }): [string, Key[]] => [claim_id, [...keys]]),
    verified_invariants: list('verified_invariants'),
    falsified_boundaries: list('falsified_boundaries'),
    non_idempotent_commits: list('non_idempotent_commits'),
    debug_residuals: list('debug_residuals'),
    unresolved_handoffs: list('unresolved_handoffs'),
    ephemeral_exclusion_list: byBytes([...exclusions(claims)].map(([kind, count]) => ({ kind, count }))),
    supersedes: [],
  }
  return { remnant, purged, sightings }
}

/** A claim made twice is one claim: what was recorded outranks what was declared. Sorted by id. */
function strongestOfEach(candidates: readonly Sealable[]): Sealable[] {
  const byId = new Map<string, Sealable>()
  for (const candidate of candidates) {
    const known = byId.get(candidate.claim_id)
    if (known === undefined || (known.declared && !candidate.declared)) byId.set(candidate.claim_id, candidate)
  }
  return [...byId.values()].sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))
}

/** What a candidate claims, before anything is said of its keys. */
export const claimOf = (candidate: Candidate, draft: Draft): Claim => ({ list: candidate.list, ...stored({ ...candidate, baselines: new Map() }, draft) }) as unknown as Claim

function stored({ list, body, claim_id, proof, stripped, keys, baselines }: Omit<Sealable, 'sightings'>, draft: Draft): Record<string, unknown> {
  const claim = { claim_id, ...body, verification_receipt: proof.receipt }
  if (list === 'verified_invariants')
    return { ...claim, context_independence_proof: { rules: byBytes(draft.rules), stripped: byBytes([...stripped.keys()]) } }
  if (list === 'falsified_boundaries') return { ...claim, precondition: byBytes(keys.map((key) => [key, publicText(key, baselines.get(key) ?? '')])) }
  return claim
}

/** Of the fixes that are told; sorted. */
const patchIds = (claims: readonly Sealable[]): string[] =>
  [...new Set(claims.flatMap((claim) => (claim.list === 'debug_residuals' ? [claim.body.verified_patch_receipt.patch_id] : [])))].sort()

function exclusions(claims: readonly Sealable[]): ReadonlyMap<string, number> {
  const total = new Map<string, number>()
  for (const { stripped } of claims) for (const [kind, count] of stripped) total.set(kind, (total.get(kind) ?? 0) + count)
  return total
}

const moment = ({ proof }: Sealable): string => proof.at ?? '1970-01-01T00:00:00Z'

const byFirst = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1)

/** Lists that have no order of their own are sorted by their canonical bytes. */
const byBytes = <T>(items: readonly T[]): T[] =>
  items.map((item) => ({ item, bytes: Buffer.from(canonical(item)) })).sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ item }) => item)
