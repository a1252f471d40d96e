import type { BoundaryClass } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import type { Rank } from '../model/rank.ts'

/**
 * A key on which a claim rests: the hash of its sealed value, and, where that was its value when the index was made, the value
 * itself and the file's stamp of that moment. Both only save work: who has neither reads the key and hashes it.
 */
export interface Ground {
  readonly key: Key
  readonly sealed: string
  readonly value: string | null
  readonly stamp: string | null
}

interface Known {
  readonly claim_id: string
  readonly digest: string
  readonly rank: Rank
  /** Causal and structural. */
  readonly grounds: readonly Ground[]
}

/** A command that failed in a way that is a boundary. */
export interface DeadEnd extends Known {
  readonly is: 'dead-end'
  readonly command: string
  readonly class: BoundaryClass
  /** One line, plain. */
  readonly signature: string
  /** What would have to change, each as it was: `tool:npm (npm 11.19.1)`. */
  readonly until: readonly string[]
}

/** A command that passed: equally good evidence against a dead end. */
export interface Green extends Known {
  readonly is: 'green'
  readonly command: string
}

/** A mutation that was made, or of which nobody knows whether it was. Its only ground is its target. */
export interface Deed extends Known {
  readonly is: 'deed'
  readonly command: string
  readonly operation: string
  /** `KIND/ID`. */
  readonly target: string
  /** As the tool named it. */
  readonly identifier: string | null
  /** As its command named it before it was made, where that is another name: `pull/12` for a comment, `feat` for `pull/12`. */
  readonly asked?: string
  readonly state_hash: string | null
  readonly unknown: boolean
}

/** One thing that is known, as the index holds it. */
export type Entry = DeadEnd | Green | Deed

/** An entry, here and now. `holds`: its grounds are as they were; null: that can't be told in time. */
export interface Here<E extends Entry> {
  readonly entry: E
  readonly holds: boolean | null
}

/** Environment assignments and words of an entry's command. What is no key of a command has only words. */
export function partsOf(command: string): { readonly env: string; readonly argv: readonly string[] } {
  try {
    const [, env, argv] = JSON.parse(command) as [string, unknown, string[]]
    return { env: JSON.stringify(env), argv }
  } catch {
    return { env: '[]', argv: command.split(' ') }
  }
}
