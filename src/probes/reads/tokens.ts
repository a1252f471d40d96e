import { table } from '../../base/table.ts'
/** A piece of a program's text. `parts`: a template, or a text that holds expressions; null is one that only running tells. */
export interface Token {
  readonly is: 'name' | 'text' | 'mark' | 'number' | 'regex' | 'line'
  readonly value: string
  readonly parts?: readonly (string | readonly Token[])[]
  /** A line break stands before it. */
  readonly fresh: boolean
}

/** A list of tokens, and all that stand in its texts. */
export const lists = (tokens: readonly Token[]): readonly (readonly Token[])[] => [
  tokens,
  ...tokens.flatMap(({ parts }) => (parts ?? []).flatMap((part) => (typeof part === 'string' ? [] : lists(part)))),
]

/** The arguments of a call whose `(` stands at a place; `end`: behind its `)`. */
export function argumentsAt(tokens: readonly Token[], open: number): { readonly args: readonly (readonly Token[])[]; readonly end: number } {
  const args: Token[][] = [[]]
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const mark = token.is === 'mark' ? token.value : ''
    if (mark !== '' && '([{'.includes(mark)) depth += 1
    if (mark !== '' && ')]}'.includes(mark)) depth -= 1
    if (depth === 0) return { args: args.filter((arg, i) => i < args.length - 1 || arg.length > 0), end: at + 1 }
    if (at === open) continue
    if (depth === 1 && mark === ',') args.push([])
    else (args.at(-1) as Token[]).push(token)
  }
  return { args, end: tokens.length }
}

/** The parts of an expression between a mark that stands outside of all brackets. */
export function splitAt(tokens: readonly Token[], mark: string): (readonly Token[])[] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.is === 'mark' && '([{'.includes(token.value)) depth += 1
    if (token.is === 'mark' && ')]}'.includes(token.value)) depth -= 1
    if (depth === 0 && token.is === 'mark' && token.value === mark) parts.push([])
    else (parts.at(-1) as Token[]).push(token)
  }
  return parts
}

/** What a letter behind a backslash stands for, in JavaScript and in Python. */
export const ESCAPES: Readonly<Record<string, string>> = table({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' })
