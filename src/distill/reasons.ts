import { table } from '../base/table.ts'
import type { Sets } from '../model/sets.ts'

/** Why a candidate is refused by a stage that is no member of a set, by the id under which the purge is recorded (000, 001, DESIGN 5). */
const STAGES: Readonly<Record<string, string>> = table({
  receipt: 'A conclusion that no result in the log bears out is speculation (000, step 2; 001, boundary 3).',
  'other-repository': 'What happened in another repository says nothing of this one.',
  precondition: 'It was observed under other circumstances than those that would be sealed (000, step 4).',
  unsealed: 'A seal may only say what was seen: nobody knows the value of a key when it was observed.',
  unclassified: 'No key could show when a failure of this kind ends, so that it would be told for ever.',
  'seen-once': 'A red outcome that was seen once may be chance.',
  doubtful: 'The last run decides, and nobody kept how that one ended.',
  effect: 'A statement that does not change what a successor may do is narrative (001, boundary 4).',
  limit: 'A record holds conclusions, not documents.',
  secret: 'A secret that was recorded once is in every copy of the repository for ever.',
})

/** The reason that a rule gives for itself, whatever it refused; null: nobody here knows that rule. */
export const reasonOf = (rule: string, { rules, ephemera }: Pick<Sets, 'rules' | 'ephemera'>): string | null =>
  (rules.find(({ id }) => id === rule)?.why ?? STAGES[rule] ?? ephemera.find(({ kind }) => kind === rule)?.why)?.replace(SOURCE, '') ?? null

/** The document from which a rule comes is for whoever reads the code. */
const SOURCE = / \(00\d[^()]{0,80}\)(?=[.,]|$)/
