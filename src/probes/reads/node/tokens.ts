import { ESCAPES, type Token } from '../tokens.ts'

/** The tokens of JavaScript or TypeScript without types' meaning; null: it can't be read, so that nothing may be concluded from it. */
export function javascript(source: string): readonly Token[] | null {
  const reader = new JavaScript(source)
  return reader.read()
}

const KEYWORDS = new Set('return typeof instanceof in of new delete void throw case do else yield await default extends'.split(' '))

class JavaScript {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source.startsWith('#!') ? `//${source}` : source
  }

  read(): readonly Token[] | null {
    const tokens = this.#until(null, 0)
    return tokens !== null && this.#at >= this.#source.length ? tokens : null
  }

  /** Up to the `}` that ends a template's expression, or the end. */
  #until(end: '}' | null, depth: number): Token[] | null {
    const source = this.#source
    const tokens: Token[] = []
    const open: { mark: string; before: string }[] = []
    let closed = ''
    let fresh = true
    if (depth > 20) return null
    const push = (is: Token['is'], value: string, parts?: Token['parts']): void => {
      tokens.push(parts === undefined ? { is, value, fresh } : { is, value, parts, fresh })
      fresh = false
    }
    while (this.#at < source.length) {
      const letter = source[this.#at] as string
      if (letter === '\n') fresh = true
      if (/\s/.test(letter)) {
        this.#at += 1
        continue
      }
      const two = source.slice(this.#at, this.#at + 2)
      if (two === '//' || two === '/*') {
        const to = source.indexOf(two === '//' ? '\n' : '*/', this.#at + 2)
        if (to === -1) {
          if (two === '/*') return null
          this.#at = source.length
        } else this.#at = two === '//' ? to : to + 2
        continue
      }
      if (letter === '"' || letter === "'") {
        const text = this.#text(letter)
        if (text === null) return null
        push('text', text)
        continue
      }
      if (letter === '`') {
        const parts = this.#template(depth)
        if (parts === null) return null
        push('text', parts.every((part) => typeof part === 'string') ? parts.join('') : '', parts.every((part) => typeof part === 'string') ? undefined : parts)
        continue
      }
      const name = /[\w$\u0080-\uffff#\\]+/y
      name.lastIndex = this.#at
      const word = name.exec(source)?.[0]
      if (word !== undefined) {
        if (word.includes('\\')) return null
        this.#at += word.length
        push(/^\d/.test(word) ? 'number' : 'name', word)
        continue
      }
      if (letter === '/') {
        const last = tokens.at(-1)
        const value =
          last === undefined ||
          (last.is === 'mark' ? (last.value === ')' ? /^(?:if|while|for|with)$/.test(closed) : last.value === '}' || !/^[\])]$|^\+\+$|^--$/.test(last.value)) : last.is === 'name' && KEYWORDS.has(last.value))
        if (value) {
          if (!this.#regex()) return null
          push('regex', '')
          continue
        }
      }
      if ('([{'.includes(letter)) {
        const last = tokens.at(-1)
        open.push({ mark: letter, before: last?.is === 'name' ? last.value : '' })
      } else if (')]}'.includes(letter)) {
        if (letter === '}' && end === '}' && open.length === 0) return tokens
        const begun = open.pop()
        if (begun === undefined || '([{'.indexOf(begun.mark) !== ')]}'.indexOf(letter)) return null
        closed = begun.before
      }
      const mark = two === '=>' || two === '++' || two === '--' || two === '?.' || two === '==' || two === '!=' || two === '||' || two === '&&' || two === '??' ? two : letter
      this.#at += mark.length
      push('mark', mark)
    }
    return end === null && open.length === 0 ? tokens : null
  }

  #text(quote: string): string | null {
    let text = ''
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const letter = this.#source[at] as string
      if (letter === '\n') return null
      if (letter === quote) {
        this.#at = at + 1
        return text
      }
      if (letter === '\\') {
        const next = this.#source[++at] ?? ''
        // What a number stands for is rare in a path.
        text += /[xu0-7]/.test(next) ? '\uFFFD' : next === '\n' ? '' : (ESCAPES[next] ?? next)
      } else text += letter
    }
    return null
  }

  #template(depth: number): (string | readonly Token[])[] | null {
    const parts: (string | readonly Token[])[] = []
    let text = ''
    this.#at += 1
    while (this.#at < this.#source.length) {
      const letter = this.#source[this.#at] as string
      if (letter === '`') {
        this.#at += 1
        return [...parts, text]
      }
      if (letter === '\\') {
        text += ESCAPES[this.#source[this.#at + 1] ?? ''] ?? this.#source[this.#at + 1] ?? ''
        this.#at += 2
      } else if (letter === '$' && this.#source[this.#at + 1] === '{') {
        parts.push(text)
        text = ''
        this.#at += 2
        const tokens = this.#until('}', depth + 1)
        if (tokens === null) return null
        this.#at += 1
        parts.push(tokens)
      } else {
        text += letter
        this.#at += 1
      }
    }
    return null
  }

  #regex(): boolean {
    let set = false
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const letter = this.#source[at] as string
      if (letter === '\n') return false
      if (letter === '\\') at += 1
      else if (letter === '[') set = true
      else if (letter === ']') set = false
      else if (letter === '/' && !set) {
        this.#at = at + 1 + (/^[a-z]*/.exec(this.#source.slice(at + 1, at + 10))?.[0].length ?? 0)
        return true
      }
    }
    return false
  }
}
