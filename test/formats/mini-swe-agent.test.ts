import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import miniSweAgent from '../../src/formats/mini-swe-agent.ts'
import { readBy } from '../logs/reading.ts'

const run = (messages: readonly object[], more: object = {}): Json => ({ trajectory_format: 'mini-swe-agent-1', instance_id: 'i', info: { config: { environment: { cwd: '/testbed' } } }, messages, ...more }) as unknown as Json
const asked = (command: string) => ({ role: 'assistant', content: `THOUGHT\n\n\`\`\`bash\n${command}\n\`\`\`` })
const told = (content: string) => ({ role: 'user', content })
const read = (...messages: object[]) => readBy(miniSweAgent, [run(messages)])

describe('the outcome of a command in mini-swe-agent', () => {
  it.each<[string, string, object, string, boolean]>([
    ['a status', '<returncode>1</returncode>\n<output>\nno\n</output>', { is: 'code', code: 1 }, 'no', false],
    ['a status of 0', '<returncode>0</returncode>\n<output>\nok\n</output>', { is: 'code', code: 0 }, 'ok', false],
    ['a status, and an output that looks like one', '<returncode>0</returncode>\n<output>\n</output>\n<returncode>1</returncode>\n</output>', { is: 'code', code: 0 }, '</output>\n<returncode>1</returncode>', false],
    ['a signal', '<returncode>-11</returncode>\n<output>\nx\n</output>', { is: 'transient' }, 'x', true],
    ['a status, and part of the output', '<returncode>0</returncode>\n<warning>long</warning>', { is: 'code', code: 0 }, '<warning>long</warning>', true],
    ['a time-out', 'The last command <command>make</command> timed out and has been killed.\nx', { is: 'transient' }, 'The last command <command>make</command> timed out and has been killed.\nx', true],
    ['a status that is not at the start', 'Observation: <returncode>0</returncode>', { is: 'unknown' }, 'Observation: <returncode>0</returncode>', true],
    ['a submission', 'diff --git a b', { is: 'unknown' }, 'diff --git a b', true],
  ])('is, for %s, what stands first', (_what, content, outcome, output, cut) => {
    expect(read(asked('make'), told(content)).map((turn) => [turn.outcome, turn.output, turn.cut ?? false])).toEqual([[outcome, output, cut]])
  })

  const act = (...ids: string[]) => ({ role: 'assistant', content: null, extra: { actions: ids.map((id) => ({ command: `make ${id}`, tool_call_id: id })) } })
  const result = (id: string, extra: object) => ({ role: 'tool', tool_call_id: id, content: '<returncode>0</returncode>', extra })

  it('is a field since 2.0, found by the id of the call', () => {
    const turns = read(act('a', 'b', 'c', 'd'), told('<returncode>0</returncode>\n'), result('b', { raw_output: 'x', returncode: 2, timestamp: 1768900000.5 }), result('a', { raw_output: '', returncode: -1, exception_info: 'timed out' }), result('c', { raw_output: '', returncode: -1, exception_info: 'action was not executed' }))
    expect(turns.map(({ command, outcome, at }) => [command, outcome, at])).toEqual([
      ['make b', { is: 'code', code: 2 }, '2026-01-20T09:06:40.500Z'],
      ['make a', { is: 'transient' }, null],
      ['make d', { is: 'unknown' }, null],
    ])
  })

  it('is of exactly one block of the message before it', () => {
    const two = { role: 'assistant', content: '```bash\na\n```\n```bash\nb\n```' }
    const status = told('<returncode>0</returncode>\n<output>\n</output>')
    expect(read(two, status)).toEqual([])
    expect(read({ role: 'assistant', content: 'no block' }, status)).toEqual([])
    expect(read({ role: 'assistant', content: '```python\nx\n```\n```mswea_bash_command\nmake\n```' }, status)).toMatchObject([{ command: 'make', outcome: { is: 'code', code: 0 } }])
    expect(read(asked('make'), status, status)).toHaveLength(1)
    expect(read(status)).toEqual([])
  })
})

describe('a run of mini-swe-agent', () => {
  const OK = told('<returncode>0</returncode>\n<output>\nok\n</output>')

  it('names the same command at another place otherwise, and the same run always the same', () => {
    const ids = read(asked('make'), OK, asked('make'), OK).map(({ record_id }) => record_id)
    expect([new Set(ids).size, ids]).toEqual([2, read(asked('make'), OK, asked('make'), OK, asked('ls'), OK).slice(0, 2).map(({ record_id }) => record_id)])
  })

  it('that names no folder ran where its commands say, and the others nobody knows where', () => {
    const bare = (...commands: string[]) => readBy(miniSweAgent, [commands.flatMap((command) => [asked(command), OK])]).map(({ cwd, outcome }) => [cwd, outcome.is])
    expect(bare('make', 'make test')).toEqual([[null, 'code'], [null, 'code']])
    expect(bare('cd /repo && make', 'make test')).toEqual([['/repo', 'code'], [null, 'unknown']])
  })

  it('is named by its task, or by its first words', () => {
    const about = (...values: Json[]) => miniSweAgent.about(values)
    expect(about(run([]))).toEqual({ session: 'i', cwd: '/testbed' })
    const [one, other] = [[told('a'), asked('b'), OK], [told('a'), asked('c'), OK]].map((messages) => about(messages as unknown as Json).session)
    expect([one?.length, one === other]).toEqual([64, false])
  })

  it('lies nowhere in particular', () => {
    expect([miniSweAgent.logs({ home: '/h', folder: '/r', env: {} }), miniSweAgent.companions('x'), miniSweAgent.at({})]).toEqual([[], [], null])
  })
})

describe('a log of several runs of mini-swe-agent', () => {
  const OK = told('<returncode>0</returncode>\n<output>\nok\n</output>')

  it('holds a session for each', () => {
    const of = (instance_id: string): Json => run([asked('make'), OK], { instance_id })
    expect(readBy(miniSweAgent, [of('a'), of('b'), of('a')]).map(({ session, command }) => [session, command])).toEqual([['a', 'make'], ['b', 'make']])
  })
})
