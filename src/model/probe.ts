import type { Reading } from './key.ts'

/** A program as it was found. */
export interface Program {
  /** As it would be started: absolute, links as they are (one binary may go by many names). */
  readonly found: string
  /** Absolute, links followed. */
  readonly path: string
  /** It came out of the work tree: it is read, never run. */
  readonly own: boolean
  readonly size: number
  /** Latest of its own and its link's times (ms). */
  readonly changed: number
  readonly inode: number
}

/** A folder's files as they lie: the same before and after `git add` and a commit. */
export interface Tree {
  /** In no certain order; paths from the top of the work tree. */
  readonly files: readonly { readonly mode: string; readonly blob: string; readonly path: string }[]
  /** Latest time (ms) of a file, or of a folder below the top. */
  readonly changed: number
  /** The same of its files alone. */
  readonly written?: number
  /** The same of its folders alone. */
  readonly folders?: number
  /** The latest at which an entry can have been made, removed or replaced in any folder, those of which git knows nothing too, but `node_modules/`. */
  readonly moved?: number
  /** Why the list does not say all of what lies there; null: it does. */
  readonly doubt: string | null
}

/** The machine and the work tree, as probes may see them. Paths are relative to the work tree's top, with `/`. */
export interface World {
  readonly platform: string
  readonly arch: string
  /** `glibc`, `musl` or `-`. */
  readonly libc: string
  readonly kernelRelease: string
  /** `ID-VERSION_ID` of the distribution, or `-`. */
  readonly distribution: string
  readonly isRoot: boolean
  /** Linux's `NoNewPrivs` is 1. */
  readonly noNewPrivileges: boolean
  env(name: string): string | undefined
  /** null: there is no such entry. Follows no link that leads outside the work tree. `mode`: what its owner may do, as 4 + 2 + 1. `moved`: the latest time (ms) at which a folder above it, or itself if it is one, can have been put in the place of another; below the top. */
  stat(path: string): Promise<{ readonly kind: 'file' | 'folder' | 'other'; readonly size: number; readonly changed: number; readonly moved: number; readonly executable: boolean; readonly mode: number } | null>
  /** Names right in a folder as they lie, those that git ignores too, but git's and ours; links are not followed. null: no such folder. */
  entries(path: string): Promise<readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'link' | 'other' }[] | null>
  /** What git ignores: files, and folders (with `/` at the end) of which it ignores all. */
  ignored(): Promise<readonly string[]>
  /** Which of these words stand in a file that git knows or would take; prose and lockfiles are not looked at. */
  mentioned(words: readonly string[]): Promise<ReadonlySet<string>>
  /** The path with its links followed, from the top; null: there is no such entry. Throws where it leads outside. */
  real(path: string): Promise<string | null>
  /** null: there is no such file. */
  read(path: string): Promise<Uint8Array | null>
  /** Git's blob id of a file as it lies, after clean filters; null: there is no such file. */
  blob(path: string): Promise<string | null>
  /** Tracked and untracked-not-ignored files under a folder as they lie; `.remnants/` is left out. null: no such folder. */
  tree(path: string): Promise<Tree | null>
  /**
   * Where a program is found from a folder: `node_modules/.bin` upwards to the top, then PATH; null: absent.
   * A name with `/` is that very file of the work tree, or nothing.
   */
  program(name: string, folder: string): Promise<Program | null>
  /** What `PROGRAM --version` prints, or what says the same without running it; null: it could not be told in time. */
  version(program: Program): Promise<string | null>
  /** First-parent root commit of HEAD, or `unborn`. Throws RemnantError where it can't be told (shallow clone). */
  rootCommit(): Promise<string>
  /** A value of git's configuration; null: not set. */
  gitConfig(name: string): Promise<string | null>
  /** Where git would push to, by remote; URLs as configured, rewriting rules applied. */
  pushUrls(): Promise<ReadonlyMap<string, readonly string[]>>
  /** A file that lies directly in the user's home folder (`.npmrc`); null: there is none. */
  homeFile(name: string): Promise<Uint8Array | null>
  /**
   * What lies outside the work tree, links followed: at an absolute path, below the home folder (`~/…`), or where a path of the work
   * tree leads. `bytes`: of a regular file that is not too large; null: of anything else. null: nothing is there.
   */
  outside(path: string): Promise<{ readonly kind: 'file' | 'folder' | 'other'; readonly bytes: Uint8Array | null; readonly changed: number } | null>
  /** Whether Node would find a package of this name outside the work tree: above it, or where the environment leads. */
  moduleOutside(name: string): Promise<boolean>
  /** What the command says that configuration declares for an interface; it is started only where it was approved in this clone. */
  interfaceSays(name: string): Promise<{ readonly says: string } | { readonly unreadable: string }>
  /** Names of environment variables whose value may count (configuration). */
  readonly envValues: readonly string[]
}

/** One kind of key: reads its value from a world. Throwing counts as unreadable. */
export interface Probe {
  readonly id: string
  readonly why: string
  /** The form of its argument, for an error message; empty: it takes none. */
  readonly argument: string
  read(argument: string, world: World): Promise<Reading>
}

/** The nearest folder above a path that there is: when an entry was last made or removed in it, and it may have been moved (ms); Infinity: there is none, so nobody knows. */
export async function nearestAbove(path: string, world: World): Promise<{ readonly changed: number; readonly moved: number }> {
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
  const found = await world.stat(above)
  if (found !== null) return { changed: found.changed, moved: found.moved }
  return above === '.' ? { changed: Number.POSITIVE_INFINITY, moved: 0 } : nearestAbove(above, world)
}
