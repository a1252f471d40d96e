import type { Claim } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import { type Outlined, type OutlinedClaim, type Seal, outlineOf } from '../model/outline.ts'
import { RANKS, type Rank, atLeast, isTrusted } from '../model/rank.ts'
import { claimsOf } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import type { Live } from './claims.ts'

/** An outline with those of its claims that are live; the very list of the outline, where all are. */
export interface LiveOutline<T extends Outlined = Outlined> {
  readonly one: T
  readonly claims: readonly OutlinedClaim[]
}

/**
 * The remnants that have a live claim, in the order given, each with those claims.
 * A claim is live until a remnant of its own rank or above answers it in `supersedes`, a failure also until its command later
 * passed here with the same keys; of one session's remnants of one rank only the last (`observed_until`) stands, of several that were
 * observed until one moment one whose claims no other has all of with more, of these the one with the greatest digest.
 */
export function liveOutlines<T extends Outlined>(stored: readonly T[]): LiveOutline<T>[] {
  const answers = answersIn(stored)
  const passes = passesIn(stored)
  const last = lastOfEachSession(stored)
  const live: LiveOutline<T>[] = []
  for (const one of stored) {
    if (last.of(one) !== one) continue
    const all = one.outline.claims
    const isLive = (claim: OutlinedClaim): boolean => !answers.settle(one, claim.id) && passes.lastLike(one, claim) === null
    const claims = answers.touch(one) || passes.touch(one) ? all.filter(isLive) : all
    if (claims.length > 0) live.push({ one, claims: claims.length === all.length ? all : claims })
  }
  return live
}

/** The same of whole remnants. */
export const liveAmong = (stored: readonly Held[]): Live[] => liveOutlines(outlinedOf(stored)).map(liveOf)

/** Whole remnants with their outlines. */
export const outlinedOf = (stored: readonly Held[]): (Held & Outlined)[] => stored.map((held) => ({ ...held, outline: outlineOf(held.remnant) }))

/** A whole remnant with its live claims. */
export function liveOf({ one: { digest, remnant, rank, outline }, claims }: LiveOutline<Held & Outlined>): Live {
  const all = claimsOf(remnant)
  if (claims === outline.claims) return { digest, remnant, rank, claims: all }
  const live = new Set(claims)
  return { digest, remnant, rank, claims: all.filter((_, i) => live.has(outline.claims[i] as OutlinedClaim)) }
}

/** The digests of the remnants that answer this claim of this remnant, of its own rank or above. */
export const answerersOf = (held: Held, claim: string, stored: readonly Held[]): string[] =>
  stored
    .filter(({ rank, remnant }) => atLeast(rank, held.rank) && remnant.supersedes.some(([digest, claims]) => digest === held.digest && claims.includes(claim)))
    .map(({ digest }) => digest)

/**
 * The digest of the last trusted remnant of its own rank or above in which a failing command passed, later, although every key on
 * which the failure rests was as it was then: no boundary any more, or a gate that is no longer open (DESIGN 4). Empty: none.
 */
export const outlivedBy = (held: Held, { claim_id }: Claim, stored: readonly Held[]): string[] => {
  const [one] = outlinedOf([held]) as [Held & Outlined]
  const claim = one.outline.claims.find(({ id }) => id === claim_id)
  const last = claim === undefined ? null : passesIn(outlinedOf(stored)).lastLike(one, claim)
  return last === null ? [] : [last.digest]
}

/** The remnant of the same session and rank that stands in this one's place; none where it stands itself. */
export function successorOf(held: Held, stored: readonly Held[]): string[] {
  const [one] = outlinedOf([held]) as [Held & Outlined]
  const last = lastOfEachSession(outlinedOf(stored)).of(one)
  return last === undefined || last.digest === held.digest ? [] : [last.digest]
}

interface Passes {
  /** Whether a claim of this remnant may have been outlived. */
  touch(one: Outlined): boolean
  lastLike(one: Outlined, claim: OutlinedClaim): Outlined | null
}

const isFailure = ({ says }: OutlinedClaim): boolean => says === 'deadEnd' || says === 'handoff'

/** Passing runs are looked up by what their seals say of a failure's keys, so that many runs of one command cost no more than reading them. */
function passesIn(stored: readonly Outlined[]): Passes {
  const failed = new Set<string>()
  for (const { outline } of stored) for (const claim of outline.claims) if (isFailure(claim)) failed.add(claim.command)
  const passed = new Map<string, Outlined[]>()
  if (failed.size > 0)
    for (const one of stored)
      if (isTrusted(one.rank))
        for (const { says, command } of one.outline.claims) {
          if (says !== 'green' || !failed.has(command)) continue
          const known = passed.get(command)
          if (known === undefined) passed.set(command, [one])
          else if (known.at(-1) !== one) known.push(one)
        }
  const indices = new Map<string, Map<string, Outlined>>()
  const indexFor = (command: string, keys: readonly Key[], least: Rank): Map<string, Outlined> => {
    const name = JSON.stringify([command, keys, least])
    const known = indices.get(name)
    if (known !== undefined) return known
    const index = new Map<string, Outlined>()
    for (const one of passed.get(command) ?? []) {
      if (!atLeast(one.rank, least)) continue
      const says = whatSays(one.outline.seal, keys)
      const other = says === null ? undefined : index.get(says)
      if (says !== null && (other === undefined || other.outline.instant < one.outline.instant)) index.set(says, one)
    }
    indices.set(name, index)
    return index
  }
  return {
    touch: ({ outline }) => passed.size > 0 && outline.claims.some((claim) => isFailure(claim) && passed.has(claim.command)),
    lastLike: ({ rank, outline: { seal, structural, instant, isMapped } }, claim) => {
      if (!isFailure(claim) || !isMapped || !passed.has(claim.command)) return null
      const keys = [...new Set([...claim.keys, ...structural])].sort()
      const says = whatSays(seal, keys)
      const last = says === null ? undefined : indexFor(claim.command, keys, rank === 'own' ? 'own' : 'signed').get(says)
      return last !== undefined && last.outline.instant > instant ? last : null
    },
  }
}

/** What a seal says of these keys, as one text; null: not of all of them. */
function whatSays(seal: Seal, keys: readonly Key[]): string | null {
  let hashes = hashesOf.get(seal)
  if (hashes === undefined) hashesOf.set(seal, (hashes = new Map(seal.baselines)))
  const said = keys.map((key) => hashes.get(key))
  return said.includes(undefined) ? null : said.join(' ')
}

const hashesOf = new WeakMap<Seal, ReadonlyMap<Key, string>>()

interface Answers {
  /** Whether a claim of this remnant is answered by somebody, of whatever rank. */
  touch(one: Outlined): boolean
  settle(one: Outlined, claim: string): boolean
}

function answersIn(stored: readonly Outlined[]): Answers {
  const by = new Map<Rank, Map<string, Set<string>>>(RANKS.map((rank) => [rank, new Map()]))
  const touched = new Set<string>()
  for (const { outline, rank } of stored) {
    const answered = by.get(rank) as Map<string, Set<string>>
    for (const [digest, claims] of outline.supersedes) {
      const known = answered.get(digest) ?? new Set()
      for (const claim of claims) known.add(claim)
      answered.set(digest, known)
      touched.add(digest)
    }
  }
  return {
    touch: ({ digest }) => touched.has(digest),
    settle: (one, claim) => RANKS.some((rank) => atLeast(rank, one.rank) && by.get(rank)?.get(one.digest)?.has(claim) === true),
  }
}

/** The one that stands for all of a session and rank. */
interface Last<T> {
  of(one: Outlined): T | undefined
}

function lastOfEachSession<T extends Outlined>(stored: readonly T[]): Last<T> {
  const last = new Map(RANKS.map((rank) => [rank, new Map<string, T>()]))
  const tied = new Map<T, T[]>()
  for (const one of stored) {
    const bySession = last.get(one.rank) as Map<string, T>
    const known = bySession.get(one.outline.session)
    if (known === undefined || known.outline.instant < one.outline.instant) bySession.set(one.outline.session, one)
    else if (known.outline.instant === one.outline.instant) tied.set(known, [...(tied.get(known) ?? [known]), one])
  }
  for (const [first, ones] of tied) {
    const bySession = last.get(first.rank) as Map<string, T>
    if (bySession.get(first.outline.session) === first) bySession.set(first.outline.session, fullestOf(ones))
  }
  return { of: ({ rank, outline }) => last.get(rank)?.get(outline.session) }
}

/** Of what was observed until one moment: never one whose claims are but some of another's; of the rest the greatest digest. */
function fullestOf<T extends Outlined>(ones: readonly T[]): T {
  const byDigest = [...ones].sort((a, b) => (a.digest < b.digest ? 1 : -1))
  return byDigest.find((one) => !byDigest.some((other) => tellsMore(other.outline.ids, one.outline.ids))) as T
}

/** Whether the first has all of the second, and more; both sorted. */
function tellsMore(more: readonly string[], ids: readonly string[]): boolean {
  if (more.length <= ids.length) return false
  let at = 0
  return ids.every((id) => {
    while (at < more.length && (more[at] as string) < id) at += 1
    return more[at] === id
  })
}
