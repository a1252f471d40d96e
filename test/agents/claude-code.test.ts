import { describe, expect, it } from 'vitest'
import claudeCode from '../../src/agents/claude-code.ts'
import { blobId } from '../../src/base/digest.ts'
import type { Json } from '../../src/base/canonical.ts'
import { SESSION, told } from './saying.ts'

const common = { session_id: SESSION, transcript_path: `/h/${SESSION}.jsonl`, cwd: '/w', permission_mode: 'default', tool_use_id: 'toolu_1' }
const base = { host: 'claude-code', session: SESSION, cwd: '/w', transcript: `/h/${SESSION}.jsonl`, edits: [], output: null, outcome: { is: 'unknown' }, tool: 'other', command: null, call: null }
const read = (more: Record<string, Json>) => claudeCode.read({ ...common, ...more }, '')
const bash = (event: string, more: Record<string, Json>) => read({ hook_event_name: event, tool_name: 'Bash', tool_input: { command: 'npm test' }, ...more })
const before = bash('PreToolUse', {})

describe('Claude Code', () => {
  it('says before a command what it is', () => {
    expect(before).toEqual({ ...base, moment: 'before', tool: 'shell', command: 'npm test', call: 'toolu_1' })
    expect(read({ hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: '/w/x' } })).toBeNull()
  })

  it.each([
    ['a success by the event alone', 'PostToolUse', { tool_response: { stdout: 'ok', stderr: '', interrupted: false } }, { outcome: { is: 'success' }, output: 'ok' }],
    ['both streams, and how long it took', 'PostToolUse', { tool_response: { stdout: 'a', stderr: 'b' }, duration_ms: 12 }, { outcome: { is: 'success' }, output: 'a\nb', took: 12 }],
    ['a status that was an answer', 'PostToolUse', { tool_response: { stdout: '', stderr: '', returnCodeInterpretation: 'No matches found' } }, { outcome: { is: 'answer' }, output: '' }],
    ['a time-out', 'PostToolUse', { tool_response: { stdout: 'x', stderr: '', timedOutAfterMs: 1000 } }, { outcome: { is: 'transient' }, output: 'x', cut: true }],
    ['an interruption', 'PostToolUse', { tool_response: { stdout: 'x', stderr: '', interrupted: true } }, { outcome: { is: 'transient' }, output: 'x', cut: true }],
    ['a command in the background', 'PostToolUse', { tool_response: { stdout: '', stderr: '', backgroundTaskId: 'b1' } }, { outcome: { is: 'unknown' }, output: '', cut: true }],
    ['a response in another shape', 'PostToolUse', { tool_response: 'done' }, { outcome: { is: 'unknown' }, output: null, cut: true }],
    ['a failure with its code', 'PostToolUseFailure', { error: 'Exit code 2\nno such option' }, { outcome: { is: 'code', code: 2 }, output: 'no such option' }],
    ['a failure without a code', 'PostToolUseFailure', { error: 'something broke' }, { outcome: { is: 'unknown' }, output: 'something broke' }],
    ['a long failure, whose middle the host leaves out', 'PostToolUseFailure', { error: `Exit code 1\n${'x'.repeat(10_000)}` }, { outcome: { is: 'code', code: 1 }, output: 'x'.repeat(10_000), cut: true }],
    ['what the user stopped', 'PostToolUseFailure', { error: 'Exit code 137\nx', is_interrupt: true }, { outcome: { is: 'transient' }, output: '', cut: true }],
    ['what a time limit ended', 'PostToolUseFailure', { error: 'Exit code 143\nCommand timed out after 2m 0s x' }, { outcome: { is: 'transient' }, output: 'Command timed out after 2m 0s x', cut: true }],
  ] as const)('tells %s', (_, event, more, expected) => {
    expect(bash(event, more as Record<string, Json>)).toEqual({ ...base, moment: 'after', tool: 'shell', command: 'npm test', call: 'toolu_1', ...expected })
  })

  it('tells nothing of a call that was not valid', () => {
    expect(bash('PostToolUseFailure', { error: '<tool_use_error>InputValidationError: x</tool_use_error>' })).toBeNull()
  })

  it('tells an edit with what it knows of the file', () => {
    const edit = { hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: { file_path: '/w/a', old_string: 'a', new_string: 'b' }, tool_response: { filePath: '/w/a', oldString: 'a', newString: 'b', originalFile: 'a\n', structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }] } }
    expect(read(edit)).toMatchObject({ tool: 'edit', outcome: { is: 'success' }, edits: [{ path: '/w/a', before: blobId('a\n'), after: blobId('b\n') }] })
    expect(read({ hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: {}, tool_response: {} })).toBeNull()
    expect(read({ hook_event_name: 'PostToolUse', tool_name: 'mcp__fs__write_file', tool_input: {}, tool_response: {} })).toMatchObject({ tool: 'other', edits: [{ path: '.', before: null, after: null }] })
    expect(read({ hook_event_name: 'PostToolUse', tool_name: 'mcp__fs__read_file', tool_input: {}, tool_response: {} })).toBeNull()
  })

  it('starts, and goes on after compaction', () => {
    expect(read({ hook_event_name: 'SessionStart', source: 'resume' })).toEqual({ ...base, moment: 'start' })
    expect(read({ hook_event_name: 'SessionStart', source: 'compact' })).toEqual({ ...base, moment: 'start', compacted: true })
    expect(read({ hook_event_name: 'Stop' })).toEqual({ ...base, moment: 'mark' })
  })

  it.each([
    ['silent', null],
    ['note', { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'It failed here before.' } }],
    ['ask', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'It failed here before.' } }],
    ['deny', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'It failed here before.' } }],
  ] as const)('is told: %s', (is, json) => {
    expect(told(claudeCode, before!, is)).toEqual({ json, stderr: '', status: 0 })
  })

  it('gets the brief as context', () => {
    expect(claudeCode.brief(before!, 'facts')).toEqual({ stdout: '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"facts"}}\n', stderr: '', status: 0 })
  })
})
