import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import pi from '../../src/formats/pi.ts'
import { readBy } from '../logs/reading.ts'

const header = { type: 'session', version: 3, id: 's', timestamp: '2026-02-01T10:00:00.000Z', cwd: '/repo' }
const entry = (message: Json, id = 'e'): Json => ({ type: 'message', id, parentId: null, timestamp: '2026-02-01T10:00:05.000Z', message })
const call = (name: string, args: Json, id = 'c'): Json => entry({ role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: args }] })
const result = (text: string, isError: boolean, more: object = {}, id = 'c'): Json => entry({ role: 'toolResult', toolCallId: id, content: [{ type: 'text', text }], isError, ...more } as Json)
const bash = (text: string, isError: boolean, more: object = {}) => readBy(pi, [header, call('bash', { command: 'make' }), result(text, isError, more)]).map(({ outcome, output, cut }) => [outcome, output, cut ?? false])

describe('the outcome of a shell call in Pi', () => {
  it.each<[string, string, boolean, object, object, string, boolean]>([
    ['a status', 'bad\n\nCommand exited with code 2', true, {}, { is: 'code', code: 2 }, 'bad', false],
    ['a status and no output', '(no output)\n\nCommand exited with code 1', true, {}, { is: 'code', code: 1 }, '', false],
    ['a status behind one that the program printed', 'Command exited with code 0\n\nCommand exited with code 7', true, {}, { is: 'code', code: 7 }, 'Command exited with code 0', false],
    ['a status, and only the end of the output', 'x\n\n[Showing lines 9-10 of 10. Full output: /tmp/x]\n\nCommand exited with code 2', true, {}, { is: 'code', code: 2 }, 'x\n\n[Showing lines 9-10 of 10. Full output: /tmp/x]', true],
    ['no error, which a signal gives too', 'ok', false, {}, { is: 'unknown' }, 'ok', false],
    ['no error, and part of the output', 'ok', false, { details: { truncation: { truncated: true } } }, { is: 'unknown' }, 'ok', true],
    ['no error, though the program printed a status', 'x\n\nCommand exited with code 1', false, {}, { is: 'unknown' }, 'x\n\nCommand exited with code 1', false],
    ['a time-out', 'x\n\nCommand timed out after 10 seconds', true, {}, { is: 'transient' }, 'x\n\nCommand timed out after 10 seconds', true],
    ['an end by a person', 'Command aborted', true, {}, { is: 'transient' }, 'Command aborted', true],
    ['another error', 'Working directory does not exist: /x', true, {}, { is: 'unknown' }, 'Working directory does not exist: /x', true],
  ])('is, for %s, what was recorded', (_what, text, isError, more, outcome, output, cut) => {
    expect(bash(text, isError, more)).toEqual([[outcome, output, cut]])
  })

  it('is that of the host for a command that the user typed', () => {
    const typed = (more: object) => readBy(pi, [header, entry({ role: 'bashExecution', command: 'make', output: 'x', ...more } as Json)]).map(({ outcome }) => outcome)
    expect([typed({ exitCode: 3 }), typed({ exitCode: null }), typed({ cancelled: true, exitCode: 0 })]).toEqual([[{ is: 'code', code: 3 }], [{ is: 'unknown' }], [{ is: 'transient' }]])
  })
})

describe('a session of Pi', () => {
  it('joins calls and results by id, and leaves out what has no other half', () => {
    const turns = readBy(pi, [header, call('bash', { command: 'a' }, '1'), call('bash', { command: 'b' }, '2'), result('x\n\nCommand exited with code 1', true, {}, '2'), result('x\n\nCommand exited with code 1', true, {}, 'gone')])
    expect(turns.map(({ command, outcome }) => [command, outcome.is])).toEqual([['b', 'code'], ['a', 'unknown']])
  })

  it.each<[string, Json[], string[]]>([
    ['an edit', [call('edit', { path: 'a' }), result('ok', false)], ['a']],
    ['an edit that failed', [call('edit', { path: 'a' }), result('no', true)], []],
    ['an edit of which nobody told the end', [call('write', { path: 'a' })], ['a']],
    ['an edit of nobody knows what', [call('write', {}), result('ok', false)], ['.']],
    ['a tool that nobody knows, even if it failed', [call('deploy', {}), result('no', true)], ['.']],
    ['a reader', [call('read', { path: 'a' }), result('x', false)], []],
  ])('knows what %s changed', (_what, lines, paths) => {
    expect(readBy(pi, [header, ...lines]).flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual(paths)
  })

  it('begins with its header; what a fork brings along counts as its own', () => {
    expect(readBy(pi, [call('write', { path: 'a' }), header])).toEqual([])
    expect(readBy(pi, [header, { ...header, id: 'parent', cwd: '/else' }, call('write', { path: 'a' })])).toMatchObject([{ session: 's', cwd: '/repo' }])
    expect(pi.about([header])).toEqual({ session: 's', cwd: '/repo' })
  })

  it('lies under its folder’s name', () => {
    expect(pi.logs({ home: '/h', folder: '/home/ann/x', env: { PI_CODING_AGENT_DIR: '/p' } }).map(({ folder, own }) => [folder, own])).toEqual([['/p/sessions/--home-ann-x--', true], ['/h/.pi/agent/sessions/--home-ann-x--', true]])
    expect(pi.companions('x')).toEqual([])
  })
})
