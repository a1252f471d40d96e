import { describe, expect, it } from 'vitest'
import type { Json } from '../src/base/canonical.ts'
import { formats } from '../src/formats.ts'

const by = (head: readonly Json[]): string[] => formats.filter((format) => format.recognise(head)).map((format) => format.id)

const claude = { type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user', content: 'hi' } }
const meta = { timestamp: '2026-04-02T10:00:00.500Z', type: 'session_meta', payload: { id: 's', cwd: '/r' } }
const bare = { id: 's', timestamp: '2025-08-30T08:00:00.000Z', instructions: null, git: null }
const ours = { schema: 'git-remnant/observation/1', host: 'codex' }
const gemini = { sessionId: 's', projectHash: 'p', startTime: 't' }
const copilot = { type: 'session.start', data: { sessionId: 's' }, id: 'i', timestamp: 't', parentId: null }
const pi = { type: 'session', version: 3, id: 'i', timestamp: '2026-01-01T00:00:00Z', cwd: '/r' }
const noise: Record<string, Json> = {
  summary: { type: 'summary', summary: 'x', leafUuid: 'l' },
  'file-history-snapshot': { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
  'file-history-delta': { type: 'file-history-delta', messageId: 'm' },
  ...Object.fromEntries(
    ['queue-operation', 'last-prompt', 'permission-mode', 'mode', 'ai-title', 'custom-title', 'agent-name', 'pr-link', 'bridge-session', 'atis-latch'].map((type) => [type, { type, sessionId: 's' }]),
  ),
}

describe('formats', () => {
  it('have ids and hosts of their own, and say why and what they expect', () => {
    expect(new Set(formats.map(({ id }) => id)).size).toBe(formats.length)
    for (const { why, expects } of formats) expect(Math.min(why.length, expects.length)).toBeGreaterThan(20)
  })

  it.each(Object.entries(noise))('know a Claude Code log that so far holds nothing but "%s"', (_type, line) => {
    expect(by(Array(50).fill(line))).toEqual(['claude-code'])
  })

  it.each<[string, Json[], string[]]>([
    ['a Claude Code talk', [claude], ['claude-code']],
    ['a Claude Code log whose first line is of a type that nobody knows yet', [{ type: 'brand-new', sessionId: 's' }, claude], ['claude-code']],
    ['a Codex rollout', [meta], ['codex']],
    ['a Codex rollout whose meta is not the first line', [{ timestamp: 't', type: 'event_msg', payload: {} }, meta], ['codex']],
    ['a bare Codex log', [bare, { record_type: 'state' }], ['codex']],
    ['our own lines', [ours], ['observation']],
    ['a Gemini CLI header', [gemini], ['gemini-cli']],
    ['a Gemini CLI document', [{ ...gemini, messages: [] }], ['gemini-cli']],
    ['a Copilot CLI event', [copilot], ['copilot-cli']],
    ['a Copilot CLI session that begins with another event', [{ type: 'session.info', data: {} }, copilot], ['copilot-cli']],
    ['a Pi session', [pi], ['pi']],
    ['an opencode export', [{ info: { id: 'ses_1', directory: '/r' }, messages: [] }], ['opencode']],
    ['a mini-swe-agent run', [{ trajectory_format: 'mini-swe-agent-1', messages: [] }], ['mini-swe-agent']],
    ['an early mini-swe-agent run', [[{ role: 'user', content: '<returncode>0</returncode>\n<output>\n</output>' }]], ['mini-swe-agent']],
    ['a run of mini-swe-agent with its submission', [{ info: { mini_version: '1.0' }, messages: [], trajectory: [] }], ['mini-swe-agent']],
    ['a SWE-agent run', [{ trajectory: [{ action: 'ls', observation: '' }], history: [], info: {} }], ['swe-agent']],
    ['a SWE-agent run in which nothing was done', [{ trajectory: [], history: [], info: {} }], ['swe-agent']],
    ['an OpenHands list', [[{ id: 0, source: 'user', action: 'message', args: {} }]], ['openhands']],
    ['an OpenHands benchmark line', [{ instance_id: 'i', instruction: 'x', history: [], test_result: {} }], ['openhands']],
    ['an OpenHands event of 2026', [{ id: 'a', kind: 'SystemPromptEvent' }], ['openhands']],
    ['an ATIF trajectory', [{ schema_version: 'ATIF-v1.5', agent: {}, steps: [] }], ['atif']],
    ['a Cline talk', [[{ role: 'user', content: [{ type: 'text', text: '<task>x</task>' }] }]], ['cline']],
    ['an aider history', ['', '# aider chat started at 2025-03-01 10:00:00', ''], ['aider']],
    ['Pi lines behind a Copilot CLI event', [copilot, pi], ['copilot-cli']],
    ['a Copilot CLI event behind a Pi header', [pi, copilot], ['pi']],
    ['Claude lines behind a Gemini CLI header', [gemini, claude], ['gemini-cli']],
    ['Codex lines behind Claude lines', [claude, meta], ['claude-code']],
    ['Claude lines behind Codex lines', [meta, claude], ['codex']],
    ['Claude lines behind our own', [ours, claude], ['observation']],
    ['our own lines that look like Claude lines too', [{ ...claude, ...ours }], ['observation']],
    ['Claude lines behind a bare header', [bare, claude], ['codex']],
  ])('give %s to one format', (_what, head, expected) => {
    expect(by(head)).toEqual(expected)
  })

  it.each<[string, Json[]]>([
    ['nothing', []],
    ['numbers', [1, 2]],
    ['an array', [[claude]]],
    ['a Gemini CLI header without its project', [{ sessionId: 's', startTime: 't', messages: [] }]],
    ['Copilot CLI events that no session starts', [{ type: 'user.message', data: {}, id: 'i', timestamp: 't', parentId: null }]],
    ['a Pi session without a folder', [{ type: 'session', version: 3, id: 'i', timestamp: '2026-01-01T00:00:00Z' }]],
    ['an opencode session without its messages', [{ info: { id: 'ses_1', directory: '/r' } }]],
    ['a talk by nobody in particular', [[{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'ho' }]]],
    ['a talk with messages of a chat', [{ messages: [{ role: 'user', content: 'hi' }] }]],
    ['a trajectory of something else', [{ trajectory: [{ x: 1, y: 2 }], history: [], info: {} }]],
    ['steps of another schema', [{ schema_version: '2.0', agent: {}, steps: [] }]],
    ['a record with a history of words', [{ instance_id: 'i', history: ['a', 'b'] }]],
    ['a text that is not a chat', ['# Notes', '> Applied edit to a.py']],
    ['the screen log of Cline', [[{ ts: 1, type: 'say', say: 'text', text: 'x' }]]],
    ['a Claude stream on standard output, which is no log', [{ type: 'system', subtype: 'init', session_id: 's', uuid: 'u' }]],
    ['the prompt history of Claude Code', [{ display: 'x', pastedContents: {}, timestamp: 1, project: '/r', sessionId: 's' }]],
    ['the events of `codex exec --json`', [{ type: 'thread.started', thread_id: 't' }]],
    ['a recorded Codex screen', [{ ts: 't', dir: 'meta', kind: 'session_start', cwd: '/r' }]],
    ['a newer schema of ours', [{ ...ours, schema: 'git-remnant/observation/2' }]],
    ['a summary that names no leaf', [{ type: 'summary', summary: 'x' }]],
  ])('leave %s alone', (_what, head) => {
    expect(by(head)).toEqual([])
  })
})
