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
    return this.#hosts.get(bytes, from, to, () => {
      const host = JSON.parse(bytes.toString('utf8', from, to)) as string
      return HostId.safeParse(host).success ? host : null
    })
  }

  /** A key, in quotes. */
  key(bytes: Buffer, from: number, to: number): Key | null {
    return this.#named.get(bytes, from, to, () => this.#keyOf(JSON.parse(bytes.toString('utf8', from, to)) as string))
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
    return this.#lists.get(bytes, from, to, () => this.#inOrder(JSON.parse(bytes.toString('utf8', from, to)) as string[]))
  }

  isPlace(where: string): boolean {
    return CanonicalCommand.shape.where.safeParse(where).success
  }

  /** Whether a valid outcome says that the command did what it was asked. */
  passed(bytes: Buffer, from: number, to: number): boolean {
    return this.#passes.get(bytes, from, to, () => verdictOf(JSON.parse(bytes.toString('utf8', from, to)) as Outcome) === true)
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

  /** SHA-256 of a list whose text begins so and goes on with these parts of the bytes, of which the last one or two may be empty. */
  follows(bytes: Buffer, prefix: Uint8Array, a: number, aEnd: number, b: number, bEnd: number, c: number, cEnd: number): string {
    const most = prefix.length + (aEnd - a) + (bEnd - b) + (cEnd - c) + 4
    if (most > this.#room.length) this.#room = Buffer.allocUnsafeSlow(most * 2)
    const room = this.#room
    let end = copied(prefix, 0, prefix.length, room, 0)
    end = listed(bytes, a, aEnd, room, end)
    end = listed(bytes, b, bEnd, room, end)
    end = listed(bytes, c, cEnd, room, end)
    room[end++] = CLOSE
    return sha256(room.subarray(0, end))
  }

  /** What `instantOf` makes of a time, as a text of one piece: one is kept for each remnant. null: the time is written in an odd way. */
  instant(bytes: Buffer, from: number, to: number): string | null {
    const [room, point] = [this.#room, from + WHOLE]
    if (to - from > ROOM / 2 || to <= point || bytes[to - 1] !== ZULU || (bytes[point] !== POINT && to !== point + 1)) return null
    let end = copied(bytes, from, to - 1, room, 0)
    if (end === WHOLE) room[end++] = POINT
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

const listed = (bytes: Uint8Array, from: number, to: number, room: Uint8Array, at: number): number => {
  if (from === to) return at
  room[at] = COMMA
  return copied(bytes, from, to, room, at + 1)
}

function copied(bytes: Uint8Array, from: number, to: number, room: Uint8Array, at: number): number {
  for (let i = from; i < to; i++) room[at++] = bytes[i] as number
  return at
}
