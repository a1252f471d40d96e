import { ANY, type Pattern, TOP, folderOf, isKnown } from '../pattern.ts'
import { type Token, argumentsAt, splitAt } from '../tokens.ts'

/** Where an expression stands: its module, the folder in which the program runs, and what is given to names once. */
export interface Standpoint {
  readonly path: string
  readonly folder: string
  readonly constants: ReadonlyMap<string, readonly Token[] | null>
}

/** A longer expression names no path. */
const MOST_TOKENS = 200

/** What each name of a module is given; null: more than one thing. */
export function constantsOf(tokens: readonly Token[]): ReadonlyMap<string, readonly Token[] | null> {
  const found = new Map<string, readonly Token[] | null>()
  for (const [i, token] of tokens.entries()) {
    if (token.is !== 'name' || tokens[i + 1]?.value !== '=' || tokens[i + 2]?.value === '=' || (i > 0 && tokens[i - 1]?.is !== 'line')) continue
    let end = i
    while (end < tokens.length && end < i + 3 + MOST_TOKENS && tokens[end]?.is !== 'line' && !(tokens[end]?.is === 'mark' && tokens[end]?.value === ';')) end += 1
    const given = tokens.slice(i + 2, Math.min(end, i + 2 + MOST_TOKENS))
    found.set(token.value, found.has(token.value) || given.length === MOST_TOKENS ? null : given)
  }
  return found
}

/** What an expression gives, as far as the text tells. */
export function valueOf(tokens: readonly Token[], at: Standpoint, depth = 0): Pattern {
  if (depth > 8 || tokens.length === 0) return ANY
  const plus = splitAt(tokens, '+')
  if (plus.length > 1) return plus.map((part) => valueOf(part, at, depth + 1)).join('')
  const { value, end } = pathAt(tokens, 0, at, depth)
  return end === tokens.length ? value : ANY
}

/** The path that an expression names from a place on, as far as it is followed, and where that ends. */
export function pathAt(tokens: readonly Token[], from: number, at: Standpoint, depth = 0): { readonly value: Pattern; readonly end: number } {
  let { value, end } = primary(tokens, from, at, depth)
  for (let next = tokens[end]; next !== undefined; next = tokens[end]) {
    const [name, open, third] = [tokens[end + 1]?.value ?? '', tokens[end + 2]?.value, tokens[end + 3]]
    if (next.is !== 'mark') break
    if (next.value === '/') {
      const other = pathAt(tokens, end + 1, at, depth + 1)
      return { value: joined([value, other.value]), end: other.end }
    }
    if (next.value !== '.') break
    if (name === 'parent' && open !== '(') [value, end] = [folderOf(value) ?? ANY, end + 2]
    else if (name === 'parents' && open === '[' && third?.is === 'number' && Number(third.value) < 20 && tokens[end + 4]?.value === ']') {
      for (let n = Number(third.value); n >= 0; n--) value = folderOf(value) ?? ANY
      end += 5
    } else if (/^(?:resolve|absolute|as_posix|expanduser)$/.test(name) && open === '(') end = argumentsAt(tokens, end + 2).end
    else if (name === 'joinpath' && open === '(') {
      const { args, end: behind } = argumentsAt(tokens, end + 2)
      ;[value, end] = [joined([value, ...args.map((arg) => valueOf(arg, at, depth + 1))]), behind]
    } else break
  }
  return { value, end }
}

function primary(tokens: readonly Token[], from: number, at: Standpoint, depth: number): { readonly value: Pattern; readonly end: number } {
  const first = tokens[from]
  if (first === undefined || depth > 8) return { value: ANY, end: from + 1 }
  if (first.is === 'text') {
    let [value, end] = ['', from]
    for (let one = tokens[end]; one?.is === 'text'; one = tokens[++end]) value += one.parts === undefined ? one.value : one.parts.map((part) => (typeof part === 'string' ? part : ANY)).join('')
    return { value, end }
  }
  if (first.is === 'mark' && first.value === '(') {
    const { args, end } = argumentsAt(tokens, from)
    return { value: args.length === 1 ? valueOf(args[0] as readonly Token[], at, depth + 1) : ANY, end }
  }
  if (first.value === '__file__') return { value: `${TOP}/${at.path}`, end: from + 1 }
  // `a.b.c(`
  let end = from + 1
  let name = first.value
  while (tokens[end]?.value === '.' && tokens[end + 1]?.is === 'name' && !/^(?:parents?|joinpath)$/.test(tokens[end + 1]?.value ?? '')) {
    if (at.constants.has(name)) break
    name += `.${tokens[end + 1]?.value}`
    end += 2
  }
  if (/^(?:os\.(?:path\.)?)pardir$/.test(name)) return { value: '..', end }
  const constant = at.constants.get(name)
  if (constant != null && tokens[end]?.value !== '(') return { value: valueOf(constant, at, depth + 1), end }
  if (tokens[end]?.value !== '(') return { value: ANY, end }
  const { args, end: behind } = argumentsAt(tokens, end)
  return { value: called(name, args.map((arg) => valueOf(arg, at, depth + 1)), at), end: behind }
}

/** What is known of a call that gives a path. */
function called(name: string, values: readonly Pattern[], { folder }: Standpoint): Pattern {
  const [only = ANY] = values
  if (/^(?:os\.getcwd|(?:pathlib\.)?Path\.cwd)$/.test(name)) return `${TOP}/${folder}`
  if (/^(?:pathlib\.)?(?:Pure|Posix|PurePosix)?Path$/.test(name)) return joined(values)
  if (name === 'os.path.join') return joined(values)
  if (name === 'os.path.dirname') return folderOf(only) ?? ANY
  return /^(?:str|os\.fspath|os\.path\.(?:abspath|realpath|normpath|expanduser))$/.test(name) && isKnown(only) ? only : ANY
}

const joined = (values: readonly Pattern[]): Pattern => (values.length === 0 || values.some((value, n) => n > 0 && (value.startsWith(TOP) || value.startsWith('/') || value.startsWith(ANY))) ? ANY : values.join('/'))
