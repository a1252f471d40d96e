import type { Json } from '../../base/canonical.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { nameOf } from '../../model/call.ts'

/** Events of one session that stand in one value of a log. `session` null: it does not say which. */
export interface Events {
  readonly session: string | null
  readonly events: readonly JsonObject[]
}

/**
 * The events that a value holds: a benchmark's record of a task, a list, or with `first` left out one event alone.
 * null: it is none of these. A log without a name of its own is named by its first events.
 */
export function recordsIn(value: Json, first = false): Events | null {
  if (Array.isArray(value)) {
    const events = eventsIn(value)
    return events.some(isEvent) && events.slice(0, FIRST).every(isLikeEvent) ? { session: nameFor(events), events } : null
  }
  const record = objectOf(value)
  if (Array.isArray(record.history)) {
    const events = eventsIn(record.history)
    const named = wordOf(record.instance_id)
    if (named === null && !('test_result' in record) && !('instruction' in record)) return null
    return 'trajectory' in record || !(events.length === 0 || events.some(isEvent)) ? null : { session: named ?? nameFor(events), events }
  }
  if (!isEvent(record)) return null
  return { session: first ? nameFor([record]) : null, events: [record] }
}

const FIRST = 20

/** In the oldest files an event is a pair of an action and its observation. */
const eventsIn = (list: readonly Json[]): readonly JsonObject[] => list.flatMap((one) => (Array.isArray(one) ? listOf(one) : [one])).map(objectOf)

const nameFor = (events: readonly JsonObject[]): string => nameOf(...events.slice(0, 3).flatMap(({ id, timestamp, message }) => [typeof id === 'number' ? id : textOf(id), textOf(timestamp), textOf(message)]))

const isEvent = (event: JsonObject): boolean => isNew(event) || isOld(event)

const isLikeEvent = (event: JsonObject): boolean => isEvent(event) || wordOf(event.kind) !== null || 'source' in event || 'observation' in event

/** Since 2026 an event says its kind. */
export const isNew = (event: JsonObject): boolean => /^(?:ActionEvent|ObservationEvent|MessageEvent|AgentErrorEvent|SystemPromptEvent|ConversationStateUpdateEvent|UserRejectObservation)$/.test(textOf(event.kind) ?? '') && 'id' in event

const isOld = (event: JsonObject): boolean => (wordOf(event.action) !== null || wordOf(event.observation) !== null) && ('source' in event || 'args' in event || 'extras' in event)
