import type { Ephemeron } from './ephemeron.ts'
import type { Format } from './format.ts'
import type { Mutation } from './mutation.ts'
import type { Probe } from './probe.ts'
import type { Rule } from './rule.ts'
import type { Toolchain } from './toolchain.ts'

/** The members that the pipeline works with; the core knows the kinds alone. */
export interface Sets {
  readonly formats: readonly Format[]
  readonly rules: readonly Rule[]
  readonly toolchains: readonly Toolchain[]
  readonly ephemera: readonly Ephemeron[]
  readonly mutations: readonly Mutation[]
  readonly probes: readonly Probe[]
}
