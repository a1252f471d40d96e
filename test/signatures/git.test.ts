import { describe, expect, it } from 'vitest'
import git from '../../src/signatures/git.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe('git', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['git status', 'git -C x log', '/usr/bin/git push', 'git --version']) expect(knowing(line)).toEqual(['git'])
    expect(git.knows(typed('git-lfs pull'))).toBeNull()
  })

  it.each([
    ['git --version', { verifies: true, delegates: false, keys: ['tool:p/git'] }],
    ['git status', { verifies: false, delegates: false, keys: ['tool:p/git'] }],
    ['git add src/a.ts', { verifies: false, delegates: false, keys: ['tool:p/git', 'file:p/src/a.ts'] }],
    ['git -c a=b commit -m x', { verifies: false, delegates: true, keys: ['tool:p/git'] }],
    ['git push origin main', { verifies: false, delegates: true, keys: ['tool:p/git'] }],
  ])('may hand over to hooks: %s', (line, invocation) => {
    expect(git.knows(typed(line, 'p'))).toEqual({ ...invocation, readsSources: false })
    expect(git.summary()).toBeNull()
  })

  it.each([
    ['git status', 'fatal: not a git repository (or any of the parent directories): .git\n', ['fatal: not a git repository (or any of the parent directories): .git']],
    ['git checkout nope', "error: pathspec 'nope' did not match any file(s) known to git\n", ["error: pathspec 'nope' did not match any file(s) known to git"]],
    ['git log nope', "fatal: ambiguous argument 'nope': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'\n", ["fatal: ambiguous argument 'nope': unknown revision or path not in the working tree."]],
    ['git push origin nope', "error: src refspec nope does not match any\nerror: failed to push some refs to '../up.git'\n", ['error: src refspec nope does not match any']],
    ['git push other main', "fatal: 'other' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n", ["fatal: 'other' does not appear to be a git repository"]],
    ['git push', "To ../up.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to '../up.git'\nhint: Updates were rejected because the remote contains work that you do not\n", ['! [rejected] main -> main (fetch first)']],
    ['git merge nope', 'merge: nope - not something we can merge\n', ['merge: nope - not something we can merge']],
    ['git merge side', 'Auto-merging a\nCONFLICT (content): Merge conflict in a\nAutomatic merge failed; fix conflicts and then commit the result.\n', ['CONFLICT (content): Merge conflict in a', 'Automatic merge failed; fix conflicts and then commit the result.']],
    ['git branch -d main', "error: Cannot delete branch 'main' checked out at '/repo/r'\n", ["error: Cannot delete branch 'main' checked out"]],
    ['git worktree add ../wt main', "Preparing worktree (checking out 'main')\nfatal: 'main' is already checked out at '/repo/r'\n", ["fatal: 'main' is already checked out"]],
    ['git stash pop', 'No stash entries found.\n', ['No stash entries found.']],
    ['git commit -m x', 'On branch main\nnothing to commit, working tree clean\n', ['nothing to commit, working tree clean']],
    ['git pull --rebase', 'error: cannot pull with rebase: You have unstaged changes.\nerror: please commit or stash them.\n', ['error: cannot pull with rebase: You have unstaged changes.']],
  ])('says why, of no class: what branches and remotes hold no key can show: %s', (line, output, lines) => {
    expect(failureOf(git, line, output, 128)).toEqual({ class: null, lines, keys: [] })
  })

  it.each([
    ['git add nope.ts', "fatal: pathspec 'nope.ts' did not match any files\n", 'path-missing', ['absent:p/nope.ts']],
    ['git rm nope.ts', "fatal: pathspec 'nope.ts' did not match any files\n", null, []],
    ['git apply nope.patch', "error: can't open patch 'nope.patch': No such file or directory\n", 'path-missing', ['absent:p/nope.patch']],
    ['git am nope.patch', "fatal: could not open 'nope.patch' for reading: No such file or directory\n", 'path-missing', ['absent:p/nope.patch']],
    ['git apply p.patch', 'error: patch failed: a:1\nerror: a: patch does not apply\n', 'red', []],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(git, line, output, 128, 'p')).toMatchObject({ class: kind, keys })
  })

  it('passes over a lock that another git holds', () => {
    expect(git.failure(ended('git add a', "fatal: Unable to create '/repo/.git/index.lock': File exists.\n\nAnother git process seems to be running in this repository\n", 128))).toBe('transient')
    expect(git.failure(ended('git fetch', "fatal: unable to access 'https://git.example/x.git/': Could not resolve host: git.example\n", 128))).toBe('transient')
  })

  it.each([
    ['git bogus', "git: 'bogus' is not a git command. See 'git --help'.\n"],
    ['git commit --bogus', "error: unknown option `bogus'\nusage: git commit [-a]\n"],
    ['git log --bogus', 'fatal: unrecognized argument: --bogus\n'],
    ['git push', 'git@git.example: Permission denied (publickey).\nfatal: Could not read from remote repository.\n'],
    ['git push', ' ! [remote rejected] main -> main (pre-receive hook declined)\nerror: failed to push some refs\n'],
    ['git commit -m x', 'lint failed: foo\n'],
    ['./deploy.sh', 'fatal: not a git repository\n'],
  ])('leaves refusals, misuse and the words of others to the fallback: %s', (line, output) => {
    expect(git.failure(ended(line, output))).toBeNull()
  })
})
