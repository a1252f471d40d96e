import { ANY, type Pattern, TOP, isKnown } from '../pattern.ts'
import { type Token, argumentsAt, splitAt } from '../tokens.ts'

/** What an expression gives, as far as the text tells. */
export function valueOf(tokens: readonly Token[], path: string, folder: string, depth = 0): Pattern {
  if (depth > 8 || tokens.length === 0) return ANY
  const plus = splitAt(tokens, '+')
  if (plus.length > 1) return plus.map((part) => valueOf(part, path, folder, depth + 1)).join('')
  const [first] = tokens as [Token]
  if (first.is === 'text') {
    if (tokens.some(({ is }) => is !== 'text')) return ANY
    return tokens.map(({ value, parts }) => (parts === undefined ? value : parts.map((part) => (typeof part === 'string' ? part : ANY)).join(''))).join('')
  }
  const words = tokens.map(({ is, value }) => (is === 'text' ? '"' : value)).join('')
  if (words === '__file__') return `${TOP}/${path}`
  if (words === 'os.getcwd()') return `${TOP}/${folder}`
  const call = /^os\.path\.(join|dirname|abspath|realpath|normpath)\(/.exec(words)?.[1]
  if (call === undefined) return ANY
  const { args, end } = argumentsAt(tokens, 5)
  if (end !== tokens.length) return ANY
  const values = args.map((arg) => valueOf(arg, path, folder, depth + 1))
  if (call === 'join') return values.some((value, n) => n > 0 && (value.startsWith(TOP) || value.startsWith('/') || value.startsWith(ANY))) ? ANY : values.join('/')
  const [only = ANY] = values
  if (call !== 'dirname') return isKnown(only) ? only : ANY
  return isKnown(only) && only.includes('/') ? only.replace(/\/[^/]*$/, '') : ANY
}
