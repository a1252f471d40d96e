import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import observation from '../../src/formats/observation.ts'
import { readBy } from '../logs/reading.ts'

const line = (more: object = {}) => ({
  schema: 'git-remnant/observation/1',
  host: 'codex',
  session: 's',
  record_id: 'r',
  at: null,
  kind: 'command',
  folder: 'packages/a',
  head: null,
  command: 'npm test',
  outcome: { is: 'code', code: 0 },
  output: 'ok',
  edits: [],
  declared: null,
  keys: { platform: 'linux x64 glibc' },
  ...more,
})

describe('observation lines', () => {
  it('are turns of the host that they name, with their folder and the keys that were seen', () => {
    const { schema: _schema, ...rest } = line()
    expect(readBy(observation, [line()])).toEqual([{ ...rest, cwd: null }])
  })

  it('may name a work tree, as a journal does', () => {
    expect(readBy(observation, [line({ worktree: '/repo' })])).toHaveLength(1)
  })

  it.each<[string, object, RegExp]>([
    ['a field is missing', { session: undefined }, /^observation in line 1 lacks a string at "session"$/],
    ['a field is unknown', { secret: 'hunter2' }, /^observation in line 1 has an unknown field$/],
    ['a time has no zone', { at: '2026-01-01T00:00:00' }, /^observation in line 1 has a value that is not allowed at "at"$/],
    ['an outcome is none', { outcome: { is: 'fine' } }, /^observation in line 1 .* at "outcome/],
    ['a work tree is no text', { worktree: 3 }, /^observation in line 1 lacks a string at "worktree"$/],
  ])('are malformed where %s', (_what, more, message) => {
    const read = () => readBy(observation, [JSON.parse(JSON.stringify(line(more)))])
    expect(read).toThrow(RemnantError)
    expect(read).toThrow(message)
  })

  it('lie in no place of a host, and alone', () => {
    expect([observation.logs({ home: '/h', folder: '/r', env: {} }), observation.companions('x.jsonl')]).toEqual([[], []])
    expect(observation.about([line()])).toEqual({ session: 's', cwd: null })
  })
})
