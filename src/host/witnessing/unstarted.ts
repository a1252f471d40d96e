import { isAbsolute, relative, resolve } from 'node:path'
import type { Files } from '../files.ts'
import type { Git } from '../git.ts'

/** Where a command was to be started. */
interface Place {
  readonly cwd: string
  readonly files: Files
  git(): Promise<Git>
}

/** What lies there was no program: what we say of it is no evidence. */
export const neverStarted = ({ status, output }: { readonly status: number; readonly output: string }): boolean => status === 126 && /^git-remnant: [^\n]*: Permission denied\n$/.test(output)

/** It is a file of the repository whose own mode says that it is no program: that mode is in the key of its folder's tree. */
export async function isUnmarked(program: string, workTree: string, host: Place): Promise<boolean> {
  const path = resolve(host.cwd, program)
  const from = relative(workTree, path)
  if (!program.includes('/') || from.startsWith('..') || isAbsolute(from)) return false
  const stat = host.files.stat(path)
  if (stat?.kind !== 'file' || (stat.mode & 0o111) !== 0) return false
  const git = await host.git()
  const modes = await git.try(['config', '--type=bool', '--get', 'core.fileMode'])
  return Buffer.from(modes.stdout).toString('utf8').trim() !== 'false' && (await git.try(['check-ignore', '--quiet', '--', path])).status === 1
}
