import { describe, expect, it } from 'vitest'
import { clone, remnantsOf } from '../clone.ts'
import { aRemnant } from '../remnants.ts'
import { gitWith } from '../sharing.ts'
import { type Stage, stage } from '../stage.ts'

const patchId = ({ dir, git }: Stage, commit: string): string => gitWith(dir, git('diff-tree', '-p', '--root', commit), 'patch-id', '--stable').split(' ')[0] as string

/** A branch `work` with one commit of a fix, on `main`, which has gone on since. */
function fixed(): Stage & { fix: string } {
  const set = stage()
  set.git('checkout', '-q', '-b', 'work')
  set.write('fix.txt', 'fixed\n')
  set.git('add', '.')
  set.git('commit', '-q', '-m', 'fix')
  const fix = set.git('rev-parse', 'HEAD').trim()
  set.git('checkout', '-q', 'main')
  set.write('other.txt', 'other\n')
  set.git('add', '.')
  set.git('commit', '-q', '-m', 'other')
  set.git('checkout', '-q', 'work')
  return { ...set, fix }
}

describe('a remnant outlives the commit at which it was recorded', () => {
  /** What is done, and whether the change is still one commit of its own, by which its patch id is found again. */
  const rewritings: [string, boolean, (set: Stage) => void][] = [
    ['an amended message', true, ({ git }) => git('commit', '-q', '--amend', '-m', 'a better message')],
    ['a rebase', true, ({ git }) => git('rebase', '-q', 'main')],
    ['a squash', false, ({ git, write }) => {
      write('more.txt', 'more\n')
      git('add', '.')
      git('commit', '-q', '-m', 'more')
      git('checkout', '-q', 'main')
      git('merge', '-q', '--squash', 'work')
      git('commit', '-q', '-m', 'squashed')
      git('branch', '-q', '-D', 'work')
    }],
    ['a cherry-pick and the end of its branch', true, ({ git }) => {
      git('checkout', '-q', 'main')
      git('cherry-pick', 'work')
      git('branch', '-q', '-D', 'work')
    }],
    ['the deletion of its branch', false, ({ git }) => {
      git('checkout', '-q', 'main')
      git('branch', '-q', '-D', 'work')
    }],
  ]

  it.each(rewritings)('%s', async (_, isFoundAgain, rewrite) => {
    const set = fixed()
    const patch = patchId(set, set.fix)
    const remnant = aRemnant(undefined, { provenance: { host: 'claude-code', observed_until: '2026-06-01T10:22:31Z', head: set.fix, patch_ids: [patch] } })
    const { digest, ref } = await set.store.write(remnant)
    const commit = set.git('rev-parse', ref)
    rewrite(set)
    set.git('reflog', 'expire', '--expire=now', '--all')
    set.git('gc', '-q', '--prune=now')
    expect(() => set.git('cat-file', '-e', set.fix)).toThrow()
    expect(set.git('rev-parse', ref)).toBe(commit)
    expect(await set.store.read(digest)).toMatchObject({ remnant: { provenance: { head: set.fix, patch_ids: [patch] } }, rank: 'own' })
    for await (const { faults } of set.store.audit([digest])) expect(faults).toEqual([])
    expect(patchId(set, 'HEAD') === patch).toBe(isFoundAgain)
  })
})

describe('claims rest on files, not on commits', () => {
  it('so that they hold after each rewriting that leaves those files as they were, and are suspended where it does not', () => {
    const { git, write, remnant, run, ...made } = clone()
    write('package.json', '{"scripts":{"test":"node -e 0"}}\n')
    git('add', '.')
    git('commit', '-qm', 'a gate')
    expect(remnant('init').status).toBe(0)
    expect(remnant('run', '--', 'npm', 'test').status).toBe(0)
    expect(remnant('teardown').status).toBe(0)
    expect(remnantsOf({ git, write, remnant, run, ...made })).toHaveLength(1)
    const verdict = (): unknown => (JSON.parse(remnant('resolve', '--json').stdout) as { remnants: { verdict: string; retained_claims: string[] }[] }).remnants.map((each) => [each.verdict, each.retained_claims.length])
    expect(verdict()).toEqual([['NO_DRIFT', 1]])
    git('commit', '-q', '--amend', '-m', 'the same under another name')
    expect(verdict()).toEqual([['NO_DRIFT', 1]])
    git('checkout', '-q', '-b', 'side', 'HEAD^')
    write('notes.txt', 'side\n')
    git('add', '.')
    git('commit', '-qm', 'side')
    expect(verdict()).toEqual([['FULL_RECONSTRUCTION_REQUIRED', 0]])
    git('rebase', '-q', 'main')
    git('checkout', '-q', 'main')
    git('merge', '-q', '--squash', 'side')
    git('commit', '-qm', 'squashed')
    git('branch', '-q', '-D', 'side')
    git('gc', '-q', '--prune=now')
    expect(verdict()).toEqual([['NO_DRIFT', 1]])
  })
})

describe('what surprises about refs/remnants', () => {
  it('is that git log --all shows them, a checkout of one empties the tree, and git clean removes the copies: nothing is lost by any', () => {
    const made = clone()
    const { git, remnant, read, write } = made
    remnant('run', '--', 'node', '-e', '0')
    expect(remnant('teardown').status).toBe(0)
    const [digest = ''] = remnantsOf(made)
    const copy = `.remnants/${digest.slice(0, 2)}/${digest}.json`
    expect(git('log', '--all', '--format=%s')).toContain(`Remnant ${digest}`)
    expect(git('log', '--format=%s')).toBe('first')
    git('clean', '-fdxq')
    expect(read(copy)).toBeNull()
    expect(remnant('checkout').status).toBe(0)
    const bytes = read(copy) as string
    write(copy, `${JSON.stringify(JSON.parse(bytes), null, 2)}\n`)
    expect(remnant('list').status).toBe(0)
    expect(read(copy)).toBe(bytes)
    git('clean', '-fdxq')
    git('checkout', '-q', `refs/remnants/${digest}`)
    expect(read('README.md')).toBeNull()
    expect(read(copy)).toBe(bytes)
    git('checkout', '-q', 'main')
    expect(read('README.md')).toBe('A project.\n')
    expect(read(copy)).toBeNull()
    expect(remnant('list').stdout).toContain(digest.slice(0, 12))
    git('gc', '-q', '--prune=now')
    expect(remnant('verify').stdout).toBe('1 checked, no fault\n')
  })
})
