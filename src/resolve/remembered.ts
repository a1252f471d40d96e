import type { Key } from '../model/key.ts'
import { type Outlined, OutlinedClaim, type Seal } from '../model/outline.ts'
import { RANKS } from '../model/rank.ts'
import { disputedAmong } from './contradiction.ts'
import type { LiveOutline } from './liveness.ts'

/**
 * What is live, as a text from which those are taken again that another reading of some keys may touch: each rests on no other key
 * than those that its seal, its structural keys and its claims name, and on another remnant only where the two speak of one command.
 */
export const remembered = (live: readonly LiveOutline[]): string => {
  const tables = new Tables()
  const disputed = disputedAmong(live.map(({ claims }) => claims))
  const lines: string[] = []
  const open: number[] = []
  const patterns: number[] = []
  for (const [i, { one, claims }] of live.entries()) {
    const { outline } = one
    const isOpen = disputed.size > 0 && claims.some(({ says, command }) => says !== 'nothing' && disputed.has(command))
    if (isOpen) open.push(i)
    patterns.push(tables.pattern(one))
    // Digests and ids need no quoting.
    let line = `["${one.digest}",${RANKS.indexOf(one.rank)},[`
    let isOdd = isOpen || claims !== outline.claims
    for (const [at, { id, target, texts }] of outline.claims.entries()) {
      line += at === 0 ? `"${id}"` : `,"${id}"`
      isOdd ||= target !== null || texts.length > 0
    }
    lines.push(`${line}]${isOdd ? oddOf(outline.claims, claims, isOpen) : ''}]`)
  }
  return [JSON.stringify({ ...tables.all(), patterns, open }), ...lines].join('\n')
}

/** Which of the claims are live, and what of each is not to be worked out from its id and its keys. */
function oddOf(all: readonly OutlinedClaim[], live: readonly OutlinedClaim[], isOpen: boolean): string {
  const alive = new Set(live)
  const odd = all.map((claim): Odd | null => (isOpen || claim.target !== null || claim.texts.length > 0 ? [claim.says, claim.command, claim.target, claim.texts] : null))
  return `,${JSON.stringify(all === live ? null : all.flatMap((claim, at) => (alive.has(claim) ? [at] : [])))},${JSON.stringify(odd)}`
}

/** Those that a change of these keys may touch, by their place among all that is live. Throws whatever comes of a text that is no such one. */
export function touchedBy(changed: ReadonlySet<Key>, text: string): Map<number, LiveOutline> {
  const [head = '', ...lines] = text.split('\n')
  const { keys, lists, sealed, seals, kinds, patterns, open } = JSON.parse(head) as Head
  const named = lists.map((list) => list.map((at) => keys[at] as Key))
  const entries = sealed.map(([at, hash]): readonly [Key, string] => [keys[at] as Key, hash])
  const baselines = seals.map(([fingerprint, list]): Seal => ({ fingerprint, baselines: list.map((at) => entries[at] as [Key, string]) }))
  const isListed = named.map((list) => list.some((key) => changed.has(key)))
  const isSealed = baselines.map((seal) => seal.baselines.some(([key]) => changed.has(key)))
  const isTouched = kinds.map(([seal, structural, , causal]) => isSealed[seal] === true || isListed[structural] === true || causal.some((at) => isListed[at]))
  const isOpen = new Set(open)
  const touched = new Map<number, LiveOutline>()
  for (const [i, pattern] of patterns.entries()) {
    if (isTouched[pattern] !== true && !isOpen.has(i)) continue
    const [seal, structural, isMapped, causal] = kinds[pattern] as Kind
    const [digest, rank, ids, living, odd] = JSON.parse(lines[i] as string) as Line
    const claims = ids.map((id, at) => {
      const [says, command, target, texts] = odd?.[at] ?? PLAIN
      return new OutlinedClaim(id, named[causal[at] as number] as Key[], says, command, target, texts)
    })
    const outline = { session: '', instant: '', seal: baselines[seal] as Seal, structural: named[structural] as Key[], claims, ids: [...ids].sort(), isMapped, supersedes: [] }
    touched.set(i, { one: { digest, rank: RANKS[rank] as Outlined['rank'], outline }, claims: living == null ? claims : living.map((at) => claims[at] as OutlinedClaim) })
  }
  return touched
}

/** Of a claim: what it says of which command, where somebody may say the opposite; the key of its target; its public texts. */
type Odd = readonly [OutlinedClaim['says'], string, Key | null, OutlinedClaim['texts']]
const PLAIN: Odd = ['nothing', '', null, []]

type Line = readonly [digest: string, rank: number, ids: readonly string[], living?: readonly number[] | null, odd?: readonly (Odd | null)[]]
/** A seal and lists of keys, by their places in the tables; of the claims a list each. */
type Kind = readonly [seal: number, structural: number, isMapped: boolean, causal: readonly number[]]

interface Head {
  readonly keys: readonly Key[]
  readonly lists: readonly (readonly number[])[]
  /** A key and its hash. */
  readonly sealed: readonly (readonly [number, string])[]
  readonly seals: readonly (readonly [fingerprint: string, sealed: readonly number[]])[]
  readonly kinds: readonly Kind[]
  /** Of each that is live its kind. */
  readonly patterns: readonly number[]
  /** Those that others may contradict. */
  readonly open: readonly number[]
}

/** What remnants have in common, once. */
class Tables {
  readonly #keys = new Table<Key>()
  readonly #lists = new Table<string>()
  readonly #sealed = new Table<string>()
  readonly #seals = new Table<string>()
  readonly #kinds = new Table<string>()
  readonly #byList = new Map<readonly Key[], number>()
  readonly #bySeal = new Map<Seal, number>()

  pattern({ outline: { seal, structural, claims, isMapped } }: Outlined): number {
    let kind = `[${this.#seal(seal)},${this.#list(structural)},${isMapped},[`
    for (const [at, { keys }] of claims.entries()) kind += at === 0 ? this.#list(keys) : `,${this.#list(keys)}`
    return this.#kinds.at(`${kind}]]`)
  }

  all(): Omit<Head, 'patterns' | 'open'> {
    const parsed = <T>(table: Table<string>): T[] => JSON.parse(`[${[...table.all()].join()}]`) as T[]
    return { keys: [...this.#keys.all()], lists: parsed(this.#lists), sealed: parsed(this.#sealed), seals: parsed(this.#seals), kinds: parsed(this.#kinds) }
  }

  #list(list: readonly Key[]): number {
    const known = this.#byList.get(list)
    if (known !== undefined) return known
    const at = this.#lists.at(`[${list.map((key) => this.#keys.at(key)).join()}]`)
    this.#byList.set(list, at)
    return at
  }

  #seal(seal: Seal): number {
    const known = this.#bySeal.get(seal)
    if (known !== undefined) return known
    const sealed = seal.baselines.map(([key, hash]) => this.#sealed.at(`[${this.#keys.at(key)},"${hash}"]`))
    const at = this.#seals.at(`["${seal.fingerprint}",[${sealed.join()}]]`)
    this.#bySeal.set(seal, at)
    return at
  }
}

/** Things by their place among all. */
class Table<T> {
  readonly #places = new Map<T, number>()

  at(thing: T): number {
    const known = this.#places.get(thing)
    if (known !== undefined) return known
    this.#places.set(thing, this.#places.size)
    return this.#places.size - 1
  }

  all(): Iterable<T> {
    return this.#places.keys()
  }
}
