import type { Json } from '../base/canonical.ts'
import { RemnantError } from '../base/errors.ts'
import type { Format, Line } from '../model/format.ts'
import type { Turn } from '../model/observation.ts'

/**
 * The one format that a log is written in, from its first values (at most 50).
 * Throws `malformed` where none recognises it, or more than one; the hint says what is expected.
 */
export function recognise(head: readonly Json[], formats: readonly Format[]): Format {
  const [format, other] = formats.filter((candidate) => candidate.recognise(head))
  if (format === undefined) throw new RemnantError('malformed', 'log is of no format that is known here', { hint: expected(formats) })
  if (other !== undefined) throw new RemnantError('malformed', `log is of two formats at once, "${format.id}" and "${other.id}"`, { hint: expected([format, other]) })
  return format
}

/** Told of each turn and the line that finished it. */
export type Placed = (turn: Turn, line: Line) => void

/**
 * A log's turns, in the order in which it finished them; of the log no more is held than what waits for its result.
 * A line that breaks the format throws `malformed`, or with `report` is reported there and left out.
 */
export async function* parse(lines: AsyncIterable<Line>, format: Format, report?: (fault: RemnantError) => void, placed?: Placed): AsyncGenerator<Turn> {
  const reader = format.open()
  for await (const line of lines)
    try {
      if (placed === undefined) yield* reader.read(line)
      else
        for (const turn of reader.read(line)) {
          placed(turn, line)
          yield turn
        }
    } catch (thrown) {
      if (report === undefined || !(thrown instanceof RemnantError)) throw thrown
      report(thrown)
    }
  yield* reader.end()
}

/** What a log may look like, for a hint: in full for a few formats, else their names alone. */
export const expected = (formats: readonly Format[]): string =>
  formats.length <= MOST_IN_FULL ? `expected ${formats.map(({ expects }) => expects).join(', or ')}` : `expected a session's log, as a host of these writes it: ${formats.map(({ id }) => id).join(' ')}`

const MOST_IN_FULL = 2
