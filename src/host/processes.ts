/** Programs started from an argument list; never a shell string. */
export interface Processes {
  /** Collects output, within a limit of bytes and time (ms); the whole process group ends with it. */
  collect(argv: readonly string[], options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly timeout: number; readonly limit: number }): Promise<Collected>
  /** Runs transparently: output goes where ours goes and is kept too; signals are handed on. */
  through(argv: readonly string[], options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly limit: number }): Promise<Collected>
}

/** How a program ended. `status` is 128 + n after signal n, 127 where it was not found, 126 where it could not be started. */
export interface Collected {
  readonly status: number
  readonly signal: string | null
  readonly timedOut: boolean
  /** Standard output and error as they came, up to the limit: the last bytes win. */
  readonly output: string
  readonly stdout: string
  readonly cut: boolean
}
