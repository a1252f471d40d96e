/** Where a repository's parts lie; absolute paths. Found by reading files, without starting git. */
export interface Repository {
  /** This work tree's own git directory (`.git`, or `.git/worktrees/NAME`). */
  readonly gitDir: string
  /** The directory that all work trees share: objects, refs, and our local state under `remnant/`. */
  readonly commonDir: string
  /** null: a bare repository. */
  readonly workTree: string | null
  readonly objectFormat: 'sha1'
  readonly bare: boolean
  readonly shallow: boolean
}

/** The user's own git, started with an argument list, without inherited `GIT_*` variables of a hook. */
export interface Git {
  readonly repository: Repository
  /** Standard output of a git command that must succeed. Throws RemnantError with git's own first line. */
  run(args: readonly string[], options?: { readonly input?: string | Uint8Array; readonly cwd?: string }): Promise<Uint8Array>
  /** Status and output, whatever they are. */
  try(args: readonly string[], options?: { readonly input?: string | Uint8Array; readonly cwd?: string }): Promise<{ readonly status: number; readonly stdout: Uint8Array; readonly stderr: string }>
}
