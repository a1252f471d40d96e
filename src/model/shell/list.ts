import type { Statement } from 'unbash'
import { isNegated } from './pipeline.ts'
import type { Scope } from './scope.ts'
import type { Entry, Part } from './status.ts'
import { type Telling, keptIn, leavesVariables, tellingIn } from './telling.ts'

/** Whose status a later statement of a list prints. One for a whole text: it counts the lines of each look, wherever they stand. */
export class Tellings {
  readonly #lines = new Map<string, { count: number; sure: boolean }>()

  /**
   * The same parts, where a later statement prints the status of one. `strict`: the list runs once; in a loop or a branch nobody
   * knows how often. `unsure`: what it prints may not stand in the log, or may not be reached.
   */
  told(statements: readonly Statement[], parts: readonly Part[], { silent, functions }: Scope, strict: boolean, unsure: boolean): readonly Part[] {
    const told = [...parts]
    const kept = new Map<string, number>()
    const whole = new Set<number>()
    const plain = strict && !silent && !unsure && !functions.has('echo') && !functions.has('printf')
    let reached = true
    for (const [i, statement] of statements.entries()) {
      const variable = keptIn(statement)
      if (variable !== null && i > 0) kept.set(variable, i - 1)
      else if (variable === null && !leavesVariables(statement, functions)) kept.clear()
      const sure = plain && reached
      reached &&= parts[i]?.mayEnd === 'no' && parts[i]?.ends === null
      const telling = tellingIn(statement)
      if (telling === null) continue
      const at = (typeof telling.whose === 'object' ? kept.get(telling.whose.variable) : i - 1) ?? -1
      const nth = this.#note(telling, sure && at >= 0)
      const [before, part] = [statements[at], told[at]]
      if (!strict || before === undefined || part === undefined || before.background === true || whole.has(at)) continue
      const first = telling.whose === 'first' && isPipeline(before)
      if (!first) whole.add(at)
      told[at] = { ...part, entries: saying(part.entries, telling, nth, first) }
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
  return entries.map((entry): Entry => {
    const says = first ? entry.first : entry
    if (entry.told !== undefined || says === undefined || (says.zero === null && says.nonzero === null)) return entry
    return { ...entry, told: { head, tail, nth, of: null, zero: says.zero, nonzero: says.nonzero } }
  })
}

const isPipeline = ({ command }: Statement): boolean => command.type === 'Pipeline' && !isNegated(command) && command.commands.length > 1

type Look = Pick<Telling, 'head' | 'tail'>

const lookOf = ({ head, tail }: Look): string => `${head.trim()}\0${tail.trim()}`
