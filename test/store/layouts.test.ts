import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openGit } from '../../src/host/git.ts'
import { openStore } from '../../src/store.ts'
import { aRemnant, anInvariant } from '../remnants.ts'
import { ENV, QUICK, type Layout, type Stage, gitIn, stage } from '../stage.ts'
import { keepsThePromise } from './store-suite.ts'

const LAYOUTS: readonly [Layout, string][] = [
  ['plain', 'a store in an ordinary repository'],
  ['worktree', 'a store in a linked work tree'],
  ['bare', 'a store in a bare repository'],
  ['separate', 'a store with its git directory elsewhere'],
  ['submodule', 'a store in a submodule'],
]

const fsck = (dir: string): string => execFileSync('git', ['fsck', '--strict', '--no-dangling'], { cwd: dir, env: ENV as NodeJS.ProcessEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const reopened = (staged: Stage) => openStore({ repository: staged.repository, git: async () => openGit(staged.repository, ENV), files: staged.files, disk: QUICK })

for (const [layout, title] of LAYOUTS) {
  keepsThePromise(title, () => {
    const staged = stage({ layout })
    return { store: staged.store, reopen: () => reopened(staged), fsck: () => expect(fsck(staged.dir)).toBe('') }
  })
}

keepsThePromise('a store whose repository was packed after each opening', () => {
  const staged = stage()
  const packed = () => {
    gitIn(staged.dir, 'gc', '-q', '--prune=now')
    return reopened(staged)
  }
  return { store: staged.store, reopen: packed, fsck: () => expect(fsck(staged.dir)).toBe('') }
})

it('makes the same commit in every clone', async () => {
  const commits: string[] = []
  for (const [layout] of LAYOUTS) {
    const staged = stage({ layout })
    const { digest } = await staged.store.write(aRemnant())
    const { ref } = await staged.store.write(aRemnant(['npm run lint'], { supersedes: [[digest, [anInvariant('npm test').claim_id]]] }))
    commits.push(gitIn(staged.dir, 'log', '--format=%H', ref))
  }
  expect(commits).toEqual(LAYOUTS.map(() => 'ccf1c36642acee243642ca88204fd562ee638ebe\n54f96dba315192a45468c5391392e9c348419350\n'))
})

it('is seen by git from the main work tree when it was written in a linked one', async () => {
  const staged = stage({ layout: 'worktree' })
  const { digest, ref } = await staged.store.write(aRemnant())
  const main = join(staged.base, 'main')
  expect(gitIn(main, 'cat-file', 'blob', `${ref}:.remnants/${digest.slice(0, 2)}/${digest}.json`)).toBe(readFileSync(join(staged.dir, '.remnants', digest.slice(0, 2), `${digest}.json`), 'utf8'))
  expect(existsSync(join(main, '.remnants'))).toBe(false)
  expect(gitIn(staged.dir, 'status', '--porcelain')).toBe('')
})
