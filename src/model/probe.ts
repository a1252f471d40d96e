import type { Reading } from './key.ts'

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
  /** null: there is no such entry. Follows no link that leads outside the work tree. */
  stat(path: string): Promise<{ readonly kind: 'file' | 'folder' | 'other'; readonly size: number; readonly changed: number; readonly executable: boolean } | null>
  /** null: there is no such file. */
  read(path: string): Promise<Uint8Array | null>
  /** Git's blob id of a file as it lies, after clean filters; null: there is no such file. */
  blob(path: string): Promise<string | null>
  /** Tracked and untracked-not-ignored files under a folder as they lie: mode, blob, path. null: no such folder. */
  tree(path: string): Promise<readonly { readonly mode: string; readonly blob: string; readonly path: string; readonly changed: number }[] | null>
  /** Where a program of this name is found from a folder: `node_modules/.bin` upwards to the top, then PATH. Absolute, links followed; null: absent. */
  program(name: string, folder: string): Promise<{ readonly path: string; readonly size: number; readonly changed: number; readonly inode: number } | null>
  /** The output of `PROGRAM --version`, cached by the program's path, size, time and inode; null: it could not be run in time. */
  version(program: { readonly path: string; readonly size: number; readonly changed: number; readonly inode: number }): Promise<string | null>
  /** First-parent root commit of HEAD, or `unborn`. Throws RemnantError where it can't be told (shallow clone). */
  rootCommit(): Promise<string>
  /** A value of git's configuration; null: not set. */
  gitConfig(name: string): Promise<string | null>
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
