import type { CommandNode, Statement } from 'unbash'
import { isNegated } from './pipeline.ts'
import type { Entry, Part } from './status.ts'
import { type Telling, keptIn, tellingIn } from './telling.ts'
import { scriptsIn } from './words.ts'

/** Whose status a later statement of a list prints. One for a whole text: it counts the lines of each look, wherever they stand. */
export class Tellings {
  readonly #lines = new Map<string, { count: number; sure: boolean }>()

  /** The same parts, where a later statement prints the status of one. `sure`: the list runs once; in a loop or a branch nobody knows how often. */
  told(statements: readonly Statement[], parts: readonly Part[], sure: boolean): readonly Part[] {
    const told = [...parts]
    const kept = new Map<string, number>()
    const whole = new Set<number>()
    for (const [i, statement] of statements.entries()) {
      const variable = keptIn(statement)
      if (variable !== null && i > 0) kept.set(variable, i - 1)
      else for (const name of assignedIn(statement)) kept.delete(name)
      const telling = tellingIn(statement)
      if (telling === null) continue
      const at = (typeof telling.whose === 'object' ? kept.get(telling.whose.variable) : i - 1) ?? -1
      const nth = this.#note(telling, sure && at >= 0)
      const [before, part] = [statements[at], told[at]]
      if (!sure || before === undefined || part === undefined || before.background === true || whole.has(at)) continue
      const first = telling.whose === 'first' ? firstOf(before) : null
      if (first === null) whole.add(at)
      told[at] = { ...part, entries: saying(part.entries, telling, nth, first !== null) }
    }
    return told
  }

  /** How many lines of a look the whole text prints is known at its end. */
  settled(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((entry) => (entry.told === undefined ? entry : { ...entry, told: { ...entry.told, of: this.#of(entry.told) } }))
  }

  /** Which of its look the line is. `sure`: it is printed once, and nowhere else. */
  #note(telling: Telling, sure: boolean): number {
    const key = lookOf(telling)
    const { count, sure: before } = this.#lines.get(key) ?? { count: 0, sure: true }
    this.#lines.set(key, { count: count + 1, sure: before && sure })
    return count
  }

  #of(look: Look): number | null {
    const lines = this.#lines.get(lookOf(look))
    return lines?.sure === true ? lines.count : null
  }
}

/** The commands whose status is told for the first time. `first`: of a pipeline's first member alone; that it stood in a pipe is what hid its status. */
function saying(entries: readonly Entry[], { head, tail }: Telling, nth: number, first: boolean): readonly Entry[] {
  return entries.map((entry, n): Entry => {
    if (entry.told !== undefined || (first && n > 0)) return entry
    const { zero, nonzero } = first ? ({ zero: 'succeeded', nonzero: 'code' } as const) : entry
    return zero === null && nonzero === null ? entry : { ...entry, told: { head, tail, nth, of: null, zero, nonzero } }
  })
}

/** A pipeline's first member, where it is one simple command. */
function firstOf({ command }: Statement): CommandNode | null {
  if (command.type !== 'Pipeline' || isNegated(command) || command.commands.length < 2) return null
  const [first] = command.commands
  return first?.type === 'Command' && scriptsIn(first).length === 0 ? first : null
}

const assignedIn = ({ command }: Statement): readonly string[] =>
  command.type === 'Command' ? command.prefix.flatMap((each) => (each.type === 'Assignment' ? [each.name ?? ''] : [])) : []

type Look = Pick<Telling, 'head' | 'tail'>

const lookOf = ({ head, tail }: Look): string => `${head.trim()}\0${tail.trim()}`
