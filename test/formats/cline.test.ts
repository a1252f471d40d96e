import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import cline from '../../src/formats/cline.ts'
import { readBy } from '../logs/reading.ts'

const task = { role: 'user', content: [{ type: 'text', text: '<task>x</task>' }, { type: 'text', text: '<environment_details>\n# Current Working Directory (/repo) Files\n</environment_details>' }] }
const asked = (name: string, input: object, id = 'u') => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] })
const told = (...texts: string[]) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })
const read = (...messages: object[]) => readBy(cline, [[task, ...messages] as unknown as Json])

describe('a talk of Cline', () => {
  it.each(['3 passed', 'bash: x: command not found', 'Command executed.\nOutput:\nok', 'Exit code: 1'])('never says how a command ended: %s', (printed) => {
    expect(read(asked('execute_command', { command: 'make' }), told(`[execute_command for 'make'] Result:\n${printed}`))).toMatchObject([{ command: 'make', cwd: '/repo', outcome: { is: 'unknown' }, cut: true }])
  })

  it('pairs calls and results in their order, and by ids where there are some', () => {
    const two = { role: 'assistant', content: [...asked('execute_command', { command: 'a' }, '1').content, ...asked('execute_command', { command: 'b' }, '2').content] }
    expect(read(two, told("[execute_command for 'a'] Result:\nA", "[execute_command for 'b'] Result:\nB")).map(({ output }) => output?.slice(-1))).toEqual(['A', 'B'])
    expect(read(two, { role: 'user', content: [{ type: 'tool_result', tool_use_id: '2', content: 'B' }, { type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text: 'A' }] }] }).map(({ output }) => output)).toEqual(['A', 'B'])
    expect(read(two, told('words of a person')).map(({ output }) => output)).toEqual([null, null])
  })

  it.each<[string, object, string[]]>([
    ['write_to_file', { path: 'a' }, ['a']],
    ['replace_in_file', { path: 'a' }, ['a']],
    ['apply_patch', { input: '*** Begin Patch\n*** Update File: a\n*** End Patch' }, ['a']],
    ['replace_in_file', {}, ['.']],
    ['use_mcp_tool', {}, ['.']],
    ['read_file', { path: 'a' }, []],
    ['attempt_completion', {}, []],
  ])('takes %s with %j to change %j', (name, input, paths) => {
    expect(read(asked(name, input)).flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual(paths)
  })

  it('is known by its host’s own words or tools, and never taken for the newest log', () => {
    expect(cline.about([[task] as unknown as Json])).toMatchObject({ cwd: '/repo' })
    expect(cline.about([{ version: 1, sessionId: 's', messages: [task] } as unknown as Json]).session).toBe('s')
    expect(cline.recognise([[told('hi'), asked('brand_new', {})] as unknown as Json])).toBe(false)
    expect([cline.logs({ home: '/h', folder: '/repo', env: {} }), cline.companions('x'), cline.at({})]).toEqual([[], [], null])
  })
})
