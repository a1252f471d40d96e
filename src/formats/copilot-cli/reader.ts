import { HEX_OID } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf } from '../../base/time.ts'
import { type Call, DONE, type Ending, ONLY_READS, STOPPED, brokenOff, callsOf, editOf, enteredBy, untold } from '../../model/call.ts'
import { editsOfPatch } from '../../model/codex/patch.ts'
import { endingOf } from '../../model/copilot-cli/ending.ts'
import type { Line, LogReader } from '../../model/format.ts'
import { type KeptShell, afterTyping } from '../../model/kept-shell.ts'
import type { Edit, Turn } from '../../model/observation.ts'

/**
 * Joins calls with their completion by id. Events of a session that was not the first to start are another's. A shell may
 * go on from call to call: where a command that it took before moved or altered it, nobody knows what the next one means.
 */
export function openReader(): LogReader {
  let session: string | null = null
  let other = false
  let cwd: string | null = null
  let head: string | null = null
  const calls = callsOf('copilot-cli')
  const shells = new Map<string, KeptShell>()
  const unsure = new Set<string>()

  function context(of: JsonObject): void {
    cwd = wordOf(of.cwd) ?? cwd
    const commit = textOf(of.headCommit)
    if (commit !== null) head = HEX_OID.test(commit) ? commit : null
  }

  function began(id: unknown, name: unknown, given: unknown, at: string | null): void {
    const call = callOf(wordOf(id), textOf(name) ?? '', given, { session: session ?? '', at, cwd, head })
    if (call === null || calls.waiting(call.session, call.id) !== null) return
    if (call.tool === 'shell') typed(call, objectOf(argumentsOf(given)))
    calls.begin(call)
  }

  function typed({ id, command }: Call, args: JsonObject): void {
    const name = wordOf(args.shellId) ?? wordOf(args.sessionId) ?? ''
    const shell = shells.get(name) ?? { folder: cwd, altered: false }
    if (shell.altered || (shell.folder !== cwd && enteredBy(command ?? '') === null)) unsure.add(id)
    shells.set(name, afterTyping(shell, command ?? ''))
  }

  function* ended(told: JsonObject, at: string | null): Iterable<Turn> {
    const call = calls.waiting(session ?? '', wordOf(told.toolCallId) ?? '')
    if (call === null) return
    const { done, text } = { done: told.success === true, text: textOf(objectOf(told.result).content) }
    if (call.tool === 'shell') {
      const tool = /^powershell$/i.test(tools.get(call.id) ?? '') ? 'powershell' : 'bash'
      const ending = done ? endingOf(text, tool) : failureOf(objectOf(told.error))
      yield* calls.finish(call, unsure.has(call.id) && ending.outcome.is !== 'transient' ? untold(ending.output) : ending, at)
    } else yield* calls.finish(call, done ? DONE : call.tool === 'edit' ? null : untold(null), at, editsIn(told, call.edits))
    tools.delete(call.id)
  }

  const tools = new Map<string, string>()

  return {
    *read({ value }: Line): Iterable<Turn> {
      const event = objectOf(value)
      const [told, at] = [objectOf(event.data), utcOf(event.timestamp)]
      if (event.type === 'session.start') {
        session ??= wordOf(told.sessionId)
        other = told.sessionId !== session
        if (!other) context(objectOf(told.context))
      }
      if (session === null || other) return
      switch (event.type) {
        case 'session.resume':
          return context(objectOf(told.context))
        case 'session.context_changed':
          return context('context' in told ? objectOf(told.context) : told)
        case 'assistant.message':
          for (const one of listOf(told.toolRequests).map(objectOf)) {
            const [id, name] = [wordOf(one.toolCallId), textOf(one.name) ?? textOf(one.toolName)]
            if (id !== null) tools.set(id, name ?? '')
            began(id, name, one.arguments, at)
          }
          return
        case 'tool.execution_start':
          if (wordOf(told.toolCallId) !== null) tools.set(wordOf(told.toolCallId) ?? '', textOf(told.toolName) ?? '')
          return began(told.toolCallId, told.toolName, told.arguments, at)
        case 'tool.execution_complete':
          yield* ended(told, at)
      }
    },
    end: calls.left,
  }
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'shell'])
const EDITORS: ReadonlySet<string> = new Set(['edit', 'create', 'str_replace', 'str_replace_editor', 'write', 'apply_patch'])
/** Tools that talk, look, or go on with a shell whose own call is told; a sub-agent's calls are told beside its own. */
const LOOKS =
  /^(?:|view|grep|rg|glob|ls|web_fetch|web_search|ask_user|report_intent|update_todo|todo\w{0,40}|task|agent|skill|store_memory|exit_plan_mode|think|show_file|(?:read|stop|list)_(?:bash|powershell|agents?)|(?:read|list)_\w{1,40})$/

/** A call of a tool that runs commands or may change files; null: it only reads or talks. */
function callOf(id: string | null, name: string, given: unknown, of: Pick<Call, 'session' | 'at' | 'cwd'> & { head: string | null }): Call | null {
  if (id === null || LOOKS.test(name) || ONLY_READS.test(name)) return null
  const args = argumentsOf(given)
  if (SHELLS.has(name)) return { ...of, id, tool: 'shell', command: textOf(args.command) }
  if (!EDITORS.has(name)) return { ...of, id, tool: 'other' }
  if (args.command === 'view') return null
  const patch = textOf(given) ?? textOf(args.input) ?? textOf(args.patch)
  if (name === 'apply_patch') return { ...of, id, tool: 'edit', edits: editsOfPatch(patch ?? '').map(({ path }) => editOf(path)) }
  return { ...of, id, tool: 'edit', edits: [editOf(wordOf(args.path) ?? wordOf(args.file_path) ?? wordOf(args.filePath))] }
}

/** An object, or the text of one. */
function argumentsOf(given: unknown): JsonObject {
  try {
    return typeof given === 'string' ? objectOf(JSON.parse(given)) : objectOf(given)
  } catch {
    return {}
  }
}

/** The tool did not run its course: refused, or broken off; of anything else nothing is known. */
function failureOf(error: JsonObject): Ending {
  const [code, message] = [textOf(error.code) ?? '', textOf(error.message)]
  if (/^(?:rejected|denied|permission_denied)$/.test(code) || /^(?:The user rejected|Permission denied|Denied by )/.test(message ?? '')) return STOPPED
  return /^(?:aborted|cancelled|timeout)$/.test(code) ? brokenOff(message) : untold(message)
}

/** The host's own word on which files were edited, where the call named none. */
function editsIn(told: JsonObject, asked: readonly Edit[] | undefined): readonly Edit[] | undefined {
  if (asked !== undefined && asked.length > 0 && asked.every(({ path }) => path !== '.')) return asked
  const paths = objectOf(objectOf(told.toolTelemetry).restrictedProperties).filePaths
  const listed = Array.isArray(paths) ? paths : listOf(parsedList(paths))
  const named = listed.map(wordOf).filter((path) => path !== null)
  return named.length > 0 && named.length === listed.length ? named.map(editOf) : asked
}

function parsedList(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}
