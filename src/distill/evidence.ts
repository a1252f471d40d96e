import type { BoundaryClass } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { SessionWorld } from '../model/ephemeron.ts'
import type { Key } from '../model/key.ts'
import type { ConfirmedMutation, IntendedMutation } from '../model/mutation.ts'
import type { Declared } from '../model/observation.ts'
import type { HostId, Receipt } from '../model/receipt.ts'
import type { Invocation } from '../model/toolchain.ts'
import type { Change } from './changes.ts'

/** One command of one observation, and all that its output showed; the output itself is let go. */
export interface Evidence {
  /** Its place in the log; the fraction is its place within one shell text. */
  readonly order: number
  /** When it was started, in ms, where the log says so. */
  readonly began: number | null
  /** Nobody kept its status, and something in the same text failed. */
  readonly doubtful: boolean
  readonly at: string | null
  readonly head: string | null
  readonly receipt: Receipt
  readonly commandKey: string
  /** The same for every spelling of one command (`npm t`, `npm run test`). */
  readonly alias: string
  /** true: it did what it was asked · false: it failed · null: proves neither. */
  readonly verdict: boolean | null
  readonly invocation: Invocation | null
  /** It succeeded by its status, and its own closing lines say that it failed. */
  readonly contradicted: boolean
  readonly failure: Falsification | null
  readonly mutation: Deed | null
  /** It changes the work tree or the world outside, so that its success is a deed and no fact. */
  readonly changes: boolean
  readonly outside: boolean
  /** Words that the shell worked out: it can't be told from another command. */
  readonly symbolic: boolean
  /** Only by what it reads, or by variables that were taken from it: its words are as they stand. */
  readonly worded: boolean
  /** Key values that a journal saw at that moment. */
  readonly seen: Readonly<Record<Key, string>>
  /** They are all that it depended on: it was traced. */
  readonly traced: boolean
}

/** A change of the outside that a command was to make. Neither confirmed nor `unknown`: it is known not to have been made, or again would do no harm. */
export interface Deed {
  readonly intended: IntendedMutation
  readonly confirmed: ConfirmedMutation | null
  /** It would do harm again, it may have happened, and nobody recorded whether it did. */
  readonly unknown: boolean
}

/** What failed, made comparable. */
export interface Falsification {
  readonly class: BoundaryClass | null
  readonly signature: string
  readonly keys: readonly Key[]
  readonly stripped: ReadonlyMap<string, number>
}

export interface Declaration {
  readonly order: number
  /** The call that made it went through: it ran, and the rules admitted it. */
  readonly stood: boolean
  readonly at: string | null
  readonly head: string | null
  readonly record_id: string
  readonly folder: string
  readonly declared: Declared
  /** Values of keys that were looked at when it was made. */
  readonly seen: Readonly<Record<Key, string>>
}

/** Why an outcome proves nothing: it is the answer to a question, what befell the command passes, it was never started, or its own status is not known. */
export type Unproof = 'answer' | 'transient' | 'unstarted' | 'unknown'

export interface Unproven {
  /** How many, of hosts that note every command. */
  readonly counts: ReadonlyMap<Unproof, number>
  /** Those that somebody witnessed on purpose; the last ones. */
  readonly witnessed: readonly { readonly record_id: string; readonly at: string | null; readonly command: CanonicalCommand; readonly because: Unproof }[]
}

/** All that a session's log shows, small enough to be held whole. */
export interface Telemetry {
  readonly host: HostId
  readonly session: SessionWorld
  readonly evidence: readonly Evidence[]
  readonly changes: readonly Change[]
  readonly declarations: readonly Declaration[]
  /** Commands whose outcome proves nothing, for whoever asks why no claim came of them. */
  readonly unproven: Unproven
  /** The record of each step of the session: what has this order is of the record at its whole part. */
  readonly records: readonly string[]
}

/** Runs of one command, however it was spelled, in order, with those that prove nothing left out. */
export function byCommand(evidence: readonly Evidence[]): readonly Evidence[][] {
  const groups = new Map<string, Evidence[]>()
  for (const run of evidence) {
    if (run.verdict === null || run.symbolic) continue
    const group = groups.get(run.alias)
    if (group === undefined) groups.set(run.alias, [run])
    else group.push(run)
  }
  return [...groups.values()]
}
