import { readdirSync } from 'node:fs'
import { RemnantError } from '../../base/errors.ts'
import { ROOT_LOCKFILES } from '../../model/key.ts'
import type { World } from '../../model/probe.ts'
import type { Git } from '../git.ts'

type Entries = NonNullable<Awaited<ReturnType<World['entries']>>>

/** Names right in a folder, but git's and ours. */
export const entriesOf = (real: string): Entries =>
  readdirSync(real, { withFileTypes: true })
    .filter(({ name }) => name.toLowerCase() !== '.git' && name !== '.remnants')
    .map((one) => ({ name: one.name, kind: one.isFile() ? 'file' : one.isDirectory() ? 'folder' : one.isSymbolicLink() ? 'link' : 'other' }))

/** Files that git ignores, and folders of which it ignores all (with `/` at the end); `.remnants/` is left out. */
export async function ignoredIn(git: Git, top: string): Promise<readonly string[]> {
  const listed = await git.run(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'], { cwd: top })
  return Buffer.from(listed).toString('utf8').split('\0').filter((path) => path !== '' && !/^\.remnants(?:\/|$)/.test(path))
}

/** Which words stand, as words, in files of the work tree that git knows or would take. Prose, lists of what is ignored and lockfiles name anything. */
export async function mentionedIn(words: readonly string[], git: Git, top: string): Promise<ReadonlySet<string>> {
  const asked = words.filter((word) => word !== '' && !/[\n\r\0]/.test(word))
  if (asked.length === 0) return new Set()
  const aside = ['*.md', '*.rst', '*.svg', '.gitignore', 'LICENSE*', ...ROOT_LOCKFILES].map((name) => `:(exclude,glob)**/${name}`)
  const { status, stdout, stderr } = await git.try(
    ['grep', '--untracked', '--no-recurse-submodules', '--no-color', '--no-line-number', '--no-column', '-a', '-h', '-o', '-w', '-F', ...asked.flatMap((word) => ['-e', word]), '--', '.', ...aside],
    { cwd: top, timeout: 5000 },
  )
  if (status > 1) throw new RemnantError('missing', `git grep failed${status === 124 ? ' in time' : ''}: ${stderr.split('\n', 1)[0] ?? ''}`)
  const found = new Set(Buffer.from(stdout).toString('utf8').split('\n'))
  return new Set(asked.filter((word) => found.has(word)))
}
