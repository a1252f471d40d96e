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

  /** What stands for these bytes; undefined: it is not known. */
  get(bytes: Uint8Array, from: number, to: number): T | undefined {
    const known = this.#slots[slotOf(bytes, from, to)] as Entry<T> | null
    return known !== null && isThere(known.bytes, bytes, from, to) ? known.thing : undefined
  }

  /** Takes down what was made of these bytes, and answers it. */
  put(bytes: Uint8Array, from: number, to: number, thing: T): T {
    this.#slots[slotOf(bytes, from, to)] = { bytes: new Uint8Array(bytes.subarray(from, to)), thing }
    return thing
  }
}

function slotOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return (hash ^ (hash >>> 15)) & (SLOTS - 1)
}

function isThere(some: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (some.length !== to - from) return false
  for (let i = 0; i < some.length; i++) if (some[i] !== bytes[from + i]) return false
  return true
}
