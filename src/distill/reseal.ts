import { canonical } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import { type Claim, type ClaimList, isConfirmed } from '../model/claim.ts'
import { type Key, type KeyValues, publicText } from '../model/key.ts'
import { REMNANT_SCHEMA, type Remnant, fingerprintOf } from '../model/remnant.ts'

/** What a reprobe found, and the values under which it is sealed. */
export interface Renewal {
  /** Of its own: under the old session's name it would outlive what stays suspended there. */
  readonly session_id: string
  readonly observed_until: string
  readonly head: string | null
  /** Claims that hold, by whatever proof; of two with one id the first counts, of a deed one that knows what came of it. */
  readonly claims: readonly { readonly claim: Claim; readonly keys: readonly Key[] }[]
  /** The claims of earlier remnants that are answered, by digest. */
  readonly answers: ReadonlyMap<string, Iterable<string>>
  readonly structural: readonly Key[]
  readonly ambient: readonly Key[]
  /** Readings of all causal, structural and ambient keys. */
  readonly values: KeyValues
  /** Hashes that an earlier seal holds and that are carried over, for keys that were not read again. */
  readonly sealed?: ReadonlyMap<Key, string>
  /** Kinds of ephemera that were stripped, and how many, a list for each source. */
  readonly excluded: readonly Remnant['ephemeral_exclusion_list'][]
}

/**
 * The remnant that answers claims of earlier ones (DESIGN 7): under today's values of the keys on which its claims rest.
 * null: nothing is left to claim, or a key has no value.
 */
export function reseal({ claims, values, sealed = new Map(), structural, ambient, ...renewal }: Renewal): Remnant | null {
  const byId = new Map<string, Renewal['claims'][number]>()
  for (const one of claims) {
    const known = byId.get(one.claim.claim_id)
    if (known === undefined || (isConfirmed(one.claim) && !isConfirmed(known.claim))) byId.set(one.claim.claim_id, one)
  }
  const kept = [...byId.values()].sort((a, b) => (a.claim.claim_id < b.claim.claim_id ? -1 : 1))
  const causal = [...new Set([...kept.flatMap(({ keys }) => keys), ...structural])]
  const hashes = [...causal, ...ambient.filter((key) => !causal.includes(key) && (isThere(key, values) || sealed.has(key)))]
    .map((key): [Key, string | null] => [key, hashOf(key, values) ?? sealed.get(key) ?? null])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (kept.length === 0 || !hashes.every((one): one is [Key, string] => one[1] !== null)) return null
  const list = <L extends ClaimList>(name: L): Remnant[L] =>
    kept.filter(({ claim }) => claim.list === name).map(({ claim, keys }) => stored(claim, keys, values)) as unknown as Remnant[L]
  const residuals = list('debug_residuals')
  return {
    schema: REMNANT_SCHEMA,
    session_id: renewal.session_id,
    provenance: {
      host: 'git-remnant',
      observed_until: renewal.observed_until,
      head: renewal.head,
      patch_ids: byBytes([...new Set(residuals.map(({ verified_patch_receipt }) => verified_patch_receipt.patch_id))]),
    },
    environment_fingerprint: fingerprintOf(hashes),
    baseline_key_hashes: hashes,
    structural_keys: [...new Set(structural)].sort(),
    claim_dependency_map: kept.map(({ claim, keys }): [string, Key[]] => [claim.claim_id, [...new Set(keys)].sort()]),
    verified_invariants: list('verified_invariants'),
    falsified_boundaries: list('falsified_boundaries'),
    non_idempotent_commits: list('non_idempotent_commits'),
    debug_residuals: residuals,
    unresolved_handoffs: list('unresolved_handoffs'),
    ephemeral_exclusion_list: summed(renewal.excluded),
    supersedes: byBytes([...renewal.answers].map(([digest, ids]): [string, string[]] => [digest, [...new Set(ids)].sort()]).filter(([, ids]) => ids.length > 0)),
  }
}

/** A claim as a remnant lists it; a dead end's precondition says what it is now. */
function stored({ list, ...claim }: Claim, keys: readonly Key[], values: KeyValues): Record<string, unknown> {
  if (list !== 'falsified_boundaries') return claim
  return { ...claim, precondition: byBytes(keys.map((key): [Key, string | null] => [key, publicText(key, valueOf(key, values) ?? '')])) }
}

const valueOf = (key: Key, values: KeyValues): string | null => {
  const reading = values.get(key)
  return reading !== undefined && 'value' in reading ? reading.value : null
}

const hashOf = (key: Key, values: KeyValues): string | null => {
  const value = valueOf(key, values)
  return value === null ? null : sha256(value)
}

/** A lockfile that is not there is no ambient key. */
const isThere = (key: Key, values: KeyValues): boolean => {
  const value = valueOf(key, values)
  return value !== null && !(key.startsWith('file:') && value === 'absent')
}

function summed(lists: Renewal['excluded']): Remnant['ephemeral_exclusion_list'] {
  const counts = new Map<string, number>()
  for (const { kind, count } of lists.flat()) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return byBytes([...counts].map(([kind, count]) => ({ kind, count })))
}

const byBytes = <T>(items: readonly T[]): T[] =>
  items.map((item) => ({ item, bytes: Buffer.from(canonical(item)) })).sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ item }) => item)
