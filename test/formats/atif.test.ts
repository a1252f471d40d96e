import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import atif from '../../src/formats/atif.ts'
import { readBy } from '../logs/reading.ts'

const run = (...steps: object[]): Json => ({ schema_version: 'ATIF-v1.5', session_id: 's', agent: { extra: { cwds: ['/app'] } }, steps }) as unknown as Json
const step = (calls: object[], results: object[] = [], more: object = {}) => ({ source: 'agent', message: 'm', tool_calls: calls, observation: { results }, ...more })
const call = (function_name: string, args: object, tool_call_id = 'c') => ({ tool_call_id, function_name, arguments: args })
const read = (...steps: object[]) => readBy(atif, [run(...steps)])

describe('an ATIF trajectory', () => {
  it.each<[string, object, string]>([
    ['bash_command', { keystrokes: 'make\n' }, 'make'],
    ['Bash', { command: 'make' }, 'make'],
    ['exec_command', { cmd: 'make' }, 'make'],
  ])('never says how a call of %s ended', (name, args, command) => {
    for (const content of ['3 passed in 0.10s', 'Exit code 1', 'Process exited with code 0'])
      expect(read(step([call(name, args)], [{ source_call_id: 'c', content, is_error: false }]))).toMatchObject([{ command, outcome: { is: 'unknown' }, output: content, cut: true, cwd: '/app' }])
  })

  it('gives one result to one call, and to several by their ids alone', () => {
    const two = [call('Bash', { command: 'a' }, '1'), call('Bash', { command: 'b' }, '2')]
    expect(read(step(two, [{ content: 'x' }])).map(({ output }) => output)).toEqual([null, null])
    expect(read(step(two, [{ source_call_id: '2', content: 'x' }])).map(({ output }) => output)).toEqual([null, 'x'])
    expect(read(step([call('Bash', { command: 'a' })], [{ content: 'x' }])).map(({ output }) => output)).toEqual(['x'])
  })

  it.each<[string, object, string[]]>([
    ['Edit', { file_path: '/app/a' }, ['/app/a']],
    ['str_replace_editor', { command: 'create', path: '/app/a' }, ['/app/a']],
    ['str_replace_editor', { command: 'view', path: '/app/a' }, []],
    ['write_file', {}, ['.']],
    ['brand_new', { file_path: '/app/a' }, ['.']],
    ['Read', { file_path: '/app/a' }, []],
    ['search_code', {}, []],
  ])('takes %s with %j to change %j', (name, args, paths) => {
    expect(read(step([call(name, args)])).flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual(paths)
  })

  it('skips steps that were copied from another, and other sessions', () => {
    const made = [call('Bash', { command: 'a' })]
    expect(read(step(made, [], { is_copied_context: true }), step([]))).toEqual([])
    expect(readBy(atif, [run(step([])), { ...(run(step(made)) as object), session_id: 't' } as Json])).toEqual([])
  })

  it('is read in the dialect that only looks like it, whose "success" says that it ran', () => {
    const look: Json = { schema_version: '1.4', session_id: 's', agent: {}, steps: [{ tool_calls: [{ id: 'c', name: 'Bash', arguments: { command: 'make' } }] }, { observation: { type: 'tool_result', content: 'ok', result: { success: true } } }] }
    expect(readBy(atif, [look])).toMatchObject([{ command: 'make', outcome: { is: 'unknown' } }])
  })

  it('lies nowhere in particular', () => {
    expect([atif.logs({ home: '/h', folder: '/r', env: {} }), atif.companions('x'), atif.at({}), atif.about([run()])]).toEqual([[], [], null, { session: 's', cwd: '/app' }])
  })
})
