import type { BoundaryClass } from './claim.ts'
import type { CanonicalCommand } from './command.ts'
import type { Key } from './key.ts'

/** A toolchain's failure as its output shows it. `lines` are the tool's own words, not yet made comparable. */
export interface Failure {
  readonly class: BoundaryClass | null
  readonly lines: readonly string[]
  /** Keys besides those of the command itself on which this failure rests (`absent-tool:jest`). */
  readonly keys: readonly Key[]
}

/** What a toolchain says of a command that it knows. */
export interface Invocation {
  /** A passing run is a gate: a test, build, type check, lint, version or schema check. */
  readonly verifies: boolean
  /** It reads sources: a red outcome rests on the tree of its folder. */
  readonly readsSources: boolean
  /** It hands over to other tools (`npm test`): any toolchain's closing lines may stand in its output. */
  readonly delegates: boolean
  /** The program, the configuration that it reads by convention, and its lockfile entries, as keys of the repository. */
  readonly keys: readonly Key[]
}

/** What is known of a command that failed, or whose status nobody reported. */
export interface Ending {
  readonly command: CanonicalCommand
  /** The exit status where the log has one. */
  readonly code: number | null
  /** Without terminal escapes; lines end with \n. */
  readonly output: string
}

/** One toolchain: which commands are its own, how its output closes, and how it fails. */
export interface Toolchain {
  readonly id: string
  readonly why: string
  /** null: not a command of this toolchain. */
  knows(command: CanonicalCommand): Invocation | null
  /** From the tool's own closing lines, and only if they are complete and certain. */
  summary(output: string): { readonly passed: boolean } | null
  /** null: nothing in it that this toolchain recognises. A failure that passes (time-out, network, rate limit, memory, disk) is `transient`. */
  failure(ending: Ending): Failure | 'transient' | null
}
