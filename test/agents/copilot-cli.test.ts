import { describe, expect, it } from 'vitest'
import copilotCli from '../../src/agents/copilot-cli.ts'
import type { Json } from '../../src/base/canonical.ts'
import { SESSION, told } from './saying.ts'

const common = { sessionId: SESSION, timestamp: 1795999329773, cwd: '/w' }
const base = { host: 'copilot-cli', session: SESSION, cwd: '/w', transcript: null, edits: [], output: null, outcome: { is: 'unknown' }, tool: 'other', command: null, call: null }
const read = (event: string, more: Record<string, Json>) => copilotCli.read({ ...common, ...more }, event)
const bash = (event: string, more: Record<string, Json>) => read(event, { toolName: 'bash', toolArgs: { command: 'npm test' }, ...more })
const before = bash('preToolUse', {})

describe('Copilot CLI', () => {
  it('says before a command what it is, in either of its two tongues', () => {
    expect(before).toEqual({ ...base, moment: 'before', tool: 'shell', command: 'npm test', ownShell: true })
    expect(read('preToolUse', { toolName: 'bash', toolArgs: '{"command":"npm test"}' })).toEqual(before)
    expect(copilotCli.read({ session_id: SESSION, timestamp: 'x', cwd: '/w', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm test' } }, 'PreToolUse')).toEqual(before)
    expect(read('preToolUse', { toolName: 'view', toolArgs: '{"path":"x"}' })).toBeNull()
    expect(read('preToolUse', { toolName: 'bash', toolArgs: '{"command":' })).toBeNull()
  })

  it.each<[string, string, Record<string, Json>, Record<string, unknown>]>([
    ['a status in the last line', 'postToolUse', { toolResult: { resultType: 'success', textResultForLlm: 'bad\n<exited with exit code 2>' } }, { outcome: { is: 'code', code: 2 }, output: 'bad' }],
    ['a status of a shell that goes on', 'postToolUse', { toolResult: { resultType: 'success', textResultForLlm: 'ok\n<shellId: 2 completed with exit code 0>' } }, { outcome: { is: 'code', code: 0 }, output: 'ok' }],
    ['"success" without a status: it ran, and no more is known', 'postToolUse', { toolResult: { resultType: 'success', textResultForLlm: 'bad' } }, { outcome: { is: 'unknown' }, output: 'bad', cut: true }],
    ['a status that is not last', 'postToolUse', { toolResult: { resultType: 'success', textResultForLlm: '<exited with exit code 1>\nmore' } }, { outcome: { is: 'unknown' }, output: '<exited with exit code 1>\nmore', cut: true }],
    ['a failure, of which no more is known', 'postToolUseFailure', { error: 'denied' }, { outcome: { is: 'unknown' } }],
    ['a result of another type', 'postToolUse', { toolResult: { resultType: 'denied', textResultForLlm: 'x\n<exited with exit code 0>' } }, { outcome: { is: 'unknown' } }],
  ])('tells %s', (_, event, more, expected) => {
    expect(bash(event, more)).toEqual({ ...base, moment: 'after', tool: 'shell', command: 'npm test', ...expected })
  })

  it('tells edits that succeeded, and that a tool which nobody knows may have changed any file', () => {
    const ok = { resultType: 'success', textResultForLlm: 'done' }
    expect(read('postToolUse', { toolName: 'edit', toolArgs: { path: '/w/a' }, toolResult: ok })).toMatchObject({ tool: 'edit', edits: [{ path: '/w/a', before: null, after: null }] })
    expect(read('postToolUse', { toolName: 'github-mcp-create_file', toolArgs: {}, toolResult: ok })).toMatchObject({ tool: 'other', edits: [{ path: '.' }] })
    expect(read('postToolUse', { toolName: 'view', toolArgs: { path: '/w/a' }, toolResult: ok })).toBeNull()
    expect(read('postToolUseFailure', { toolName: 'edit', toolArgs: { path: '/w/a' }, error: 'x' })).toBeNull()
  })

  it.each([
    ['silent', null],
    ['note', { additionalContext: 'It failed here before.' }],
    ['ask', { permissionDecision: 'ask', permissionDecisionReason: 'It failed here before.' }],
    ['deny', { permissionDecision: 'deny', permissionDecisionReason: 'It failed here before.' }],
  ] as const)('is told flat, and always with status 0: %s', (is, json) => {
    expect(told(copilotCli, before!, is)).toEqual({ json, stderr: '', status: 0 })
  })
})
