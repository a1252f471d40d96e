import { type JsonObject, objectOf, textOf } from '../../base/json.ts'
import { table } from '../../base/table.ts'

/** One tool that a plain script calls, and which of its printed parts shows what came of it. */
export interface ScriptCall {
  readonly tool: string
  /** The arguments as an object; a text where the tool takes one (`apply_patch`). */
  readonly given: JsonObject | string
  /** The place of the part among those that the script prints; null: it prints nothing of it. `output`: no more than what it printed. */
  readonly shown: { readonly part: number; readonly as: 'result' | 'output' } | null
}

/**
 * The calls of a script that does nothing but wait for tools, one after the other or several at a time, and print what came of them;
 * and how many parts it prints. null: its text is not of that form, so that nobody can say what its parts show.
 */
export function callsOf(input: string): { readonly calls: readonly ScriptCall[]; readonly parts: number } | null {
  const reader = new ScriptReader(input)
  return reader.read() && reader.calls.length > 0 ? reader : null
}

class ScriptReader {
  readonly calls: ScriptCall[] = []
  parts = 0
  readonly #scanner: Scanner
  /** Places of the calls whose results a name holds; a single result, or a list of them. */
  readonly #results = new Map<string, { readonly from: number; readonly to: number; readonly single: boolean }>()
  readonly #texts = new Map<string, string>()

  constructor(input: string) {
    this.#scanner = new Scanner(input)
  }

  read(): boolean {
    while (!this.#scanner.done()) if (!this.#statement() || !this.#scanner.ended()) return false
    return true
  }

  #statement(): boolean {
    const scanner = this.#scanner
    const bound = scanner.match(/(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(await\b)?/y)
    if (bound !== null) return this.#binding(bound[1] as string, bound[2] !== undefined)
    if (scanner.match(/text\s*\(\s*await\b/y) !== null) return this.#call({ part: this.parts++, as: 'result' }) && scanner.take(')')
    if (scanner.match(/await\b/y) !== null) return this.#call(null)
    const each = scanner.match(/for\s*\(\s*(?:const|let)\s+([A-Za-z_$][\w$]*)\s+of\s+([A-Za-z_$][\w$]*)\s*\)\s*(\{)?/y)
    if (each !== null) return this.#prints(each[1] as string, this.#results.get(each[2] as string)) && (each[3] === undefined || (this.#scanner.ended() && scanner.take('}')))
    return this.#prints(null, undefined)
  }

  #binding(name: string, waits: boolean): boolean {
    if (this.#results.has(name) || this.#texts.has(name)) return false
    if (!waits) {
      const text = this.#scanner.value()
      if (typeof text === 'string') this.#texts.set(name, text)
      return typeof text === 'string'
    }
    const from = this.calls.length
    const several = this.#scanner.match(/Promise\.all\s*\(\s*\[/y) !== null
    if (!(several ? this.#list() : this.#call(null))) return false
    this.#results.set(name, { from, to: this.calls.length, single: !several })
    return true
  }

  #list(): boolean {
    while (!this.#scanner.take(']')) {
      if (!this.#call(null)) return false
      if (!this.#scanner.take(',')) return this.#scanner.take(']') && this.#scanner.take(')')
    }
    return this.#scanner.take(')')
  }

  #call(shown: ScriptCall['shown']): boolean {
    const scanner = this.#scanner
    const tool = scanner.match(/tools\.(\w+)\s*\(/y)?.[1]
    if (tool === undefined) return false
    const given = this.#texts.get(scanner.match(/([A-Za-z_$][\w$]*)(?=\s*\))/y)?.[1] ?? '') ?? scanner.value()
    if (given === null || (typeof given !== 'string' && typeof given !== 'object') || !scanner.take(')')) return false
    this.calls.push({ tool, given: typeof given === 'string' ? given : objectOf(given), shown })
    return true
  }

  /** `text(r.output)`, of one result or, in a loop, of each; any other text is one part that shows nothing certain. */
  #prints(each: string | null, list: { readonly from: number; readonly to: number } | undefined): boolean {
    const scanner = this.#scanner
    const told = scanner.match(/text\s*\(\s*(?:JSON\.stringify\s*\(\s*([A-Za-z_$][\w$]*)\s*(?:,\s*null\s*,\s*\d\s*)?\)|([A-Za-z_$][\w$]*)(\.output)?)\s*\)/y)
    const name = told?.[1] ?? told?.[2]
    if (each !== null) return told !== null && name === each && list !== undefined && this.#shows(list, told[3] !== undefined)
    const result = this.#results.get(name ?? '')
    if (told !== null && result?.single === true) return this.#shows(result, told[3] !== undefined)
    if (told === null && (scanner.match(/text\s*\(/y) === null || !scanner.closes())) return false
    this.parts += 1
    return true
  }

  #shows({ from, to }: { readonly from: number; readonly to: number }, bare: boolean): boolean {
    for (let at = from; at < to; at++) {
      const call = this.calls[at] as ScriptCall
      const shown = { part: this.parts++, as: bare ? ('output' as const) : ('result' as const) }
      if (call.shown === null || (call.shown.as === 'output' && !bare)) this.calls[at] = { ...call, shown }
    }
    return true
  }
}

/** What the host hands back of a command, as a script prints it; null: it is not that. */
export function resultIn(text: string): { readonly output: string; readonly code: number | null; readonly running: string | null } | null {
  if (!text.startsWith('{')) return null
  try {
    const { output, exit_code, session_id, wall_time_seconds } = objectOf(JSON.parse(text))
    const printed = textOf(output)
    if (printed === null || typeof wall_time_seconds !== 'number') return null
    const code = Number.isInteger(exit_code) ? (exit_code as number) : null
    const running = Number.isInteger(session_id) ? String(session_id) : null
    return (code === null) === (running === null) ? null : { output: printed, code, running }
  } catch {
    return null
  }
}

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

/** Reads JavaScript of literals alone. */
class Scanner {
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  done(): boolean {
    this.#skip()
    return this.#at >= this.#text.length
  }

  /** A statement ends here: by its sign, or by its line. */
  ended(): boolean {
    return this.match(/[^\S\n]*(?:;|\n|$)/y, false) !== null
  }

  take(sign: string): boolean {
    this.#skip()
    if (!this.#text.startsWith(sign, this.#at)) return false
    this.#at += sign.length
    return true
  }

  /** `shape` is sticky. */
  match(shape: RegExp, skips = true): RegExpExecArray | null {
    if (skips) this.#skip()
    shape.lastIndex = this.#at
    const found = shape.exec(this.#text)
    if (found !== null) this.#at = shape.lastIndex
    return found
  }

  /** Reads on to where the bracket closes that is open here; no call of a tool may stand before it. */
  closes(): boolean {
    for (let depth = 1; depth > 0; ) {
      const found = this.match(/"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|`(?:[^`\\]|\\[^])*`|[^"'`()/]+|\/(?!\/|\*)|[()]/y)?.[0]
      if (found === undefined || /\b(?:tools|await)\b/.test(found.replace(/^["'][^]*$/, ''))) return false
      depth += found === '(' ? 1 : found === ')' ? -1 : 0
    }
    return true
  }

  /** A literal; null where none stands, or one that is worked out. */
  value(depth = 0): Value {
    if (depth > 8) return null
    const word = this.match(/-?\d+(?:\.\d+)?(?![\w.])|(?:true|false)\b/y)?.[0]
    if (word !== undefined) return word === 'true' ? true : word === 'false' ? false : Number(word)
    if (this.take('{')) return this.#object(depth)
    if (this.take('[')) return this.#list(depth)
    return this.#quoted()
  }

  #object(depth: number): Value {
    const pairs: [string, Value][] = []
    while (!this.take('}')) {
      const name = this.match(/([A-Za-z_$][\w$]*)(?=\s*:)/y)?.[1] ?? this.#quoted()
      if (name === null || !this.take(':')) return null
      const value = this.value(depth + 1)
      if (value === null) return null
      pairs.push([name, value])
      if (!this.take(',') && !this.#text.startsWith('}', this.#at)) return null
    }
    return Object.fromEntries(pairs)
  }

  #list(depth: number): Value {
    const values: Value[] = []
    while (!this.take(']')) {
      const value = this.value(depth + 1)
      if (value === null) return null
      values.push(value)
      if (!this.take(',') && !this.#text.startsWith(']', this.#at)) return null
    }
    return values
  }

  #quoted(): string | null {
    const found = this.match(/"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|`(?:[^`\\$]|\\[^])*`/y)?.[0]
    if (found === undefined) return null
    return unquoted(found.slice(1, -1))
  }

  #skip(): void {
    const blank = /(?:\s|\/\/[^\n]*(?:\n|$))*/y
    blank.lastIndex = this.#at
    blank.exec(this.#text)
    this.#at = blank.lastIndex
  }
}

/** The text that a literal stands for; null: it has an escape that we do not read. */
function unquoted(text: string): string | null {
  let known = true
  const read = text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g, (_, wide?: string, narrow?: string, sign?: string) => {
    const code = wide ?? narrow
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    if (sign === '\n') return ''
    const plain = ESCAPES[sign as string]
    known &&= plain !== undefined || !/[\dux]/.test(sign as string)
    return plain ?? (sign as string)
  })
  return known && read.isWellFormed() ? read : null
}

const ESCAPES = table({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' })
