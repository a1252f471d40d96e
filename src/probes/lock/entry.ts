/** Name, version and integrity of one resolved entry. */
export type Entry = readonly [name: string, version: string, integrity: string | null]

/** An entry, and the names by which it may be asked for: its own, and the one under which it is installed. */
export interface Locked {
  readonly names: readonly string[]
  readonly entry: Entry
}

/** One form of lockfile. */
export interface Lockfile {
  /** Looked for at the top, whether git ignores it or not, and anywhere in the tree. */
  readonly names: readonly string[]
  /** Others that only a path of the tree tells. */
  readonly isOne?: (path: string) => boolean
  /** All of its entries, in time that grows with its length alone. Throws `malformed` for what is not of this form. */
  entries(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): Iterable<Locked>
}

export const locked = (name: string, version: string, integrity: string | null = null): Locked => ({ names: [name], entry: [name, version, integrity] })
