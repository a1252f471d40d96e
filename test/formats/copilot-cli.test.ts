import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import copilotCli from '../../src/formats/copilot-cli.ts'
import { readBy } from '../logs/reading.ts'

const HEAD = 'ab'.repeat(20)
const event = (type: string, data: object): Json => ({ type, data, id: 'e', timestamp: '2026-03-01T08:00:00.000Z', parentId: null }) as Json
const start = event('session.start', { sessionId: 's', context: { cwd: '/repo', headCommit: HEAD } })
const call = (toolName: string, args: Json, toolCallId = 'c') => event('tool.execution_start', { toolCallId, toolName, arguments: args })
const end = (content: string, more: object = {}, toolCallId = 'c') => event('tool.execution_complete', { toolCallId, success: true, result: { content }, ...more })
const read = (...lines: Json[]) => readBy(copilotCli, [start, ...lines])
const OK = 'ok\n<exited with exit code 0>'

describe('the outcome of a shell call in Copilot CLI', () => {
  it.each<[string, string, object, string, object]>([
    ['a status', 'no\n<exited with exit code 255>', {}, 'bash', { is: 'code', code: 255 }],
    ['a status of 0', OK, {}, 'bash', { is: 'code', code: 0 }],
    ['a status of a shell that has a name', 'x\n<shellId: 2 completed with exit code 1>', {}, 'bash', { is: 'code', code: 1 }],
    ['a status and nothing else', '<exited with exit code 3>', {}, 'bash', { is: 'code', code: 3 }],
    ['0 of PowerShell, which says nothing', OK, {}, 'powershell', { is: 'unknown' }],
    ['another status of PowerShell', 'x\n<exited with exit code 1>', {}, 'powershell', { is: 'code', code: 1 }],
    ['"success" and no status', 'ok', {}, 'bash', { is: 'unknown' }],
    ['a status that is not the last line', '<exited with exit code 0>\nmore', {}, 'bash', { is: 'unknown' }],
    ['a status within a line', 'see <exited with exit code 0>', {}, 'bash', { is: 'unknown' }],
    ['a start behind', '<command started in background with shellId: 3>', {}, 'bash', { is: 'unknown' }],
    ['a person’s no', '', { success: false, error: { code: 'rejected', message: 'no' } }, 'bash', { is: 'transient' }],
    ['a failure of the tool', OK, { success: false, error: { code: 'failure', message: 'no' } }, 'bash', { is: 'unknown' }],
    ['no success at all', OK, { success: undefined }, 'bash', { is: 'unknown' }],
  ])('is, for %s, what the last line says', (_what, content, more, tool, outcome) => {
    expect(read(call(tool, { command: 'make' }), end(content, more)).map((turn) => turn.outcome)).toEqual([outcome])
  })

  const pair = (command: string, id: string, args: object = {}, content = OK) => [call('bash', { command, ...args }, id), end(content, {}, id)]
  const later = (first: string, command: string, args: object = {}) => read(...pair(first, '1', args), ...pair(command, '2', args)).at(-1)?.outcome

  it.each<[string, object | undefined, object]>([
    ['went elsewhere', later('cd sub && make', 'make'), { is: 'unknown' }],
    ['went elsewhere, if it says itself where it runs', later('cd sub && make', 'cd /repo && make'), { is: 'code', code: 0 }],
    ['went to where it was', later('cd /repo && make', 'make'), { is: 'code', code: 0 }],
    ['changed what it sees', later('export CI=1', 'make'), { is: 'unknown' }],
    ['read another environment', later('. venv/bin/activate', 'make'), { is: 'unknown' }],
    ['only mentioned it', later('echo hi', 'make'), { is: 'code', code: 0 }],
    ['was another shell', read(...pair('cd sub', '1', { shellId: 'a' }), ...pair('make', '2', { shellId: 'b' })).at(-1)?.outcome, { is: 'code', code: 0 }],
  ])('depends on what a shell took before: one that %s', (_what, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })
})

describe('a session of Copilot CLI', () => {
  it('counts a call once that is told twice', () => {
    const asked = event('assistant.message', { toolRequests: [{ toolCallId: 'c', name: 'bash', arguments: { command: 'make' } }] })
    expect(read(asked, call('bash', { command: 'make' }), end(OK), end(OK))).toHaveLength(1)
    expect(read(asked)).toMatchObject([{ command: 'make', outcome: { is: 'unknown' }, cwd: '/repo', head: HEAD }])
    expect(read(end(OK))).toEqual([])
  })

  it('says where HEAD is, as far as it says so', () => {
    const at = (...lines: Json[]) => read(...lines, call('bash', { command: 'make' }), end(OK))[0]?.head
    expect([at(), at(event('session.context_changed', { cwd: '/repo', headCommit: 'cd'.repeat(20) })), at(event('session.resume', { context: { headCommit: 'abc' } }))]).toEqual([HEAD, 'cd'.repeat(20), null])
  })

  it.each<[string, Json[], string[]]>([
    ['an edit', [call('edit', { path: '/repo/a' }), end('ok')], ['/repo/a']],
    ['an edit that failed', [call('edit', { path: '/repo/a' }), end('', { success: false, error: {} })], []],
    ['a look with the editor', [call('str_replace_editor', { command: 'view', path: '/repo/a' }), end('ok')], []],
    ['an edit of which only the host knows', [call('edit', {}), end('ok', { toolTelemetry: { restrictedProperties: { filePaths: '["/repo/a","/repo/b"]' } } })], ['/repo/a', '/repo/b']],
    ['an edit of nobody knows what', [call('apply_patch', 'x'), end('ok')], ['.']],
    ['a patch', [call('apply_patch', '*** Begin Patch\n*** Add File: n\n+x\n*** End Patch'), end('ok')], ['n']],
    ['a tool that nobody knows', [call('brand_new', {}), end('ok')], ['.']],
    ['words to a shell that goes on', [call('write_bash', { input: 'y' }), end('ok')], ['.']],
    ['a look at one', [call('read_bash', {}), end(OK)], []],
  ])('knows what %s changed', (_what, lines, paths) => {
    expect(read(...lines).flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual(paths)
  })

  it('of another session is not read into the first', () => {
    expect(read(event('session.start', { sessionId: 'other', context: { cwd: '/else' } }), call('edit', { path: 'a' }), end('ok'))).toEqual([])
    expect(copilotCli.about([start])).toEqual({ session: 's', cwd: '/repo' })
  })

  it('lies in a folder of its own', () => {
    expect(copilotCli.logs({ home: '/h', folder: '/repo', env: {} })).toMatchObject([{ folder: '/h/.copilot/session-state', depth: 1, own: false }])
    expect(copilotCli.companions('x')).toEqual([])
  })
})
