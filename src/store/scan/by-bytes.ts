const SLOTS = 4096

interface Entry<T> {
  readonly bytes: Uint8Array
  readonly thing: T
}

/**
 * Things by the bytes that they were made of, found again without a text being made of those. There are few places, and the latest stays:
 * so it costs no more than making all anew, whatever the bytes are.
 */
export class ByBytes<T> {
  readonly #slots: (Entry<T> | null)[] = Array.from({ length: SLOTS }, () => null)

  /** What stands for these bytes; made by `make` where it is not known. */
  get(bytes: Uint8Array, from: number, to: number, make: () => T): T {
    let hash = 0x811c9dc5
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const known = this.#slots[slot] as Entry<T> | null
    if (known !== null && isThere(known.bytes, bytes, from, to)) return known.thing
    const thing = make()
    this.#slots[slot] = { bytes: new Uint8Array(bytes.subarray(from, to)), thing }
    return thing
  }
}

function isThere(some: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (some.length !== to - from) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== bytes[from + i]) return false
  return true
}
