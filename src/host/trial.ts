import { RemnantError } from '../base/errors.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Env } from './git.ts'
import type { Collected, Processes } from './processes.ts'
import { copyDependencies } from './trial/copy.ts'
import { environmentOf } from './trial/environment.ts'
import { type Isolation, isolationOf } from './trial/isolation.ts'
import { runIn } from './trial/running.ts'
import { addTree } from './trial/tree.ts'
import type { Surroundings } from './world.ts'

export interface TrialOptions extends Surroundings {
  /** What is tried: a commit's id. */
  readonly commit: string
  /** These paths as another commit has them; what it has not is taken away. */
  readonly overlay?: { readonly commit: string; readonly paths: readonly string[] }
  /** Whether a set-up of the configuration may run; without it none may. */
  approved?(argv: readonly string[]): boolean
}

/** A commit in a folder of its own, outside the user's tree, in which commands run (DESIGN 9). */
export interface Trial {
  /** Absolute, links followed. */
  readonly folder: string
  readonly isolation: Isolation
  /**
   * Runs a command as this machine's user would. The whole process group ends with it, or at the limit.
   * Throws `refused` for one that needs root, another host, a container, or a folder outside the repository.
   */
  run(command: CanonicalCommand, options: { readonly timeoutMs: number }): Promise<Collected>
  /** Takes the folder away, and all that git knows of it. Closing what is closed changes nothing. */
  close(): Promise<void>
}

/** Installing takes longer than testing. */
const SETUP_LIMIT_S = 600

/**
 * Lays a commit out in a temporary work tree, with its dependencies; never the user's tree, never a stash. What a killed
 * run left is taken away first. Throws `missing` or `timeout` where it can't be made ready, `refused` for a set-up that
 * nobody approved.
 */
export async function openTrial(options: TrialOptions): Promise<Trial> {
  const { repository, git, processes, config } = options
  const setup = config.gate?.setup ?? []
  if (!setup.every((argv) => options.approved?.(argv) === true))
    throw new RemnantError('refused', 'the set-up of "gate.setup" is not approved', { hint: 'read it, then "git remnant allow config"' })
  const tree = await addTree(repository, git, options.commit)
  const { folder, home } = tree
  try {
    if (options.overlay !== undefined) await tree.lay(options.overlay)
    const isolation = await isolationOf(processes, options.env)
    if (setup.length === 0) await copyDependencies({ repository, git, folder, listed: config.gate?.copy })
    // Only now, since programs of the user's tree are taken from its copy where that has them.
    const env = environmentOf(options.env, { workTree: repository.workTree, folder, home })
    const limit = Math.max(config.gate?.timeout_s ?? 0, SETUP_LIMIT_S) * 1000
    for (const argv of setup) await setUp(argv, { processes, cwd: folder, env, limit })
    return {
      folder,
      isolation,
      run: (command, limits) => runIn(command, limits, { folder, home, isolation, env, repository, processes }),
      close: async () => tree.clear(),
    }
  } catch (cause) {
    tree.clear()
    throw cause
  }
}

async function setUp(argv: readonly string[], { processes, cwd, env, limit }: { processes: Processes; cwd: string; env: Env; limit: number }): Promise<void> {
  const { status, timedOut } = await processes.collect(argv, { cwd, env, timeout: limit, limit: 64 * 1024 })
  if (timedOut) throw new RemnantError('timeout', `the set-up "${argv[0]}" took over ${limit / 1000} s`, { hint: 'raise "gate.timeout_s"' })
  if (status !== 0) throw new RemnantError('missing', `the set-up "${argv[0]}" ended with status ${status}`, { hint: 'run it by hand in a fresh work tree' })
}
