import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { formats } from '../../src/formats.ts'
import { distilledOf, kept } from '../distill/session.ts'
import { readBy } from './reading.ts'

const GREEN = '# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 50.0\n'
const MISSING = 'bash: jest: command not found'
const ROOT = '/home/dev/acme'

/** One session, as each host writes it that keeps a status: a gate that passed, and a program that is not there. */
const sessions: Readonly<Record<string, readonly unknown[]>> = {
  'claude-code': [
    ...[['1', 'npm test', { is_error: false, content: GREEN }, { stdout: GREEN, stderr: '' }], ['2', 'jest', { is_error: true, content: `Exit code 127\n${MISSING}` }, `Error: Exit code 127\n${MISSING}`]].flatMap(([id, command, block, copy]) => [
      { type: 'assistant', sessionId: 's', uuid: `a${String(id)}`, cwd: ROOT, version: '2.1.0', message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] } },
      { type: 'user', sessionId: 's', uuid: `u${String(id)}`, cwd: ROOT, version: '2.1.0', toolUseResult: copy, message: { content: [{ type: 'tool_result', tool_use_id: id, ...(block as object) }] } },
    ]),
  ],
  'gemini-cli': [
    {
      ...{ sessionId: 's', projectHash: '0'.repeat(64), startTime: 't' },
      messages: [{ type: 'gemini', toolCalls: [['1', 'npm test', `Output: ${GREEN}\nProcess Group PGID: 1`], ['2', 'jest', `Output: ${MISSING}\nExit Code: 127\nProcess Group PGID: 2`]].map(([id, command, output]) => ({ id, name: 'run_shell_command', args: { command }, status: 'success', result: [{ functionResponse: { response: { output } } }] })) }],
    },
  ],
  opencode: [
    { info: { id: 's', directory: ROOT }, messages: [{ info: {}, parts: [['1', 'npm test', GREEN, 0], ['2', 'jest', MISSING, 127]].map(([callID, command, output, exit]) => ({ type: 'tool', tool: 'bash', callID, state: { status: 'completed', input: { command }, metadata: { output, exit } } })) }] },
  ],
  pi: [
    { type: 'session', id: 's', timestamp: 't', cwd: ROOT },
    ...[['1', 'npm test', GREEN, false], ['2', 'jest', `${MISSING}\n\nCommand exited with code 127`, true]].flatMap(([id, command, text, isError]) => [
      { type: 'message', message: { role: 'assistant', content: [{ type: 'toolCall', id, name: 'bash', arguments: { command } }] } },
      { type: 'message', message: { role: 'toolResult', toolCallId: id, content: [{ type: 'text', text }], isError } },
    ]),
  ],
  'copilot-cli': [
    { type: 'session.start', data: { sessionId: 's', context: { cwd: ROOT } } },
    ...[['1', 'npm test', `${GREEN}<exited with exit code 0>`], ['2', 'jest', `${MISSING}\n<exited with exit code 127>`]].flatMap(([toolCallId, command, content]) => [
      { type: 'tool.execution_start', data: { toolCallId, toolName: 'bash', arguments: { command } } },
      { type: 'tool.execution_complete', data: { toolCallId, success: true, result: { content } } },
    ]),
  ],
  'mini-swe-agent': [
    {
      ...{ trajectory_format: 'mini-swe-agent-1', instance_id: 's', info: { config: { environment: { cwd: ROOT } } } },
      messages: [['npm test', GREEN, 0], ['jest', MISSING, 127]].flatMap(([command, output, code]) => [{ role: 'assistant', content: `\`\`\`bash\n${String(command)}\n\`\`\`` }, { role: 'user', content: `<returncode>${String(code)}</returncode>\n<output>\n${String(output)}\n</output>` }]),
    },
  ],
  openhands: [
    [['npm test', GREEN, 0], ['jest', MISSING, 127]].flatMap(([command, content, exit_code], i) => [
      { id: 2 * i, source: 'agent', action: 'run', args: { command } },
      { id: 2 * i + 1, source: 'agent', cause: 2 * i, observation: 'run', content, extras: { metadata: { exit_code, working_dir: ROOT } } },
    ]),
  ],
}

describe('one session', () => {
  it.each(Object.entries(sessions))('gives the same claims as %s writes it down', async (id, values) => {
    const recognised = formats.filter((format) => format.recognise(values as Json[]))
    expect(recognised.map((format) => format.id)).toEqual([id])
    const strength = id === 'pi' ? 'summary' : 'recorded'
    expect(kept(await distilledOf(readBy(recognised[0] as (typeof formats)[0], values as Json[])))).toEqual([expect.stringContaining(`\`npm test\` is a gate of \`.\` [${strength}]`), expect.stringContaining('jest')])
  })
})
