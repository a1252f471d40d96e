import { describe, expect, it } from 'vitest'
import geminiCli from '../../src/agents/gemini-cli.ts'
import { blobId } from '../../src/base/digest.ts'
import type { Json } from '../../src/base/canonical.ts'
import { SESSION, told } from './saying.ts'

const common = { session_id: SESSION, transcript_path: '/h/chats/s.json', cwd: '/w', timestamp: '2026-11-29T10:00:00Z' }
const base = { host: 'gemini-cli', session: SESSION, cwd: '/w', transcript: '/h/chats/s.json', edits: [], output: null, outcome: { is: 'unknown' }, tool: 'other', command: null, call: null }
const read = (more: Record<string, Json>) => geminiCli.read({ ...common, ...more }, '')
const shell = (llmContent: Json, more: Record<string, Json> = {}) => read({ hook_event_name: 'AfterTool', tool_name: 'run_shell_command', tool_input: { command: 'npm test' }, tool_response: { llmContent, returnDisplay: '', ...more } })
const before = read({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command: 'npm test', dir_path: 'packages/a' } })

describe('Gemini CLI', () => {
  it('says before a command what it is, and where', () => {
    expect(before).toEqual({ ...base, moment: 'before', tool: 'shell', command: 'npm test', cwd: '/w/packages/a' })
    expect(read({ hook_event_name: 'BeforeTool', tool_name: 'read_file', tool_input: { file_path: 'x' } })).toBeNull()
  })

  it.each<[string, Json, Record<string, unknown>]>([
    ['a success: no status stands there', 'Output: fine\nProcess Group PGID: 4711', { outcome: { is: 'success' }, output: 'fine' }],
    ['a failure', 'Output: bad\nExit Code: 2\nProcess Group PGID: 4711', { outcome: { is: 'code', code: 2 }, output: 'bad' }],
    ['an empty output', 'Output: (empty)\nProcess Group PGID: 4711', { outcome: { is: 'success' }, output: '' }],
    ['a signal', 'Output: x\nExit Code: 137\nSignal: 9\nProcess Group PGID: 4711', { outcome: { is: 'transient' }, output: 'x' }],
    ['the older form', 'Command: npm test\nDirectory: (root)\nOutput: ok\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 12', { outcome: { is: 'success' }, output: 'ok' }],
    ['parts of a text', [{ text: 'Output: a\n' }, { text: 'Exit Code: 1\nProcess Group PGID: 3' }], { outcome: { is: 'code', code: 1 }, output: 'a' }],
    ['a text without the host\'s last line, of which nothing is known', 'Output: a\nExit Code: 1', { outcome: { is: 'unknown' }, output: 'Output: a\nExit Code: 1', cut: true }],
    ['a text in another form', 'done', { outcome: { is: 'unknown' }, output: 'done', cut: true }],
    ['a time-out', 'Command timed out after 5m', { outcome: { is: 'transient' }, output: 'Command timed out after 5m', cut: true }],
    ['what the user cancelled as it ran', 'Command was cancelled by user before it could complete.', { outcome: { is: 'transient' }, output: 'Command was cancelled by user before it could complete.', cut: true }],
    ['what never ran', 'Command was cancelled by user before it could start.', { outcome: { is: 'transient' }, output: null }],
  ])('tells %s', (_, content, expected) => {
    expect(shell(content)).toEqual({ ...base, moment: 'after', tool: 'shell', command: 'npm test', ...expected })
  })

  it('knows nothing of a command that its host could not run', () => {
    expect(shell('Output: x\nProcess Group PGID: 1', { error: { message: 'no', type: 'shell_execute_error' } })).toMatchObject({ outcome: { is: 'unknown' }, cut: true })
  })

  it('tells edits, with their contents where it has them, and none that failed', () => {
    const wrote = (response: Record<string, Json>) => read({ hook_event_name: 'AfterTool', tool_name: 'write_file', tool_input: { file_path: '/w/a', content: 'b\n' }, tool_response: response })
    expect(wrote({ llmContent: 'x', returnDisplay: { originalContent: 'a\n', newContent: 'b\n' } })).toMatchObject({ tool: 'edit', edits: [{ path: '/w/a', before: blobId('a\n'), after: blobId('b\n') }] })
    expect(wrote({ llmContent: 'x' })).toMatchObject({ edits: [{ path: '/w/a', before: null, after: null }] })
    expect(wrote({ llmContent: 'x', error: { message: 'no' } })).toBeNull()
    expect(read({ hook_event_name: 'AfterTool', tool_name: 'mcp_fs_write', tool_input: {}, tool_response: {} })).toMatchObject({ edits: [{ path: '.' }] })
    expect(read({ hook_event_name: 'AfterTool', tool_name: 'mcp_fs_read_file', tool_input: {}, tool_response: {} })).toBeNull()
  })

  it.each([
    ['silent', null],
    ['note', { systemMessage: 'It failed here before.' }],
    ['deny', { decision: 'deny', reason: 'It failed here before.' }],
    ['ask', { decision: 'deny', reason: 'It failed here before.\nThis host can not ask, so the call was stopped; a person who wants it made may run it.' }],
  ] as const)('is told: %s', (is, json) => {
    expect(told(geminiCli, before!, is)).toEqual({ json, stderr: '', status: 0 })
  })
})
