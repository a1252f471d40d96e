import { describe, expect, it } from 'vitest'
import codex from '../../src/agents/codex.ts'
import type { Json } from '../../src/base/canonical.ts'
import { SESSION, told } from './saying.ts'

const common = { session_id: SESSION, turn_id: '3', transcript_path: null, cwd: '/w', model: 'm', permission_mode: 'default', tool_use_id: 'call_1' }
const base = { host: 'codex', session: SESSION, cwd: '/w', transcript: null, edits: [], output: null, outcome: { is: 'unknown' }, tool: 'other', command: null, call: 'call_1' }
const read = (more: Record<string, Json>) => codex.read({ ...common, ...more }, '')
const bash = (response: Json) => read({ hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: response })
const before = read({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' } })
const PATCH = '*** Begin Patch\n*** Add File: a/b.txt\n+x\n*** End Patch\n'

describe('Codex', () => {
  it('says before a command what it is', () => {
    expect(before).toEqual({ ...base, moment: 'before', tool: 'shell', command: 'npm test', ownShell: true })
    expect(read({ hook_event_name: 'PreToolUse', tool_name: 'apply_patch', tool_input: { command: PATCH } })).toBeNull()
  })

  it.each<[string, Json, Record<string, unknown>]>([
    ['the status in the header of a shell', 'Exit code: 1\nWall time: 0.3 seconds\nOutput:\nno\n', { outcome: { is: 'code', code: 1 }, output: 'no\n' }],
    ['the status in the header of a unified shell', 'Chunk ID: ab12\nWall time: 0.3 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\nyes\n', { outcome: { is: 'code', code: 0 }, output: 'yes\n' }],
    ['the status in metadata', '{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}', { outcome: { is: 'code', code: 2 }, output: 'x' }],
    ['a command that goes on', 'Wall time: 10 seconds\nProcess running with session ID 7\nOutput:\n...\n', { outcome: { is: 'unknown' }, output: '...\n' }],
    ['a bare output, of which nothing is known', 'ok\n12 passed\n', { outcome: { is: 'unknown' }, output: 'ok\n12 passed\n' }],
    ['a first line of the command\'s own that looks like a status', 'Exit code: 0\nhello\n', { outcome: { is: 'unknown' }, output: 'Exit code: 0\nhello\n' }],
    ['a time-out', 'command timed out after 10000 milliseconds\nx', { outcome: { is: 'transient' }, output: 'command timed out after 10000 milliseconds\nx', cut: true }],
    ['a response of parts', [{ type: 'text', text: 'Exit code: 0\nWall time: 1 seconds\nOutput:\n' }, { type: 'text', text: 'x' }], { outcome: { is: 'code', code: 0 }, output: 'x' }],
  ])('tells %s', (_, response, expected) => {
    expect(bash(response)).toEqual({ ...base, moment: 'after', tool: 'shell', command: 'npm test', ...expected })
  })

  it('tells a patch by what it asks for, unless it is known not to have been applied', () => {
    const patched = (answer: string) => read({ hook_event_name: 'PostToolUse', tool_name: 'apply_patch', tool_input: { command: PATCH }, tool_response: answer })
    for (const answer of ['Success. Updated the following files:\nA a/b.txt\n', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.', 'in words of another version'])
      expect(patched(answer)).toMatchObject({ tool: 'edit', outcome: { is: 'success' }, edits: [{ path: '/w/a/b.txt', before: null, after: '587be6b4c3f93f93c489c0111bba5596147a26cb' }] })
    for (const answer of ['apply_patch verification failed: x', 'Exit code: 1\nWall time: 0 seconds\nOutput:\nx', 'patch rejected: x']) expect(patched(answer)).toBeNull()
  })

  it('tells of a tool that it does not know that any file may have changed', () => {
    const mcp = (tool_name: string) => read({ hook_event_name: 'PostToolUse', tool_name, tool_input: {}, tool_response: 'x' })
    expect(mcp('mcp__fs__write')).toMatchObject({ tool: 'other', edits: [{ path: '.' }] })
    expect(mcp('mcp__fs__read_file')).toBeNull()
  })

  it.each([
    ['silent', null, '', 0],
    ['note', { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'It failed here before.' } }, '', 0],
    ['deny', null, 'It failed here before.\n', 2],
    ['ask', null, 'It failed here before.\nThis host can not ask, so the call was stopped; a person who wants it made may run it.\n', 2],
  ] as const)('is told: %s', (is, json, stderr, status) => {
    expect(told(codex, before!, is)).toEqual({ json, stderr, status })
  })

  it('is never stopped with nothing said, which it would take for a fault', () => {
    expect(codex.tell(before!, { decision: 'deny', text: '', claim_id: null, digest: null })).toEqual({ stdout: '', stderr: '', status: 0 })
  })

  it('gets the brief with no field that it does not know', () => {
    expect(JSON.parse(codex.brief(before!, 'facts').stdout)).toEqual({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'facts' } })
  })
})
