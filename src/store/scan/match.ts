const [QUOTE, COMMA, BACKSLASH, MINUS, ZERO, OPEN, CLOSE] = [0x22, 0x2c, 0x5c, 0x2d, 0x30, 0x5b, 0x5d]
const [LITERAL, TEXT, HEX, INTEGER, ALL, ONE, LIST, PAIRS] = [0, 1, 2, 3, 4, 5, 6, 7]

/** 1: a byte of a JSON text that stands for itself, and is ASCII. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0))
/** 1: what stands behind a backslash for one unit that canonical JSON writes so. */
const SHORT = Uint8Array.from({ length: 256 }, (_, byte) => ('"\\bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0))
const DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= ZERO && byte < ZERO + 10 ? 1 : 0))
const HEX_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => (DIGIT[byte] === 1 || (byte > 0x60 && byte < 0x67) ? 1 : 0))
/** So many digits are a safe integer whatever they are. */
const MAX_DIGITS = 15
/** Of `,"HASH"]`. */
const SKIMMED = 68

/** What canonical JSON (RFC 8785) looks like at some place: since there is one way alone to write a value, a shape is a plain sequence. */
export interface Shape {
  readonly op: number
  readonly bytes: Uint8Array
  readonly least: number
  readonly most: number
  readonly parts: readonly Shape[]
  /** Where it lies is told under this number; 0: nobody asks. */
  readonly mark: number
}

const NO_BYTES = new Uint8Array()
const shape = (op: number, least: number, most: number, parts: readonly Shape[] = [], bytes: Uint8Array = NO_BYTES): Shape => ({ op, bytes, least, most, parts, mark: 0 })

export const marked = (mark: number, shape: Shape): Shape => ({ ...shape, mark })
export const literal = (text: string): Shape => shape(LITERAL, 0, 0, [], Buffer.from(text))
/** A text of so many UTF-16 units, well-formed. */
export const text = (least = 0, most = Infinity): Shape => shape(TEXT, least, most)
export const hex = (digits: number): Shape => shape(HEX, digits, digits)
export const integer: Shape = shape(INTEGER, 0, 0)
export const all = (...parts: readonly Shape[]): Shape => shape(ALL, 0, 0, parts)
export const one = (...parts: readonly Shape[]): Shape => shape(ONE, 0, 0, parts)
export const list = (item: Shape, least = 0): Shape => shape(LIST, least, 0, [item])
/** The bytes of each item come behind those of the one before. */
export const ascending = (item: Shape): Shape => shape(LIST, 0, 1, [item])
/** A list of pairs of a text and a SHA-256, which is not looked at: whoever compares these bytes with others', or reads them again, does. */
export const pairs: Shape = shape(PAIRS, 0, 0)

/** Matches one text after another. */
export class Matcher {
  bytes: Buffer = Buffer.alloc(0)
  /** Marks in their order, each with where it begins and ends. */
  marks = new Int32Array(1024)
  many = 0
  /** false: something is not ASCII, so that the bytes must be UTF-8 besides. */
  ascii = true

  start(bytes: Buffer): void {
    this.bytes = bytes
    this.many = 0
    this.ascii = true
  }

  /** Where a shape that begins `at` a place ends; -1: it is not there. */
  match(shape: Shape, at: number): number {
    const { bytes } = this
    let end = at
    switch (shape.op) {
      case LITERAL: {
        const { bytes: wanted } = shape
        for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return -1
        end = at + wanted.length
        break
      }
      case TEXT: {
        if (bytes[at] !== QUOTE) return -1
        end = at + 1
        let escapes = 0
        while (PLAIN[bytes[end] as number] === 1) end++
        while (bytes[end] === BACKSLASH && SHORT[bytes[end + 1] as number] === 1) {
          escapes += 1
          end += 2
          while (PLAIN[bytes[end] as number] === 1) end++
        }
        let length = end - at - 1 - escapes
        if (bytes[end] !== QUOTE) {
          end = this.#oddEnd(end)
          length = end === -1 ? -1 : this.#oddLength(at, end)
        }
        if (length < shape.least || length > shape.most) return -1
        end += 1
        break
      }
      case HEX: {
        end = at + 1 + shape.least
        if (bytes[at] !== QUOTE || bytes[end] !== QUOTE) return -1
        for (let i = at + 1; i < end; i++) if (HEX_DIGIT[bytes[i] as number] !== 1) return -1
        end += 1
        break
      }
      case INTEGER: {
        const first = bytes[at] === MINUS ? at + 1 : at
        end = first
        while (DIGIT[bytes[end] as number] === 1) end++
        if (end === first || end - first > MAX_DIGITS || (bytes[first] === ZERO && (end - first > 1 || first !== at))) return -1
        break
      }
      case ALL: {
        const { parts } = shape
        for (let i = 0; i < parts.length; i++) {
          end = this.match(parts[i] as Shape, end)
          if (end === -1) return -1
        }
        break
      }
      case ONE: {
        const { many } = this
        const { parts } = shape
        end = -1
        for (let i = 0; i < parts.length && end === -1; i++) {
          this.many = many
          end = this.match(parts[i] as Shape, at)
        }
        if (end === -1) return -1
        break
      }
      case LIST: {
        end = this.#list(shape, at)
        if (end === -1) return -1
        break
      }
      default: {
        end = this.#pairs(at)
        if (end === -1) return -1
      }
    }
    if (shape.mark > 0) this.#tell(shape.mark, at, end)
    return end
  }

  #list(shape: Shape, at: number): number {
    const { bytes } = this
    const item = shape.parts[0] as Shape
    if (bytes[at] !== OPEN) return -1
    if (bytes[at + 1] === CLOSE) return shape.least === 0 ? at + 2 : -1
    let from = at + 1
    let [before, behind] = [0, 0]
    for (;;) {
      const end = this.match(item, from)
      if (end === -1 || (shape.most === 1 && behind > 0 && !isBelow(bytes, before, behind, from, end))) return -1
      if (bytes[end] === CLOSE) return end + 1
      if (bytes[end] !== COMMA) return -1
      before = from
      behind = end
      from = end + 1
    }
  }

  #pairs(at: number): number {
    const { bytes } = this
    if (bytes[at] !== OPEN) return -1
    if (bytes[at + 1] === CLOSE) return at + 2
    for (let from = at + 1; ; from++) {
      if (bytes[from] !== OPEN || bytes[from + 1] !== QUOTE) return -1
      from += 2
      while (PLAIN[bytes[from] as number] === 1) from++
      if (bytes[from] !== QUOTE) from = this.#oddEnd(from)
      if (from === -1) return -1
      from += SKIMMED + 1
      if (bytes[from] === CLOSE) return from + 1
      if (bytes[from] !== COMMA) return -1
    }
  }

  /** Of a text with escapes, or with more than ASCII. */
  #oddEnd(from: number): number {
    const { bytes } = this
    let at = from
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
      if (byte === undefined || byte < 0x20) return -1
      if (byte > 0x7f) this.ascii = false
      at += byte === BACKSLASH ? 2 : 1
    }
    return at
  }

  /** JavaScript's own parser and printer decide whether it is written as it must be. */
  #oddLength(from: number, to: number): number {
    const raw = this.bytes.toString('utf8', from, to + 1)
    try {
      const value = JSON.parse(raw) as string
      return value.isWellFormed() && JSON.stringify(value) === raw ? value.length : -1
    } catch {
      return -1
    }
  }

  #tell(mark: number, from: number, to: number): void {
    if (this.many + 3 > this.marks.length) {
      const more = new Int32Array(this.marks.length * 2)
      more.set(this.marks)
      this.marks = more
    }
    this.marks[this.many] = mark
    this.marks[this.many + 1] = from
    this.marks[this.many + 2] = to
    this.many += 3
  }
}

function isBelow(bytes: Uint8Array, from: number, to: number, otherFrom: number, otherTo: number): boolean {
  const [length, otherLength] = [to - from, otherTo - otherFrom]
  const both = Math.min(length, otherLength)
  for (let i = 0; i < both; i++) {
    const difference = (bytes[from + i] as number) - (bytes[otherFrom + i] as number)
    if (difference !== 0) return difference < 0
  }
  return length < otherLength
}
