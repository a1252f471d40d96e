import type { Git } from '../git.ts'

/** Paths of all work trees of a repository, this one's first. */
export async function workTreesOf(git: Git): Promise<string[]> {
  const listed = Buffer.from(await git.run(['worktree', 'list', '--porcelain'])).toString('utf8')
  const found = listed.split('\n').flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []))
  return [...new Set([...(git.repository.workTree === null ? [] : [git.repository.workTree]), ...found])]
}
