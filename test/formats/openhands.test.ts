import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { blobId } from '../../src/base/digest.ts'
import openhands from '../../src/formats/openhands.ts'
import { readBy } from '../logs/reading.ts'

const run = (id: number, command: string, args: object = {}) => ({ id, source: 'agent', action: 'run', args: { command, ...args } })
const shown = (cause: number, exit_code: unknown, content = 'x', working_dir = '/w/repo', more: object = {}) => ({ id: cause + 1000, source: 'agent', cause, observation: 'run', content, extras: { metadata: { exit_code, working_dir } }, ...more })
const read = (...events: object[]) => readBy(openhands, [events as unknown as Json])
const outcomes = (...events: object[]) => read(...events).map(({ command, outcome }) => [command, outcome.is === 'code' ? outcome.code : outcome.is])

describe('the outcome of a shell call in OpenHands', () => {
  it.each<[string, object[], (string | number)[][]]>([
    ['its status', [run(1, 'make'), shown(1, 2)], [['make', 2]]],
    ['its status, of the flat form', [run(1, 'make'), { id: 2, cause: 1, source: 'agent', observation: 'run', content: '', extras: { exit_code: 0, command_id: 1 } }], [['make', 0]]],
    ['its status, beside the events', [run(1, 'make'), { id: 2, cause: 1, source: 'agent', observation: 'run', content: '', extras: {}, exit_code: 3 }], [['make', 3]]],
    ['nothing, where two fields contradict each other', [run(1, 'make'), shown(1, 1, 'x', '/w', { success: true })], [['make', 'unknown']]],
    ['nothing, without a status', [run(1, 'make'), shown(1, null)], [['make', 'unknown']]],
    ['nothing, without an observation', [run(1, 'make')], [['make', 'unknown']]],
    ['nothing, of an error', [run(1, 'make'), { id: 2, cause: 1, source: 'agent', observation: 'error', content: 'x', extras: { exit_code: 0 } }], [['make', 'unknown']]],
    ['a person’s no', [run(1, 'make'), { id: 2, cause: 1, source: 'agent', observation: 'user_rejected', content: 'x', extras: {} }], [['make', 'transient']]],
    ['nothing, of one that still runs', [run(1, 'make'), shown(1, -1)], [['make', 'unknown']]],
    ['the status that words to it brought', [run(1, 'make'), shown(1, -1), run(2, '', { is_input: 'true' }), shown(2, -1), run(3, 'y', { is_input: true }), shown(3, 4)], [['make', 4]]],
    ['an interruption', [run(1, 'make'), shown(1, -1), run(2, 'C-c', { is_input: 'true' }), shown(2, 130)], [['make', 'transient']]],
    ['nothing, of one that was typed while another ran', [run(1, 'make'), shown(1, -1), run(2, 'ls'), shown(2, -1, '[Your command "ls" is NOT executed. x]')], [['make', 'unknown']]],
    ['nothing, of words to nobody', [run(1, 'y', { is_input: true }), shown(1, 0)], []],
    ['no observation’s of another call', [shown(1, 0), run(2, 'make'), shown(3, 0)], [['make', 'unknown']]],
    ['nothing, after the shell was altered', [run(1, 'export A=1'), shown(1, 0), run(2, 'make'), shown(2, 0)], [['export A=1', 0], ['make', 'unknown']]],
  ])('is %s', (_what, events, expected) => {
    expect(outcomes(...events)).toEqual(expected)
  })

  const action = (id: string, act: object, tool_name = 'terminal') => ({ id, kind: 'ActionEvent', tool_name, action: act })
  const result = (action_id: string, observation: object, kind = 'ObservationEvent') => ({ id: `o${action_id}`, kind, action_id, observation })

  it.each<[string, object[], (string | number)[][]]>([
    ['its status', [action('a', { command: 'make' }), result('a', { exit_code: 2, is_error: true })], [['make', 2]]],
    ['nothing, of several commands that were refused', [action('a', { command: 'a\nb' }), result('a', { exit_code: null, is_error: true, content: [{ type: 'text', text: 'ERROR: Cannot execute multiple commands at once.' }] })], []],
    ['nothing, past the time limit', [action('a', { command: 'make' }), result('a', { exit_code: 0, timeout: true })], [['make', 'unknown']]],
    ['a person’s no', [action('a', { command: 'make' }), result('a', {}, 'UserRejectObservation')], [['make', 'transient']]],
    ['its status, in a shell that was begun anew', [action('a', { command: 'export A=1' }), result('a', { exit_code: 0 }), action('b', { command: 'make', reset: true }), result('b', { exit_code: 0 })], [['export A=1', 0], ['make', 0]]],
  ])('is, since 2026, %s', (_what, events, expected) => {
    expect(readBy(openhands, events as unknown as Json[]).map(({ command, outcome }) => [command, outcome.is === 'code' ? outcome.code : outcome.is])).toEqual(expected)
  })
})

describe('the log of OpenHands', () => {
  it('says where the shell stood before a command, not after it', () => {
    const places = (...events: object[]) => read(...events).map(({ cwd }) => cwd)
    expect(places(run(1, 'cd sub && make'), shown(1, 0, '', '/w/repo/sub'), run(2, 'make'), shown(2, 0, '', '/w/repo/sub'))).toEqual(['/w/repo', '/w/repo/sub'])
    expect(places(run(1, 'cd sub/deep'), shown(1, 0, '', '/w/repo/sub/deep'))).toEqual(['/w/repo'])
    expect(places(run(1, 'cd /w/repo && make'), shown(1, 0))).toEqual(['/w/repo'])
    expect(places(run(1, 'make'), shown(1, 0))).toEqual(['/w/repo'])
  })

  it('proves nothing where nobody knows from where its shell started', () => {
    expect(outcomes(run(1, 'cd $HOME && make'), shown(1, 0), run(2, 'make'), shown(2, 0))).toEqual([['cd $HOME && make', 'unknown'], ['make', 'unknown']])
    expect(outcomes(run(1, 'cd sub; cd ..; make'), shown(1, 0))).toEqual([['cd sub; cd ..; make', 'unknown']])
  })

  it.each<[string, object[], (string | null)[][]]>([
    ['an edit, and the contents', [{ id: 1, source: 'agent', action: 'edit', args: { path: '/w/a', command: 'str_replace' } }, { id: 2, cause: 1, source: 'agent', observation: 'edit', content: 'd', extras: { old_content: 'a\n', new_content: 'b\n' } }], [['/w/a', blobId('a\n'), blobId('b\n')]]],
    ['a file that was written', [{ id: 1, source: 'agent', action: 'write', args: { path: '/w/a' } }, { id: 2, cause: 1, source: 'agent', observation: 'write', content: '', extras: {} }], [['/w/a', null, null]]],
    ['an edit that failed', [{ id: 1, source: 'agent', action: 'edit', args: { path: '/w/a' } }, { id: 2, cause: 1, source: 'agent', observation: 'error', content: 'no', extras: {} }], []],
    ['an edit of which nobody told the end', [{ id: 1, source: 'agent', action: 'edit', args: { path: '/w/a' } }], [['/w/a', null, null]]],
    ['a program in Python', [{ id: 1, source: 'agent', action: 'run_ipython', args: { code: '1' } }, { id: 2, cause: 1, source: 'agent', observation: 'run_ipython', content: '', extras: {} }], [['.', null, null]]],
    ['a look', [{ id: 1, source: 'agent', action: 'edit', args: { path: '/w/a', command: 'view' } }, { id: 2, cause: 1, source: 'agent', observation: 'edit', content: '', extras: {} }], []],
    ['a thought', [{ id: 1, source: 'agent', action: 'think', args: {} }, { id: 2, cause: 1, source: 'agent', observation: 'think', content: '', extras: {} }], []],
  ])('knows what %s changed', (_what, events, edits) => {
    expect(read(...events).map((turn) => turn.edits.flatMap(({ path, before, after }) => [path, before, after]))).toEqual(edits)
  })

  it('of a benchmark holds a session for each task', () => {
    const line = (instance_id: string): Json => ({ instance_id, instruction: 'x', history: [run(1, 'make'), shown(1, 0)] }) as unknown as Json
    expect(readBy(openhands, [line('a'), line('b'), line('a')]).map(({ session, record_id }) => [session, record_id])).toEqual([['a', '1'], ['b', '1']])
    expect(openhands.about([line('a'), line('b')])).toEqual({ session: 'a', cwd: null })
  })

  it('of the first version pairs actions with observations', () => {
    expect(readBy(openhands, [[[run(1, 'make'), shown(1, 0)]] as unknown as Json])).toMatchObject([{ command: 'make', outcome: { code: 0 } }])
  })

  it('lies nowhere in particular', () => {
    expect([openhands.logs({ home: '/h', folder: '/r', env: {} }), openhands.companions('x'), openhands.at({})]).toEqual([[], [], null])
  })
})
