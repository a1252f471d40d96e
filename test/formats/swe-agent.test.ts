import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import sweAgent from '../../src/formats/swe-agent.ts'
import { readBy } from '../logs/reading.ts'

const step = (action: string, state: Json = { open_file: '/r/open.py', working_dir: '/r' }, observation = 'x'): Json => ({ action, observation, response: action, thought: '', state })
const run = (...trajectory: Json[]): Json => ({ trajectory, history: [], info: {}, environment: 'e' })
const read = (...steps: Json[]) => readBy(sweAgent, [run(...steps)])

describe('a trajectory of SWE-agent', () => {
  it.each(['3 passed in 0.10s', 'Traceback (most recent call last):', 'EXECUTION TIMED OUT', 'exit code: 0', '<returncode>0</returncode>'])('never says how a command ended: %s', (printed) => {
    expect(read(step('pytest -q', {}, printed))).toMatchObject([{ kind: 'command', command: 'pytest -q', outcome: { is: 'unknown' }, cut: true }])
  })

  it.each<[string, string, string[]]>([
    ['edit 1:1\nx\nend_of_edit', 'the open file', ['/r/open.py']],
    ['create /r/new.py', 'the file that it names', ['/r/new.py']],
    ['str_replace_editor create /r/a.py --file_text x', 'the file that it names', ['/r/a.py']],
    ['str_replace_editor create "/r/a.py" --file_text x', 'the file that it names', ['/r/a.py']],
    ['str_replace_editor str_replace', 'any file', ['.']],
    ['str_replace_editor view /r/a.py', 'none', []],
    ['open /r/a.py', 'none', []],
    ['submit', 'none', []],
    ['', 'none', []],
  ])('takes "%s" to change %s', (action, _what, paths) => {
    expect(read(step('ls'), step(action)).flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual(paths)
  })

  it('says where a step was made by the state behind the one before, whichever form it has', () => {
    expect(read(step('ls', '{"open_file":"n/a","working_dir":"/r/sub"}'), step('make'), step('edit 1:1')).map(({ cwd, edits }) => [cwd, edits[0]?.path])).toEqual([[null, undefined], ['/r/sub', undefined], ['/r', '/r/open.py']])
    expect(read(step('ls', '{'), step('edit 1:1'))[1]).toMatchObject({ cwd: null, edits: [{ path: '.' }] })
  })

  it('is named by its first steps: many have the same environment', () => {
    const names = [run(step('a')), run(step('b'))].map((one) => sweAgent.about([one]).session)
    expect([new Set(names).size, readBy(sweAgent, [run(step('a')), run(step('b'))]).length]).toEqual([2, 1])
    expect([sweAgent.logs({ home: '/h', folder: '/r', env: {} }), sweAgent.companions('x'), sweAgent.at({}), sweAgent.about([{}])]).toEqual([[], [], null, { session: null, cwd: null }])
  })
})
