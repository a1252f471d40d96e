import { sha256 } from '../../base/digest.ts'
import { CanonicalCommand } from '../../model/command.ts'
import { Key } from '../../model/key.ts'
import type { Seal } from '../../model/outline.ts'
import { type Outcome, verdictOf } from '../../model/outcome.ts'
import { HostId } from '../../model/receipt.ts'
import { ByBytes } from './by-bytes.ts'
import { BASELINES } from './grammar.ts'
import type { Matcher } from './match.ts'

interface Known {
  readonly seal: Seal
  readonly bytes: Buffer
}

/** What many remnants have in common, made once for all of them: nobody changes it. null: it is not what it should be. */
export class Shared {
  readonly #hosts = new ByBytes<HostId | null>()
  readonly #passes = new ByBytes<boolean>()
  readonly #lists = new ByBytes<Key[] | null>()
  readonly #named = new ByBytes<Key | null>()
  readonly #seals = new Map<string, Known>()
  readonly #keys = new Map<string, Key>()
  #room = Buffer.allocUnsafeSlow(ROOM)

  /** The id of a host, in quotes. */
  host(bytes: Buffer, from: number, to: number): HostId | null {
    const known = this.#hosts.get(bytes, from, to)
    if (known !== undefined) return known
    const host = JSON.parse(bytes.toString('utf8', from, to)) as string
    return this.#hosts.put(bytes, from, to, HostId.safeParse(host).success ? host : null)
  }

  /** A key, in quotes. */
  key(bytes: Buffer, from: number, to: number): Key | null {
    const known = this.#named.get(bytes, from, to)
    return known !== undefined ? known : this.#named.put(bytes, from, to, this.#keyOf(JSON.parse(bytes.toString('utf8', from, to)) as string))
  }

  #keyOf(text: string): Key | null {
    const known = this.#keys.get(text)
    if (known !== undefined) return known
    if (!Key.safeParse(text).success) return null
    this.#keys.set(text, text)
    return text
  }

  /** A list of texts, as keys in their order. */
  keys(bytes: Buffer, from: number, to: number): Key[] | null {
    const known = this.#lists.get(bytes, from, to)
    return known !== undefined ? known : this.#lists.put(bytes, from, to, this.#inOrder(JSON.parse(bytes.toString('utf8', from, to)) as string[]))
  }

  isPlace(where: string): boolean {
    return CanonicalCommand.shape.where.safeParse(where).success
  }

  /** Whether a valid outcome says that the command did what it was asked. */
  passed(bytes: Buffer, from: number, to: number): boolean {
    const known = this.#passes.get(bytes, from, to)
    return known !== undefined ? known : this.#passes.put(bytes, from, to, verdictOf(JSON.parse(bytes.toString('utf8', from, to)) as Outcome) === true)
  }

  /** What was skimmed as baselines, under the seal that their remnant tells: remnants with one seal mostly have the same. */
  seal(matcher: Matcher, from: number, to: number, fingerprint: string): Seal | null {
    const { bytes } = matcher
    const known = this.#seals.get(fingerprint)
    if (known?.bytes.length === to - from && bytes.compare(known.bytes, 0, known.bytes.length, from, to) === 0) return known.seal
    if (matcher.match(BASELINES, from) !== to) return null
    const baselines = JSON.parse(bytes.toString('utf8', from, to)) as [string, string][]
    const keys = this.#inOrder(baselines.map(([key]) => key))
    if (keys === null) return null
    const seal = { fingerprint, baselines: baselines.map(([, hash], i): [Key, string] => [keys[i] as Key, hash]) }
    this.#seals.set(fingerprint, { seal, bytes: Buffer.from(bytes.subarray(from, to)) })
    return seal
  }

  /** SHA-256 of a list whose text begins so and goes on with what was marked under these numbers; `places`: where each begins and ends. */
  follows(bytes: Buffer, begins: Uint8Array, places: Int32Array, from: readonly number[]): string {
    let most = begins.length + 1
    for (const mark of from) most += 1 + (places[2 * mark + 1] as number) - (places[2 * mark] as number)
    if (most > this.#room.length) this.#room = Buffer.allocUnsafeSlow(most * 2)
    const room = this.#room
    let end = copied(begins, 0, begins.length, room, 0)
    for (const mark of from) {
      room[end] = COMMA
      end = copied(bytes, places[2 * mark] as number, places[2 * mark + 1] as number, room, end + 1)
    }
    room[end] = CLOSE
    return sha256(room.subarray(0, end + 1))
  }

  /** What `instantOf` makes of a plain time, as a text of one piece: one is kept for each remnant. null: it is no plain time, or none. */
  instant(bytes: Buffer, from: number, to: number): string | null {
    const room = this.#room
    const length = to - from - 1
    if (!isPlainTime(bytes, from, to)) return null
    let end = copied(bytes, from, to - 1, room, 0)
    if (length === WHOLE) room[end++] = POINT
    while (end < WHOLE + 10) room[end++] = ZERO
    return room.toString('latin1', 0, end)
  }

  #inOrder(texts: readonly string[]): Key[] | null {
    const keys: Key[] = []
    for (const text of texts) {
      const key = this.#keyOf(text)
      if (key === null || (keys.length > 0 && (keys.at(-1) as Key) >= key)) return null
      keys.push(key)
    }
    return keys
  }
}

const [COMMA, CLOSE, POINT, ZERO, ZULU] = [0x2c, 0x5d, 0x2e, 0x30, 0x5a]
/** Bytes of a time in whole seconds. */
const WHOLE = 19
const ROOM = 4096
/** The bytes of a time that every year, month and hour has, at their places: 0 stands for a digit. */
const FORM = Buffer.from('0000-00-00T00:00:00')

/** Whether these are a time in UTC, on a day that every month has. */
function isPlainTime(bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from - 1
  if (length < WHOLE || length > WHOLE + 10 || length === WHOLE + 1 || bytes[to - 1] !== ZULU) return false
  for (let i = 0; i < WHOLE; i++) {
    const byte = bytes[from + i] as number
    if (FORM[i] === ZERO ? !isDigit(byte) : byte !== FORM[i]) return false
  }
  if (length > WHOLE && bytes[from + WHOLE] !== POINT) return false
  for (let i = WHOLE + 1; i < length; i++) if (!isDigit(bytes[from + i] as number)) return false
  return isWithin(bytes, from + 5, 1, 12) && isWithin(bytes, from + 8, 1, 28) && isWithin(bytes, from + 11, 0, 23) && isWithin(bytes, from + 14, 0, 59) && isWithin(bytes, from + 17, 0, 59)
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + 10

/** Two digits as a number within bounds. */
function isWithin(bytes: Uint8Array, at: number, least: number, most: number): boolean {
  const number = 10 * ((bytes[at] as number) - ZERO) + (bytes[at + 1] as number) - ZERO
  return number >= least && number <= most
}

function copied(bytes: Uint8Array, from: number, to: number, room: Uint8Array, at: number): number {
  for (let i = from; i < to; i++) room[at++] = bytes[i] as number
  return at
}
