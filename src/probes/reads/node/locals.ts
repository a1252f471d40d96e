import { type Token, argumentsAt } from '../tokens.ts'
import { continues } from './standing.ts'

/** What the names of a module stand for, as far as its text tells. */
export class Locals {
  /** Local names of functions, and of whole modules, of `fs` and `child_process`. */
  readonly functions = new Map<string, string>()
  readonly spaces = new Set<string>()
  /** What a constant is given; null: more than one has the name. */
  readonly constants = new Map<string, readonly Token[] | null>()
  readonly shadowed = new Set<string>()
  /** Names that come from Node's own `path` and `url`, and names that come from elsewhere. */
  readonly paths = new Set<string>()
  readonly foreign = new Set<string>()
  readonly #tokens: readonly Token[]

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Constants that are declared once, and names that may mean something else in some place. */
  declare(tokens: readonly Token[]): void {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (token.is === 'name' && /^(?:const|let|var)$/.test(token.value)) {
        const name = tokens[i + 1]
        if (name?.is === 'name' && tokens[i + 2]?.value === '=' && tokens[i + 2]?.is === 'mark' && token.value === 'const') {
          let [end, depth] = [i + 3, 0]
          for (; end < tokens.length; end++) {
            const one = tokens[end] as Token
            if (one.is === 'mark' && '([{'.includes(one.value)) depth += 1
            if (one.is === 'mark' && ')]}'.includes(one.value)) depth -= 1
            if (depth < 0 || (depth === 0 && one.is === 'mark' && (one.value === ';' || one.value === ',')) || (depth === 0 && one.fresh && end > i + 3 && !continues(tokens[end - 1] as Token, one))) break
          }
          this.constants.set(name.value, this.constants.has(name.value) ? null : tokens.slice(i + 3, end))
        } else {
          const names: string[] = []
          let at = i + 1
          for (; at < Math.min(tokens.length, i + 60); at++) {
            const one = tokens[at] as Token
            if (one.is === 'mark' && (one.value === '=' || one.value === ';')) break
            if (one.is === 'name') names.push(one.value)
          }
          if (tokens[at + 1]?.value !== 'require') for (const one of names) this.shadowed.add(one)
        }
      }
      // Names in brackets before `=>` or `{` are parameters.
      if (token.is === 'mark' && token.value === '=>' && tokens[i - 1]?.is === 'name') this.shadowed.add((tokens[i - 1] as Token).value)
      if (token.is === 'mark' && token.value === '(' && !/^(?:if|while|switch|with)$/.test(tokens[i - 1]?.value ?? '')) {
        const { end } = argumentsAt(tokens, i)
        const next = tokens[end]
        if (next?.is === 'mark' && (next.value === '=>' || next.value === '{')) for (const one of tokens.slice(i, end)) if (one.is === 'name') this.shadowed.add(one.value)
      }
    }
  }

  /** The words of `import a, { b as c }`. */
  bind(words: readonly string[]): void {
    let inside = false
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as string
      if (word === '{' || word === '}') inside = word === '{'
      else if (/^\w/.test(word) && word !== 'as') {
        const renamed = words[i + 1] === 'as' ? (words[i + 2] as string) : word
        if (words[i + 1] === 'as') i += 2
        if (inside && word !== 'promises' && word !== 'default') this.functions.set(renamed, word)
        else this.spaces.add(renamed)
      } else if (word === '*' && words[i + 1] === 'as') {
        this.spaces.add(words[i + 2] as string)
        i += 2
      }
    }
  }

  /** Folders are made, with all above them. */
  get makes(): boolean {
    return this.#tokens.some(({ is, value }) => is === 'name' && /^(?:mkdir|mkdirSync|mkdtemp|mkdtempSync)$/.test(value)) && this.#tokens.some(({ value }) => value === 'recursive' || /^mkdtemp/.test(value))
  }

  /** Whether a field of what a name stands for may be set, or the whole of it handed to what sets one. */
  isChanged(name: string): boolean {
    return this.#tokens.some(({ is, value }, i) => is === 'name' && value === name && (/^(?:\.|\?\.|\[)$/.test(this.#tokens[i + 1]?.value ?? '') || (this.#tokens[i - 1]?.value === '(' && this.#tokens[i - 2]?.value === 'assign')))
  }

  /** Whether a name is surely one of Node's own `path` or `url`. */
  isOfPath(name: string): boolean {
    return this.paths.has(name) && !this.foreign.has(name) && !this.shadowed.has(name) && !this.#tokens.some(({ value }, i) => value === name && this.#tokens[i - 1]?.value === 'function')
  }
}
