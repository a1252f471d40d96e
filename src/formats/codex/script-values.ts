/** What a script knows of a value before it runs. A call is told by its number among all that the script makes. */
export type Value =
  | { readonly is: 'known'; readonly value: string | number | boolean | null }
  /** A text with what the host hands back in it. */
  | { readonly is: 'text'; readonly pieces: readonly Piece[] }
  | { readonly is: 'field'; readonly field: Field }
  | { readonly is: 'result'; readonly call: number }
  | { readonly is: 'list'; readonly items: readonly Value[] }
  | { readonly is: 'object'; readonly entries: readonly Entry[] }
  /** The text that JSON makes of it. */
  | { readonly is: 'json'; readonly of: Value }
  /** Whether the command of a call goes on behind it. */
  | { readonly is: 'condition'; readonly on: Condition }
  | { readonly is: 'opaque' }

/** `name` null: all that the value holds. */
export interface Entry {
  readonly name: string | null
  readonly value: Value
}

/** A part of what the host hands back of a call. `otherwise`: what stands in its place where it has none; `cut`: not all of it. */
export interface Field {
  readonly call: number
  readonly name: 'output' | 'exit_code' | 'session_id'
  readonly otherwise?: string
  readonly cut?: true
}

export type Piece = string | Field | null

export interface Condition {
  readonly call: number
  readonly goesOn: boolean
}

export const OPAQUE: Value = { is: 'opaque' }
export const known = (value: string | number | boolean | null): Value => ({ is: 'known', value })

/** A value's member of this name. */
export function memberOf(value: Value, name: string): Value {
  if (value.is === 'result') return FIELDS.has(name) ? { is: 'field', field: { call: value.call, name: name as Field['name'] } } : OPAQUE
  if (value.is === 'list' && name === 'length') return known(value.items.length)
  if (value.is === 'object') return entryOf(value.entries, name) ?? known(null)
  return OPAQUE
}

/** The last word on a name; null: none has it. */
export function entryOf(entries: readonly Entry[], name: string): Value | null {
  for (const entry of [...entries].reverse()) {
    if (entry.name === name) return entry.value
    if (entry.name !== null) continue
    if (entry.value.is === 'opaque') return OPAQUE
    if (entry.value.is === 'result' && FIELDS.has(name)) return memberOf(entry.value, name)
    const found = entry.value.is === 'object' ? entryOf(entry.value.entries, name) : null
    if (found !== null) return found
  }
  return null
}

const FIELDS = new Set(['output', 'exit_code', 'session_id'])

/** What a value adds to a text; a piece that is null may be any text. */
export function piecesOf(value: Value): readonly Piece[] {
  switch (value.is) {
    case 'known':
      return [String(value.value)]
    case 'text':
      return value.pieces
    case 'field':
      return [value.field]
    default:
      return [null]
  }
}

export const joined = (pieces: readonly Piece[]): Value => {
  const whole: Piece[] = []
  for (const piece of pieces) {
    const last = whole.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') whole[whole.length - 1] = last + piece
    else whole.push(piece)
  }
  return whole.every((piece) => typeof piece === 'string') ? known(whole.join('')) : { is: 'text', pieces: whole }
}

export const isText = (value: Value): boolean => value.is === 'text' || value.is === 'json' || (value.is === 'known' && typeof value.value === 'string') || (value.is === 'field' && value.field.name === 'output')

/** What a sign makes of two values. */
export function operated(sign: string, one: Value, other: Value): Value {
  if (sign === '??') return orElse(one, other)
  if (sign === '===' || sign === '==' || sign === '!==' || sign === '!=') return compared(one, other, sign.startsWith('='))
  if (one.is === 'known' && other.is === 'known' && typeof one.value === 'number' && typeof other.value === 'number') {
    if (sign === '+') return known(one.value + other.value)
    if (sign === '-') return known(one.value - other.value)
    if (sign === '*') return known(one.value * other.value)
  }
  return sign === '+' && (isText(one) || isText(other)) ? joined([...piecesOf(one), ...piecesOf(other)]) : OPAQUE
}

/** `left ?? right`. A number in the place of a status that is not there could be taken for one. */
function orElse(left: Value, right: Value): Value {
  if (left.is === 'known') return left.value === null ? right : left
  if (left.is !== 'field') return OPAQUE
  if (left.field.name === 'output') return left
  const otherwise = right.is === 'known' ? String(right.value) : null
  return otherwise === null || left.field.otherwise !== undefined || /^[-\s]*\d/.test(otherwise) || otherwise.trim() === '' ? OPAQUE : { is: 'field', field: { ...left.field, otherwise } }
}

/** `left === right`, or the contrary. */
function compared(left: Value, right: Value, same: boolean): Value {
  if (left.is === 'known' && right.is === 'known') return known((left.value === right.value) === same)
  const field = left.is === 'field' ? left.field : right.is === 'field' ? right.field : null
  const other = left.is === 'field' ? right : left
  if (field === null || field.otherwise !== undefined || field.name === 'output' || other.is !== 'known' || other.value !== null) return OPAQUE
  return { is: 'condition', on: { call: field.call, goesOn: (field.name === 'exit_code') === same } }
}

/** What a test is about; null: nobody can say. */
export function testOf(value: Value): boolean | Condition | null {
  if (value.is === 'known') return Boolean(value.value)
  if (value.is === 'condition') return value.on
  return value.is === 'field' && value.field.name === 'session_id' && value.field.otherwise === undefined ? { call: value.field.call, goesOn: true } : null
}
