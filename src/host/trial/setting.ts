import type { Setting } from '../../distill/draft.ts'
import type { Config } from '../../model/config.ts'
import { AMBIENT, STRUCTURAL } from '../../model/key.ts'
import type { Git } from '../git.ts'

/** What logs of this repository are read against: all its work trees, this one first, and the keys that its configuration names. */
export async function settingFor(git: Git, config: Config, journal = false): Promise<Setting> {
  const listed = await git.try(['worktree', 'list', '--porcelain'])
  const roots = Buffer.from(listed.stdout)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('worktree '))
    .map((line) => line.slice('worktree '.length))
  const here = git.repository.workTree
  return {
    journal,
    roots: here === null ? roots : [here, ...roots.filter((root) => root !== here)],
    ambient: config.ambient ?? AMBIENT,
    structural: config.structural ?? STRUCTURAL,
  }
}
