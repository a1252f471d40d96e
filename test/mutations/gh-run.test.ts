import { describe, expect, it } from 'vitest'
import { patternsOf } from '../../src/guard/patterns.ts'
import { commandOf } from '../../src/model/command.ts'
import ghRun from '../../src/mutations/gh-run.ts'

const typed = (line: string) => commandOf(line.split(' '))

describe('gh run and gh workflow', () => {
  it.each([
    ['gh run rerun 123 --failed', 'harmful', null, 'actions/run/123'],
    ['gh run rerun --job 9 -R o/r', 'harmful', 'o/r', null],
    ['gh run cancel 123 --repo=git.example/o/r', 'convergent', 'git.example/o/r', 'actions/run/123'],
    ['gh workflow run release.yml --ref main -R o/r', 'harmful', 'o/r', 'workflow/release.yml'],
    ['gh workflow disable ci.yml', 'convergent', null, 'workflow/ci.yml'],
  ])('are meant by %s', (line, repeat, id, identifier) => {
    expect(ghRun.intends(typed(line))).toEqual({ repeat, target: id === null ? null : { kind: 'github', id }, identifier })
  })

  it.each(['gh run rerun 123', 'gh -R o/r run rerun 123 --failed', 'gh workflow run release.yml'])('are seen in a payload that tells of %s', (line) => {
    const payload = JSON.stringify({ tool_input: { command: line } })
    expect(patternsOf([], ghRun.names).filter((pattern) => payload.includes(pattern))).not.toEqual([])
  })

  it.each(['run view 123 --log-failed', 'run watch 123', 'run list', 'run download 123', 'workflow view ci.yml', 'workflow list', 'run rerun --help', 'pr create'])('are not meant by gh %s', (rest) => {
    expect(ghRun.intends(typed(`gh ${rest}`))).toBeNull()
  })

  it('are confirmed by their status where the command line names the repository', () => {
    const call = typed('gh workflow run release.yml -R o/r')
    expect(ghRun.confirms(call, '', true)).toEqual({ target: { kind: 'github', id: 'o/r' }, targetValue: 'github.com/o/r', identifier: 'workflow/release.yml', state_hash: null })
    expect(ghRun.confirms(call, '', false)).toBeNull()
    expect(ghRun.confirms(typed('gh run rerun 123'), '', true)).toBeNull()
  })

  it('stand on the host that the environment names', () => {
    expect(ghRun.intends(commandOf('gh run rerun 1 -R o/r'.split(' '), { env: [['GH_HOST', 'git.example']] }))?.target?.id).toBe('git.example/o/r')
  })

  it.each(['run 123 cannot be rerun; its workflow file may be broken', 'HTTP 403: Must have admin rights', 'could not find any workflows named x'])('are not done where gh says %s', (output) => {
    expect(ghRun.confirms(typed('gh run rerun 123 -R o/r'), `${output}\n`, false)).toBe('not-done')
  })
})
