import type { World } from '../../../model/probe.ts'

/** More than this, and all of the work tree counts. */
const MOST_FILES = 800
/** More than this in one look at the world, for all keys together, is not followed: strangers name keys too. */
const MOST_IN_ALL = 60_000
const MOST_BYTES = 8 * 1024 * 1024

const spent = new WeakMap<World, { files: number }>()

/** How much may be looked at: for one key, and for all keys in one look at the world. */
export class Budget {
  readonly #spent: { files: number }
  #files = 0
  #bytes = 0

  constructor(world: World) {
    this.#spent = spent.get(world) ?? { files: 0 }
    spent.set(world, this.#spent)
    this.#spent.files += 1
  }

  take(bytes: number): void {
    this.#files += 1
    this.#spent.files += 1
    this.#bytes += bytes
  }

  /** This key had its share. */
  get isOver(): boolean {
    return this.#files > MOST_FILES || this.#bytes > MOST_BYTES
  }

  /** All keys together had theirs. */
  get isSpent(): boolean {
    return this.#spent.files > MOST_IN_ALL
  }
}
