import type { Gate } from '../../host/trial/gates.ts'
import type { Git } from '../../host/git.ts'
import { type Key, ROOT_LOCKFILES, listedIn, splitKey } from '../../model/key.ts'

/** Paths in which two commits differ; `from` null: all that `to` has. */
export async function changedPaths(git: Git, from: string | null, to: string): Promise<readonly string[]> {
  const args = from === null ? ['ls-tree', '-r', '-z', '--name-only', '--full-tree', to] : ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=none', from, to, '--']
  return Buffer.from(await git.run(args)).toString('utf8').split('\0').filter((path) => path !== '')
}

/** The gates that a change of these paths may turn red in a commit. */
export async function touched(gates: readonly Gate[], paths: readonly string[], commit: string, git: Git): Promise<readonly Gate[]> {
  if (paths.length === 0) return []
  const packages = new Map<string, string>()
  for (const { command, readsSources } of gates) {
    const { folder } = command
    if (readsSources && !packages.has(folder)) packages.set(folder, await packageOf(folder, commit, git))
  }
  return gates.filter(({ command, keys, readsSources }) => touches(readsSources ? [...keys, `tree:${packages.get(command.folder)}`] : keys, paths))
}

/** The nearest folder with a manifest, from this one up: what is tested there are its sources. */
async function packageOf(folder: string, commit: string, git: Git): Promise<string> {
  for (let at = folder; at !== '.'; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '.') {
    const { status, stdout } = await git.try(['--literal-pathspecs', 'ls-tree', '-z', '--name-only', '--full-tree', commit, `${at}/`])
    const names = Buffer.from(stdout).toString('utf8').split('\0')
    if (status === 0 && names.some((name) => MANIFESTS.includes(name.slice(name.lastIndexOf('/') + 1)))) return at
  }
  return '.'
}

const MANIFESTS = [
  'Cargo.toml', 'Gemfile', 'build.gradle', 'build.gradle.kts', 'composer.json', 'deno.json', 'go.mod', 'package.json', 'pom.xml', 'pyproject.toml', 'setup.cfg', 'setup.py',
]

/** Whether a change of these paths may change what one of these keys says. */
export const touches = (keys: readonly Key[], paths: readonly string[]): boolean => keys.some((key) => paths.some((path) => touchesOne(key, path)))

function touchesOne(key: Key, path: string): boolean {
  const { probe, argument: word } = splitKey(key)
  const argument = listedIn(key) ?? word
  switch (probe) {
    case 'lock':
      return LOCKFILE.test(path.slice(path.lastIndexOf('/') + 1))
    // What a command can reach is told by looking at the work tree, which need not be the commit.
    case 'reads':
    case 'makefiles':
    case 'manifests':
      return !path.startsWith('.remnants/')
    case 'alike':
    case 'names':
    case 'tree':
      return !path.startsWith('.remnants/') && (argument === '.' || meet(argument, path))
    case 'file':
    case 'exists':
    case 'absent':
      return meet(argument, path)
    default:
      return false
  }
}

/** The same, or one within the other: a link or a submodule is one path to git. */
const meet = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

/** A key names the package and not the file: any that may hold it. */
const LOCKFILE = new RegExp(`^(?:${ROOT_LOCKFILES.map((name) => name.replaceAll('.', '\\.')).join('|')}|requirements[\\w.-]*\\.txt|\\w+\\.lock(?:file)?|pom\\.xml|build\\.gradle(?:\\.kts)?|go\\.mod)$`)
