import { agents } from '../../src/agents.ts'
import type { Json } from '../../src/base/canonical.ts'
import type { Agent, Decision, HookEvent } from '../../src/model/agent.ts'

/** Who recognises a payload. */
export const speakers = (payload: Json): string[] => agents.filter((agent) => agent.recognise(payload)).map(({ id }) => id)

export const decision = (is: Decision['decision'], text = 'It failed here before.'): Decision => ({ decision: is, text, claim_id: null, digest: null })

/** What is told, as the host reads it: JSON or nothing on stdout. */
export function told(agent: Agent, event: HookEvent, is: Decision['decision']): { json: unknown; stderr: string; status: number } {
  const { stdout, stderr, status } = agent.tell(event, decision(is, is === 'silent' ? '' : undefined))
  return { json: stdout === '' ? null : JSON.parse(stdout), stderr, status }
}

export const SESSION = '0199c0de-0000-7000-8000-000000000001'

/** One payload of each host and each dialect, and who speaks so; null: a host that is not known here. */
export const PAYLOADS: readonly (readonly [string, Json, string | null])[] = [
  ['a call of Claude Code', { session_id: SESSION, transcript_path: `/h/.claude/projects/-w/${SESSION}.jsonl`, cwd: '/w', permission_mode: 'default', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't' }, 'claude-code'],
  ['a sub-agent of Claude Code', { session_id: SESSION, transcript_path: '/h/s.jsonl', cwd: '/w', agent_id: 'a1', agent_type: 'x', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'x' }, tool_response: {}, tool_use_id: 't' }, 'claude-code'],
  ['a start of Claude Code', { session_id: SESSION, transcript_path: '/h/s.jsonl', cwd: '/w', hook_event_name: 'SessionStart', source: 'startup', model: 'm' }, 'claude-code'],
  ['a call of Codex', { session_id: SESSION, turn_id: '1', transcript_path: null, cwd: '/w', hook_event_name: 'PreToolUse', model: 'm', permission_mode: 'default', tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'npm test' } }, 'codex'],
  ['a start of Codex', { session_id: SESSION, transcript_path: '/h/.codex/sessions/2026/11/29/rollout-2026-11-29T10-00-00-x.jsonl', cwd: '/w', hook_event_name: 'SessionStart', model: 'm', permission_mode: 'default', source: 'startup' }, 'codex'],
  ['a start of Codex without a log', { session_id: SESSION, transcript_path: null, cwd: '/w', hook_event_name: 'SessionStart', model: 'm', permission_mode: 'default', source: 'resume' }, 'codex'],
  ['a call of Gemini CLI', { session_id: SESSION, transcript_path: '/h/.gemini/tmp/x/chats/s.json', cwd: '/w', hook_event_name: 'BeforeTool', timestamp: '2026-11-29T10:00:00Z', tool_name: 'run_shell_command', tool_input: { command: 'npm test' } }, 'gemini-cli'],
  ['a start of Gemini CLI', { session_id: SESSION, transcript_path: '/h/s.json', cwd: '/w', hook_event_name: 'SessionStart', timestamp: '2026-11-29T10:00:00Z', source: 'startup' }, 'gemini-cli'],
  ['a call of Copilot CLI', { sessionId: SESSION, timestamp: 1795999329773, cwd: '/w', toolName: 'bash', toolArgs: '{"command":"npm test"}' }, 'copilot-cli'],
  ['a call of Copilot CLI that runs hooks of Claude Code', { session_id: SESSION, timestamp: '2026-11-29T10:00:00Z', cwd: '/w', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' } }, 'copilot-cli'],
  ['Cursor, which runs hooks of Claude Code', { conversation_id: 'c', generation_id: 'g', session_id: SESSION, transcript_path: '/h/s.jsonl', cwd: '/w', model: 'm', hook_event_name: 'PreToolUse', cursor_version: '3', tool_name: 'Shell', tool_input: {} }, null],
  ['VS Code, which runs hooks of Claude Code', { sessionId: SESSION, timestamp: '2026-11-29T10:00:00Z', cwd: '/w', hookEventName: 'PreToolUse', transcript_path: '/h/s.jsonl', tool_name: 'run', tool_input: {} }, null],
  ['nothing', {}, null],
  ['a list', [], null],
  ['a text', 'PreToolUse', null],
  ['null', null, null],
]
