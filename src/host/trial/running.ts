import { statSync } from 'node:fs'
import { join } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import { type CanonicalCommand, isOutside } from '../../model/command.ts'
import type { Env, Repository } from '../git.ts'
import type { Collected, Processes } from '../processes.ts'
import type { Isolation } from './isolation.ts'

/** Where commands run: a tree, the folder around it that they may write to, and in which environment. */
export interface Ground {
  readonly folder: string
  readonly home: string
  readonly isolation: Isolation
  readonly env: Readonly<Record<string, string>>
  readonly repository: Repository
  readonly processes: Processes
}

/** The last bytes of an output that are kept. */
const KEPT_OUTPUT = 4 * 1024 * 1024

/**
 * Runs a command in a tree; the whole process group ends with it, or at the limit. Throws `refused` for one that needs
 * root, another host, a container, or a folder outside the repository, and `missing` where its folder is not there.
 */
export async function runIn(command: CanonicalCommand, { timeoutMs }: { readonly timeoutMs: number }, ground: Ground): Promise<Collected> {
  const cwd = folderFor(command, ground.folder)
  const env: Env = { ...ground.env, PWD: cwd, ...Object.fromEntries(command.env) }
  const argv = started(command.argv)
  const options = { cwd, env, timeout: timeoutMs, limit: KEPT_OUTPUT }
  if (ground.isolation === 'none') return ground.processes.collect(argv, options)
  return asStarted(await ground.processes.collect(sandboxed(argv, cwd, ground), options))
}

function folderFor(command: CanonicalCommand, folder: string): string {
  const refuse = (why: string): never => {
    throw new RemnantError('refused', `the command ${why}`, { hint: 'name one that this user can run in the repository' })
  }
  if (command.where !== 'here') refuse('ran in a container or on another host')
  if (command.privilege === 'root') refuse('needs root')
  if (isOutside(command.folder)) refuse('ran outside the repository')
  const cwd = join(folder, command.folder)
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new RemnantError('missing', `the commit has no folder "${command.folder}"`, { hint: 'name a command of a folder that it has' })
  return cwd
}

/** An input redirection is the shell's work. */
const started = (argv: readonly string[]): readonly string[] =>
  argv.length > 2 && argv.at(-2) === '<' ? ['sh', '-c', 'f=$1; shift; exec "$@" < "$f"', 'sh', argv.at(-1) as string, ...argv.slice(0, -2)] : argv

/** No network, nothing outside that can be written, and no process that outlives it. */
function sandboxed(argv: readonly string[], cwd: string, { env, home, folder, repository }: Ground): readonly string[] {
  const programs = (env.PATH ?? '').split(':').filter((path) => path.startsWith('/'))
  const seen = programs.flatMap((path) => ['--ro-bind-try', path, path])
  const own = [home, folder].flatMap((path) => ['--bind', path, path])
  const git = ['--ro-bind', repository.commonDir, repository.commonDir]
  // What is bound comes last: a temporary folder may lie under any of these.
  const room = ['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--dev', '/dev', '--proc', '/proc', ...seen, ...own, ...git]
  return ['bwrap', ...room, '--unshare-net', '--unshare-pid', '--die-with-parent', '--new-session', '--chdir', cwd, '--', ...argv]
}

/** What bwrap says of a program that it can't start, as a status alone says it where there is no sandbox. */
function asStarted(ended: Collected): Collected {
  const reason = ended.status === 1 ? /^bwrap: execvp [^\n]{1,4096}: (No such file or directory|Permission denied)\n?$/.exec(ended.output)?.[1] : undefined
  return reason === undefined ? ended : { ...ended, status: reason === 'Permission denied' ? 126 : 127, output: '', stdout: '' }
}
