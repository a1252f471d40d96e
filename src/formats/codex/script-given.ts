import type { Json } from '../../base/canonical.ts'
import type { JsonObject } from '../../base/json.ts'
import { unsure } from './script-scope.ts'
import type { Entry, Value } from './script-values.ts'

/** The call whose command is asked after by its result. */
export function askedBy(entries: readonly Entry[]): number | null {
  const value = entries.findLast(({ name }) => name === 'session_id')?.value
  return value?.is === 'field' && value.field.name === 'session_id' ? value.field.call : null
}

/** What a tool is given, without what only the script knows of it and that changes nothing of what it does. */
export function givenBy(entries: readonly Entry[]): JsonObject {
  const given: [string, Json][] = []
  for (const { name, value } of entries) {
    if (name === null) given.push(...(value.is === 'object' ? Object.entries(givenBy(value.entries)) : unsure()) as [string, Json][])
    else {
      const plain = plainOf(value)
      if (plain === undefined && !(name === 'session_id' && value.is === 'field') && !ASIDE.has(name)) unsure()
      given.push([name, plain ?? null])
    }
  }
  return Object.fromEntries(given)
}

const ASIDE = new Set(['yield_time_ms', 'max_output_tokens', 'justification'])

function plainOf(value: Value): Json | undefined {
  if (value.is === 'known') return value.value
  if (value.is === 'object') return value.entries.every((entry) => entry.name !== null && plainOf(entry.value) !== undefined) ? (givenBy(value.entries) as Json) : undefined
  if (value.is !== 'list') return undefined
  const items = value.items.map(plainOf)
  return items.some((item) => item === undefined) ? undefined : (items as Json[])
}
