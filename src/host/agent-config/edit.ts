import { type JSONPath, type ParseError, applyEdits, modify, parse, printParseErrorCode, visit } from 'jsonc-parser'
import type { Json } from '../../base/canonical.ts'
import { objectOf } from '../../base/json.ts'
import type { Hooks } from '../../model/agent.ts'

/** One change of a text: what was put in, and what stood in its place (mostly nothing). */
export interface Step {
  readonly gone: string
  readonly added: string
}

export interface Edited {
  readonly text: string
  /** In the order in which they were made. */
  readonly steps: readonly Step[]
}

/** The line that a host's hook runs. It lets the call through where there is no git-remnant, or its package has gone. */
export function commandLine(installation: string, host: string, event: string): string {
  const program = `'${`${installation}/hooks/guard`.replaceAll("'", `'\\''`)}'`
  return `command -v git-remnant >/dev/null 2>&1 && [ -x ${program} ] || exit 0; exec ${program} ${host} ${event}`
}

/** Whether a command line is one of ours, of whatever package. */
export const isOurs = (line: unknown): boolean => typeof line === 'string' && /^command -v git-remnant >\/dev\/null 2>&1 && \[ -x '.*\/hooks\/guard' \] \|\| exit 0; exec '/s.test(line)

/** Our command lines in a configuration, by event; a text that can't be read has none. */
export function oursIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [event, entries] of Object.entries(objectOf(objectOf(valueOf(text)).hooks)))
    for (const entry of Array.isArray(entries) ? entries : []) for (const line of linesIn(entry)) if (isOurs(line)) found.set(event, [...(found.get(event) ?? []), line])
  return found
}

/**
 * The configuration with our entries last in their lists; the user's own entries, comments and layout stay as they are.
 * null: it is no configuration that can be changed with certainty.
 */
export function withHooks(text: string, hooks: Hooks, lineOf: (event: string) => string): Edited | null {
  const layout = layoutOf(text)
  const steps: Step[] = []
  let now = text
  const put = (next: string): void => {
    steps.push(stepBetween(now, next))
    now = next
  }
  if (valueOf(text) === undefined) {
    if (!isBlank(text)) return null
    put(`${text}${text === '' || /\n$/.test(text) ? '' : layout.eol}{}${layout.eol}`)
    for (const [name, value] of Object.entries(hooks.fields)) put(changed(now, [name], value, layout, false))
  }
  const before = valueOf(text) ?? hooks.fields
  if (!isEditable(before, hooks) || hasTwins(text)) return null
  for (const { event, entry } of hooks.points) {
    const value = entry(lineOf(event))
    const list = objectOf(objectOf(valueOf(now)).hooks)[event]
    put(list === undefined ? changed(now, ['hooks', event], [value], layout, false) : changed(now, ['hooks', event, -1], value, layout, true))
  }
  const wanted = structuredClone(objectOf(before)) as { [name: string]: Json }
  const lists = { ...objectOf(wanted.hooks) } as { [name: string]: Json }
  for (const { event, entry } of hooks.points) lists[event] = [...((lists[event] as Json[] | undefined) ?? []), entry(lineOf(event))]
  return same(valueOf(now), { ...wanted, hooks: lists }) ? { text: now, steps } : null
}

/** The configuration as it was before, byte for byte as far as nobody else has changed what stands around our entries. null: there is nothing of ours in it. */
export function withoutHooks(text: string, steps: readonly Step[], fields: Hooks['fields']): string | null {
  if (oursIn(text).size === 0) return null
  const back = undone(text, steps)
  if (back !== null && (isBlank(back) ? isEmptied(text, fields) : oursIn(back).size === 0 && same(pruned(valueOf(back)), pruned(valueOf(text))))) return back
  return cutOut(text)
}

/** Nothing is left but what we had put there ourselves. */
export const isEmptied = (text: string, fields: Hooks['fields']): boolean => {
  const rest = objectOf(pruned(valueOf(text)))
  return Object.keys(rest).every((name) => same(rest[name], fields[name]))
}

function undone(text: string, steps: readonly Step[]): string | null {
  let now = text
  for (const { gone, added } of [...steps].reverse()) {
    const at = now.indexOf(added)
    if (added === '' || at === -1 || now.indexOf(added, at + 1) !== -1) return null
    now = now.slice(0, at) + gone + now.slice(at + added.length)
  }
  return now
}

/** One entry after another is taken out of the text, and a list that has become empty with it. */
function cutOut(text: string): string {
  const layout = layoutOf(text)
  let now = text
  for (let left = 100; left > 0; left--) {
    const hooks = objectOf(objectOf(valueOf(now)).hooks)
    const found = Object.entries(hooks).flatMap(([event, entries]) => (Array.isArray(entries) ? entries.map((entry, i) => ({ event, i, entry, count: entries.length })) : [])).find(({ entry }) => linesIn(entry).some(isOurs))
    if (found === undefined) return now
    const alone = found.count === 1
    now = changed(now, alone ? (Object.keys(hooks).length === 1 ? ['hooks'] : ['hooks', found.event]) : ['hooks', found.event, found.i], undefined, layout, false)
  }
  return now
}

/** Command lines of an entry: its own (Copilot), or those of the hooks in it. */
const linesIn = (entry: Json): string[] => {
  const one = objectOf(entry)
  const inner = Array.isArray(one.hooks) ? one.hooks.map(objectOf) : []
  return [one, ...inner].flatMap(({ command, bash }) => [command, bash]).filter((line): line is string => typeof line === 'string')
}

/** A configuration without our entries, and without lists and objects of hooks that hold nothing. */
function pruned(value: Json | undefined): Json | undefined {
  const { hooks, ...rest } = objectOf(value)
  if (hooks === undefined) return value
  const lists = Object.entries(objectOf(hooks)).flatMap(([event, entries]) => {
    const left = Array.isArray(entries) ? entries.filter((entry) => !linesIn(entry).some(isOurs)) : entries
    return Array.isArray(left) && left.length === 0 ? [] : [[event, left] as const]
  })
  return (lists.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(lists) }) as Json
}

const isEditable = (value: Json, { points }: Hooks): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { hooks } = objectOf(value)
  if (hooks === undefined) return true
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) return false
  return points.every(({ event }) => !Object.hasOwn(hooks, event) || Array.isArray(objectOf(hooks)[event]))
}

/** A name that stands twice on one level: which of them counts is for the host to say. */
function hasTwins(text: string): boolean {
  let twice = false
  const levels: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => void levels.push(new Set()),
    onObjectEnd: () => void levels.pop(),
    onObjectProperty: (name) => {
      const names = levels.at(-1)
      twice ||= names?.has(name) === true
      names?.add(name)
    },
  })
  return twice
}

interface Layout {
  readonly eol: string
  readonly insertSpaces: boolean
  readonly tabSize: number
}

function layoutOf(text: string): Layout {
  const indent = /(?:^|\n)([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return { eol: /\r\n/.test(text) ? '\r\n' : '\n', insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : Math.min(indent.length, 8) }
}

const changed = (text: string, path: JSONPath, value: Json | undefined, layout: Layout, insertion: boolean): string =>
  applyEdits(text, modify(text, path, value, { formattingOptions: layout, ...(insertion && { isArrayInsertion: true }) }))

function stepBetween(before: string, after: string): Step {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { gone: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}

/** undefined: nothing stands there, or it can't be read. */
function valueOf(text: string): Json | undefined {
  const errors: ParseError[] = []
  const value = parse(text, errors, { allowTrailingComma: true }) as Json | undefined
  return errors.length === 0 ? value : undefined
}

/** Blanks and comments only. */
function isBlank(text: string): boolean {
  const errors: ParseError[] = []
  return parse(text, errors) === undefined && errors.every(({ error }) => printParseErrorCode(error) === 'ValueExpected')
}

const same = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b)

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one)) ?? ''
