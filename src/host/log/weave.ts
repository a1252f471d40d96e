import type { Line } from '../../model/format.ts'

/** One file of a session. */
export interface Source {
  /** Milliseconds; before it the source has nothing to say. */
  readonly start: number
  readonly open: () => AsyncGenerator<Line>
}

/**
 * The lines of several sources in the order of time, each source's own order kept: a line without a time, or with an
 * earlier one than the line before it, counts as written right after that. A source is opened when its time comes.
 */
export async function* woven(sources: readonly Source[], timeOf: (line: Line) => number | null): AsyncGenerator<Line> {
  const waiting = [...sources].sort((a, b) => a.start - b.start)
  const active: Active[] = []
  try {
    for (;;) {
      const first = earliest(active)
      const next = waiting[0]
      if (next !== undefined && (first === undefined || next.start <= first.time)) {
        waiting.shift()
        const rest = next.open()
        const { value: line, done } = await rest.next()
        if (!done) active.push({ rest, line, time: timeOf(line) ?? next.start })
      } else if (first !== undefined) {
        yield first.line
        const { value: line, done } = await first.rest.next()
        if (done) active.splice(active.indexOf(first), 1)
        else Object.assign(first, { line, time: Math.max(first.time, timeOf(line) ?? first.time) })
      } else return
    }
  } finally {
    for (const { rest } of active) await rest.return(undefined)
  }
}

/** A source that is open, the line that comes next of it, and that line's time. */
interface Active {
  readonly rest: AsyncGenerator<Line>
  readonly line: Line
  readonly time: number
}

/** Of equal times the log itself comes first, then its sub-agents in their order. */
const earliest = (active: readonly Active[]): Active | undefined => {
  let first = active[0]
  for (const one of active) if (first === undefined || one.time < first.time || (one.time === first.time && one.line.file < first.line.file)) first = one
  return first
}
