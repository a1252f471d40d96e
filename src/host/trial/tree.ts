import { chmodSync, lstatSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { RemnantError, codeOf } from '../../base/errors.ts'
import type { Git, Repository } from '../git.ts'

/** A commit laid out as a linked work tree in a temporary folder. */
export interface Tree {
  readonly folder: string
  /** The folder around it. */
  readonly home: string
  /** These paths as another commit has them. */
  lay(overlay: { readonly commit: string; readonly paths: readonly string[] }): Promise<void>
  /** At once, so that it can be done on the way out. */
  clear(): void
}

/** Git without what the user's configuration would start: hooks, a file watcher. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'submodule.recurse=false', '-c', 'advice.detachedHead=false']
const PREFIX = 'git-remnant-trial-'

/** Adds the tree; whatever ends this process takes it away again, and what could not is taken away by the next call. */
export async function addTree(repository: Repository, git: Git, commit: string): Promise<Tree> {
  clearLeftovers(repository)
  const home = mkdtempSync(join(roomOutside(repository), `${PREFIX}${process.pid}-`))
  const folder = join(home, `${PREFIX}tree`)
  let cleared = false
  const clear = (): void => {
    if (cleared) return
    cleared = true
    release()
    const entry = entries(repository).find((one) => one.folder === folder)
    try {
      discard(home)
    } finally {
      if (entry !== undefined) forget(entry.admin)
    }
  }
  const release = onTheWayOut(clear)
  try {
    await git.run([...QUIET, 'worktree', 'add', '--quiet', '--detach', '--force', folder, commit])
  } catch (cause) {
    clear()
    throw cause
  }
  return { folder, home, clear, lay: (overlay) => lay(overlay, { git, folder, commit }) }
}

async function lay(overlay: { readonly commit: string; readonly paths: readonly string[] }, { git, folder, commit }: { git: Git; folder: string; commit: string }): Promise<void> {
  const changed = await git.run([...QUIET, 'diff', '--no-renames', '--no-ext-diff', '--name-only', '-z', '--diff-filter=D', commit, overlay.commit], { cwd: folder })
  const gone = new Set(Buffer.from(changed).toString('utf8').split('\0'))
  const there = overlay.paths.filter((path) => !gone.has(path))
  for (const path of overlay.paths) if (gone.has(path)) rmSync(join(folder, path), { force: true, recursive: true })
  if (there.length === 0) return
  const input = there.map((path) => `${path}\0`).join('')
  await git.run([...QUIET, '--literal-pathspecs', 'checkout', '--quiet', overlay.commit, '--pathspec-from-file=-', '--pathspec-file-nul'], { cwd: folder, input })
}

/** A tree within the user's own would be found by whatever looks upwards from it, and find the user's files. */
function roomOutside({ workTree }: Repository): string {
  const room = realpathSync(tmpdir())
  if (workTree === null || (room !== workTree && !room.startsWith(`${workTree}${sep}`))) return room
  throw new RemnantError('missing', 'the temporary folder lies in the work tree', { hint: 'set TMPDIR to a folder outside it' })
}

/** Linked work trees as the repository's own folder lists them: the entry, and the tree that it names. */
function entries({ commonDir }: Repository): { readonly admin: string; readonly folder: string }[] {
  const all = join(commonDir, 'worktrees')
  return names(all).flatMap((name) => {
    const admin = join(all, name)
    try {
      return [{ admin, folder: dirname(readFileSync(join(admin, 'gitdir'), 'utf8').trim()) }]
    } catch {
      return []
    }
  })
}

/** Trials of processes that are no more. */
function clearLeftovers(repository: Repository): void {
  for (const { admin, folder } of entries(repository)) {
    const home = dirname(folder)
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(basename(home))?.[1]
    if (pid === undefined || !basename(folder).startsWith(PREFIX) || isAlive(Number(pid))) continue
    discard(home)
    forget(admin)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return codeOf(cause) === 'EPERM'
  }
}

/** As git itself removes a work tree's entry: with the folder of all entries where it was the last. */
function forget(admin: string): void {
  rmSync(admin, { recursive: true, force: true })
  try {
    rmdirSync(dirname(admin))
  } catch {
    // There are others.
  }
}

function discard(home: string): void {
  try {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Programs make folders that nobody may write.
    makeWritable(home)
    try {
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    } catch (cause) {
      throw new RemnantError('unwritable', `the temporary folder "${basename(home)}" can't be removed`, { hint: 'remove it by hand', cause })
    }
  }
}

function makeWritable(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(path, 0o700)
  for (const name of names(path)) makeWritable(join(path, name))
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does it when the process ends by itself, and when a signal ends it: once all others who heard that signal have done their part. */
function onTheWayOut(act: () => void): () => void {
  const quietly = (): void => {
    try {
      act()
    } catch {
      // The next trial will try again.
    }
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    setImmediate(() => {
      quietly()
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    })
  }
  process.on('exit', quietly)
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return () => {
    process.off('exit', quietly)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
