import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { type Ending, ended } from '../../model/codex/ending.ts'
import { type Outcome, UNKNOWN } from '../../model/outcome.ts'
import { isPowerShell, posixOf } from '../../model/shell/powershell.ts'

/** What an `item_completed` event tells, in the words of the older events; `began` and `ended` in ms, where it has them. */
export interface Item {
  readonly is: 'command' | 'patch'
  readonly event: JsonObject
  readonly command: Typed
  readonly process: string | null
  readonly began: number | null
}

/**
 * A command or a patch that has ended. Since the summer of 2026 each is told by an item, those too that a script started;
 * an item of a call has the call's id, one of a script an id of its own. null: an item of another kind.
 */
export function itemOf(event: JsonObject): Item | null {
  const item = objectOf(event.item)
  const id = wordOf(item.id)
  if (id === null) return null
  const began = typeof event.started_at_ms === 'number' ? event.started_at_ms : null
  if (item.type === 'FileChange')
    return { is: 'patch', event: { call_id: id, changes: item.changes as never, success: item.status === 'completed' }, command: typedOf(null), process: null, began }
  if (item.type !== 'CommandExecution') return null
  return { is: 'command', event: { ...item, call_id: id, cwd: folderOf(item.cwd) }, command: typedOf(item.command), process: wordOf(item.process_id), began }
}

/** What was typed, and whether PowerShell read it. */
export interface Typed {
  readonly command: string | readonly string[] | null
  readonly powershell: boolean
}

/** What was typed, without the shell that the host starts for it. */
export function typedOf(command: unknown): Typed {
  const argv = listOf(command).map(textOf)
  if (argv.length === 0 || argv.includes(null)) return { command: textOf(command), powershell: false }
  const words = argv as string[]
  const program = words[0] as string
  const powershell = isPowerShell(program) && /^-(?:c|Command)$/i.test(words.at(-2) ?? '')
  return { command: powershell ? (words.at(-1) as string) : words, powershell }
}

/** The command as one that a POSIX shell reads. */
export function readable({ command, powershell }: Typed): string | readonly string[] | null {
  if (!powershell || typeof command !== 'string') return command
  return posixOf(command) ?? ['powershell', '-Command', command]
}

/** How a command ended of which an event tells. */
export function endingOfEvent(event: JsonObject): Ending {
  const text = textOf(event.aggregated_output) ?? [textOf(event.stdout), textOf(event.stderr)].filter((part) => part).join('\n')
  // A status of 0 of what the host itself calls failed is nobody's.
  const doubtful = event.exit_code === 0 && wordOf(event.status) !== null && event.status !== 'completed'
  if (Number.isInteger(event.exit_code) && !doubtful) return ended(event.exit_code as number, { header: '', text })
  return { outcome: UNKNOWN, output: text, cut: true, running: null }
}

/** PowerShell calls a program failed that wrote to a redirected standard error. */
export const isMistaken = (outcome: Outcome, output: string | null): boolean => outcome.is === 'code' && outcome.code !== 0 && output !== null && output.includes('NativeCommandError')

/** A folder, which items write as a `file:` URL. */
function folderOf(cwd: unknown): string | null {
  const text = wordOf(cwd)
  if (text === null || !text.startsWith('file://')) return text
  try {
    return decodeURIComponent(text.slice('file://'.length)).replace(/^\/(?=[A-Za-z]:)/, '')
  } catch {
    return null
  }
}
