import * as z from 'zod/mini'
import { canonical, decodeUtf8, parseJson } from '../base/canonical.ts'
import { digestOf, sha256, sha256InParts } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import { Integer, ObjectId, Sha256, Text, Time, check } from '../base/schema.ts'
import {
  CLAIM_LISTS,
  type Claim,
  type ClaimList,
  DebugResidual,
  FalsifiedBoundary,
  NonIdempotentCommit,
  UnresolvedHandoff,
  VerifiedInvariant,
  claimId,
} from './claim.ts'
import { Key } from './key.ts'
import { HostId } from './receipt.ts'

export const REMNANT_SCHEMA = 'git-remnant/1'
export const MAX_REMNANT_BYTES = 1024 * 1024

/** One session's surviving claims under one seal. Field names are the documents' own. */
export const Remnant = z.strictObject({
  schema: z.literal(REMNANT_SCHEMA),
  session_id: Text.check(z.minLength(1)),
  provenance: z.strictObject({ host: HostId, observed_until: Time, head: z.nullable(ObjectId), patch_ids: z.array(Text) }),
  environment_fingerprint: Sha256,
  baseline_key_hashes: z.array(z.tuple([Key, Sha256])),
  structural_keys: z.array(Key),
  claim_dependency_map: z.array(z.tuple([Sha256, z.array(Key)])),
  verified_invariants: z.array(VerifiedInvariant),
  falsified_boundaries: z.array(FalsifiedBoundary),
  non_idempotent_commits: z.array(NonIdempotentCommit),
  debug_residuals: z.array(DebugResidual),
  unresolved_handoffs: z.array(UnresolvedHandoff),
  ephemeral_exclusion_list: z.array(z.strictObject({ kind: Text, count: Integer })),
  supersedes: z.array(z.tuple([Sha256, z.array(Sha256)])),
})
export type Remnant = z.infer<typeof Remnant>

/** The composite seal over key hashes: SHA-256 of the canonical object `{key: hash}` (000, 003). */
export const fingerprintOf = (baselines: readonly (readonly [Key, string])[]): string => hashInOrder(baselines) ?? digestOf(Object.fromEntries(baselines))

/** So many entries are hashed at once: the text of all of them would be long, and is needed by nobody. */
const PART = 256
/** Written in JSON as it stands. */
const PLAIN = /^[ !#-[\]-~]*$/

/** SHA-256 of the canonical text of the object that these entries are, where they stand in its order already; null: they don't. */
function hashInOrder(entries: readonly (readonly [string, string])[]): string | null {
  const hash = entries.length > PART ? sha256InParts() : null
  let text = '{'
  let last: string | null = null
  let open = PART
  for (const [name, value] of entries) {
    if (last !== null && last >= name) return null
    if (open-- === 0) {
      hash?.add(text)
      text = ''
      open = PART - 1
    }
    if (PLAIN.test(name) && PLAIN.test(value)) text += `${last === null ? '' : ','}"${name}":"${value}"`
    else if (name.isWellFormed() && value.isWellFormed()) text += `${last === null ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`
    else return null
    last = name
  }
  text += '}'
  if (hash === null) return sha256(text)
  hash.add(text)
  return hash.end()
}

/** All claims of a remnant, in the order of its lists. */
export const claimsOf = (remnant: Remnant): Claim[] => CLAIM_LISTS.flatMap((list) => remnant[list].map((claim) => ({ list, ...claim }) as Claim))

/** How many claims each of its lists holds. */
export const countsOf = (remnant: Remnant): Record<ClaimList, number> =>
  Object.fromEntries(CLAIM_LISTS.map((list) => [list, remnant[list].length])) as Record<ClaimList, number>

/** A remnant as it is stored: its canonical bytes and their SHA-256, its only name. Throws `malformed` over 1 MiB. */
export function encodeRemnant(remnant: Remnant): { digest: string; bytes: Uint8Array } {
  const bytes = Buffer.from(canonical(remnant), 'utf8')
  if (bytes.byteLength > MAX_REMNANT_BYTES) throw new RemnantError('malformed', 'remnant is over 1 MiB')
  return { digest: sha256(bytes), bytes }
}

/**
 * Reads stored bytes strictly: UTF-8, canonical form (so no key twice), schema, and what the schema can't say.
 * Throws `malformed` and names the place. `digest`: what the bytes should hash to.
 */
export function decodeRemnant(bytes: Uint8Array, digest: string): Remnant {
  const name = `remnant "${digest.slice(0, 12)}"`
  if (bytes.byteLength > MAX_REMNANT_BYTES) throw new RemnantError('malformed', `${name} is over 1 MiB`)
  if (sha256(bytes) !== digest) throw new RemnantError('malformed', `${name} does not hash to its name`)
  const text = decodeUtf8(bytes)
  const value = parseJson(text)
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined
  if (typeof schema === 'string' && schema !== REMNANT_SCHEMA && schema.startsWith('git-remnant/'))
    throw new RemnantError('malformed', `${name} has a schema that this version does not know`, { hint: 'update git-remnant' })
  if (canonical(value) !== text) throw new RemnantError('malformed', `${name} is not in canonical form`)
  const remnant = check(Remnant, value, name)
  const fault = incoherence(remnant)
  if (fault !== null) throw new RemnantError('malformed', `${name} ${fault}`)
  return remnant
}

/** What is wrong with a remnant that fits its schema, or null. A broken seal and a missing manifest are verdicts (003), not faults. */
export function incoherence(remnant: Remnant): string | null {
  if (!sortedUnique(remnant.baseline_key_hashes.map(([key]) => key))) return 'has baselines that are not sorted, or a key twice'
  if (!sortedUnique(remnant.structural_keys)) return 'has structural keys that are not sorted, or one twice'
  if (!sortedUnique(remnant.claim_dependency_map.map(([id]) => id))) return 'has a dependency map that is not sorted, or a claim twice'
  for (const [, keys] of remnant.claim_dependency_map) {
    if (keys.length === 0) return 'has a claim without a key'
    if (!sortedUnique(keys)) return 'has causal keys that are not sorted, or one twice'
  }
  const claims = claimsOf(remnant)
  for (const claim of claims) if (idOf(claim) !== claim.claim_id) return `has a claim whose id does not follow from it, "${claim.claim_id.slice(0, 12)}"`
  for (const list of CLAIM_LISTS) if (!sortedUnique(remnant[list].map((claim) => claim.claim_id))) return `has ${list} that are not sorted, or one twice`
  for (const [name, list] of listsByBytes(remnant)) if (!sortedByBytes(list)) return `has ${name} that are not sorted`
  const ids = claims.map((claim) => claim.claim_id).sort()
  if (remnant.claim_dependency_map.length > 0 && ids.join() !== remnant.claim_dependency_map.map(([id]) => id).join()) return 'has a dependency map that does not fit its claims'
  return null
}

/** The lists that are sorted by the canonical bytes of what they hold. */
function listsByBytes(remnant: Remnant): [string, readonly unknown[]][] {
  return [
    ['supersedes', remnant.supersedes],
    ...remnant.supersedes.map(([, ids]): [string, unknown[]] => ['superseded claims', ids]),
    ['patch ids', remnant.provenance.patch_ids],
    ['excluded ephemera', remnant.ephemeral_exclusion_list],
    ...remnant.verified_invariants.flatMap(({ context_independence_proof: { rules, stripped } }): [string, unknown[]][] => [['rules', rules], ['stripped kinds', stripped]]),
    ...remnant.falsified_boundaries.map(({ precondition }): [string, unknown[]] => ['preconditions', precondition]),
    ...[...remnant.debug_residuals, ...remnant.unresolved_handoffs].map(({ falsified_branches }): [string, unknown[]] => ['falsified branches', falsified_branches]),
  ]
}

const sortedByBytes = (list: readonly unknown[]): boolean => {
  const bytes = list.map((item) => Buffer.from(canonical(item)))
  return bytes.every((item, i) => i === 0 || Buffer.compare(bytes[i - 1] as Buffer, item) < 0)
}

/** A claim's id, worked out anew. */
export const idOf = (claim: Claim): string => (claimId[claim.list] as (claim: Claim) => string)(claim)

const sortedUnique = (texts: readonly string[]): boolean => texts.every((text, i) => i === 0 || (texts[i - 1] as string) < text)
