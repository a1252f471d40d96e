/** A piece of a script's text. `broken`: it stands on a line of its own, or begins one. */
export type Token = { readonly broken: boolean } & (
  | { readonly is: 'name' | 'mark'; readonly text: string }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'number'; readonly value: number }
  /** The words between the expansions, and the text of each expansion. */
  | { readonly is: 'template'; readonly words: readonly string[]; readonly inner: readonly string[] }
  | { readonly is: 'pattern' }
)

/** The pieces of a program in JavaScript; null: it has one that we do not read. Time is linear in the text, but for templates within templates. */
export function tokensOf(input: string): readonly Token[] | null {
  const tokens: Token[] = []
  let broken = false
  for (let at = 0; at < input.length; ) {
    const found = matchAt(SHAPES, input, at)
    if (found === null) {
      const template = input[at] === '`' ? templateAt(input, at) : null
      if (template === null) return null
      tokens.push({ is: 'template', words: template.words, inner: template.inner, broken })
      at = template.end
      broken = false
      continue
    }
    const { blank, name, number, quoted, mark, pattern } = found.groups as Record<string, string | undefined>
    at += found[0].length
    if (blank !== undefined) {
      broken ||= blank.includes('\n')
      continue
    }
    if (name !== undefined) tokens.push({ is: 'name', text: name, broken })
    else if (number !== undefined) tokens.push({ is: 'number', value: Number(number.replaceAll('_', '')), broken })
    else if (quoted !== undefined) {
      const text = unquoted(quoted.slice(1, -1))
      if (text === null) return null
      tokens.push({ is: 'text', text, broken })
    } else if (mark !== undefined) tokens.push({ is: 'mark', text: mark, broken })
    else if (pattern !== undefined && beginsValue(tokens.at(-1))) tokens.push({ is: 'pattern', broken })
    else return null
    broken = false
  }
  return tokens
}

const SHAPES = new RegExp(
  [
    String.raw`(?<blank>(?:\s|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)+)`,
    String.raw`(?<name>[A-Za-z_$][\w$]*)`,
    String.raw`(?<number>\d[\d_]*(?:\.\d+)?(?![\w.]))`,
    String.raw`(?<quoted>"[^"\\\n]*(?:\\[^][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^][^'\\\n]*)*')`,
    String.raw`(?<mark>\.\.\.|\+\+|--|=>|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|[-+*%(){}[\];,.:?<>=!])`,
    String.raw`(?<pattern>\/(?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*)`,
  ].join('|'),
  'y',
)

function matchAt(shape: RegExp, input: string, at: number): RegExpExecArray | null {
  shape.lastIndex = at
  return shape.exec(input)
}

/** A slash there begins a pattern, and divides nothing. */
const beginsValue = (before: Token | undefined): boolean => before === undefined || (before.is === 'mark' && !/^[)\]}]$/.test(before.text)) || (before.is === 'name' && before.text === 'return')

function templateAt(input: string, from: number): { words: readonly string[]; inner: readonly string[]; end: number } | null {
  const words: string[] = []
  const inner: string[] = []
  let start = from + 1
  for (let at = start; at < input.length; at++) {
    const char = input[at]
    if (char === '\\') at += 1
    else if (char === '`' || (char === '$' && input[at + 1] === '{')) {
      const word = unquoted(input.slice(start, at))
      if (word === null) return null
      words.push(word)
      if (char === '`') return { words, inner, end: at + 1 }
      const end = closingOf(input, at + 2)
      if (end === -1) return null
      inner.push(input.slice(at + 2, end))
      at = end
      start = end + 1
    }
  }
  return null
}

/** Where the brace closes that is open at `from`; -1: nowhere, or behind another template. */
function closingOf(input: string, from: number): number {
  for (let at = from, depth = 1; at < input.length; ) {
    const found = matchAt(INSIDE, input, at)?.[0]
    if (found === undefined) return -1
    depth += found === '{' ? 1 : found === '}' ? -1 : 0
    if (depth === 0) return at
    at += found.length
  }
  return -1
}

const INSIDE = /"[^"\\\n]*(?:\\[^][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^][^'\\\n]*)*'|[^"'`{}/]+|[{}]/y

/** The text that a literal stands for; null: it has an escape that we do not read. */
function unquoted(text: string): string | null {
  let known = true
  const read = text.replace(/\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|\r\n|([^]))/g, (whole, wide?: string, far?: string, narrow?: string, sign?: string) => {
    const code = wide ?? narrow
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    if (far !== undefined) {
      const point = Number.parseInt(far, 16)
      known &&= point <= 0x10ffff
      return known ? String.fromCodePoint(point) : ''
    }
    if (whole === '\\\r\n' || sign === '\n') return ''
    const plain = ESCAPES.get(sign as string)
    known &&= plain !== undefined || !/[\dux]/.test(sign as string)
    return plain ?? (sign as string)
  })
  return known && read.isWellFormed() ? read : null
}

const ESCAPES: ReadonlyMap<string, string> = new Map([['n', '\n'], ['t', '\t'], ['r', '\r'], ['b', '\b'], ['f', '\f'], ['v', '\v'], ['0', '\0']])
