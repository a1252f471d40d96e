import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/canonical.ts'
import claudeCode from '../../../src/formats/claude-code.ts'
import { readBy } from '../../logs/reading.ts'

let number = 0
const line = (type: string, message: Json, more: object = {}): Json =>
  ({ type, message, uuid: `u${number++}`, sessionId: 's', cwd: '/repo', timestamp: '2026-04-02T10:00:00.000Z', isSidechain: false, ...more }) as Json
const call = (id: string, name: string, input: Json, more: object = {}): Json => line('assistant', { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }, more)
const result = (id: string, toolUseResult: Json, more: object = {}): Json =>
  line('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }, { toolUseResult, ...more })
const ended = (agentId?: string, more: object = {}): Json => ({ status: 'completed', content: [], totalDurationMs: 1, totalToolUseCount: 3, ...(agentId === undefined ? {} : { agentId }), ...more }) as Json
const launched: Json = { isAsync: true, status: 'async_launched', agentId: 'a1' }
const own = (more: object = {}): Json => call(`own${number}`, 'Read', { file_path: '/repo/a' }, { isSidechain: true, ...more })

/** Ids of the calls after which any file may be another. */
const open = (...lines: Json[]): string[] => readBy(claudeCode, lines).flatMap(({ kind, record_id, edits }) => (kind === 'edit' && edits[0]?.path === '.' ? [record_id] : []))

describe('what a sub-agent did', () => {
  it.each<[string, Json[], string[]]>([
    ['stands in its own lines', [call('t', 'Task', {}), own({ agentId: 'a1' }), result('t', ended('a1'))], []],
    ['stands in lines that name no agent', [call('t', 'Task', {}), own(), result('t', ended())], []],
    ['stands in lines that come later, where it went on behind', [call('t', 'Agent', {}), result('t', launched), own({ agentId: 'a1' })], []],
    ['is nothing where it used no tool', [call('t', 'Task', {}), result('t', ended('a1', { totalToolUseCount: 0 }))], []],
    ['may be anything where its lines are not here', [call('t', 'Task', {}), result('t', ended('a1'))], ['t']],
    ['may be anything where those that are here are another’s', [call('t', 'Agent', {}), own({ agentId: 'a2' }), result('t', ended('a1'))], ['t']],
    ['may be anything where those without a name came before it', [own(), call('t', 'Task', {}), result('t', ended())], ['t']],
    ['may be anything where it went on behind, and its lines are not here', [call('t', 'Agent', {}), result('t', launched)], ['t']],
    ['may be anything where it was broken off', [call('t', 'Task', {})], ['t']],
    ['is no matter of lists of things to do', [call('t', 'TaskCreate', {}), result('t', {})], []],
  ])('%s', (_, lines, ids) => {
    expect(open(line('user', { role: 'user', content: 'go' }), ...lines)).toEqual(ids)
  })
})

describe('a command that the user typed in the conversation', () => {
  it('ran, and nobody noted how it ended', () => {
    const turns = readBy(claudeCode, [line('user', { role: 'user', content: '<bash-input>sed -i s/a/b/ package.json</bash-input>' }, { uuid: 'typed' }), line('user', { role: 'user', content: '<bash-stdout></bash-stdout><bash-stderr></bash-stderr>' })])
    expect(turns.map(({ kind, record_id, command, outcome, cwd }) => [kind, record_id, command, outcome.is, cwd])).toEqual([['command', 'typed', 'sed -i s/a/b/ package.json', 'unknown', '/repo']])
  })

  it('is none where a text only speaks of one', () => {
    expect(readBy(claudeCode, [line('user', { role: 'user', content: 'type <bash-input>ls</bash-input> there' })])).toEqual([])
  })
})
