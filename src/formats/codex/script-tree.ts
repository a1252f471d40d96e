import { type Token, tokensOf } from './script-words.ts'

/** What stands in a script where a value can stand. */
export type Node =
  | { readonly is: 'value'; readonly value: string | number | boolean | null }
  | { readonly is: 'template'; readonly words: readonly string[]; readonly inner: readonly Node[] }
  | { readonly is: 'pattern' }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'member'; readonly of: Node; readonly name: string }
  | { readonly is: 'index'; readonly of: Node; readonly at: Node }
  | { readonly is: 'call'; readonly callee: Node; readonly args: readonly Node[] }
  | { readonly is: 'list'; readonly items: readonly Item[] }
  | { readonly is: 'object'; readonly entries: readonly { readonly name: string | null; readonly value: Node }[] }
  | { readonly is: 'function'; readonly params: readonly Pattern[]; readonly body: Node | readonly Statement[]; readonly waits: boolean }
  | { readonly is: 'await'; readonly value: Node }
  | { readonly is: 'unary'; readonly sign: string; readonly value: Node }
  | { readonly is: 'binary'; readonly sign: string; readonly left: Node; readonly right: Node }
  | { readonly is: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node }

interface Item {
  readonly value: Node
  readonly spread: boolean
}

export type Pattern = { readonly is: 'name'; readonly name: string } | { readonly is: 'list'; readonly items: readonly Pattern[] } | { readonly is: 'object'; readonly fields: readonly { readonly from: string; readonly to: string }[] }

export type Statement =
  | { readonly is: 'let'; readonly pattern: Pattern; readonly value: Node }
  | { readonly is: 'do'; readonly value: Node }
  | { readonly is: 'if'; readonly test: Node; readonly yes: readonly Statement[]; readonly no: readonly Statement[] }
  | { readonly is: 'each'; readonly pattern: Pattern; readonly of: Node; readonly body: readonly Statement[] }
  | { readonly is: 'return'; readonly value: Node | null }

/**
 * A program in JavaScript that binds each name once, calls, tells apart and repeats over lists; null: it has more than that. What is
 * read here assigns nothing, so that a name means the same from its binding on.
 */
export function treeOf(input: string): readonly Statement[] | null {
  try {
    return parsed(input, 0, (parser) => parser.statements(null))
  } catch (error) {
    if (error instanceof Unread) return null
    throw error
  }
}

class Unread extends Error {}

function parsed<T>(input: string, depth: number, read: (parser: Parser) => T): T {
  const tokens = tokensOf(input)
  if (tokens === null) throw new Unread()
  const parser = new Parser(tokens, depth)
  const result = read(parser)
  if (!parser.done()) throw new Unread()
  return result
}

const MOST_DEPTH = 60
/** How tightly each sign binds. */
const SIGNS: ReadonlyMap<string, number> = new Map([['??', 1], ['||', 1], ['&&', 2], ['===', 3], ['!==', 3], ['==', 3], ['!=', 3], ['<', 4], ['>', 4], ['<=', 4], ['>=', 4], ['in', 4], ['+', 5], ['-', 5], ['*', 6], ['%', 6]])
const RESERVED = new Set('await break case catch class const continue debugger default delete do else export extends finally for function if import in instanceof let new return super switch this throw try typeof var void while with yield'.split(' '))

class Parser {
  #at = 0
  #depth: number
  readonly #tokens: readonly Token[]

  constructor(tokens: readonly Token[], depth: number) {
    this.#tokens = tokens
    this.#depth = depth
  }

  done(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** Up to `end`, or all. */
  statements(end: '}' | null): Statement[] {
    const found: Statement[] = []
    for (;;) {
      while (this.#take(';'));
      if (end === null ? this.done() : this.#take(end)) return found
      found.push(this.#within(() => this.#statement()))
    }
  }

  #statement(): Statement {
    if (this.#takeName('const') || this.#takeName('let') || this.#takeName('var')) {
      const pattern = this.#pattern()
      this.#must('=')
      return this.#ended({ is: 'let', pattern, value: this.value() })
    }
    if (this.#takeName('if')) return this.#choice()
    if (this.#takeName('for')) return this.#each()
    if (this.#takeName('return')) return this.#ended({ is: 'return', value: this.#ends() ? null : this.value() })
    return this.#ended({ is: 'do', value: this.value() })
  }

  #choice(): Statement {
    this.#must('(')
    const test = this.value()
    this.#must(')')
    const yes = this.#block()
    while (this.#is(';') && this.#peek(1)?.is === 'name' && (this.#peek(1) as { text: string }).text === 'else') this.#take(';')
    return { is: 'if', test, yes, no: this.#takeName('else') ? this.#block() : [] }
  }

  #each(): Statement {
    this.#must('(')
    if (!this.#takeName('const') && !this.#takeName('let')) throw new Unread()
    const pattern = this.#pattern()
    if (!this.#takeName('of')) throw new Unread()
    const of = this.value()
    this.#must(')')
    return { is: 'each', pattern, of, body: this.#block() }
  }

  #block(): readonly Statement[] {
    return this.#take('{') ? this.statements('}') : [this.#within(() => this.#statement())]
  }

  #pattern(): Pattern {
    if (this.#take('[')) {
      const items: Pattern[] = []
      while (!this.#take(']')) {
        items.push(this.#pattern())
        if (!this.#take(',') && !this.#is(']')) throw new Unread()
      }
      return { is: 'list', items }
    }
    if (!this.#take('{')) return { is: 'name', name: this.#name() }
    const fields: { from: string; to: string }[] = []
    while (!this.#take('}')) {
      const from = this.#name()
      fields.push({ from, to: this.#take(':') ? this.#name() : from })
      if (!this.#take(',') && !this.#is('}')) throw new Unread()
    }
    return { is: 'object', fields }
  }

  value(): Node {
    return this.#within(() => {
      const found = this.#function() ?? this.#binary(1)
      if (!this.#take('?')) return found
      const yes = this.value()
      this.#must(':')
      return { is: 'choice', test: found, yes, no: this.value() }
    })
  }

  /** `x => …`, `async ([a, b]) => …`; null: none stands here. */
  #function(): Node | null {
    const start = this.#at
    const waits = this.#takeName('async')
    const params: Pattern[] = []
    if (this.#isArrowBehindBrackets()) {
      this.#must('(')
      while (!this.#take(')')) {
        params.push(this.#pattern())
        if (!this.#take(',') && !this.#is(')')) throw new Unread()
      }
    } else if (this.#peek()?.is === 'name' && this.#isMark(1, '=>')) params.push({ is: 'name', name: this.#name() })
    else {
      this.#at = start
      return null
    }
    this.#must('=>')
    return { is: 'function', params, waits, body: this.#take('{') ? this.statements('}') : this.value() }
  }

  #isArrowBehindBrackets(): boolean {
    if (!this.#is('(')) return false
    for (let i = 0, depth = 0; this.#peek(i) !== undefined; i++) {
      if (['(', '[', '{'].some((open) => this.#isMark(i, open))) depth += 1
      else if ([')', ']', '}'].some((close) => this.#isMark(i, close)) && --depth === 0) return this.#isMark(i + 1, '=>')
    }
    return false
  }

  #binary(least: number): Node {
    let left = this.#unary()
    for (;;) {
      const token = this.#peek()
      const sign = token?.is === 'mark' || (token?.is === 'name' && token.text === 'in') ? token.text : ''
      const binds = SIGNS.get(sign)
      if (binds === undefined || binds < least) return left
      this.#at += 1
      left = { is: 'binary', sign, left, right: this.#binary(binds + 1) }
    }
  }

  #unary(): Node {
    return this.#within(() => {
      if (this.#takeName('await')) return { is: 'await', value: this.#unary() }
      if (this.#takeName('typeof')) return { is: 'unary', sign: 'typeof', value: this.#unary() }
      for (const sign of ['!', '-']) if (this.#take(sign)) return { is: 'unary', sign, value: this.#unary() }
      return this.#behind(this.#primary())
    })
  }

  #behind(first: Node): Node {
    for (let node = first; ; ) {
      if (this.#take('.') || this.#take('?.')) {
        const token = this.#tokens[this.#at++]
        if (token?.is !== 'name') throw new Unread()
        node = { is: 'member', of: node, name: token.text }
      } else if (this.#take('[')) {
        node = { is: 'index', of: node, at: this.value() }
        this.#must(']')
      } else if (this.#take('(')) node = { is: 'call', callee: node, args: this.#items(')').map(({ value, spread }) => (spread ? unread() : value)) }
      else return node
    }
  }

  #items(end: ')' | ']'): Item[] {
    const items: Item[] = []
    while (!this.#take(end)) {
      const spread = this.#take('...')
      items.push({ spread, value: this.value() })
      if (!this.#take(',') && !this.#is(end)) throw new Unread()
    }
    return items
  }

  #primary(): Node {
    const token = this.#tokens[this.#at++]
    switch (token?.is) {
      case 'text':
        return { is: 'value', value: token.text }
      case 'number':
        return { is: 'value', value: token.value }
      case 'pattern':
        return { is: 'pattern' }
      case 'template':
        return { is: 'template', words: token.words, inner: token.inner.map((text) => parsed(text, this.#depth + 1, (parser) => parser.value())) }
      case 'name':
        if (WORDS.has(token.text)) return { is: 'value', value: WORDS.get(token.text) as boolean | null }
        return RESERVED.has(token.text) ? unread() : { is: 'name', name: token.text }
      case 'mark':
        break
      default:
        throw new Unread()
    }
    if (token.text === '[') return { is: 'list', items: this.#items(']') }
    if (token.text === '{') return this.#object()
    if (token.text !== '(') throw new Unread()
    const inner = this.value()
    this.#must(')')
    return inner
  }

  #object(): Node {
    const entries: { name: string | null; value: Node }[] = []
    while (!this.#take('}')) {
      if (this.#take('...')) entries.push({ name: null, value: this.value() })
      else {
        const token = this.#tokens[this.#at++]
        if (token?.is !== 'name' && token?.is !== 'text') throw new Unread()
        if (this.#take(':')) entries.push({ name: token.text, value: this.value() })
        else entries.push({ name: token.text, value: token.is === 'name' && !RESERVED.has(token.text) ? { is: 'name', name: token.text } : unread() })
      }
      if (!this.#take(',') && !this.#is('}')) throw new Unread()
    }
    return { is: 'object', entries }
  }

  #within<T>(read: () => T): T {
    if (++this.#depth > MOST_DEPTH) throw new Unread()
    const found = read()
    this.#depth -= 1
    return found
  }

  #ended(statement: Statement): Statement {
    return this.#ends() ? statement : unread()
  }

  /** A statement ends here: by its sign, or by its line. */
  #ends(): boolean {
    return this.done() || this.#is(';') || this.#is('}') || (this.#peek()?.broken === true && this.#peek()?.is !== 'template')
  }

  #name(): string {
    const token = this.#tokens[this.#at++]
    return token?.is === 'name' && !RESERVED.has(token.text) && !WORDS.has(token.text) ? token.text : unread()
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }

  #isMark(ahead: number, text: string): boolean {
    const token = this.#peek(ahead)
    return token?.is === 'mark' && token.text === text
  }

  #is(mark: string): boolean {
    return this.#isMark(0, mark)
  }

  #take(mark: string): boolean {
    if (!this.#is(mark)) return false
    this.#at += 1
    return true
  }

  #takeName(name: string): boolean {
    const token = this.#peek()
    if (token?.is !== 'name' || token.text !== name) return false
    this.#at += 1
    return true
  }

  #must(mark: string): void {
    if (!this.#take(mark)) throw new Unread()
  }
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([['true', true], ['false', false], ['null', null], ['undefined', null]])

function unread(): never {
  throw new Unread()
}
