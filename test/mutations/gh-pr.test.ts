import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import ghPr from '../../src/mutations/gh-pr.ts'

const typed = (line: string) => commandOf(line.split(' '))
const PULL = 'https://github.com/o/r/pull/12'

describe('gh pr', () => {
  it.each([
    ['gh pr create --title x --body y', 'harmful', null, null],
    ['gh pr create -R o/r --fill', 'harmful', 'o/r', null],
    ['gh pr create -R o/r --head feat --fill', 'harmful', 'o/r', 'feat'],
    ['gh pr merge 12 --squash', 'harmful', null, 'pull/12'],
    [`gh pr merge ${PULL}`, 'harmful', 'o/r', 'pull/12'],
    ['gh pr comment 12 --body x --repo=git.example/o/r', 'harmful', 'git.example/o/r', 'pull/12'],
    ['gh pr close 12', 'convergent', null, 'pull/12'],
    ['gh pr edit feature --add-label x', 'convergent', null, null],
  ])('is meant by %s', (line, repeat, id, identifier) => {
    expect(ghPr.intends(typed(line))).toEqual({ repeat, target: id === null ? null : { kind: 'github', id }, identifier })
  })

  it.each(['view 12', 'list', 'status', 'diff 12', 'checks', 'checkout 12', 'create --dry-run', 'create --web', 'create --help', 'constructor'])('is not meant by gh pr %s', (rest) => {
    expect(ghPr.intends(typed(`gh pr ${rest}`))).toBeNull()
  })

  it.each(['gh issue create', 'gh release create v1', 'git pr create', 'gh'])('is not meant by %s', (line) => {
    expect(ghPr.intends(typed(line))).toBeNull()
  })

  it.each([
    ['gh pr create --fill', `Creating pull request for feat into main in o/r\n\n${PULL}\n`, 'o/r', 'pull/12'],
    ['gh pr create --fill', 'https://git.example/o/r/pull/3\n', 'git.example/o/r', 'pull/3'],
    ['gh pr comment 12 --body x', `${PULL}#issuecomment-99\n`, 'o/r', 'pull/12#issuecomment-99'],
    ['gh pr edit 12 --title x', `${PULL}\n`, 'o/r', 'pull/12'],
    ['gh pr merge 12 --squash', '✓ Squashed and merged pull request o/r#12 (Title)\n', 'o/r', 'pull/12'],
    ['gh pr merge 12 -R o/r', '✓ Merged pull request #12 (Title)\n', 'o/r', 'pull/12'],
    ['gh pr close 12', '✓ Closed pull request o/r#12 (Title)\n', 'o/r', 'pull/12'],
    ['gh pr review 12 --approve', '✓ Approved pull request o/r#12\n', 'o/r', 'pull/12'],
  ])('is confirmed by what gh prints: %s', (line, output, id, identifier) => {
    expect(ghPr.confirms(typed(line), output)).toEqual({ target: { kind: 'github', id }, targetValue: id.startsWith('git.example') ? id : `github.com/${id}`, identifier, state_hash: null })
  })

  it.each([
    ['gh pr create --fill', ''],
    ['gh pr merge 12', '✓ Merged pull request #12 (Title)\n'],
    ['gh pr merge 12', `${PULL}\n`],
    ['gh pr view 12', `${PULL}\n`],
    ['gh pr create --dry-run', `${PULL}\n`],
  ])('is not confirmed otherwise: %s', (line, output) => {
    expect(ghPr.confirms(typed(line), output)).toBeNull()
  })

  it.each([
    ['gh pr create --fill', `a pull request for branch "feat" already exists:\n${PULL}\n`],
    ['gh pr merge 12', '! Pull request o/r#12 was already merged\n'],
    ['gh pr create -R o/r --fill', 'pull request create failed: GraphQL: No commits between main and feat\n'],
    ['gh pr merge 12 -R o/r', 'X Pull request o/r#12 is not mergeable: the base branch policy prohibits the merge.\n'],
  ])('is known not to be done by %s → %s', (line, output) => {
    expect(ghPr.confirms(typed(line), output)).toBe('not-done')
  })
})
