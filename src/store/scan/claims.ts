import type { Key } from '../../model/key.ts'
import type { OutlinedClaim } from '../../model/outline.ts'

/** What `take` answers of a claim that the map leaves out. */
export const MISSING = -1

const HEX = 64
const NO_KEYS: readonly Key[] = []

/**
 * The claims of one remnant as they are read: their ids, the keys on which they rest, by a map that stands before them (or none), and
 * their lists. One for many remnants, so that its room is made once.
 */
export class Claims {
  #bytes: Uint8Array = new Uint8Array()
  readonly #ids: string[] = []
  /** Where each id of the map lies, and its keys; of each, whether its claim was read. */
  readonly #places: number[] = []
  readonly #keys: (readonly Key[])[] = []
  readonly #taken: boolean[] = []
  #many = 0
  /** In the order of a remnant's lists. */
  readonly #lists: readonly OutlinedClaim[][] = [[], [], [], [], []]

  start(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#ids.length = this.#places.length = this.#keys.length = this.#taken.length = this.#many = 0
    for (const list of this.#lists) list.length = 0
  }

  get isMapped(): boolean {
    return this.#keys.length > 0
  }

  /** Another id of the map, which lies at this place. false: it is not in order. */
  map(id: string, place: number): boolean {
    const last = this.#ids.length - 1
    if (last >= 0 && (this.#ids[last] as string) >= id) return false
    this.#ids.push(id)
    this.#places.push(place)
    this.#taken.push(false)
    return true
  }

  /** The keys of the id before. */
  rest(keys: readonly Key[]): void {
    this.#keys.push(keys)
  }

  /** The number of the claim whose id lies at this place and is in the map, where no other claim has it. */
  take(place: number): number {
    let [low, high] = [0, this.#places.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = this.#compare(place, this.#places[middle] as number)
      if (order === 0) {
        if (this.#taken[middle] === true) return MISSING
        this.#taken[middle] = true
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
  keep(at: number, claim: OutlinedClaim): boolean {
    const list = this.#lists[at] as OutlinedClaim[]
    if (list.length > 0 && (list[list.length - 1] as OutlinedClaim).id >= claim.id) return false
    list.push(claim)
    return true
  }

  /** All ids, sorted; null: the map names others. */
  ids(): readonly string[] | null {
    if (!this.isMapped) return this.#ids.slice().sort()
    return this.#many === this.#ids.length ? this.#ids.slice() : null
  }

  inOrder(): readonly OutlinedClaim[] {
    const [first, ...rest] = this.#lists as readonly [OutlinedClaim[], ...OutlinedClaim[][]]
    return first.concat(...rest)
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
