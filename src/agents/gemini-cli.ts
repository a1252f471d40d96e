import type { Json } from '../base/canonical.ts'
import { blobId } from '../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../base/json.ts'
import { ANY_FILE, type Agent, type HookEvent, type HookPoint, NOTHING_YET, ONLY_READS, PASS, inJson, insteadOfAsking } from '../model/agent.ts'
import { endingOf } from '../model/gemini-cli/ending.ts'

const point = (event: string, moment: HookPoint['moment'], matcher: string): HookPoint => ({
  event,
  moment,
  entry: (command) => ({ matcher, hooks: [{ type: 'command', name: 'git-remnant', command }] }),
})

export default {
  id: 'gemini-cli',
  names: ['gemini', 'gemini-cli'],
  why: 'Gemini CLI takes JSON and nothing else, has no question and no place for a note to the model, and names no call.',
  hooks: {
    file: '.gemini/settings.json',
    fields: {},
    points: [
      point('SessionStart', 'start', '*'),
      point('BeforeTool', 'before', '^run_shell_command$'),
      point('AfterTool', 'after', '^(?:run_shell_command|write_file|replace|mcp_.*)$'),
    ],
    program: 'gemini',
    folder: '.gemini',
    then: 'Gemini CLI asks once whether it may run them',
  },
  recognise,
  read(payload, named) {
    const said = objectOf(payload)
    const event = wordOf(said.hook_event_name) ?? named
    const [session, cwd] = [wordOf(said.session_id), wordOf(said.cwd)]
    if (session === null || cwd === null) return null
    const place = { ...NOTHING_YET, host: 'gemini-cli', session, cwd, transcript: wordOf(said.transcript_path), call: wordOf(said.tool_call_id) }
    switch (event) {
      case 'SessionStart':
        return { ...place, moment: 'start' }
      case 'BeforeTool': {
        const command = textOf(objectOf(said.tool_input).command)
        return said.tool_name === SHELL && command !== null ? { ...place, ...inFolder(said, cwd), moment: 'before', tool: 'shell', command } : null
      }
      case 'AfterTool':
        return after(said, { ...place, moment: 'after' })
      default:
        return { ...place, moment: 'mark' }
    }
  },
  tell(_event, decision) {
    if (decision.decision === 'silent') return PASS
    if (decision.decision === 'note') return inJson({ systemMessage: decision.text })
    return inJson({ decision: 'deny', reason: decision.decision === 'ask' ? insteadOfAsking(decision) : decision.text })
  },
  brief: (_event, text) => (text === '' ? PASS : inJson({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } })),
} satisfies Agent

const SHELL = 'run_shell_command'
const EVENTS: ReadonlySet<unknown> = new Set(
  ['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeModel', 'AfterModel', 'BeforeToolSelection', 'BeforeTool', 'AfterTool', 'PreCompress', 'Notification'],
)

/** Its events have names of their own, and a time and a log beside those that Copilot and Claude Code have too. */
function recognise(payload: Json): boolean {
  const said = objectOf(payload)
  return EVENTS.has(said.hook_event_name) && wordOf(said.session_id) !== null && wordOf(said.timestamp) !== null && 'transcript_path' in said
}

/** A command may name a folder of its own to run in. */
function inFolder(said: JsonObject, cwd: string): { cwd: string } {
  const input = objectOf(said.tool_input)
  const folder = wordOf(input.dir_path) ?? wordOf(input.directory)
  if (folder === null || folder === '.') return { cwd }
  return { cwd: /^(?:\/|[A-Za-z]:[\\/])/.test(folder) ? folder : `${cwd}/${folder}` }
}

function after(said: JsonObject, event: HookEvent): HookEvent | null {
  const tool = textOf(said.tool_name) ?? ''
  const response = objectOf(said.tool_response)
  const input = objectOf(said.tool_input)
  if (tool === SHELL) {
    const command = textOf(input.command)
    if (command === null) return null
    const ending = endingOf(textIn(response.llmContent), response.error !== undefined && response.error !== null)
    return { ...event, ...inFolder(said, event.cwd), tool: 'shell', command, ...ending }
  }
  if (tool === 'write_file' || tool === 'replace') {
    const path = wordOf(input.file_path)
    if (path === null || (response.error !== undefined && response.error !== null)) return null
    const shown = objectOf(response.returnDisplay)
    const [old, now] = [textOf(shown.originalContent), textOf(shown.newContent)]
    return { ...event, tool: 'edit', outcome: { is: 'success' }, edits: [{ path, before: old === null ? null : blobId(old), after: now === null ? null : blobId(now) }] }
  }
  return tool.startsWith('mcp_') && !ONLY_READS.test(tool) ? { ...event, tool: 'other', outcome: { is: 'success' }, edits: [ANY_FILE] } : null
}

const textIn = (content: Json | undefined): string =>
  textOf(content) ??
  listOf(content)
    .map((part) => textOf(part) ?? textOf(objectOf(part).text) ?? '')
    .join('')
