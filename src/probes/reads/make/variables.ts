import { table } from '../../../base/table.ts'
import { STAR } from '../pattern.ts'
import type { Place } from '../place.ts'
import { STEERS } from '../shell/steering.ts'
import { FUNCTIONS, patsubst, wordsOf } from './functions.ts'

/** Variables of one rule, as `@` and `<`. */
export type Automatic = Readonly<Record<string, string>>

/** Variables that make itself sets. */
const BUILT_IN: Readonly<Record<string, string>> = table({ CC: 'cc', CXX: 'g++', CPP: 'cc -E', AR: 'ar', RM: 'rm -f', MAKE: 'make', ARFLAGS: '-rv', AS: 'as', LD: 'ld' })

/** The variables of a makefile, and what texts become by them. */
export class Variables {
  readonly #at: Place
  readonly #values = new Map<string, string>()
  readonly #fixed = new Set<string>()

  /** `given`: those of the command line, which no makefile changes. */
  constructor(at: Place, given: readonly (readonly [string, string])[]) {
    this.#at = at
    for (const [name, value] of given) {
      this.#values.set(name, value)
      this.#fixed.add(name)
    }
  }

  /** false, said to the inputs: what comes of it can't be followed. */
  assign(name: string, operator: string, value: string): boolean {
    if (operator === '!=' || name === 'SHELL' || name === 'VPATH' || name.startsWith('.') || (STEERS.test(name) && !/FLAGS$/.test(name))) return this.#refuse(name)
    if (this.#fixed.has(name)) return true
    const before = this.#values.get(name)
    if (operator === '?=') {
      this.#at.inputs.env([name])
      if (before === undefined) this.#values.set(name, value)
    } else if (operator === '+=') this.#values.set(name, before === undefined ? value : `${before} ${value}`)
    else if (before !== undefined && before !== value) return this.#refuse(`${name} twice`)
    else this.#values.set(name, value)
    return true
  }

  #refuse(what: string): false {
    this.#at.inputs.all(`a makefile that sets ${what}`)
    return false
  }

  /** The text with its variables and functions worked out; null: it can't be told. */
  async expand(text: string, automatic: Automatic = {}, depth = 0): Promise<string | null> {
    if (depth > 20 || text.length > 20_000) return null
    let result = ''
    for (let at = 0; at < text.length; at++) {
      if (text[at] !== '$') {
        result += text[at]
        continue
      }
      const next = text[++at] ?? ''
      if (next === '$') result += '$'
      else if (next !== '(' && next !== '{') {
        const value = automatic[next] ?? (await this.#variable(next, automatic, depth))
        if (value === null) return null
        result += value
      } else {
        const end = closing(text, at)
        if (end === -1) return null
        const value = await this.#reference(text.slice(at + 1, end), automatic, depth)
        if (value === null) return null
        result += value
        at = end
      }
    }
    return result
  }

  async #reference(inner: string, automatic: Automatic, depth: number): Promise<string | null> {
    const call = /^([a-z-]+)\s+(.*)$/s.exec(inner)
    if (call !== null && FUNCTIONS.has(call[1] as string)) {
      const args: string[] = []
      for (const part of splitCommas(call[2] as string)) {
        const value = await this.expand(part, automatic, depth + 1)
        if (value === null) return null
        args.push(value)
      }
      if (call[1] === 'wildcard') return (await Promise.all(wordsOf(args.join(',')).map((word) => this.glob(word)))).flat().join(' ')
      return FUNCTIONS.get(call[1] as string)?.(args) ?? null
    }
    if (call !== null) return null
    const part = /^([@<^*?+])([DF])$/.exec(inner)
    if (part !== null) {
      const words = wordsOf(automatic[part[1] as string] ?? '')
      return words.map((word) => (part[2] === 'F' ? word.replace(/^.*\//, '') : word.includes('/') ? word.replace(/\/[^/]*$/, '') : '.')).join(' ')
    }
    const substituted = /^([\w.-]+):([^=]*)=(.*)$/s.exec(inner)
    if (substituted !== null) {
      const [value, from, to] = [await this.#variable(substituted[1] as string, automatic, depth), await this.expand(substituted[2] as string, automatic, depth + 1), await this.expand(substituted[3] as string, automatic, depth + 1)]
      if (value === null || from === null || to === null) return null
      return patsubst(from.includes('%') ? from : `%${from}`, from.includes('%') ? to : `%${to}`, value)
    }
    if (!/^[\w.@<^*?+-]+$/.test(inner)) return null
    return automatic[inner] ?? this.#variable(inner, automatic, depth)
  }

  /** What the makefile does not set may come from the environment. */
  async #variable(name: string, automatic: Automatic, depth: number): Promise<string | null> {
    const value = this.#values.get(name)
    if (value !== undefined) return this.expand(value, automatic, depth + 1)
    this.#at.inputs.env([name])
    return BUILT_IN[name] ?? (/^(?:MAKEFILE_LIST|CURDIR|MAKECMDGOALS|MAKELEVEL|SHELL|OS)$/.test(name) ? null : '')
  }

  /** Paths that a pattern fits, as make writes them. */
  async glob(pattern: string): Promise<readonly string[]> {
    const { inputs, folder } = this.#at
    if (/[?[{]|\*\*/.test(pattern)) {
      inputs.all('a pattern of make')
      return []
    }
    const found = await inputs.path(pattern.replaceAll('*', STAR), folder, 'stat')
    return found.map((path) => (folder === '.' ? path : path.slice(folder.length + 1)))
  }
}

function closing(text: string, open: number): number {
  const [begin, end] = text[open] === '(' ? ['(', ')'] : ['{', '}']
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === begin) depth += 1
    if (text[at] === end && --depth === 0) return at
  }
  return -1
}

function splitCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if ('({'.includes(letter)) depth += 1
    if (')}'.includes(letter)) depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}
