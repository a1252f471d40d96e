import canonicalize from 'canonicalize'
import { visit } from 'jsonc-parser'
import { RemnantError, messageOf } from './errors.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Deeper than any record of ours, shallow enough that no parser runs out of stack. */
export const MAX_DEPTH = 64

/**
 * The canonical text of a JSON value (RFC 8785). Feed it plain data only: parsed JSON, or what a schema has passed.
 * Throws `malformed` for a lone surrogate, a number that is not finite, or nesting deeper than 64.
 */
export function canonical(value: unknown): string {
  if (isInOrder(value, MAX_DEPTH)) return JSON.stringify(value)
  if (depthOver(value, MAX_DEPTH)) throw new RemnantError('malformed', `value is nested deeper than ${MAX_DEPTH} levels`)
  let text: string | undefined
  try {
    text = canonicalize(value)
  } catch (cause) {
    throw new RemnantError('malformed', `value has no canonical form: ${messageOf(cause)}`, { cause })
  }
  if (text === undefined) throw new RemnantError('malformed', 'value has no canonical form: it is not JSON')
  return text
}

/** Whether `JSON.stringify` writes the canonical form of a value, which differs by the order of keys alone. In doubt it says no. */
function isInOrder(value: unknown, left: number): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || typeof value === 'boolean') return true
  if (typeof value !== 'object' || left === 0 || 'toJSON' in value) return false
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isInOrder(value[i], left - 1)) return false
    return true
  }
  let last: string | null = null
  for (const name in value) {
    if ((last !== null && last >= name) || !name.isWellFormed() || !isInOrder((value as Record<string, unknown>)[name], left - 1)) return false
    last = name
  }
  return isPlain(value)
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)

/**
 * Parses JSON strictly: what `JSON.parse` hides (a key twice, numbers beyond a double, nesting over 64) is refused.
 * Throws `malformed`; the message never repeats the text.
 */
export function parseStrict(text: string): Json {
  const value = parseJson(text)
  if (depthOver(value, MAX_DEPTH)) throw new RemnantError('malformed', `JSON is nested deeper than ${MAX_DEPTH} levels`)
  refuseDuplicates(text)
  return value
}

/** `JSON.parse` with an error that says where, and not what. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (cause) {
    const at = /at position (\d+)/.exec(messageOf(cause))?.[1]
    throw new RemnantError('malformed', at === undefined ? 'text is not JSON' : `text is not JSON at character ${at}`)
  }
}

/** UTF-8 bytes to text; a byte order mark stays visible. Throws `malformed` on bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    utf8 ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return utf8.decode(bytes)
  } catch {
    throw new RemnantError('malformed', 'bytes are not UTF-8')
  }
}

/** Made when it is first used: an agent's hook decodes nothing. */
let utf8: InstanceType<typeof TextDecoder> | undefined

function refuseDuplicates(text: string): void {
  const open: (Set<string> | null)[] = []
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onArrayBegin: () => void open.push(null),
      onArrayEnd: () => void open.pop(),
      onObjectProperty: (name, offset) => {
        const seen = open.at(-1)
        if (seen?.has(name)) throw new RemnantError('malformed', `JSON has a key twice in one object, at character ${offset}`)
        seen?.add(name)
      },
      onLiteralValue: (value, offset) => {
        if (typeof value === 'number' && !Number.isFinite(value))
          throw new RemnantError('malformed', `JSON has a number too large for a double, at character ${offset}`)
      },
    },
    { disallowComments: true },
  )
}

function depthOver(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (depthOver(inner, left - 1)) return true
  return false
}
