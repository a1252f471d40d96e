import type { Key } from '../../model/key.ts'
import type { OutlinedClaim } from '../../model/outline.ts'

/** What `take` answers of a claim that the map leaves out. */
export const MISSING = -1

const HEX = 64
const NO_KEYS: readonly Key[] = []
const KINDS = [0, 1, 2, 3, 4]

/**
 * The claims of one remnant as they are read: their ids, the keys on which they rest, by a map that stands before them (or none), and
 * their lists. One for many remnants; what it hands out is made anew for each.
 */
export class Claims {
  #bytes: Uint8Array = new Uint8Array()
  #ids: string[] = []
  /** Of the map: where each id lies, and its keys; of each, whether its claim was read. */
  #places = new Int32Array(16)
  #keys: (readonly Key[])[] = []
  #taken = new Uint8Array(16)
  #mapped = 0
  #many = 0
  /** In the order of a remnant's lists; null: that list is empty. */
  readonly #lists: (OutlinedClaim[] | null)[] = KINDS.map(() => null)

  start(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#ids = []
    if (this.#mapped > 0) this.#keys = []
    this.#mapped = this.#many = 0
    for (let i = 0; i < KINDS.length; i++) this.#lists[i] = null
  }

  get isMapped(): boolean {
    return this.#mapped > 0
  }

  /** Another id of the map, which lies at this place. false: it is not in order. */
  map(id: string, place: number): boolean {
    const at = this.#mapped
    if (at > 0 && this.#compare(this.#places[at - 1] as number, place) >= 0) return false
    if (at === this.#places.length) this.#grow()
    this.#ids.push(id)
    this.#places[at] = place
    this.#taken[at] = 0
    this.#mapped = at + 1
    return true
  }

  /** The keys of the id before. */
  rest(keys: readonly Key[]): void {
    this.#keys.push(keys)
  }

  /** The number of the claim whose id lies at this place and is in the map, where no other claim has it. */
  take(place: number): number {
    let [low, high] = [0, this.#mapped - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = this.#compare(place, this.#places[middle] as number)
      if (order === 0) {
        if (this.#taken[middle] === 1) return MISSING
        this.#taken[middle] = 1
        this.#many += 1
        return middle
      }
      if (order < 0) high = middle - 1
      else low = middle + 1
    }
    return MISSING
  }

  /** The number of a claim where there is no map. */
  add(id: string): number {
    return this.#ids.push(id) - 1
  }

  idAt(at: number): string {
    return this.#ids[at] as string
  }

  keysAt(at: number): readonly Key[] {
    return this.#keys[at] ?? NO_KEYS
  }

  /** false: the claim does not come behind the one before in its list. */
  keep(kind: number, claim: OutlinedClaim): boolean {
    const list = this.#lists[kind] as OutlinedClaim[] | null
    if (list === null) {
      this.#lists[kind] = [claim]
      return true
    }
    if ((list[list.length - 1] as OutlinedClaim).id >= claim.id) return false
    list.push(claim)
    return true
  }

  /** All ids, sorted; null: the map names others. */
  ids(): readonly string[] | null {
    if (!this.isMapped) return this.#ids.sort()
    return this.#many === this.#mapped ? this.#ids : null
  }

  inOrder(): readonly OutlinedClaim[] {
    const all = this.#lists[0] ?? []
    for (let i = 1; i < KINDS.length; i++) {
      const list = this.#lists[i]
      if (list != null) for (const claim of list) all.push(claim)
    }
    return all
  }

  #grow(): void {
    const [places, taken] = [new Int32Array(this.#places.length * 2), new Uint8Array(this.#places.length * 2)]
    places.set(this.#places)
    taken.set(this.#taken)
    this.#places = places
    this.#taken = taken
  }

  #compare(place: number, other: number): number {
    const bytes = this.#bytes
    for (let i = 0; i < HEX; i++) {
      const difference = (bytes[place + i] as number) - (bytes[other + i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}
