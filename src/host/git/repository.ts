import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import type { ObjectFormat } from '../../base/digest.ts'
import { RemnantError, codeOf } from '../../base/errors.ts'
import { type GitConfig, booleanOf, lastOf, readGitConfig } from './config.ts'
import { type Env, withoutGit } from './environment.ts'

/** Where a repository's parts lie; absolute paths, links resolved. Found by reading files, without starting git. */
export interface Repository {
  /** This work tree's own git directory (`.git`, or `.git/worktrees/NAME`). */
  readonly gitDir: string
  /** The directory that all work trees share: objects, refs, and our local state under `remnant/`. */
  readonly commonDir: string
  /** null: a bare repository. */
  readonly workTree: string | null
  readonly objectFormat: ObjectFormat
  /** `reftable`: refs lie in a table that only git reads. */
  readonly refStorage: 'files' | 'reftable'
  readonly bare: boolean
  readonly shallow: boolean
}

/**
 * The repository around a folder, found by reading files: linked work trees, submodules, gitfiles, bare repositories,
 * and what a hook inherits. Throws `missing` outside a repository, and for a format that we could only damage.
 * `me`: the user to whom it should belong; another owner is accepted only if the user's own git accepts it.
 */
export function openRepository(cwd: string, env: Env, me: number | null = process.geteuid?.() ?? null): Repository {
  const start = realpath(cwd) ?? resolve(cwd)
  const found = fromEnvironment(start, env) ?? walkUp(start, env)
  if (found === null) throw new RemnantError('missing', `no git repository around "${cwd}"`, { hint: 'git init' })
  const { gitDir, commonDir } = found
  const config = readConfig(commonDir, join(commonDir, 'config'))
  const format = formatIn(config, commonDir)
  const own = booleanOf(config, 'extensions.worktreeconfig') === true ? readConfig(gitDir, join(gitDir, 'config.worktree')) : null
  const settings = [...(own === null ? [] : [own]), ...(gitDir === commonDir ? [config] : [])]
  const bare = settings.map((each) => booleanOf(each, 'core.bare')).find((value) => value !== undefined) ?? false
  const workTree = workTreeOf(found, bare, settings.map((each) => lastOf(each, 'core.worktree')).find((value) => value !== undefined), start, env)
  refuseForeignOwner(gitDir, workTree, env, me)
  return { gitDir, commonDir, workTree, ...format, bare: workTree === null, shallow: kindOf(join(commonDir, 'shallow')) === 'file' }
}

/** A git directory, and the folder whose `.git` led to it (null: none did). */
interface Found {
  readonly gitDir: string
  readonly commonDir: string
  readonly top: string | null
}

function fromEnvironment(start: string, env: Env): Found | null {
  if (!env.GIT_DIR) return null
  const found = gitDirAt(resolve(start, env.GIT_DIR), start, env)
  if (found === null) return null
  return { ...found, top: topFor(found.gitDir, start) }
}

/** The folder around `start` whose `.git` leads to this git directory; null: none does. */
function topFor(gitDir: string, start: string): string | null {
  try {
    const around = walkUp(start, {})
    return around?.gitDir === gitDir ? around.top : null
  } catch {
    return null
  }
}

function walkUp(start: string, env: Env): Found | null {
  const ceilings = (env.GIT_CEILING_DIRECTORIES ?? '').split(delimiter).filter((path) => isAbsolute(path))
  for (let folder = start; ; folder = dirname(folder)) {
    const dotGit = join(folder, '.git')
    if (kindOf(dotGit) !== null) {
      const found = gitDirAt(dotGit, start, env)
      if (found !== null) return { ...found, top: folder }
      if (kindOf(dotGit) === 'file')
        throw new RemnantError('missing', `"${dotGit}" names no git directory`, { hint: 'git worktree repair, in the main work tree' })
    }
    const itself = gitDirAt(folder, start, env)
    if (itself !== null) return itself
    if (dirname(folder) === folder || ceilings.includes(dirname(folder))) return null
  }
}

/** The git directory at a path, through a gitfile if it is one; null: there is none. */
function gitDirAt(path: string, start: string, env: Env): Found | null {
  const gitDir = realpath(kindOf(path) === 'file' ? (gitFile(path) ?? path) : path)
  if (gitDir === null || kindOf(gitDir) !== 'folder' || kindOf(join(gitDir, 'HEAD')) !== 'file') return null
  const shared = env.GIT_COMMON_DIR ? resolve(start, env.GIT_COMMON_DIR) : resolve(gitDir, firstLine(join(gitDir, 'commondir')) ?? '.')
  const commonDir = realpath(shared)
  if (commonDir === null || kindOf(join(commonDir, 'objects')) !== 'folder' || kindOf(join(commonDir, 'refs')) !== 'folder') return null
  return { gitDir, commonDir, top: null }
}

function gitFile(path: string): string | null {
  const line = firstLine(path)
  return line?.startsWith('gitdir: ') ? resolve(dirname(path), line.slice('gitdir: '.length)) : null
}

function workTreeOf(found: Found, bare: boolean, configured: string | undefined, start: string, env: Env): string | null {
  if (env.GIT_WORK_TREE) return realpath(resolve(start, env.GIT_WORK_TREE))
  if (configured !== undefined) return realpath(resolve(found.gitDir, configured))
  if (bare) return null
  if (found.top !== null) return found.top
  const back = found.gitDir === found.commonDir ? null : firstLine(join(found.gitDir, 'gitdir'))
  if (back !== null) return realpath(dirname(resolve(found.gitDir, back)))
  if (basename(found.gitDir) === '.git') return dirname(found.gitDir)
  return env.GIT_DIR ? start : null
}

/** Extensions that change nothing in what we read or write. Whether objects are all here is looked at when one is read. */
const HARMLESS = ['noop', 'noop-v1', 'preciousobjects', 'partialclone', 'worktreeconfig', 'relativeworktrees']

/** How objects are named and where refs lie, as git reads it. Throws `missing` for all that is not known. */
function formatIn(config: GitConfig, commonDir: string): Pick<Repository, 'objectFormat' | 'refStorage'> {
  const refuse = (what: string): never => {
    throw new RemnantError('missing', `repository "${commonDir}" ${what}`, { hint: 'git-remnant knows SHA-1 and SHA-256 objects, and refs in files or in a reftable' })
  }
  const version = Number(lastOf(config, 'core.repositoryformatversion') ?? 0)
  if (!Number.isInteger(version) || version > 1 || version < 0) refuse('has a format version that is not known')
  const format: { -readonly [name in 'objectFormat' | 'refStorage']: Repository[name] } = { objectFormat: 'sha1', refStorage: 'files' }
  for (const name of config.keys()) {
    if (!name.startsWith('extensions.')) continue
    const extension = name.slice('extensions.'.length)
    const value = lastOf(config, name)?.toLowerCase()
    if (extension === 'objectformat') {
      if (value !== 'sha1' && value !== 'sha256') return refuse('has objects that are named in a way that is not known')
      // Git takes this setting under version 1 alone.
      if (value === 'sha256' && version < 1) return refuse('has objects that are not named by SHA-1, under a format version that knows no others')
      format.objectFormat = value
    } else if (extension === 'refstorage') {
      if (value !== 'files' && value !== 'reftable') return refuse('keeps its refs in a way that is not known')
      if (value === 'reftable' && version < 1) return refuse('keeps its refs in a table, under a format version that knows none')
      format.refStorage = value
    } else if (extension === 'compatobjectformat') refuse('has objects with two names')
    else if (version >= 1 && !HARMLESS.includes(extension)) refuse(`has an extension that is not known, "${extension}"`)
  }
  return format
}

function readConfig(gitDir: string, path: string): GitConfig {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return new Map()
    throw new RemnantError('missing', `configuration of repository "${gitDir}" can't be read`, { cause })
  }
  const config = readGitConfig(text)
  if (config === null) throw new RemnantError('missing', `configuration of repository "${gitDir}" is not one that git would read`, { hint: 'git config --list' })
  return config
}

function refuseForeignOwner(gitDir: string, workTree: string | null, env: Env, me: number | null): void {
  if (me === null) return
  const places = [gitDir, ...(workTree === null ? [] : [workTree])]
  if (places.every((place) => statSync(place).uid === me)) return
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const asked = spawnSync('git', ['rev-parse', '--git-dir'], { cwd: workTree ?? gitDir, env: withoutGit(env), encoding: 'utf8' })
  if (asked.status === 0) return
  throw new RemnantError('missing', `repository "${gitDir}" belongs to another user`, { hint: 'git trusts what its setting safe.directory lists' })
}

function kindOf(path: string): 'file' | 'folder' | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : stat.isDirectory() ? 'folder' : 'file'
}

function firstLine(path: string): string | null {
  try {
    return (readFileSync(path, 'utf8').split('\n')[0] as string).replace(/\r+$/, '')
  } catch {
    return null
  }
}

function realpath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
