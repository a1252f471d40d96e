import { type Pattern, above, isKnown, leadsOut, placeOf } from '../pattern.ts'
import type { Place, Start } from '../place.ts'
import { followShell } from '../shell.ts'
import { type Token, argumentsAt } from '../tokens.ts'
import type { Locals } from './locals.ts'
import { isInput, takesInput } from '../stdin.ts'
import { FRESH, LISTS, MODES, READS, SEES, SHELLS, STARTS, WILD, WILD_OF_PROCESS, WRITES } from './standard.ts'
import { isBinding, isKey, isProperty, isSpecifier } from './standing.ts'
import { valueOf } from './value.ts'

/** The files and programs that a module names. */
export class Uses {
  readonly #path: string
  readonly #at: Place
  readonly #start: Start
  readonly #locals: Locals

  constructor(path: string, at: Place, start: Start, locals: Locals) {
    this.#path = path
    this.#at = at
    this.#start = start
    this.#locals = locals
  }

  async follow(tokens: readonly Token[]): Promise<void> {
    const inputs = this.#at.inputs
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (token.is === 'text' && /^(?:require|constructor|mainModule|getBuiltinModule|env)$/.test(token.value) && tokens[i - 1]?.value === '[') inputs.all(`"${this.#path}" uses ${token.value} by its name`)
      if (token.is === 'text' && token.value.includes('..') && !isSpecifier(tokens, i)) inputs.leadsUp()
      for (const part of token.parts ?? []) if (typeof part === 'string' && part.includes('..')) inputs.leadsUp()
      if (token.is === 'text' && isInput(token.value)) this.#takesInput()
      if (token.is !== 'name') continue
      if (TIMES.test(token.value)) inputs.times()
      if (token.value === 'stdin' && this.#isOfProcess(tokens, i)) this.#takesInput()
      if (token.value === 'fd' && tokens[i + 1]?.value === ':' && tokens[i + 2]?.value === '0') this.#takesInput()
      const property = isProperty(tokens, i)
      const next = tokens[i + 1]
      if (property) {
        if (FIRST.test(token.value) && next?.value === '(' && tokens[i + 2]?.is === 'number' && tokens[i + 2]?.value === '0') this.#takesInput()
        if (/^(?:constructor|require|snapshot|fileSnapshot|respondWithFile|respondWithFD)$/.test(token.value) || (token.value === 'run' && tokens[i - 2]?.value === 'test')) inputs.all(`"${this.#path}" uses ${token.value}`)
        if (token.value === 'module' && next?.value === '(') inputs.all(`"${this.#path}" replaces modules`)
        continue
      }
      if (isKey(tokens, i)) continue
      if ((token.value === 'new' && next?.value === 'URL') || this.#locals.paths.has(token.value)) await this.#leads(tokens, i)
      if (token.value === 'process' && /^\??\.?\[$/.test(next?.value ?? '') && tokens[i + 2]?.value === 'stdin') this.#takesInput()
      if (WILD.has(token.value)) inputs.all(`"${this.#path}" uses ${token.value}`)
      if (token.value === 'process') {
        if (next?.value === '.' || next?.value === '?.') {
          if (WILD_OF_PROCESS.has(tokens[i + 2]?.value ?? '')) inputs.all(`"${this.#path}" uses process.${tokens[i + 2]?.value}`)
        } else if (!/^(?:from|;)$/.test(next?.value ?? ';')) inputs.all(`"${this.#path}" hands process on`)
      }
      if (token.value === 'module' && /^(?:\.|\?\.|\[)$/.test(next?.value ?? '') && !(next?.value === '.' && tokens[i + 2]?.value === 'exports')) inputs.all(`"${this.#path}" uses module in its own way`)
      if (token.value === 'import' && next?.value === '.' && /^(?:resolve|glob|globEager)$/.test(tokens[i + 4]?.value ?? '')) inputs.all(`"${this.#path}" uses import.meta.${tokens[i + 4]?.value}`)
      if (token.value === 'import' && next?.value === '.' && tokens[i + 3]?.value !== '.') inputs.all(`"${this.#path}" hands import.meta on`)
      if (this.#locals.spaces.has(token.value) && !isBinding(tokens, i)) await this.#method(tokens, i)
      else if (this.#locals.functions.has(token.value) && !isBinding(tokens, i)) {
        if (next?.value === '(' && next.is === 'mark') await this.#call(this.#locals.functions.get(token.value) as string, argumentsAt(tokens, i + 1).args)
        else if (this.#locals.functions.get(token.value) !== 'constants') inputs.all(`"${this.#path}" hands ${token.value} on`)
      }
    }
  }

  async #method(tokens: readonly Token[], i: number): Promise<void> {
    let at = i + 1
    const dot = (): boolean => tokens[at]?.value === '.' || tokens[at]?.value === '?.'
    if (dot() && tokens[at + 1]?.value === 'promises') at += 2
    const name = dot() ? tokens[at + 1]?.value : undefined
    if (name === 'constants') return
    if (name === undefined || tokens[at + 2]?.value !== '(') return this.#at.inputs.all(`"${this.#path}" hands ${(tokens[i] as Token).value} on`)
    await this.#call(name, argumentsAt(tokens, at + 2).args)
  }

  async #call(name: string, args: readonly (readonly Token[])[]): Promise<void> {
    const inputs = this.#at.inputs
    const [first = []] = args
    if (FIRST.test(name) && first[0]?.is === 'number' && first[0].value === '0') this.#takesInput()
    const options = this.#options(args.slice(1))
    const how = READS.has(name) ? 'read' : LISTS.has(name) ? 'list' : SEES.has(name) ? 'stat' : null
    if (how !== null) {
      const recursive = how === 'list' && (options === null || options.some(({ value }) => value === 'recursive'))
      // Names that were listed may be looked at one by one.
      await inputs.path(this.#value(first), this.#at.folder, recursive ? 'read' : how === 'stat' && args.length > 1 ? 'mode' : how)
      if (MODES.has(name)) await inputs.path(this.#value(first), this.#at.folder, 'mode')
      return
    }
    if (WRITES.has(name)) return this.#write(name, args)
    if (SHELLS.has(name)) {
      const text = this.#value(first)
      if (!isKnown(text) || options === null || options.some(({ value }) => /^(?:cwd|env|shell|uid|gid)$/.test(value))) return inputs.all(`"${this.#path}" starts what only running tells`)
      return followShell(text, 'sh', [], this.#child(options), this.#start)
    }
    if (!STARTS.has(name)) return inputs.all(`"${this.#path}" uses ${name}`)
    const list = args[1]?.[0]?.value === '[' ? argumentsAt(args[1], 0).args : args.length === 1 ? [] : null
    const rest = args[1]?.[0]?.value === '[' ? this.#options(args.slice(2)) : []
    if (list === null || rest === null || rest.some(({ value }) => /^(?:cwd|env|shell|argv0|execPath|execArgv|uid|gid)$/.test(value)) || list.some((one) => one[0]?.value === '.')) return inputs.all(`"${this.#path}" starts what only running tells`)
    const words: Pattern[] = []
    for (const one of [...(name === 'fork' ? [] : [first]), ...(name === 'fork' ? [first] : []), ...list]) words.push(this.#value(one))
    await this.#start(name === 'fork' ? ['node', ...words] : words, { ...this.#child(rest), depth: this.#at.depth + 1 })
  }

  /** What a write looks at: whether something lies there already, and whether its folder does. */
  async #write(name: string, args: readonly (readonly Token[])[]): Promise<void> {
    if (/^(?:close|write|fsync)(?:Sync)?$/.test(name)) return
    const options = this.#options(args.slice(/^(?:writeFile|appendFile)/.test(name) ? 2 : 1))
    const { inputs, folder } = this.#at
    const says = (word: string): boolean => options?.some(({ value }) => value === word) === true
    const target = this.#value(args[/^symlink/.test(name) ? 1 : 0] ?? [])
    const plain = /^(?:writeFile|appendFile|createWriteStream)/.test(name)
    const fails = plain ? options === null || options.some(({ value }) => FRESH.test(value)) || says('flag') || says('flags') : !/^mkdtemp/.test(name) && !(/^(?:mkdir|rm)(?:Sync)?$/.test(name) && (says('recursive') || says('force')))
    if (fails) await inputs.path(target, folder, 'stat')
    const place = isKnown(target) ? placeOf(target, folder) : null
    // What the program makes beforehand is no input.
    if (place !== null && place !== '?' && above(place) !== '.' && !/^(?:rm|unlink|chmod|truncate|utimes)/.test(name) && !this.#locals.makes) await inputs.present(above(place))
  }

  /** The words of options, where they stand in the text; null: only running tells. Functions that are called back are none. */
  #options(args: readonly (readonly Token[])[], depth = 0): readonly Token[] | null {
    const found: Token[] = []
    for (const arg of args) {
      const [first, second] = arg
      if (first === undefined || first.is === 'number' || arg.some(({ value }) => value === '=>') || /^(?:function|async)$/.test(first.value)) continue
      if (first.is === 'text') found.push(...arg)
      else if (first.value === '{') {
        if (arg.some(({ value }, n) => (value === '.' && arg[n - 1]?.value === '.') || (value === '[' && /^[{,]$/.test(arg[n - 1]?.value ?? '')))) return null
        found.push(...arg)
      } else if (first.is === 'name' && /^(?:null|undefined|true|false)$/.test(first.value) && second === undefined) continue
      else if (first.is === 'name' && (second?.value === '.' || this.#locals.functions.get(first.value) === 'constants') && /^[A-Z_]+$/.test(arg.at(-1)?.value ?? '')) found.push(...arg)
      else {
        const constant = first.is === 'name' && second === undefined && depth < 4 && !this.#locals.shadowed.has(first.value) ? this.#locals.constants.get(first.value) : null
        const inner = constant == null ? null : this.#options([constant], depth + 1)
        // A constant's fields may be set later.
        if (inner === null || this.#locals.isChanged(first.value)) return null
        found.push(...inner)
      }
    }
    return found
  }

  /** A path that leads out counts wherever it is worked out: who reads it may be another function. */
  async #leads(tokens: readonly Token[], i: number): Promise<void> {
    const open = tokens.findIndex(({ is, value }, n) => n > i && n < i + 4 && is === 'mark' && value === '(')
    const value = open === -1 ? '' : this.#value(tokens.slice(i, argumentsAt(tokens, open).end))
    if (!/(?:^|\/)node_modules\//.test(this.#path) && leadsOut(value, this.#at.folder)) await this.#at.inputs.path(value, this.#at.folder, 'read')
  }

  /** What a program is started with: a pipe of its own, unless it is handed this one's. */
  #child(options: readonly Token[]): Place {
    return { ...this.#at, fed: this.#at.fed === true || !options.some(({ value }) => value === 'stdio' || value === 'inherit') }
  }

  /** What is installed can often read it, and does so where its words say that. */
  #takesInput(): void {
    if (!/(?:^|\/)node_modules\//.test(this.#path)) takesInput(this.#at)
  }

  /** `process.stdin`, `const { stdin } = process`, `import { stdin } from 'node:process'`. */
  #isOfProcess(tokens: readonly Token[], i: number): boolean {
    if (isProperty(tokens, i)) return tokens[i - 2]?.value === 'process'
    for (let at = i + 1; at < Math.min(tokens.length, i + 60); at++) {
      const { value } = tokens[at] as Token
      if (value === '}') return /^(?:=|from)$/.test(tokens[at + 1]?.value ?? '') && (/^(?:node:)?process$/.test(tokens[at + 2]?.value ?? '') || /^(?:node:)?process$/.test(tokens[at + 4]?.value ?? ''))
      if (/^[;(){]$/.test(value)) return false
    }
    return false
  }

  #value(tokens: readonly Token[]): Pattern {
    return valueOf(tokens, { path: this.#path, folder: this.#at.folder, locals: this.#locals })
  }
}

/** Functions of `fs` that take a number for what is open. */
const FIRST = /^(?:readSync|readvSync|readFile|readFileSync|fstatSync)$/

/** Times of a file, by the names under which Node tells them. */
const TIMES = /^(?:[amc]time|birthtime)(?:Ms|Ns)?$/
