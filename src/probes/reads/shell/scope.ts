import type { SyntaxNode } from 'unbash'
import { ANY, type Pattern } from '../pattern.ts'

/** All that a word can be; more than so many are unknown. */
export type Values = readonly Pattern[]
export const MOST_VALUES = 12

/** What is known at one step of a script. */
export interface Scope {
  folder: string
  readonly variables: Map<string, Values>
  readonly functions: Map<string, SyntaxNode>
  readonly positional: readonly Values[]
  /** `$0` */
  readonly name: Pattern
  readonly nested: boolean
  /** The script says what its standard input is from here on. */
  fed: boolean
}

export const inner = (scope: Scope): Scope => ({ ...scope, nested: false })
/** Where a change of folder may or may not happen. */
export const nested = (scope: Scope): Scope => ({ ...scope, nested: true })

/** A variable holds all that it is given anywhere. */
export function set(scope: Scope, name: string, values: Values): void {
  const all = [...new Set([...(scope.variables.get(name) ?? []), ...values])]
  scope.variables.set(name, all.length > MOST_VALUES || all.some((value) => value.length > 400) ? [ANY] : all)
}
