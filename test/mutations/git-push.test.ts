import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import { withoutUserInfo } from '../../src/model/mutation.ts'
import gitPush from '../../src/mutations/git-push.ts'

const typed = (line: string) => commandOf(line.split(' '))
const URL = 'https://git.example/o/r.git'
const to = (...lines: string[]) => `To ${URL}\n${lines.join('\n')}\n`

describe('git push', () => {
  it.each([
    ['git push', null, null],
    ['git push origin main', 'origin', null],
    ['git push -u origin HEAD', 'origin', null],
    ['git -C sub -c a.b=c push origin HEAD:refs/heads/x', 'origin', 'refs/heads/x'],
    ['git push origin tag v1', 'origin', 'refs/tags/v1'],
    ['git push --repo=up', 'up', null],
    ['git push -o ci.skip origin main', 'origin', null],
    ['git push https://me:pw@git.example/o/r.git main', URL, null],
    ['/usr/bin/git push origin main', 'origin', null],
  ])('is meant by %s', (line, remote, identifier) => {
    expect(gitPush.intends(typed(line))).toEqual({ repeat: 'convergent', target: remote === null ? null : { kind: 'git-remote', id: remote }, identifier })
  })

  it.each(['git push --dry-run origin main', 'git push -n', 'git push -fn origin main', 'git push --help', 'git pull', 'git stash push', 'git remote set-url push x', 'hg push', 'npx git push'])('is not meant by %s', (line) => {
    expect(gitPush.intends(typed(line))).toBeNull()
  })

  it.each([
    ['git push -u origin HEAD:main', to(' * [new branch]      HEAD -> main', "branch 'main' set up to track 'origin/main'."), 'origin', 'refs/heads/main', null],
    ['git push origin HEAD:main', to('   4d68648..9d53c58  HEAD -> main'), 'origin', 'refs/heads/main', '9d53c58'],
    ['git push', to('   4d68648..9d53c58  main -> main'), URL, 'refs/heads/main', '9d53c58'],
    ['git push --tags', to(' * [new tag]         v1 -> v1'), URL, 'refs/tags/v1', null],
    ['git push origin :refs/tags/v1', to(' - [deleted]         v1'), 'origin', 'refs/tags/v1', null],
    ['git push -f origin HEAD:main HEAD:feat', to(' + 9d53c58...de39dd0 HEAD -> main (forced update)', ' * [new branch]      HEAD -> feat'), 'origin', 'refs/heads/feat refs/heads/main', null],
    ['git push -f origin v1', to(' + 9d53c58...de39dd0 v1 -> v1 (forced update)'), 'origin', null, 'de39dd0'],
    ['git push origin refs/remnants/a:refs/remnants/a', to(' * [new reference]   refs/remnants/a -> refs/remnants/a'), 'origin', 'refs/remnants/a', null],
    ['git push --porcelain origin HEAD:x', to('*\tHEAD:refs/heads/x\t[new branch]', 'Done'), 'origin', 'refs/heads/x', null],
    ['git push --porcelain origin HEAD:x', to(' \tHEAD:refs/heads/x\t4d68648..9d53c58', 'Done'), 'origin', 'refs/heads/x', '9d53c58'],
    ['git push', `remote: Resolving deltas: 100%\nremote: open ${URL}/pull/new\n${to('   4d68648..9d53c58  main -> main')}`, URL, 'refs/heads/main', '9d53c58'],
    ['git push origin feat', `From ${URL}\n   9382c29..ffe06dd  main       -> origin/main\n${to('   4d68648..9d53c58  feat -> feat')}`, 'origin', 'refs/heads/feat', '9d53c58'],
    ['git push origin feat', `${to('   4d68648..9d53c58  feat -> feat')}From ${URL}\n * [new branch]      main       -> origin/main\n`, 'origin', 'refs/heads/feat', '9d53c58'],
  ])('is confirmed by its report: %s', (line, output, id, identifier, commit) => {
    expect(gitPush.confirms(typed(line), output, false)).toEqual({ target: { kind: 'git-remote', id }, targetValue: URL, identifier, state_hash: commit })
  })

  it.each([
    ['git push -u origin feat', " * [new branch]      feat -> feat\nbranch 'feat' set up to track 'origin/feat'.\n", 'refs/heads/feat', null],
    ['git push origin HEAD:feat', '   4d68648..9d53c58  HEAD -> feat\n', 'refs/heads/feat', '9d53c58'],
  ])('is confirmed by the end of its report, where its words name all that it says: %s', (line, output, identifier, state_hash) => {
    expect(gitPush.confirms(typed(line), output, false)).toEqual({ target: { kind: 'git-remote', id: 'origin' }, targetValue: null, identifier, state_hash })
  })

  it.each([
    ['git push', '   4d68648..9d53c58  main -> main\n'],
    ['git push origin', '   4d68648..9d53c58  main -> main\n'],
    ['git push origin feat', ' * [new branch]      feat -> origin/feat\n'],
    ['git push origin feat', '   4d68648..9d53c58  main -> main\n'],
    ['git push origin main', `From ${URL}\n   4d68648..9d53c58  main -> main\n`],
    ['git push origin a b', ' * [new branch]      b -> b\n'],
    ['git push origin feat', "branch 'feat' set up to track 'origin/feat'.\n"],
    ['git push origin feat', " * [new branch]      feat -> feat\nerror: failed to push some refs to 'x'\n"],
    ['git push -f origin v1', ' + 9d53c58...de39dd0 v1 -> v1 (forced update)\n'],
  ])('is not confirmed by an end that may be that of another report: %s', (line, output) => {
    expect(gitPush.confirms(typed(line), output, false)).toBeNull()
  })

  it.each([
    ['git push', 'Everything up-to-date\n'],
    ['git push', ''],
    ['git push origin main', to(' ! [rejected]        main -> main (fetch first)', "error: failed to push some refs to 'x'")],
    ['git push origin a b', to(' * [new branch]      a -> a', ' ! [remote rejected] b -> b (hook declined)')],
    ['git push --porcelain origin main', to('=\trefs/heads/main:refs/heads/main\t[up to date]', 'Done')],
    ['git push --dry-run origin main', to(' * [new branch]      main -> main')],
    ['git push origin main', 'fatal: the remote end hung up\n'],
  ])('is not confirmed by what moved nothing: %s', (line, output) => {
    expect(gitPush.confirms(typed(line), output, false)).toBeNull()
  })

  it.each<[string, string, boolean, object | null]>([
    ['git push -q origin main', '', true, { target: { kind: 'git-remote', id: 'origin' }, targetValue: null, identifier: null, state_hash: null }],
    ['git push -uq origin HEAD:refs/heads/x', 'remote: open a pull request\n', true, { target: { kind: 'git-remote', id: 'origin' }, targetValue: null, identifier: 'refs/heads/x', state_hash: null }],
    [`git push --quiet ${URL} refs/tags/v1`, '', true, { target: { kind: 'git-remote', id: URL }, targetValue: URL, identifier: 'refs/tags/v1', state_hash: null }],
    ['git push -q origin main', '', false, null],
    ['git push -q origin main', 'error: failed to push some refs\n', true, null],
    ['git push origin main', '', true, null],
    // Where it went, and what, only the configuration says.
    ['git push -q', '', true, null],
    ['git push -q origin', '', true, null],
    ['git push -qn origin main', '', true, null],
  ])('says by its status alone what was there to say, where it is quiet: %s', (line, output, succeeded, expected) => {
    expect(gitPush.confirms(typed(line), output, succeeded)).toEqual(expected)
  })

  it('keeps nobody\'s user or password', () => {
    expect(gitPush.confirms(typed('git push'), 'To https://me:pw@git.example/o/r.git\n * [new branch]      a -> a\n', false)).toMatchObject({ target: { id: URL }, targetValue: URL })
    expect(withoutUserInfo('https://a@b@git.example/x')).toBe('https://git.example/x')
    expect(withoutUserInfo('git@git.example:o/r.git')).toBe('git.example:o/r.git')
    expect(withoutUserInfo('ssh://git@git.example:22/o/r')).toBe('ssh://git.example:22/o/r')
    expect(withoutUserInfo('../r@1/x.git')).toBe('../r@1/x.git')
  })
})
