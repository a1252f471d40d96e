import { basename, relative, sep } from 'node:path'
import { askedBy } from '../../probes/reads/make/asked.ts'
import type { World } from '../../model/probe.ts'
import type { Env } from '../git.ts'
import type { Processes } from '../processes.ts'
import { headOf } from '../world/head.ts'

interface Making {
  readonly argv: readonly string[]
  /** Links followed, as `top`. */
  readonly cwd: string
  readonly top: string
  readonly env: Env
  readonly processes: Processes
  readonly world: World
}

/**
 * Parts of names for which a traced make may have looked in the folders that it listed. `makes`: the programs as which the command's own
 * process listed them. null: that can't be told, or one of them is no GNU make.
 */
export async function partsAsked(makes: ReadonlySet<string>, { argv, cwd, top, env, processes, world }: Making): Promise<readonly string[] | null> {
  if (makes.size === 0 || !/^g?make$/.test(basename(argv[0] ?? '')) || (env['LD_PRELOAD'] ?? '') !== '') return null
  for (const path of makes) {
    // A script of that name may look at anything before it becomes make.
    if (!headOf(path, 4).startsWith('\u007fELF')) return null
    const { stdout } = await processes.collect([path, '--version'], { cwd: '/', env, timeout: 2000, limit: 4096 })
    if (!/^GNU Make [34]\./.test(stdout.toString())) return null
  }
  return askedBy(argv.slice(1), relative(top, cwd).split(sep).join('/') || '.', world)
}
