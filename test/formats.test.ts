import { describe, expect, it } from 'vitest'
import type { Json } from '../src/base/canonical.ts'
import { formats } from '../src/formats.ts'

const by = (head: readonly Json[]): string[] => formats.filter((format) => format.recognise(head)).map((format) => format.id)

const claude = { type: 'user', sessionId: 's', uuid: 'u', message: { role: 'user', content: 'hi' } }
const meta = { timestamp: '2026-04-02T10:00:00.500Z', type: 'session_meta', payload: { id: 's', cwd: '/r' } }
const bare = { id: 's', timestamp: '2025-08-30T08:00:00.000Z', instructions: null, git: null }
const ours = { schema: 'git-remnant/observation/1', host: 'codex' }
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
    ['a Gemini CLI header', [{ sessionId: 's', projectHash: 'p', startTime: 't', messages: [] }]],
    ['a Copilot CLI event', [{ type: 'session.start', data: { sessionId: 's' }, id: 'i', timestamp: 't', parentId: null }]],
    ['a Pi session', [{ type: 'session', version: 3, id: 'i', timestamp: '2026-01-01T00:00:00Z', cwd: '/r' }]],
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
