import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { type Call, callsOf, editOf, nameOf, untold } from '../../model/call.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'

export function isTrajectory(document: JsonObject): boolean {
  if (!Array.isArray(document.trajectory)) return false
  const steps = document.trajectory.slice(0, 20).map(objectOf)
  return steps.length === 0 ? Array.isArray(document.history) && 'info' in document : steps.every((step) => textOf(step.action) !== null && 'observation' in step)
}

/** Runs of the same task in the same kind of environment are told apart by their first steps. */
export function sessionOf(document: JsonObject): string {
  const steps = listOf(document.trajectory).slice(0, 3).map(objectOf)
  return nameOf(textOf(document.environment), ...steps.flatMap(({ action, response }) => [textOf(action), textOf(response)]))
}

/**
 * Steps in their order; each is named by its place and its words. No status is recorded, and what was printed may have
 * been changed on its way: nothing is concluded from it.
 */
export function openReader(): LogReader {
  let session: string | null = null
  const calls = callsOf('swe-agent')

  return {
    *read({ value }: Line): Iterable<Turn> {
      const document = objectOf(value)
      if (!isTrajectory(document)) return
      session ??= sessionOf(document)
      if (sessionOf(document) !== session) return
      let before: State = { cwd: null, file: null }
      for (const [place, step] of listOf(document.trajectory).map(objectOf).entries()) {
        const action = textOf(step.action) ?? ''
        const call = callOf(action.trim(), { session, id: nameOf(place, action), at: null, cwd: before.cwd }, before.file)
        if (call !== null) yield* calls.finish(call, untold(textOf(step.observation)), null)
        before = stateOf(step.state)
      }
    },
    end: calls.left,
  }
}

/** Where the shell stood after a step, and which file was open in the editor. */
interface State {
  readonly cwd: string | null
  readonly file: string | null
}

/** An object, or in early versions the text of one. */
function stateOf(state: unknown): State {
  let parsed: JsonObject
  try {
    parsed = typeof state === 'string' ? objectOf(JSON.parse(state)) : objectOf(state)
  } catch {
    parsed = {}
  }
  const file = wordOf(parsed.open_file)
  return { cwd: wordOf(parsed.working_dir), file: file === 'n/a' ? null : file }
}

/** An action is a text for the shell, or for a tool of the agent's own. null: nothing ran, or it only looked. */
function callOf(action: string, of: Pick<Call, 'session' | 'id' | 'at' | 'cwd'>, open: string | null): Call | null {
  const [, name = '', verb = '', named = ''] = /^(\S{1,100})(?:[ \t]{1,100}(\S{1,4096}))?(?:[ \t]{1,100}(\S{1,4096}))?/.exec(action) ?? []
  if (name === '' || LOOKS.test(name)) return null
  if (name === 'edit' || name === 'insert' || name === 'append') return { ...of, tool: 'edit', edits: [editOf(open)] }
  if (name === 'create') return { ...of, tool: 'edit', edits: [editOf(bare(verb))] }
  if (name === 'str_replace_editor') return verb === 'view' ? null : { ...of, tool: 'edit', edits: [editOf(bare(named))] }
  return { ...of, tool: 'shell', command: action }
}

const LOOKS = /^(?:open|goto|scroll_up|scroll_down|search_dir|search_file|find_file|filemap|submit|exit_\w{1,40}|skip)$/

const bare = (word: string): string | null => word.replace(/^(['"])(.*)\1$/, '$2') || null
