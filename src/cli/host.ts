import type { Readable } from 'node:stream'
import type { Host } from '../command.ts'
import { openFiles } from '../host/files.ts'
import { beforeGit } from '../host/git/environment.ts'
import type { Processes } from '../host/processes.ts'
import type { Sets } from '../model/sets.ts'

/** What a process has of the world, handed in so that a test can be one. */
export interface Outside {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly installation: string
  /** stderr is a terminal. */
  interactive(): boolean
  cwd(): string
  now(): Date
  /** Opened when it is asked for: that takes time. */
  stdin(): Readable
  /** All of it to stdout. Throws what the system says. */
  print(text: string): Promise<void>
  /** One line to stderr. */
  warn(line: string): void
}

/** The outside as verbs reach it. Each part is loaded and opened when it is first asked for. */
export function openHost(outside: Outside, cwd: string, json: boolean): Host {
  const env = beforeGit(outside.env)
  const files = openFiles()
  const processes = lazily(once(async () => (await import('../host/processes.ts')).openProcesses()))
  const repository = once(async () => (await import('../host/git/repository.ts')).openRepository(cwd, env))
  const git = once(async () => (await import('../host/git.ts')).openGit(await repository(), env))
  const config = once(async () => (await import('../host/config.ts')).loadConfig(await repository(), files))
  return {
    cwd,
    env,
    json,
    installation: outside.installation,
    get interactive() {
      return outside.interactive()
    },
    get stdin() {
      return outside.stdin()
    },
    now: () => outside.now(),
    warn: (line) => outside.warn(line),
    progress: (line) => outside.interactive() && outside.warn(line),
    files,
    processes,
    repository,
    git,
    config,
    sets: once(loadSets),
    probes: once(async () => (await import('../probes.ts')).probes),
    store: once(async () => (await import('../store.ts')).openStore({ repository: await repository(), git, files })),
    world: async () =>
      (await import('../host/world.ts')).openWorld({ repository: await repository(), git: await git(), files, processes, env, config: await config() }),
  }
}

async function loadSets(): Promise<Sets> {
  const [{ formats }, { rules }, { toolchains }, { ephemera }, { mutations }, { probes }] = await Promise.all([
    import('../formats.ts'),
    import('../rules.ts'),
    import('../signatures.ts'),
    import('../ephemera.ts'),
    import('../mutations.ts'),
    import('../probes.ts'),
  ])
  return { formats, rules, toolchains, ephemera, mutations, probes }
}

const once = <T>(open: () => Promise<T>): (() => Promise<T>) => {
  let opened: Promise<T> | undefined
  return () => (opened ??= open())
}

const lazily = (open: () => Promise<Processes>): Processes => ({
  collect: async (...call) => (await open()).collect(...call),
  through: async (...call) => (await open()).through(...call),
})
