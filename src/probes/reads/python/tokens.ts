import { ESCAPES, type Token } from '../tokens.ts'

/** The tokens of Python; line breaks outside of brackets are tokens. null: it can't be read. */
export function python(source: string): readonly Token[] | null {
  const tokens: Token[] = []
  let depth = 0
  let at = 0
  const push = (is: Token['is'], value: string, parts?: Token['parts']): void => void tokens.push({ is, value, fresh: false, ...(parts !== undefined && { parts }) })
  while (at < source.length) {
    const letter = source[at] as string
    if (letter === '\n') {
      if (depth === 0 && tokens.at(-1)?.is !== 'line') push('line', '\n')
      at += 1
    } else if (/\s/.test(letter)) at += 1
    else if (letter === '\\' && /^\\\r?\n/.test(source.slice(at, at + 3))) at += source[at + 1] === '\r' ? 3 : 2
    else if (letter === '#') {
      const to = source.indexOf('\n', at)
      at = to === -1 ? source.length : to
    } else {
      const prefix = /(?:[rRbBuU]|[rR][bB]|[bB][rR]|[fF]|[rR][fF]|[fF][rR])?(?="|')/y
      prefix.lastIndex = at
      const before = prefix.exec(source)?.[0]
      if (before !== undefined) {
        const read = pythonText(source, at + before.length, /[rR]/.test(before))
        if (read === null) return null
        const formatted = /[fF]/.test(before) && /[{}]/.test(read.text)
        push('text', formatted ? '' : read.text, formatted ? formattedParts(read.text) : undefined)
        at = read.end
        continue
      }
      const name = /[\w\u0080-\uffff]+/y
      name.lastIndex = at
      const word = name.exec(source)?.[0]
      if (word !== undefined) {
        push(/^\d/.test(word) ? 'number' : 'name', word)
        at += word.length
        continue
      }
      if ('([{'.includes(letter)) depth += 1
      else if (')]}'.includes(letter)) depth -= 1
      if (depth < 0) return null
      push('mark', letter)
      at += 1
    }
  }
  return depth === 0 ? [...tokens, { is: 'line', value: '\n', fresh: false }] : null
}

/** `a{x}b` as a, the tokens of x, b. */
const formattedParts = (text: string): Token['parts'] =>
  text.split(/\{([^{}]*)\}/).map((part, i) => (i % 2 === 0 ? part : (python(part)?.filter(({ is }) => is !== 'line') ?? UNTOLD)))

const UNTOLD: readonly Token[] = [{ is: 'name', value: 'eval', fresh: false }]

function pythonText(source: string, from: number, raw: boolean): { text: string; end: number } | null {
  const quote = source[from] as string
  const long = source.startsWith(quote.repeat(3), from)
  const close = long ? quote.repeat(3) : quote
  let text = ''
  for (let at = from + close.length; at < source.length; at++) {
    const letter = source[at] as string
    if (source.startsWith(close, at)) return { text, end: at + close.length }
    if (letter === '\n' && !long) return null
    if (letter === '\\') {
      const next = source[++at] ?? ''
      text += raw ? `\\${next}` : next === '\n' ? '' : /[xuUN0-7]/.test(next) ? '\uFFFD' : (ESCAPES[next] ?? next)
    } else text += letter
  }
  return null
}
