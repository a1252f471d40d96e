import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import { type JournalKeys, type JournalLine, isLoose } from '../../model/observation.ts'
import { verdictOf } from '../../model/outcome.ts'
import { outcomesIn, readShell } from '../../model/shell.ts'
import { hashOf } from '../../guard/form.ts'
import type { Repository } from '../git.ts'
import { textOf } from './files.ts'
import { journalFolder, journalName } from '../journals/append.ts'
import { sameKey } from '../../model/temporary-caches.ts'

/** So many bytes of journals are looked through at most. */
const MOST_BYTES = 16 * 1024 * 1024

/** What the unsealed journals of this clone say. */
export interface Unsealed {
  /** What became of a command the last time that a journal tells of it; null: none does. `unknown`: it ran, and nobody knows how it ended. */
  last(command: CanonicalCommand): 'passed' | 'failed' | 'unknown' | null
  /** Mutations that other sessions wrote down before they were made, and of which no failure is there. */
  open(): readonly OpenIntent[]
  /** Those that the asking session wrote down and that ended, none of which failed; not that of the call with this id. */
  ended(call: string | null): readonly EndedIntent[]
}

/** `result`: how the call ended, and what it printed; null: nobody noted it. */
export interface OpenIntent extends Pick<JournalLine, 'command' | 'folder' | 'cwd' | 'intended' | 'session' | 'keys'> {
  readonly result: Pick<JournalLine, 'outcome' | 'output'> | null
}

/** `later`: the command lines of the same session that came behind it and did not fail, in turn. */
export interface EndedIntent extends OpenIntent {
  readonly later: readonly string[]
}

/** null: there is more of them than can be looked through. `own`: the session that asks. */
export function openUnsealed(own: { readonly host: string; readonly session: string }, workTree: string, repository: Repository): Unsealed | null {
  const files = journalsIn(repository)
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return null
  const isOwn = (name: string): boolean => name.startsWith(journalName(own.host, own.session))
  const texts = files.map(({ name, path }) => ({ name, text: textOf(path) ?? '' }))
  return {
    last(command) {
      const [key, program] = [sameKey(command), JSON.stringify(command.argv[0] ?? '').slice(1, -1)]
      let found: ReturnType<Unsealed['last']> = null
      for (const { text } of texts)
        for (const line of linesWith(text, program)) {
          if (line.kind !== 'command' || line.command === null || line.worktree !== workTree) continue
          const reading = readShell(line.command, { folder: line.cwd ?? line.folder, root: workTree })
          for (const { command: read, outcome } of outcomesIn(reading, line.outcome)) {
            if (read.symbolic || sameKey(read.command) !== key) continue
            const verdict = verdictOf(outcome)
            found = verdict === true ? 'passed' : verdict === false ? 'failed' : 'unknown'
          }
        }
      return found
    },
    open: () => texts.flatMap(({ name, text }) => (isOwn(name) ? [] : intentsIn(text).map(({ intent }) => intent))),
    ended(call) {
      const found = texts.filter(({ name }) => isOwn(name)).flatMap(({ text }) => intentsIn(text))
      return found.flatMap(({ id, intent, later }) => (intent.result === null || id === call ? [] : [{ ...intent, later }]))
    },
  }
}

/** The intents that a journal tells of, and of which it does not tell that they came to nothing. */
function intentsIn(text: string): readonly { readonly id: string; readonly intent: OpenIntent; readonly later: readonly string[] }[] {
  if (!text.includes('"kind":"intent"')) return []
  const open = new Map<string, JournalLine & OpenIntent>()
  const commands: string[] = []
  const begun = new Map<string, number>()
  for (const line of linesWith(text, ''))
    if (line.kind === undefined) keep(line, open)
    else if (line.kind === 'intent') open.set(line.record_id, { ...line, result: null })
    else if (line.kind === 'command') {
      const nothing = cameToNothing(line)
      if (!nothing && line.command !== null) commands.push(line.command)
      for (const [id, intent] of open)
        if (intent.result === null && (id === line.record_id || (isLoose(id) && line.command === intent.command)))
          if (nothing) open.delete(id)
          else {
            open.set(id, { ...intent, result: { outcome: line.outcome, output: line.output } })
            begun.set(id, commands.length)
          }
    }
  return [...open].map(([id, intent]) => ({ id, intent, later: commands.slice(begun.get(id) ?? commands.length) }))
}

/** The id under which a command is let through. */
export const commandId = (command: CanonicalCommand): string => `command-${hashOf(commandKey(command))}`

/** It failed, or never ran. */
const cameToNothing = ({ outcome, output }: JournalLine): boolean => verdictOf(outcome) === false || (outcome.is === 'transient' && output === null)

/** What its keys were when it was written down, to the intent of that call. */
function keep({ record_id, keys }: JournalKeys, open: Map<string, JournalLine & OpenIntent>): void {
  const intent = open.get(record_id)
  if (intent !== undefined) open.set(record_id, { ...intent, keys: { ...intent.keys, ...keys } })
}

type Line = JournalLine | (JournalKeys & { readonly kind?: undefined })

function* linesWith(text: string, word: string): Generator<Line> {
  for (const line of text.split('\n')) {
    if (line === '' || !line.includes(word)) continue
    const value = parsed(line)
    if (value !== null && typeof value.record_id === 'string' && (typeof value.kind === 'string' || typeof value.keys === 'object')) yield value
  }
}

/** A line that a crash cut short is no record. */
function parsed(line: string): Line | null {
  try {
    return JSON.parse(line) as Line
  } catch {
    return null
  }
}

function journalsIn(repository: Repository): readonly { readonly name: string; readonly path: string; readonly size: number }[] {
  const folder = journalFolder(repository)
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl')).map((name) => ({ name, path: join(folder, name), size: statSync(join(folder, name)).size }))
  } catch {
    return []
  }
}
