import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import ghApi from '../../src/mutations/gh-api.ts'

const typed = (line: string) => commandOf(line.split(' '))

describe('gh api', () => {
  it.each([
    ['gh api -X PATCH repos/o/r/pulls/12 -f title=x', 'convergent', 'o/r', 'pulls/12'],
    ['gh api --method=DELETE /repos/o/r/git/refs/heads/old', 'convergent', 'o/r', 'git/refs/heads/old'],
    ['gh api -iX PUT repos/o/r/pulls/12/merge', 'convergent', 'o/r', 'pulls/12/merge'],
    ['gh api -XPUT repos/o/r/pulls/12/merge', 'convergent', 'o/r', 'pulls/12/merge'],
    ['gh api repos/o/r/issues/3/comments -f body=x', 'harmful', 'o/r', null],
    ['gh api --hostname git.example repos/o/r/dispatches --input body.json', 'harmful', 'git.example/o/r', null],
    ['gh api -X PATCH repos/{owner}/{repo}/pulls/12 --input body.json', 'convergent', null, null],
    ['gh api -X POST repos/$REPO_OWNER/r/releases', 'harmful', null, null],
  ])('is meant by %s', (line, repeat, id, identifier) => {
    expect(ghApi.intends(typed(line))).toEqual({ repeat, target: id === null ? null : { kind: 'github', id }, identifier })
  })

  it.each(['repos/o/r/pulls/12', 'repos/o/r/pulls --jq .[].title', '-X GET search/issues -f q=x', '-iX GET repos/o/r/issues -f state=open', '-iXGET repos/o/r/issues -f state=open', 'graphql -f query=x', 'user', '-X PATCH user -f name=x', '-X POST --help', 'repos/o/r/releases/generate-notes -f tag_name=v1'])('is not meant by gh api %s', (rest) => {
    expect(ghApi.intends(typed(`gh api ${rest}`))).toBeNull()
  })

  it('is confirmed by its status, for it prints what it was asked to', () => {
    const call = typed('gh api -X PATCH repos/o/r/pulls/12 --input body.json')
    expect(ghApi.confirms(call, '12\n', true)).toEqual({ target: { kind: 'github', id: 'o/r' }, targetValue: 'github.com/o/r', identifier: 'pulls/12', state_hash: null })
    expect(ghApi.confirms(call, '12\n', false)).toBeNull()
  })

  it('stands on the host that the environment names', () => {
    expect(ghApi.intends(commandOf('gh api -X DELETE repos/o/r/x'.split(' '), { env: [['GH_HOST', 'git.example']] }))?.target).toEqual({ kind: 'github', id: 'git.example/o/r' })
  })

  it('may have been done where the forge broke down', () => {
    expect(ghApi.confirms(typed('gh api repos/o/r/issues -f title=x'), 'gh: Bad Gateway (HTTP 502)\n', false)).toBeNull()
  })

  it('is not done where the forge refused it', () => {
    expect(ghApi.confirms(typed('gh api -X PATCH repos/o/r/pulls/12'), '{"message":"Not Found"}\ngh: Not Found (HTTP 404)\n', false)).toBe('not-done')
  })
})
