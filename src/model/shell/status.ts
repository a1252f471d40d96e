import type { ShellCommand } from './command.ts'
import type { Filter } from './filters.ts'

/** A command with what the status of the part that it stands in says of it. */
export interface Entry extends ShellCommand {
  /** It can be left out at the end of a pipeline. */
  readonly filter: Filter | null
  /** It stands in the first member of a pipeline: what that member's own status says of it. */
  readonly first?: Pick<ShellCommand, 'zero' | 'nonzero'>
}

/** How a stretch of shell text may end. Changes of folder or environment do not count: they end with 0. */
export interface Ending {
  /** It may end with a status other than 0. */
  readonly fails: boolean
  /** The whole script may end within it: never, only with a status other than 0, or anyhow. */
  readonly mayEnd: 'no' | 'nonzero' | 'any'
  /** Where it ends with a status other than 0, the whole script ends there too. */
  readonly guarded: boolean
  /** The whole script always ends here: with 0, with another status, with the status of what went before, or with its own. */
  readonly ends: null | 'zero' | 'nonzero' | 'same' | 'own'
  /** No control flow in it. */
  readonly plain: boolean
}

export interface Part extends Ending {
  readonly entries: readonly Entry[]
}

export const NOTHING: Part = { entries: [], fails: false, mayEnd: 'no', guarded: false, ends: null, plain: true }

/** Parts joined one after the other, from the left. The work grows with their number, however deep the joins mask. */
export class Chain {
  readonly #parts: Part[]
  readonly #joins: Join[] = []
  #ending: Ending

  constructor(first: Part) {
    this.#parts = [first]
    this.#ending = first
  }

  get ending(): Ending {
    return this.#ending
  }

  add(part: Part, how: (a: Ending, b: Part) => Join): void {
    const join = how(this.#ending, part)
    this.#parts.push(part)
    this.#joins.push(join)
    this.#ending = join.ending
  }

  part(): Part {
    const { fails, mayEnd, guarded, ends, plain } = this.#ending
    const found: (readonly Entry[])[] = []
    let later = ALL
    for (let i = this.#parts.length - 1; i >= 0; i--) {
      const join = this.#joins[i - 1]
      found.push(kept(this.#parts[i] as Part, least(join?.right ?? ALL, later)))
      later = least(join?.left ?? ALL, later)
    }
    return { entries: found.reverse().flat(), fails, mayEnd, guarded, ends, plain }
  }
}

/** What a join leaves of what the statuses of its two sides say. */
export interface Join {
  readonly ending: Ending
  readonly left: Kept
  readonly right: Kept
}

interface Kept {
  readonly zero: boolean
  /** `somehow`: that it failed, but not with which status. */
  readonly nonzero: 'all' | 'somehow' | 'none'
}

/** `a && b`. */
export function and(a: Ending, b: Part): Join {
  if (a.ends !== null) return unreachable(a, b)
  const zero = a.mayEnd !== 'any'
  return {
    left: { zero, nonzero: zero && !b.fails && b.mayEnd === 'no' ? 'all' : 'none' },
    right: { zero, nonzero: a.fails || a.mayEnd !== 'no' ? 'none' : 'all' },
    ending: {
      fails: a.fails || b.fails,
      mayEnd: b.ends === null ? worse(a.mayEnd, b.mayEnd) : 'any',
      guarded: isGuarded(a) && isGuarded(b),
      ends: null,
      plain: a.plain && b.plain,
    },
  }
}

/** `a || b`. */
export function or(a: Ending, b: Part): Join {
  if (a.ends !== null) return unreachable(a, b)
  const rest = { guarded: false, ends: null, plain: a.plain && b.plain }
  if (b.ends === 'nonzero' || b.ends === 'same')
    return {
      left: { zero: a.mayEnd !== 'any', nonzero: b.ends === 'same' ? 'all' : 'somehow' },
      right: NONE,
      ending: { ...rest, fails: a.fails, mayEnd: worse(a.mayEnd, a.fails ? 'nonzero' : 'no'), guarded: true },
    }
  if (b.ends !== null) return { left: NONE, right: NONE, ending: { ...rest, fails: true, mayEnd: 'any' } }
  const mayEnd = worse(a.mayEnd, b.mayEnd)
  if (!b.fails) return { left: NONE, right: NONE, ending: { ...rest, fails: a.mayEnd !== 'no', mayEnd } }
  return {
    left: { zero: false, nonzero: 'somehow' },
    right: { zero: false, nonzero: a.mayEnd === 'no' ? 'all' : 'none' },
    ending: { ...rest, fails: true, mayEnd, guarded: b.guarded && a.mayEnd === 'no' },
  }
}

/** `a; b`. */
export function next(a: Ending, b: Part): Join {
  if (a.ends !== null) return unreachable(a, b)
  if (b.ends === 'same' && b.entries.length === 0) return { left: ALL, right: ALL, ending: { ...a, ends: 'own' } }
  const rest = { ends: b.ends === 'same' ? ('own' as const) : b.ends, plain: a.plain && b.plain }
  if (a.mayEnd === 'any') return { left: NONE, right: NONE, ending: { ...rest, fails: true, mayEnd: 'any', guarded: false } }
  const zero = isGuarded(a)
  return {
    left: { zero, nonzero: zero && !b.fails && b.mayEnd === 'no' ? 'all' : 'none' },
    right: { zero: true, nonzero: a.mayEnd === 'no' ? 'all' : 'none' },
    ending: { ...rest, fails: b.fails || a.mayEnd !== 'no', mayEnd: worse(a.mayEnd, b.mayEnd), guarded: isGuarded(b) },
  }
}

/** `! a`. */
export function inverted(a: Part): Part {
  if (a.mayEnd !== 'no' || a.ends !== null) return { ...masked(a), fails: true, guarded: false }
  const entries = a.entries.map((entry) => ({ ...entry, zero: entry.nonzero === 'code' ? 'failed' : entry.nonzero, nonzero: entry.zero }) satisfies Entry)
  return { ...a, entries, fails: true, guarded: false }
}

/** The same, proving nothing of its commands. */
export const masked = (a: Part): Part => ({ ...a, entries: kept(a, NONE) })

/** A subshell or another script ends within itself. */
export const bounded = (a: Part): Part => ({
  ...a,
  fails: a.fails || a.mayEnd !== 'no' || a.ends === 'own' || a.ends === 'nonzero',
  mayEnd: 'no',
  guarded: false,
  ends: null,
})

/** Under `set -e`: a status other than 0 ends the script. `tight`: whichever of its commands failed. */
export const checked = (a: Part, tight: boolean): Part =>
  a.fails ? { ...a, mayEnd: worse(a.mayEnd, 'nonzero'), guarded: a.guarded || tight } : a

/** A statement that runs for certain, and once: its place among these. */
export const staged = (a: Part, stage: number): Part => ({ ...a, entries: a.entries.map((entry) => ({ stage, ...entry })) })

/** An operand of `a && b && c`, the innermost where they are nested: behind it only what succeeded is left. */
export const chained = (a: Part, id: number, at: number): Part => ({
  ...a,
  entries: a.entries.map((entry) => ({ chain: { id, at, holds: entry.zero === 'succeeded' }, ...entry })),
})

/** Branches and bodies of control flow: what of them runs, and how often, is not known. */
export const branches = (parts: readonly Part[]): Part => ({
  entries: parts.flatMap((part) => masked(part).entries.map(({ chain: _, lines: __, ...entry }) => entry)),
  fails: true,
  mayEnd: parts.map(endOf).reduce(worse, 'no'),
  guarded: false,
  ends: null,
  plain: false,
})

/** How a script may end within a part, be it always or at times. */
export const endOf = (part: Part): Part['mayEnd'] => (part.ends === null ? part.mayEnd : part.ends === 'nonzero' ? worse(part.mayEnd, 'nonzero') : 'any')

const ALL: Kept = { zero: true, nonzero: 'all' }
const NONE: Kept = { zero: false, nonzero: 'none' }

const kept = (part: Part, { zero, nonzero }: Kept): readonly Entry[] =>
  part.entries.map((entry) => ({
    ...entry,
    zero: zero ? entry.zero : null,
    nonzero: nonzero === 'none' ? null : nonzero === 'somehow' && entry.nonzero === 'code' ? 'failed' : entry.nonzero,
  }))

const least = (a: Kept, b: Kept): Kept => ({
  zero: a.zero && b.zero,
  nonzero: a.nonzero === 'none' || b.nonzero === 'none' ? 'none' : a.nonzero === 'all' ? b.nonzero : a.nonzero,
})

const unreachable = (a: Ending, b: Part): Join => ({ left: ALL, right: NONE, ending: { ...a, plain: a.plain && b.plain } })

const isGuarded = (part: Ending): boolean => part.guarded || !part.fails

const worse = (a: Part['mayEnd'], b: Part['mayEnd']): Part['mayEnd'] => (a === 'any' || b === 'any' ? 'any' : a === 'no' ? b : a)
