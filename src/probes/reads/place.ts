import type { Inputs } from './inputs.ts'
import type { Pattern } from './pattern.ts'

/** Where a command is followed, and what is known there. */
export interface Place {
  readonly folder: string
  readonly inputs: Inputs
  readonly depth: number
  /** Files that an earlier step made, which are no inputs. */
  readonly made: ReadonlySet<string>
  /** A make above it hands variables of its own words down to every make below. */
  readonly steered?: boolean
  /** The command's own text says what its standard input is. */
  readonly fed?: boolean
  /** Values of PYTHONPATH that it is started with. */
  readonly searched?: readonly Pattern[]
}

/** Follows one command with its words worked out as far as they can be. */
export type Start = (argv: readonly Pattern[], at: Place) => Promise<void>
