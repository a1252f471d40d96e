import { objectOf, textOf } from '../../base/json.ts'
import type { ScriptPart, ScriptRun } from './script-run.ts'
import { type Condition, type Entry, type Field, type Piece, type Value, entryOf, piecesOf } from './script-values.ts'

/** What a script printed of one of its calls; null: nothing of it. `goesOn`: whether its command went on behind it, where the script says so. */
export interface Shown {
  output: string | null
  cut: boolean
  code: number | null
  running: string | null
  goesOn: boolean | null
}

/**
 * What the parts that a script printed show of each of its calls, in their order; null in the place of one that was not made. null:
 * they are not what its text prints, or could be so in more than one way.
 */
export function shownIn(run: ScriptRun, printed: readonly string[]): readonly (Shown | null)[] | null {
  const went = wayOf(run, printed)
  if (went === null) return null
  const holds = (when: readonly Condition[]): boolean => when.every(({ call, goesOn }) => went.get(call) === goesOn)
  const shown = run.calls.map(({ when }, i): Shown | null => (holds(when) ? { output: null, cut: false, code: null, running: null, goesOn: went.get(i) ?? null } : null))
  for (const [i, { shows }] of run.parts.filter(({ when }) => holds(when)).entries()) read(shows, printed[i] as string, shown)
  return shown
}

/** Which of the commands that a script asks about went on; null: the parts do not tell. */
function wayOf({ calls, parts }: ScriptRun, printed: readonly string[]): ReadonlyMap<number, boolean> | null {
  const asked = [...new Set([...parts, ...calls].flatMap(({ when }) => when.map(({ call }) => call)))]
  if (asked.length > MOST_ASKED) return null
  const ways: ReadonlyMap<number, boolean>[] = []
  for (let bits = 0; bits < 2 ** asked.length; bits++) {
    const way = new Map(asked.map((call, i) => [call, (bits >> i) % 2 === 1]))
    const holds = (when: readonly Condition[]): boolean => when.every(({ call, goesOn }) => way.get(call) === goesOn)
    // Of a call that was not made nothing goes on.
    if (asked.some((call) => way.get(call) === true && !holds(calls[call]?.when ?? []))) continue
    const made = parts.filter(({ when }) => holds(when))
    if (made.length === printed.length && made.every((part, i) => fits(part, printed[i] as string))) ways.push(way)
  }
  return ways.length === 1 ? (ways[0] as ReadonlyMap<number, boolean>) : null
}

const MOST_ASKED = 8

/** Whether a part can be what was printed: its own words stand there. */
function fits({ shows }: ScriptPart, text: string): boolean {
  if (shows.is === 'known') return String(shows.value) === text
  return shows.is !== 'text' || shows.pieces.includes(null) || shows.pieces.every((piece) => typeof piece !== 'string' || text.includes(piece))
}

function read(shows: Value, text: string, shown: readonly (Shown | null)[]): void {
  if (shows.is === 'text' || shows.is === 'field') readText(piecesOf(shows), text, shown)
  else if (shows.is === 'result') readObject([{ name: null, value: shows }], text, shown)
  else if (shows.is === 'object') readObject(shows.entries, text, shown)
  else if (shows.is === 'json' && (shows.of.is === 'result' || shows.of.is === 'object')) read(shows.of, text, shown)
}

/** A text in which a single output stands, and statuses before or behind it: nothing in that output can be taken for them. */
function readText(pieces: readonly Piece[], text: string, shown: readonly (Shown | null)[]): void {
  const fields = pieces.filter((piece) => typeof piece === 'object')
  if (fields.includes(null) || fields.filter((field) => field?.name === 'output').length > 1) return
  // Two numbers side by side, or one beside a digit, are not told apart.
  if (pieces.some((piece, i) => isNumber(piece) && (isNumber(pieces[i + 1] ?? '') || /^\d/.test(wordAt(pieces, i + 1)) || /[-\d]$/.test(wordAt(pieces, i - 1))))) return
  const found = new RegExp(`^${pieces.map(shapeOf).join('')}$`).exec(text)
  if (found === null) return
  for (const [i, field] of (fields as Field[]).entries()) note(field, found[i + 1] as string, shown)
}

const isNumber = (piece: Piece): boolean => typeof piece === 'object' && piece?.name !== 'output'
const wordAt = (pieces: readonly Piece[], at: number): string => (typeof pieces[at] === 'string' ? (pieces[at] as string) : '')

function shapeOf(piece: Piece): string {
  if (typeof piece === 'string') return escaped(piece)
  if (piece?.name === 'output') return '([^]*)'
  return `(-?\\d{1,18}|${escaped(piece?.otherwise ?? 'undefined')}${piece?.otherwise === undefined ? '|null' : ''})`
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function note({ call, name, cut }: Field, text: string, shown: readonly (Shown | null)[]): void {
  const of = shown[call]
  if (of == null) return
  if (name === 'output') {
    of.output = text
    of.cut ||= cut === true
  } else if (/^-?\d{1,18}$/.test(text)) {
    if (name === 'session_id') of.running = text
    else if (Number.isSafeInteger(Number(text))) of.code = Number(text)
  } else of.goesOn ??= name === 'exit_code' && text !== ''
}

/** An object that JSON wrote, with what the host handed back in it. */
function readObject(entries: readonly Entry[], text: string, shown: readonly (Shown | null)[]): void {
  const parsed = jsonIn(text)
  if (parsed === null) return
  // All that the host hands back is known by what nothing else of it has.
  if (entries.length === 1 && entries[0]?.name === null && typeof parsed.wall_time_seconds !== 'number') return
  const names = new Set(entries.flatMap(({ name, value }) => (name !== null ? [name] : value.is === 'result' ? ['output', 'exit_code', 'session_id'] : [])))
  const said: { readonly field: Field; readonly value: unknown }[] = []
  for (const name of names) {
    const value = entryOf(entries, name)
    if (value?.is === 'field') said.push({ field: value.field, value: parsed[name] })
  }
  for (const { field, value } of said) {
    if (said.filter((other) => other.field.call === field.call && other.field.name === field.name).length > 1) continue
    if (field.name === 'output' ? textOf(value) !== null : Number.isSafeInteger(value)) note(field, String(field.name === 'output' ? textOf(value) : value), shown)
  }
  // What has a status and goes on, or neither, is no result of the host's.
  for (const call of new Set(said.map(({ field }) => field.call))) {
    const of = shown[call]
    const asked = new Set(said.filter(({ field }) => field.call === call).map(({ field }) => field.name))
    if (of != null && asked.has('exit_code') && asked.has('session_id') && (of.code === null) === (of.running === null)) Object.assign(of, { output: null, code: null, running: null })
  }
}

function jsonIn(text: string): ReturnType<typeof objectOf> | null {
  if (!text.startsWith('{')) return null
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null
  }
}

