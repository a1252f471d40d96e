import { join } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Deed, DeadEnd, Entry, Green, Ground } from '../../guard/entry.ts'
import { operationOf } from '../../guard/certain.ts'
import { type Filed, INDEX_LINE, claimsFile, commandName, targetName } from '../../guard/form.ts'
import { patternsOf } from '../../guard/patterns.ts'
import type { Claim, FalsifiedBoundary, NonIdempotentCommit } from '../../model/claim.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import { type Key, type KeyValues, splitKey } from '../../model/key.ts'
import type { Mutation } from '../../model/mutation.ts'
import { verdictOf } from '../../model/outcome.ts'
import type { World } from '../../model/probe.ts'
import { isTrusted } from '../../model/rank.ts'
import { fingerprintOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import type { Held, Store } from '../../model/store.ts'
import { keyInWords } from '../../resolve/drift.ts'
import { liveAmong } from '../../resolve/liveness.ts'
import type { Live } from '../../resolve/claims.ts'
import { plainText } from '../../model/plain.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'
import { type GuardClaims, claimsPath, indexPath, stampOf } from './files.ts'
import { readKeys } from '../keys.ts'
import { sameKey } from '../../model/temporary-caches.ts'

/** Opened only as far as it is needed. */
interface Place {
  readonly files: Files
  repository(): Promise<Repository>
  store(): Promise<Store>
  sets(): Promise<Sets>
  world(): Promise<World>
}

/**
 * Makes the guard's index anew from all that is stored: every live dead end, whatever passed against one, and every live mutation that
 * would do harm again, whatever their keys (DESIGN 11). It is derived and local: where it can't be made there is none, and nobody's
 * work fails by that.
 */
export async function rebuildGuardIndex(host: Place): Promise<void> {
  const repository = await host.repository()
  const { files } = host
  try {
    const { mutations, probes } = await host.sets()
    const found = await allKnown(host, mutations)
    const now = Date.now()
    const keys = new Set(found.flatMap(({ entry }) => (isTrusted(entry.rank) ? entry.grounds : entry.grounds.filter(({ key }) => splitKey(key).probe !== 'tool')).map(({ key }) => key)).filter(isCheap))
    const values: KeyValues = keys.size === 0 || repository.workTree === null ? new Map() : await readKeys(keys, probes, await host.world())
    const filed = found.map(({ name, entry }) => ({ name, entry: { ...entry, grounds: entry.grounds.map((ground) => grounded(ground, values, repository.workTree, now)) } as Entry }))
    const names = mutations.flatMap((mutation) => mutation.names)
    const commands = found.flatMap(({ command, entry }) => (entry.is === 'dead-end' || entry.is === 'deed' ? [command] : []))
    files.write(claimsPath(repository), claimsFile(filed, names))
    files.write(indexPath(repository), `${[INDEX_LINE, ...patternsOf(commands, names)].join('\n')}\n`)
  } catch (thrown) {
    dropGuardIndex(repository, files)
    if (!(thrown instanceof RemnantError)) throw thrown
  }
}

/** The same claims for somebody who asks and can wait: out of the store, as it is now. */
export async function knownClaims(host: Place): Promise<Pick<GuardClaims, 'mutations' | 'about'>> {
  const { mutations } = await host.sets()
  const found = await allKnown(host, mutations)
  return { mutations: mutations.flatMap(({ names }) => names), about: (name) => found.filter((one) => one.name === name).map(({ entry }) => entry) }
}

async function allKnown(host: Place, mutations: readonly Mutation[]): Promise<Found[]> {
  const held: Held[] = []
  for await (const stored of (await host.store()).readAll()) if ('remnant' in stored) held.push(stored)
  return knownIn(liveAmong(held.filter(isWhole)), mutations)
}

/** Without an index the guard says nothing. */
function dropGuardIndex(repository: Repository, files: Files): void {
  for (const path of [indexPath(repository), claimsPath(repository)])
    try {
      files.remove(path)
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
    }
}

/** A seal that contradicts its baselines says nothing. */
const isWhole = ({ remnant }: Held): boolean => fingerprintOf(remnant.baseline_key_hashes) === remnant.environment_fingerprint

type Found = Filed & { readonly command: CanonicalCommand }

/** What remnants with a live claim say, as the index files it. */
export function knownIn(live: readonly Live[], mutations: readonly Mutation[]): Found[] {
  const ended = new Set(live.flatMap(({ claims }) => claims.flatMap((claim) => (claim.list === 'falsified_boundaries' ? [sameKey(claim.path)] : []))))
  return live.flatMap((held) => {
    const baselines = new Map(held.remnant.baseline_key_hashes)
    const causal = new Map(held.remnant.claim_dependency_map)
    return held.claims.flatMap((claim) => {
      const keys = [...new Set([...(causal.get(claim.claim_id) ?? []), ...held.remnant.structural_keys])]
      return entryOf(claim, held, keys, baselines, ended, mutations)
    })
  })
}

function entryOf(claim: Claim, held: Held, keys: readonly Key[], baselines: ReadonlyMap<Key, string>, ended: ReadonlySet<string>, mutations: readonly Mutation[]): Found[] {
  const known = { claim_id: claim.claim_id, digest: held.digest, rank: held.rank }
  if (claim.list === 'non_idempotent_commits') return claim.repeat === 'harmful' ? deedOf(claim, known, baselines, mutations) : []
  const grounds = groundsOf(keys, baselines)
  if (claim.list === 'falsified_boundaries') return grounds === null ? [] : [deadEndOf(claim, { ...known, grounds })]
  const command = greenOf(claim)
  if (command === null || !ended.has(sameKey(command))) return []
  const entry: Green = { is: 'green', ...known, command: sameKey(command), grounds: grounds ?? [] }
  return [{ name: commandName(entry.command), entry, command }]
}

/** The command that passed, by what was seen and not by what was declared; null: none did. */
function greenOf(claim: Claim): CanonicalCommand | null {
  if (claim.list === 'debug_residuals') return claim.regression_gate_signature
  if (claim.list !== 'verified_invariants') return null
  const { command, outcome, strength } = claim.verification_receipt
  return strength !== 'asserted' && verdictOf(outcome) === true ? command : null
}

function deadEndOf(claim: FalsifiedBoundary, known: Omit<DeadEnd, 'is' | 'command' | 'class' | 'signature' | 'until'>): Found {
  const lines = claim.terminal_error_signature.split('\n')
  const entry: DeadEnd = {
    is: 'dead-end',
    ...known,
    command: sameKey(claim.path),
    class: claim.class,
    signature: plainText((lines.find((line) => line.trim() !== '') ?? '').trim().replace(/[.]+$/, ''), 200),
    until: claim.precondition.map(([key, text]) => plainText(text === null ? keyInWords(key) : `${keyInWords(key)} (${text})`, 100)),
  }
  return { name: commandName(entry.command), entry, command: claim.path }
}

function deedOf(claim: NonIdempotentCommit, known: Omit<Deed, 'is' | 'command' | 'operation' | 'target' | 'identifier' | 'state_hash' | 'unknown' | 'grounds'>, baselines: ReadonlyMap<Key, string>, mutations: readonly Mutation[]): Found[] {
  const target = `${claim.target.kind}/${claim.target.id}`
  const grounds = groundsOf([`target:${target}`], baselines)
  if (grounds === null) return []
  const asked = mutations.find((one) => one.intends(claim.mutation) !== null)?.intends(claim.mutation)?.identifier ?? null
  const entry: Deed = {
    is: 'deed',
    ...known,
    grounds,
    command: commandKey(claim.mutation),
    operation: mutations.find((one) => one.operation !== undefined && one.intends(claim.mutation) !== null)?.operation ?? operationOf(claim.mutation),
    target,
    identifier: claim.identifier,
    ...(asked !== null && asked !== claim.identifier && { asked }),
    state_hash: claim.state_hash,
    unknown: claim.outcome.is === 'unknown',
  }
  return [{ name: targetName(target), entry, command: claim.mutation }]
}

/** null: one of them was never sealed, so that nobody can tell whether it drifted. */
function groundsOf(keys: readonly Key[], baselines: ReadonlyMap<Key, string>): readonly Ground[] | null {
  const grounds: Ground[] = []
  for (const key of keys) {
    const sealed = baselines.get(key)
    if (sealed === undefined) return null
    grounds.push({ key, sealed, value: null, stamp: null })
  }
  return grounds
}

/** Keys whose value is worth keeping: it saves hashing a file, or asking git. */
const isCheap = (key: Key): boolean => ['platform', 'privilege', 'repository', 'file', 'tool'].includes(splitKey(key).probe)

/** Values that say nothing of a place: known by their hash without a look. */
const PLAIN_VALUES = ['absent', 'present', 'unset', 'set', 'unborn']

function grounded(ground: Ground, values: KeyValues, workTree: string | null, now: number): Ground {
  const plain = PLAIN_VALUES.find((value) => sha256(value) === ground.sealed)
  if (plain !== undefined) return { ...ground, value: plain }
  const reading = values.get(ground.key)
  if (reading === undefined || !('value' in reading) || sha256(reading.value) !== ground.sealed) return ground
  const { probe, argument } = splitKey(ground.key)
  return { ...ground, value: reading.value, stamp: probe === 'file' && workTree !== null ? stampOf(join(workTree, argument), now) : null }
}
