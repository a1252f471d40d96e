import { COORDINATES } from '../model/mutation.ts'
import { isLoose } from '../model/observation.ts'
import { UNKNOWN } from '../model/outcome.ts'
import type { Deed } from './evidence.ts'
import type { Weighed } from './failures.ts'

/**
 * Mutations that were written down before they were made, until a result of them is seen. A second try that fails says nothing of the
 * first: it may have failed because the first went through.
 */
export interface Intents {
  /** `noted`: the mutation as evidence of which nobody knows what came. */
  open(record: string, noted: Weighed): void
  /** What an intent of the same call had said of the deed: an answer is read in the light of it. */
  told(record: string, answer: Weighed): Weighed
  /** The call has a result, whatever it is. */
  answered(record: string): void
  /** Those of which no result was ever recorded: the deed may have been done. */
  left(): readonly Weighed[]
}

export function intents(): Intents {
  const open = new Map<string, { readonly record: string; readonly noted: Weighed }>()
  const keyOf = (record: string, command: string): string => JSON.stringify([record, command])
  const find = (record: string, command: string): readonly string[] => {
    const loose = [...open].filter(([, intent]) => isLoose(intent.record) && intent.noted.commandKey === command).map(([key]) => key)
    return open.has(keyOf(record, command)) ? [...loose, keyOf(record, command)] : loose
  }
  return {
    open: (record, noted) => void open.set(keyOf(record, noted.commandKey), { record, noted }),
    told(record, answer) {
      const keys = find(record, answer.commandKey)
      const intent = open.get(keys.at(-1) ?? '')
      if (intent === undefined) return answer
      for (const key of keys) open.delete(key)
      return { ...answer, mutation: answer.mutation === null ? null : named(answer.mutation, intent.noted, answer.verdict), seen: { ...intent.noted.seen, ...answer.seen } }
    },
    answered(record) {
      for (const [key, intent] of open) if (intent.record === record) open.delete(key)
    },
    left: () => [...open.values()].map(({ noted }) => noted),
  }
}

/** A deed that its words did not name, by the name that was worked out before it: done where its status says so, else open. */
function named(deed: Deed, { mutation }: Weighed, verdict: boolean | null): Deed {
  const { target, identifier } = mutation?.intended ?? { target: null, identifier: null }
  if (deed.confirmed !== null || deed.intended.target !== null || target === null || identifier === null) return deed
  const intended = { ...deed.intended, target, identifier }
  if (verdict === true) return { intended, confirmed: { target, targetValue: COORDINATES.has(target.kind) ? target.id : null, identifier, state_hash: null }, unknown: false }
  return { intended, confirmed: null, unknown: deed.unknown }
}

/** An intent's evidence: what the mutation would make, and that nobody knows whether it did. */
export const intentOf = (weighed: Weighed, deed: Deed): Weighed => ({ ...weighed, receipt: { ...weighed.receipt, outcome: UNKNOWN }, verdict: null, failure: null, mutation: deed })
