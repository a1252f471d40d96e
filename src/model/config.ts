import * as z from 'zod/mini'
import { Integer, ObjectId, Text } from '../base/schema.ts'
import { Key } from './key.ts'

export const CONFIG_SCHEMA = 'git-remnant/config/1'
const Argv = z.array(Text).check(z.minLength(1))

/** `.remnants/config.json` (tracked) and `remnant/config.json` in the common git directory (local, wins by field). */
export const Config = z.strictObject({
  schema: z.optional(z.literal(CONFIG_SCHEMA)),
  repository_root: z.optional(ObjectId),
  ambient: z.optional(z.array(Key)),
  structural: z.optional(z.array(Key)),
  env_values: z.optional(z.array(Text)),
  gate: z.optional(
    z.strictObject({
      setup: z.optional(z.array(Argv)),
      copy: z.optional(z.array(Text)),
      timeout_s: z.optional(Integer),
      slow: z.optional(z.boolean()),
    }),
  ),
  interfaces: z.optional(z.record(Text, z.strictObject({ command: Argv }))),
  guard: z.optional(z.enum(['off', 'note', 'full'])),
  share: z.optional(Text),
  signers: z.optional(Text),
})
export type Config = z.infer<typeof Config>

/** The fields by name, for whoever wrote another one. */
export const CONFIG_FIELDS = [
  ...['schema', 'repository_root', 'ambient', 'structural', 'env_values', 'interfaces', 'guard', 'share', 'signers'],
  ...['gate.setup', 'gate.copy', 'gate.timeout_s', 'gate.slow'],
] as const

/** Fields of the tracked file that widen trust: they count only once accepted in this clone. */
export const TRUST_WIDENING = ['share', 'signers', 'guard', 'interfaces'] as const
