import type { Json } from '../base/canonical.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../base/json.ts'
import { utcOf } from '../base/time.ts'
import { type Call, ONLY_READS, callsOf, editOf, nameOf, untold } from '../model/call.ts'
import type { About, Format, Line, LogPlace, LogReader } from '../model/format.ts'
import type { Turn } from '../model/observation.ts'

export default {
  id: 'atif',
  host: 'atif',
  why: 'ATIF is how benchmarks hand trajectories of many agents on; it has a place for what a tool printed, and none for how it ended.',
  expects: 'an ATIF trajectory (an object with "schema_version", "agent" and "steps")',
  recognise: (head) => isTrajectory(objectOf(head[0])),
  about,
  at: (_value: Json) => null,
  companions: (_name: string) => [],
  logs: (_place: LogPlace) => [],
  open: openReader,
} satisfies Format

function isTrajectory(document: JsonObject): boolean {
  return /^(?:ATIF-v)?1\.\d{1,3}$/.test(textOf(document.schema_version) ?? '') && Array.isArray(document.steps) && 'agent' in document
}

function about(head: readonly Json[]): About {
  const document = objectOf(head[0])
  return { session: sessionOf(document), cwd: cwdOf(document) }
}

const sessionOf = (document: JsonObject): string => wordOf(document.session_id) ?? nameOf(...listOf(document.steps).slice(0, 3).map((step) => textOf(objectOf(step).message)))

/** The agent's folder, where it had one and no other. */
function cwdOf(document: JsonObject): string | null {
  const folders = listOf(objectOf(objectOf(document.agent).extra).cwds).map(wordOf)
  return folders.length === 1 ? (folders[0] ?? null) : null
}

/** Steps that were copied from an earlier trajectory are told there. Of what is said to have been a success only this is known: it ran. */
function openReader(): LogReader {
  let session: string | null = null
  const calls = callsOf('atif')
  return {
    *read({ value }: Line): Iterable<Turn> {
      const document = objectOf(value)
      if (!isTrajectory(document)) return
      session ??= sessionOf(document)
      if (sessionOf(document) !== session) return
      for (const [place, step] of listOf(document.steps).map(objectOf).entries()) {
        if (step.is_copied_context === true) continue
        const at = utcOf(step.timestamp)
        const made = listOf(step.tool_calls).map(objectOf)
        const results = listOf(objectOf(step.observation).results).map(objectOf)
        for (const [i, one] of made.entries()) {
          const call = callOf(one, { session, id: nameOf(place, i, idOf(one)), at, cwd: cwdOf(document) })
          const result = results.find(({ source_call_id }) => source_call_id !== undefined && source_call_id === idOf(one)) ?? (made.length === 1 ? results[0] : undefined)
          if (call !== null) yield* calls.finish(call, untold(textOf(result?.content)), at)
        }
      }
    },
    end: calls.left,
  }
}

const idOf = (call: JsonObject): string | null => wordOf(call.tool_call_id) ?? wordOf(call.id)

/** What agents call their tools differs: one that has a command runs it, one that has a path and is no reader edits it. */
function callOf(made: JsonObject, of: Pick<Call, 'session' | 'id' | 'at' | 'cwd'>): Call | null {
  const [name, args] = [textOf(made.function_name) ?? textOf(made.name) ?? '', objectOf(made.arguments)]
  if (LOOKS.test(name) || ONLY_READS.test(name)) return null
  const command = textOf(args.keystrokes)?.replace(/\n$/, '') ?? textOf(args.cmd) ?? (EDITORS.test(name) ? null : textOf(args.command))
  if (command !== null) return { ...of, tool: 'shell', command }
  const path = wordOf(args.file_path) ?? wordOf(args.path) ?? wordOf(args.filePath) ?? wordOf(args.notebook_path)
  return EDITORS.test(name) && args.command !== 'view' ? { ...of, tool: 'edit', edits: [editOf(path)] } : args.command === 'view' ? null : { ...of, tool: 'other' }
}

const EDITORS = /edit|write|create|replace|patch|insert/i
const LOOKS = /^(?:|mark_task_complete|finish|submit|think|Read|Grep|Glob|LS|WebFetch|WebSearch|TodoWrite|todo_write|update_plan|grep|glob|ls)$/
