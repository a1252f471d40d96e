import type { Json } from '../base/canonical.ts'
import { type JsonObject, objectOf, textOf, wordOf } from '../base/json.ts'
import { ANY_FILE, type Agent, type HookEvent, type HookPoint, NOTHING_YET, PASS, inJson } from '../model/agent.ts'
import { endingOf } from '../model/copilot-cli/ending.ts'

const point = (event: string, moment: HookPoint['moment']): HookPoint => ({ event, moment, entry: (bash) => ({ type: 'command', bash }) })

export default {
  id: 'copilot-cli',
  names: ['copilot', 'copilot-cli'],
  why: 'Copilot CLI takes any status but 0 for a refusal, wants its answer flat, and reads the hooks of Claude Code besides its own.',
  hooks: {
    file: '.github/hooks/git-remnant.json',
    fields: { version: 1 },
    points: [point('sessionStart', 'start'), point('preToolUse', 'before'), point('postToolUse', 'after'), point('postToolUseFailure', 'after')],
    program: 'copilot',
    folder: '.github/hooks',
    then: null,
  },
  recognise,
  read(payload, named) {
    const said = objectOf(payload)
    const event = (wordOf(said.hook_event_name) ?? named).replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    const [session, cwd] = [wordOf(said.sessionId) ?? wordOf(said.session_id), wordOf(said.cwd)]
    if (session === null || cwd === null) return null
    const call = wordOf(said.toolCallId) ?? wordOf(said.tool_use_id) ?? wordOf(said.tool_call_id)
    const place = { ...NOTHING_YET, host: 'copilot-cli', session, cwd, transcript: wordOf(said.transcriptPath) ?? wordOf(said.transcript_path), call }
    const tool = textOf(said.toolName) ?? textOf(said.tool_name) ?? ''
    const args = argumentsOf(said.toolArgs ?? said.tool_input)
    switch (event) {
      case 'sessionStart':
        return { ...place, moment: 'start', ...(said.source === 'compact' && { compacted: true }) }
      case 'preToolUse': {
        const command = textOf(args.command)
        // Its shells live on: what one call exported, the next has.
        return SHELLS.has(tool) && command !== null ? { ...place, moment: 'before', tool: 'shell', command, ownShell: true } : null
      }
      case 'postToolUse':
        return after(tool, args, resultOf(said), { ...place, moment: 'after' })
      case 'postToolUseFailure':
        return after(tool, args, null, { ...place, moment: 'after' })
      default:
        return { ...place, moment: 'mark' }
    }
  },
  tell(_event, { decision, text }) {
    if (decision === 'silent') return PASS
    return inJson(decision === 'note' ? { additionalContext: text } : { permissionDecision: decision, permissionDecisionReason: text })
  },
  brief: (_event, text) => (text === '' ? PASS : inJson({ additionalContext: text })),
} satisfies Agent

const SHELLS: ReadonlySet<string> = new Set(['bash', 'powershell', 'Bash', 'PowerShell', 'shell'])
const EDITORS: ReadonlySet<string> = new Set(['edit', 'create', 'str_replace', 'str_replace_editor', 'write', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'])
/** Tools that talk, look, or go on with a shell whose own call is told. */
const LOOKS = /^(?:view|read|grep|rg|glob|ls|list|search|fetch|web|ask|report|update_todo|todo|task|agent|skill|store_memory|(?:read|stop|list)_(?:bash|powershell|agent)|get|find|think|show|sql)\w*$/i

/** Its own names are in camel case; where it runs hooks of Claude Code it speaks like that, with the time and without a log. */
function recognise(payload: Json): boolean {
  const said = objectOf(payload)
  if ('conversation_id' in said || 'turn_id' in said || 'hookEventName' in said) return false
  if (wordOf(said.sessionId) !== null) return 'timestamp' in said && !('hook_event_name' in said)
  return wordOf(said.session_id) !== null && wordOf(said.hook_event_name) !== null && 'timestamp' in said && !('transcript_path' in said)
}

/** An object, or the text of one. */
function argumentsOf(given: Json | undefined): JsonObject {
  try {
    return typeof given === 'string' ? objectOf(JSON.parse(given)) : objectOf(given)
  } catch {
    return {}
  }
}

/** What the model was told; null: a failure, of which no more is known. */
function resultOf(said: JsonObject): string | null {
  const result = said.toolResult ?? said.tool_result ?? said.tool_response
  const told = objectOf(result)
  if (told.resultType !== undefined && told.resultType !== 'success') return null
  return textOf(result) ?? textOf(told.textResultForLlm) ?? textOf(told.text_result_for_llm) ?? textOf(told.content)
}

function after(tool: string, args: JsonObject, result: string | null, event: HookEvent): HookEvent | null {
  if (SHELLS.has(tool)) {
    const command = textOf(args.command)
    return command === null ? null : { ...event, tool: 'shell', command, ...endingOf(result, tool) }
  }
  if (LOOKS.test(tool) || tool === '' || result === null) return null
  const path = wordOf(args.path) ?? wordOf(args.file_path) ?? wordOf(args.filePath)
  if (EDITORS.has(tool)) return args.command === 'view' ? null : { ...event, tool: 'edit', outcome: { is: 'success' }, edits: [path === null ? ANY_FILE : { path, before: null, after: null }] }
  return { ...event, tool: 'other', outcome: { is: 'success' }, edits: [ANY_FILE] }
}
