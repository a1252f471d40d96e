import type { Json } from '../base/canonical.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../base/json.ts'
import { ANY_FILE, type Agent, type HookEvent, type HookPoint, NOTHING_YET, ONLY_READS, PASS, inJson, insteadOfAsking } from '../model/agent.ts'
import { type Ending, endingOf, outputOf } from '../model/codex/ending.ts'
import { editsOfPatch, patchIn } from '../model/codex/patch.ts'

const point = (event: string, moment: HookPoint['moment'], matcher: string | null): HookPoint => ({
  event,
  moment,
  entry: (command) => ({ ...(matcher !== null && { matcher }), hooks: [{ type: 'command', command }] }),
})

export default {
  id: 'codex',
  names: ['codex'],
  why: 'Codex speaks much as Claude Code does, but refuses an answer with one field too many, has no question, and reports no status.',
  hooks: {
    file: '.codex/hooks.json',
    fields: {},
    points: [point('SessionStart', 'start', null), point('PreToolUse', 'before', '^Bash$'), point('PostToolUse', 'after', '^Bash$|^apply_patch$|^mcp__')],
    program: 'codex',
    folder: '.codex',
    then: 'Codex runs them once you have trusted them in /hooks',
  },
  recognise,
  read(payload, named) {
    const said = objectOf(payload)
    const event = wordOf(said.hook_event_name) ?? named
    const [session, cwd] = [wordOf(said.session_id), wordOf(said.cwd)]
    if (session === null || cwd === null) return null
    const place = { ...NOTHING_YET, host: 'codex', session, cwd, transcript: wordOf(said.transcript_path), call: wordOf(said.tool_use_id) }
    switch (event) {
      case 'SessionStart':
        return { ...place, moment: 'start', ...(said.source === 'compact' && { compacted: true }) }
      case 'PreToolUse':
        return before(said, { ...place, moment: 'before' })
      case 'PostToolUse':
        return after(said, { ...place, moment: 'after' })
      default:
        return { ...place, moment: 'mark' }
    }
  },
  tell(_event, decision) {
    if (decision.decision === 'silent' || decision.text === '') return PASS
    if (decision.decision === 'note') return inJson({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: decision.text } })
    // The one form of a stop that every version takes.
    return { stdout: '', stderr: `${decision.decision === 'ask' ? insteadOfAsking(decision) : decision.text}\n`, status: 2 }
  },
  brief: (_event, text) => (text === '' ? PASS : inJson({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } })),
} satisfies Agent

/** It names a turn; where it does not (a session starts), its log is a rollout file, or there is none. */
function recognise(payload: Json): boolean {
  const said = objectOf(payload)
  if (wordOf(said.hook_event_name) === null || wordOf(said.session_id) === null) return false
  if (['timestamp', 'conversation_id', 'sessionId', 'hookEventName'].some((name) => name in said)) return false
  const transcript = wordOf(said.transcript_path)
  return wordOf(said.turn_id) !== null || said.transcript_path === null || (transcript !== null && /(?:^|[\\/])rollout-[^\\/]*$/.test(transcript))
}

function before(said: JsonObject, event: HookEvent): HookEvent | null {
  const command = commandIn(said)
  // A profile is read before each.
  const login = objectOf(said.tool_input).login !== false
  return said.tool_name === 'Bash' && command !== null ? { ...event, tool: 'shell', command, ...(login && { ownShell: true }) } : null
}

function commandIn(said: JsonObject): string | readonly string[] | null {
  const { command } = objectOf(said.tool_input)
  const argv = listOf(command).map(textOf)
  return textOf(command) ?? (argv.length > 0 && argv.every((word) => word !== null) ? argv : null)
}

function after(said: JsonObject, event: HookEvent): HookEvent | null {
  const tool = textOf(said.tool_name) ?? ''
  const text = outputOf(said.tool_response)
  const command = commandIn(said)
  if (tool === 'apply_patch') return patched(textOf(command) ?? textOf(objectOf(said.tool_input).input) ?? textOf(objectOf(said.tool_input).patch) ?? '', text, event)
  if (tool !== 'Bash') return /^mcp__/.test(tool) && ONLY_READS.test(tool.replace(/^mcp__\w+__/, '')) ? null : { ...event, tool: 'other', outcome: { is: 'success' }, edits: [ANY_FILE] }
  if (command === null) return null
  const patch = patchIn(command)
  if (patch !== null) return patched(patch, text, event)
  const ending = endingIn(text)
  return ending === null ? null : { ...event, tool: 'shell', command, outcome: ending.outcome, output: ending.output, ...(ending.cut && { cut: true }) }
}

/**
 * The status stands in the text only where the host's whole header stands before the output: a bare text is the command's
 * own, whatever its first line looks like, and nothing is known of how it ended but what its closing lines say.
 */
function endingIn(text: string): Ending | null {
  const ending = endingOf(text)
  if (ending === null || HEADED.test(text) || text.startsWith('{"output":') || ending.outcome.is === 'transient') return ending
  return { outcome: { is: 'unknown' }, output: text === '' ? null : text, cut: /…\d{1,12} (?:tokens|chars|characters|lines) truncated…/.test(text), running: null }
}

const HEADED = /^(?:Exit code: -?\d{1,9}\r?\nWall time: [^\n]*\n|(?:Command: [^\n]*\n)?(?:Chunk ID: [^\n]*\n)?Wall time: [^\n]*\nProcess (?:exited with code -?\d{1,9}|running with session ID \d{1,18})\r?\n)(?:[^\n]*\n){0,4}Output:(?:\r?\n|$)/

/** What a patch asks for was done, unless the host says that it was not: an edit too many costs a claim, one too few makes a lie. */
function patched(patch: string, answer: string, event: HookEvent): HookEvent | null {
  const ending = endingOf(answer)
  if (ending === null || ending.outcome.is === 'transient' || ending.outcome.is === 'failure' || (ending.outcome.is === 'code' && ending.outcome.code !== 0)) return null
  if (/^(?:apply_patch verification failed|patch rejected)/.test(answer)) return null
  const edits = editsOfPatch(patch)
  const separator = event.cwd.includes('\\') && !event.cwd.includes('/') ? '\\' : '/'
  const whole = edits.map((edit) => ({ ...edit, path: /^(?:\/|[A-Za-z]:[\\/])/.test(edit.path) ? edit.path : `${event.cwd}${separator}${edit.path}` }))
  return { ...event, tool: 'edit', outcome: { is: 'success' }, edits: whole.length === 0 ? [ANY_FILE] : whole }
}
