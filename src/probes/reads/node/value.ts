import { ANY, type Pattern, TOP, above, folderOf, isKnown, normal } from '../pattern.ts'
import { type Token, argumentsAt, splitAt } from '../tokens.ts'
import type { Locals } from './locals.ts'

/** Where an expression stands: the path of its module, the folder in which the program runs, and what names mean there. */
export interface Standpoint {
  readonly path: string
  readonly folder: string
  readonly locals: Locals
}

/** What an expression gives, as far as the text tells. */
export function valueOf(tokens: readonly Token[], at: Standpoint, depth = 0): Pattern {
  if (depth > 8 || tokens.length === 0) return ANY
  const plus = splitAt(tokens, '+')
  if (plus.length > 1) {
    let text = ''
    for (const part of plus) text += valueOf(part, at, depth + 1)
    return text
  }
  const [first, second, third] = tokens as [Token, Token?, Token?]
  if (first.is === 'text') {
    if (second !== undefined) return ANY
    if (first.parts === undefined) return first.value
    let text = ''
    for (const part of first.parts) text += typeof part === 'string' ? part : valueOf(part, at, depth + 1)
    return text
  }
  if (first.is === 'number') return second === undefined ? first.value : ANY
  if (first.value === 'await') return valueOf(tokens.slice(1), at, depth + 1)
  if (first.is !== 'name') return ANY
  const module = TOP + `/${at.path}`
  const words = tokens.map(({ value }) => value).join('')
  if (words === '__filename' || words === 'import.meta.filename' || words === 'import.meta.url') return module
  if (words === '__dirname' || words === 'import.meta.dirname') return TOP + `/${above(at.path)}`
  if (words === 'process.cwd()') return TOP + `/${at.folder}`
  if (words === 'process.execPath' || words === 'process.argv0') return 'node'
  if (first.value === 'new' && second?.value === 'URL' && third?.value === '(') {
    const { args, end } = argumentsAt(tokens, 2)
    const rest = tokens.slice(end).map(({ value }) => value).join('')
    if (!/^(?:\.(?:pathname|href))?$/.test(rest) || args.length !== 2 || args[1]?.map(({ value }) => value).join('') !== 'import.meta.url') return ANY
    const way = valueOf(args[0] as Token[], at, depth + 1)
    if (!isKnown(way) || /^\w+:|^\/|[?#%]/.test(way)) return ANY
    return normal(`${TOP}/${above(at.path)}/${way}`)
  }
  const name = /^(?:path\.)?(join|resolve|dirname|normalize)$/.exec(first.value + (second?.value === '.' ? `.${third?.value ?? ''}` : ''))?.[1] ?? (/^(?:fileURLToPath|String)$/.test(first.value) ? first.value : undefined)
  const open = second?.value === '.' ? 3 : 1
  if (name !== undefined && tokens[open]?.value === '(' && (name === 'String' || at.locals.isOfPath(first.value))) {
    const { args, end } = argumentsAt(tokens, open)
    if (end !== tokens.length) return ANY
    const values: Pattern[] = []
    for (const arg of args) values.push(valueOf(arg, at, depth + 1))
    if (name === 'dirname') return folderOf(values[0] ?? ANY) ?? ANY
    if (name === 'fileURLToPath' || name === 'String') return values[0] ?? ANY
    return values.some((value, n) => n > 0 && (value.startsWith(TOP) || value.startsWith('/') || (name === 'resolve' && value.startsWith(ANY)))) ? ANY : values.join('/')
  }
  if (second === undefined && at.locals.constants.get(first.value) != null && !at.locals.shadowed.has(first.value)) return valueOf(at.locals.constants.get(first.value) as readonly Token[], at, depth + 1)
  return ANY
}
