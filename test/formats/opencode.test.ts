import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { blobId } from '../../src/base/digest.ts'
import opencode from '../../src/formats/opencode.ts'
import { readBy } from '../logs/reading.ts'

const START = Date.UTC(2026, 0, 20, 9)
const part = (tool: string, input: object, state: object, callID = 'c') => ({ id: 'p', type: 'tool', callID, tool, state: { status: 'completed', input, time: { start: START, end: START + 1000 }, ...state } })
const exported = (parts: readonly object[], more: object = {}): Json => ({ info: { id: 'ses_1', directory: '/repo', ...more }, messages: [{ info: { role: 'assistant', path: { cwd: '/repo' } }, parts }] }) as unknown as Json
const read = (...parts: object[]) => readBy(opencode, [exported(parts)])
const bash = (state: object, input: object = {}) => read(part('bash', { command: 'make', ...input }, state)).map(({ outcome, output, cut }) => [outcome, output, cut ?? false])

describe('the outcome of a shell call in opencode', () => {
  it.each<[string, object, object, string | null, boolean]>([
    ['the status 0', { output: 'ok', metadata: { output: 'ok', exit: 0 } }, { is: 'code', code: 0 }, 'ok', false],
    ['another status', { output: 'no', metadata: { output: 'no', exit: 127 } }, { is: 'code', code: 127 }, 'no', false],
    ['a signal', { metadata: { output: 'no', exit: -9 } }, { is: 'transient' }, 'no', true],
    ['an output that was cut', { metadata: { output: 'no', exit: 1, truncated: true } }, { is: 'code', code: 1 }, 'no', true],
    ['no status', { output: 'ok', metadata: { output: 'ok', exit: null } }, { is: 'unknown' }, 'ok', true],
    ['a status that is no number', { metadata: { output: 'ok', exit: '0' } }, { is: 'unknown' }, 'ok', true],
    ['a time-out', { output: 'a\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 1 ms\n</bash_metadata>', metadata: { output: 'a', exit: null } }, { is: 'transient' }, 'a', true],
    ['an end by a person', { output: '\n\n<bash_metadata>\nUser aborted the command\n</bash_metadata>', metadata: { output: '', exit: null } }, { is: 'transient' }, '', true],
    ['a person’s no', { status: 'error', error: 'The user rejected permission to use this specific tool call.' }, { is: 'transient' }, null, false],
    ['an abortion', { status: 'error', error: 'Tool execution aborted' }, { is: 'transient' }, '', true],
    ['a failure of the tool', { status: 'error', error: 'ENOENT' }, { is: 'unknown' }, 'ENOENT', true],
    ['a run that has not ended', { status: 'running' }, { is: 'unknown' }, null, false],
  ])('is, for %s, what was recorded', (_what, state, outcome, output, cut) => {
    expect(bash(state)).toEqual([[outcome, output, cut]])
  })
})

describe('an export of opencode', () => {
  it('says of each call when and where it was made', () => {
    const [turn] = read(part('bash', { command: 'make', workdir: 'sub' }, { metadata: { exit: 0 } }))
    expect([turn?.began, turn?.at, turn?.cwd, turn?.record_id, turn?.session]).toEqual(['2026-01-20T09:00:00.000Z', '2026-01-20T09:00:01.000Z', '/repo/sub', 'c', 'ses_1'])
    expect(read(part('bash', { command: 'make', workdir: '/else' }, { metadata: { exit: 0 } }))[0]?.cwd).toBe('/else')
    expect(opencode.about([exported([])])).toEqual({ session: 'ses_1', cwd: '/repo' })
  })

  it.each<[string, object, (string | null)[][]]>([
    ['an edit', part('edit', { filePath: '/repo/a', oldString: 'a' }, { metadata: { diff: 'x' } }), [['/repo/a', null]]],
    ['a file that was written', part('write', { filePath: '/repo/a', content: 'x\n' }, { metadata: {} }), [['/repo/a', blobId('x\n')]]],
    ['a file that something may have formatted after that', part('write', { filePath: '/repo/a', content: 'x\n' }, { metadata: { diagnostics: {} } }), [['/repo/a', null]]],
    ['a patch', part('apply_patch', { patchText: '*** Begin Patch\n*** Update File: a\n*** Delete File: b\n*** End Patch' }, {}), [['a', null], ['b', null]]],
    ['a patch that can not be read', part('patch', { patchText: 'x' }, {}), [['.', null]]],
    ['a sub-agent, whose calls stand elsewhere', part('task', {}, {}), [['.', null]]],
    ['a tool that nobody knows', part('brand_new', {}, { status: 'error', error: 'x' }), [['.', null]]],
  ])('knows what %s changed', (_what, one, edits) => {
    expect(read(one).map((turn) => turn.edits.map(({ path, after }) => [path, after]))).toEqual([edits])
  })

  it.each<[string, object]>([
    ['an edit that failed', part('edit', { filePath: '/repo/a' }, { status: 'error', error: 'oldString not found in content' })],
    ['a reader', part('read', { filePath: '/repo/a' }, {})],
    ['a search of a server', part('get_issue', {}, {})],
    ['a list of files that a step changed', { id: 'p', type: 'patch', hash: 'a', files: ['/repo/a'] }],
  ])('takes no change from %s', (_what, one) => {
    expect(read(one)).toEqual([])
  })

  it('that was wound back may have changed any file, after all else', () => {
    const turns = readBy(opencode, [exported([part('bash', { command: 'make' }, { metadata: { exit: 0 } })], { revert: { messageID: 'm' }, time: { updated: START } })])
    expect(turns.map(({ kind, edits }) => [kind, edits.length])).toEqual([['command', 0], ['edit', 1]])
  })

  it('of another session behind it stays that one\'s, and of a child belongs to its parent', () => {
    const first = exported([part('bash', { command: 'make' }, { metadata: { exit: 0 } }, 'a')], { id: 'ses_1' })
    const sessions = (...more: Json[]) => readBy(opencode, [first, ...more]).map(({ session, record_id }) => [session, record_id])
    expect(sessions(exported([part('edit', { filePath: 'a' }, {}, 'b')], { id: 'ses_2' }))).toEqual([['ses_1', 'a'], ['ses_2', 'b']])
    expect(sessions(exported([part('edit', { filePath: 'a' }, {}, 'b')], { id: 'ses_2', parentID: 'ses_1' }))).toEqual([['ses_1', 'a'], ['ses_1', 'b']])
    expect(sessions(exported([part('edit', { filePath: 'a' }, {}, 'b')], { id: 'ses_2', parentID: 'ses_0' }))).toEqual([['ses_1', 'a'], ['ses_2', 'b']])
    expect([opencode.logs({ home: '/h', folder: '/repo', env: {} }), opencode.companions('x')]).toEqual([[], []])
  })
})
