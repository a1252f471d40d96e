import type { Json } from '../base/canonical.ts'
import { type JsonObject, objectOf, textOf, wordOf } from '../base/json.ts'
import { ANY_FILE, type Agent, type HookEvent, type HookPoint, NOTHING_YET, PASS, inJson } from '../model/agent.ts'
import { editsOf } from '../model/claude-code/edits.ts'
import { BROKEN_OFF, endingOf } from '../model/claude-code/ending.ts'
import { EDITORS, READERS, SHELLS } from '../model/claude-code/tools.ts'

const point = (event: string, moment: HookPoint['moment'], matcher: string | null): HookPoint => ({
  event,
  moment,
  entry: (command) => ({ ...(matcher !== null && { matcher }), hooks: [{ type: 'command', command }] }),
})

const COMMANDS = [...SHELLS].join('|')
const CHANGES = `^(?:${[...SHELLS, ...EDITORS].join('|')})$|^mcp__`

export default {
  id: 'claude-code',
  names: ['claude', 'claude-code'],
  why: 'Claude Code gives each hook one JSON object and takes one back; a call that failed comes under an event of its own.',
  hooks: {
    file: '.claude/settings.local.json',
    fields: {},
    points: [
      point('SessionStart', 'start', null),
      point('PreToolUse', 'before', COMMANDS),
      point('PostToolUse', 'after', CHANGES),
      point('PostToolUseFailure', 'after', COMMANDS),
    ],
    program: 'claude',
    folder: '.claude',
    then: null,
  },
  recognise,
  read(payload, named) {
    const said = objectOf(payload)
    const event = wordOf(said.hook_event_name) ?? named
    const [session, cwd] = [wordOf(said.session_id), wordOf(said.cwd)]
    if (session === null || cwd === null) return null
    const place = { ...NOTHING_YET, host: 'claude-code', session, cwd, transcript: wordOf(said.transcript_path) }
    switch (event) {
      case 'SessionStart':
        return { ...place, moment: 'start', ...(said.source === 'compact' && { compacted: true }) }
      case 'PreToolUse':
        return before(said, { ...place, moment: 'before', call: wordOf(said.tool_use_id) })
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return after(said, event === 'PostToolUseFailure', { ...place, moment: 'after', call: wordOf(said.tool_use_id), ...(typeof said.duration_ms === 'number' && { took: said.duration_ms }) })
      default:
        return { ...place, moment: 'mark' }
    }
  },
  tell(_event, { decision, text }) {
    if (decision === 'silent') return PASS
    const said: Json = decision === 'note' ? { additionalContext: text } : { permissionDecision: decision, permissionDecisionReason: text }
    return inJson({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...said } })
  },
  brief: (_event, text) => (text === '' ? PASS : inJson({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } })),
} satisfies Agent

/** Others speak alike: Codex names a turn, or a log of its own kind, or none; Copilot and Gemini the time; Cursor a conversation. */
function recognise(payload: Json): boolean {
  const said = objectOf(payload)
  const transcript = wordOf(said.transcript_path)
  if (wordOf(said.hook_event_name) === null || wordOf(said.session_id) === null || transcript === null) return false
  if (OTHERS.some((name) => name in said)) return false
  return /^[A-Z]/.test(said.hook_event_name as string) && !/(?:^|[\\/])rollout-[^\\/]*$/.test(transcript)
}

const OTHERS = ['turn_id', 'timestamp', 'conversation_id', 'cursor_version', 'sessionId', 'hookEventName']

function before(said: JsonObject, event: HookEvent): HookEvent | null {
  const command = textOf(objectOf(said.tool_input).command)
  return SHELLS.has(textOf(said.tool_name) ?? '') && command !== null ? { ...event, tool: 'shell', command } : null
}

/** As the host's own log tells it, by the same reading. */
function after(said: JsonObject, failed: boolean, event: HookEvent): HookEvent | null {
  const tool = textOf(said.tool_name) ?? ''
  const input = objectOf(said.tool_input)
  if (SHELLS.has(tool)) {
    const command = textOf(input.command)
    if (command === null) return null
    // A call that was refused comes under no event.
    if (said.is_interrupt === true) return { ...event, tool: 'shell', command, ...BROKEN_OFF }
    const error = textOf(said.error) ?? ''
    const ending = failed ? endingOf({ is_error: true, content: error }, {}, input) : endingOf({}, { toolUseResult: said.tool_response }, input)
    if (ending === null) return null
    const { outcome, output, cut } = ending
    return { ...event, tool: 'shell', command, outcome, output, ...((cut || (failed && error.length >= MIDDLE_CUT)) && { cut: true }) }
  }
  if (failed || READERS.test(tool)) return null
  const edits = EDITORS.has(tool) ? editsOf({}, said.tool_response, input) : [ANY_FILE]
  return edits.length === 0 ? null : { ...event, tool: EDITORS.has(tool) ? 'edit' : 'other', outcome: { is: 'success' }, edits }
}

/** Characters; of a longer error the host leaves out the middle. */
const MIDDLE_CUT = 10_000
