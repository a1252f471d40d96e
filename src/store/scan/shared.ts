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
  readonly #seals = new Map<string, Known>()
  readonly #keys = new Map<string, Key>()

  /** The id of a host, in quotes. */
  host(bytes: Buffer, from: number, to: number): HostId | null {
    return this.#hosts.get(bytes, from, to, () => {
      const host = JSON.parse(bytes.toString('utf8', from, to)) as string
      return HostId.safeParse(host).success ? host : null
    })
  }

  key(text: string): Key | null {
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

  #inOrder(texts: readonly string[]): Key[] | null {
    const keys: Key[] = []
    for (const text of texts) {
      const key = this.key(text)
      if (key === null || (keys.length > 0 && (keys.at(-1) as Key) >= key)) return null
      keys.push(key)
    }
    return keys
  }
}
