import type { Entry } from './entry.ts'

/** The first line of the index that the shell reads; any other means that there is none (DESIGN 13). */
export const INDEX_LINE = 'git-remnant-index 1'
const CLAIMS_LINE = 'git-remnant-claims 1'

/** The head of the file of claims: enough bytes to hold it whole. */
export const HEAD_BYTES = 16 * 1024

/** What is known, by the command or the target that it is about. */
export interface Filed {
  /** Under this name it is looked up. */
  readonly name: string
  readonly entry: Entry
}

export interface Head {
  readonly mutations: readonly string[]
  /** Bytes from the file's start: shard i lies from the i-th to the next. */
  readonly offsets: readonly number[]
}

const SHARDS = 256

/**
 * The file of claims: one line of magic, one of JSON, then lines `HASH ENTRY`, sorted into 256 shards by hash, so that one
 * shard is read however many claims there are.
 */
export function claimsFile(filed: readonly Filed[], mutations: readonly string[]): string {
  const shards: string[][] = Array.from({ length: SHARDS }, () => [])
  for (const { name, entry } of filed) {
    const hash = hashOf(name)
    shards[shardOf(hash)]?.push(`${hash} ${JSON.stringify(entry)}\n`)
  }
  const texts = shards.map((lines) => lines.sort().join(''))
  const sizes = texts.map((text) => Buffer.byteLength(text))
  // Offsets have a fixed width, so that the head's own length is known before they are.
  const head = (offsets: readonly number[]): string => `${CLAIMS_LINE}\n${JSON.stringify({ mutations, offsets: offsets.map((offset) => String(offset).padStart(10, '0')) })}\n`
  const start = Buffer.byteLength(head(Array.from({ length: SHARDS + 1 }, () => 0)))
  if (start > HEAD_BYTES) throw new RangeError('the head of the index is too long')
  const offsets = sizes.reduce<number[]>((all, size) => [...all, (all.at(-1) as number) + size], [start])
  return head(offsets) + texts.join('')
}

/** The head of a file of claims; null: it is none that we know. */
export function readHead(text: string): Head | null {
  const [magic, line] = text.split('\n', 2)
  if (magic !== CLAIMS_LINE || line === undefined) return null
  const { mutations, offsets } = JSON.parse(line) as { mutations: unknown; offsets: unknown }
  if (!Array.isArray(mutations) || !mutations.every((name): name is string => typeof name === 'string') || !Array.isArray(offsets)) return null
  return { mutations, offsets: offsets.map(Number) }
}

/** Where in the file the shard of a name lies. */
export function rangeOf(name: string, { offsets }: Head): { readonly from: number; readonly to: number } {
  const shard = shardOf(hashOf(name))
  return { from: offsets[shard] ?? 0, to: offsets[shard + 1] ?? 0 }
}

/** What a shard says of a name. */
export function entriesFor(name: string, shard: string): Entry[] {
  const hash = hashOf(name)
  return shard.split('\n').flatMap((line) => (line.startsWith(`${hash} `) ? [JSON.parse(line.slice(hash.length + 1)) as Entry] : []))
}

/** The name of a command in the index, and that of a target. */
export const commandName = (key: string): string => `command ${key}`
export const targetName = (target: string): string => `target ${target}`

const shardOf = (hash: string): number => Number.parseInt(hash.slice(0, 2), 16)

/** FNV-1a, twice, 64 bits in hex, without loading cryptography: it tells names apart where nobody gains by their being one. */
export function hashOf(name: string): string {
  let [a, b] = [0x811c9dc5, 0x050c5d1f]
  for (let i = 0; i < name.length; i++) {
    a = Math.imul(a ^ name.charCodeAt(i), 0x01000193) >>> 0
    b = Math.imul(b ^ name.charCodeAt(name.length - 1 - i), 0x01000193) >>> 0
  }
  return a.toString(16).padStart(8, '0') + b.toString(16).padStart(8, '0')
}
