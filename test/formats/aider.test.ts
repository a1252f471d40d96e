import { describe, expect, it } from 'vitest'
import aider from '../../src/formats/aider.ts'
import { readBy } from '../logs/reading.ts'

const START = '# aider chat started at 2025-03-01 10:00:00'
const read = (...lines: string[]) => readBy(aider, [START, ...lines])

describe('a chat history of aider', () => {
  it.each<[string, string]>([
    ['> Running pytest -q  ', 'pytest -q'],
    ['#### /run npm test  ', 'npm test'],
    ['#### /test make check', 'make check'],
    ['#### !make', 'make'],
    ['#### /git push origin main', 'git push origin main'],
  ])('tells a command in "%s", and never how it ended', (line, command) => {
    expect(read(line, '3 passed in 0.10s', '> exit code 0')).toMatchObject([{ kind: 'command', command, outcome: { is: 'unknown' }, output: null, cut: true }])
  })

  it.each<[string, string[]]>([
    ['> Applied edit to src/a b.py  ', ['src/a b.py']],
    ['#### /undo', ['.']],
    ['#### /lint', ['.']],
    ['> Commit 1a2b3c4 fix: a  ', []],
    ['> Added src/a.py to the chat', []],
    ['#### please fix it', []],
    ['Applied edit to src/a.py', []],
  ])('takes "%s" to change %j', (line, paths) => {
    expect(read(line).flatMap(({ edits }) => edits.map(({ path }) => path))).toEqual(paths)
  })

  it('holds a session for each chat, and names each line by its place', () => {
    const edit = '> Applied edit to a'
    const turns = read(edit, edit, '# aider chat started at 2025-03-02 09:00:00', edit)
    expect([turns.map(({ session }) => session), new Set(turns.map(({ session, record_id }) => session + record_id)).size]).toEqual([['2025-03-01 10:00:00', '2025-03-01 10:00:00', '2025-03-02 09:00:00'], 3])
    expect(readBy(aider, [edit])).toEqual([])
  })

  it('is known by its first line, and never taken for the newest log', () => {
    expect([START, '# aider chat', `x${START}`].map((line) => aider.text.test(line))).toEqual([true, false, false])
    expect(aider.about(['', START])).toEqual({ session: '2025-03-01 10:00:00', cwd: null })
    expect(aider.recognise([{ text: START }])).toBe(false)
    expect([aider.logs({ home: '/h', folder: '/repo', env: {} }), aider.companions('x'), aider.at('x')]).toEqual([[], [], null])
  })
})
