import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf, work } from '../clone.ts'

/** A clone with hooks, a change to commit, and something to seal. */
function worked(options?: Parameters<typeof clone>[0]): Clone {
  const made = clone(options)
  expect(made.remnant('init').status).toBe(0)
  change(made)
  expect(work(made).status).toBe(0)
  return made
}

const change = ({ git, write }: Clone): void => {
  write('file.txt', `${Math.random()}\n`)
  git('add', '.')
}

const commit = ({ run }: Clone, ...args: string[]) => run(['git', 'commit', '-qm', 'more', ...args])

const journals = ({ dir }: Clone): string[] => readdirSync(join(dir, '.git/remnant/journals')).filter((name) => name.endsWith('.jsonl'))

describe('after init, git', () => {
  it('seals at a commit, says so in one line, and says nothing when there is nothing', () => {
    const made = worked()
    const first = commit(made)
    const [digest] = remnantsOf(made)
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(first).toEqual({ status: 0, stdout: '', stderr: `git-remnant: sealed ${digest?.slice(0, 12)}\n` })
    change(made)
    expect(commit(made)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(remnantsOf(made)).toEqual([digest])
  })

  it('seals at an amended commit', () => {
    const made = clone()
    made.git('commit', '-q', '--allow-empty', '-m', 'second')
    made.remnant('init')
    work(made)
    expect(commit(made, '--amend', '--allow-empty').status).toBe(0)
    expect(remnantsOf(made)).toHaveLength(1)
  })

  it('seals at the commit that ends a merge', () => {
    const made = clone()
    const { git, write, remnant } = made
    git('checkout', '-qb', 'side')
    write('file.txt', 'side\n')
    git('add', '.')
    git('commit', '-qm', 'side')
    git('checkout', '-q', 'main')
    write('file.txt', 'main\n')
    git('add', '.')
    git('commit', '-qm', 'main')
    remnant('init')
    expect(made.run(['git', 'merge', 'side']).status).toBe(1)
    write('file.txt', 'both\n')
    git('add', '.')
    work(made)
    expect(made.run(['git', 'commit', '-qm', 'merged']).status).toBe(0)
    expect(remnantsOf(made)).toHaveLength(1)
  })

  it('does not seal in a rebase or a sequence of cherry-picks, and does at the next commit', () => {
    const made = clone()
    const { git, write } = made
    for (const name of ['one', 'two', 'three']) {
      write(`${name}.txt`, `${name}\n`)
      git('add', '.')
      git('commit', '-qm', name)
    }
    made.remnant('init')
    work(made)
    git('rebase', '-q', '--force-rebase', 'HEAD~2')
    expect(journals(made)).toHaveLength(1)
    git('checkout', '-qb', 'picked', 'HEAD~3')
    git('cherry-pick', 'main~2', 'main~1', 'main')
    expect(journals(made)).toHaveLength(1)
    expect(remnantsOf(made)).toEqual([])
    work(made, '1')
    expect(commit(made, '--allow-empty').stderr).toMatch(/^git-remnant: sealed /)
    expect(journals(made)).toEqual([])
  })

  it('seals a linked work tree at its own commit, and no other', () => {
    const made = worked()
    const linked = join(made.base, 'linked')
    made.git('worktree', 'add', '-q', linked)
    const there: Clone = { ...made, dir: linked, run: (argv, options) => made.run(argv, { cwd: linked, ...options }) }
    expect(there.run(['git', 'remnant', 'run', '--', 'node', '-e', '1']).status).toBe(0)
    expect(there.run(['git', 'commit', '-q', '--allow-empty', '-m', 'there']).stderr).toMatch(/^git-remnant: sealed [0-9a-f]{12}\n$/)
    expect(remnantsOf(made)).toHaveLength(1)
    expect(made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'here']).stderr).toMatch(/^git-remnant: sealed [0-9a-f]{12}\n$/)
    expect(remnantsOf(made)).toHaveLength(2)
  })

  it('seals from a folder of the work tree, and with git -C', () => {
    const made = worked()
    made.write('deep/er/a.txt', '')
    work(made, '1')
    expect(made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'deep'], { cwd: join(made.dir, 'deep/er') }).stderr).toMatch(/^git-remnant: sealed /)
    work(made, '2')
    expect(made.run(['git', '-C', made.dir, 'commit', '-q', '--allow-empty', '-m', 'from afar'], { cwd: made.base }).stderr).toMatch(/^git-remnant: sealed /)
  })

  it("commits all the same, and runs the user's own hook, where the package has gone", () => {
    const made = clone({ movable: true })
    made.write('.git/hooks/post-commit', '#!/bin/sh\necho mine >&2\n', 0o755)
    made.remnant('init')
    change(made)
    work(made)
    renameSync(made.installation, `${made.installation}-elsewhere`)
    expect(commit(made)).toEqual({ status: 0, stdout: '', stderr: 'mine\n' })
    renameSync(`${made.installation}-elsewhere`, made.installation)
    expect(commit(made, '--allow-empty').stderr).toMatch(/^git-remnant: sealed [0-9a-f]{12}\nmine\n$/)
  })

  it('commits all the same where the journal is damaged', () => {
    const made = worked()
    made.write('.git/remnant/journals/odd.jsonl', '\0\0 no journal {{{\n')
    expect(commit(made).status).toBe(0)
    expect(made.git('log', '-1', '--format=%s')).toBe('more')
  })

  it('does nothing where REMNANT is 0', () => {
    const made = worked()
    expect(made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'quiet'], { env: { REMNANT: '0' } })).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(remnantsOf(made)).toEqual([])
  })
})
