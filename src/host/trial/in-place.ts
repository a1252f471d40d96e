import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CanonicalCommand } from '../../model/command.ts'
import type { Env, Git, Repository } from '../git.ts'
import type { Collected, Processes } from '../processes.ts'
import { environmentOf } from './environment.ts'
import { type Isolation, isolationOf } from './isolation.ts'
import { runIn } from './running.ts'

/** The user's own work tree as the place of a trial: it has the dependencies, and is used only while it is exactly the commit. */
export interface InPlace {
  readonly folder: string
  readonly isolation: Isolation
  /** Nothing differs from the commit, nothing untracked lies about; `.remnants/` is in no key and does not count. */
  isExact(): Promise<boolean>
  /** What git tracks is still as the commit has it: what was run was the commit. */
  isUnchanged(): Promise<boolean>
  /** As `Trial.run`. */
  run(command: CanonicalCommand, options: { readonly timeoutMs: number }): Promise<Collected>
  close(): void
}

/**
 * null: the work tree is not exactly this commit, or there is none, or it holds nothing that the commit itself lacks, so that
 * a temporary tree is as good and leaves the user's alone. Nothing in it is changed but by what is run.
 */
export async function openInPlace(options: { readonly repository: Repository; readonly git: Git; readonly processes: Processes; readonly env: Env; readonly commit: string }): Promise<InPlace | null> {
  const { repository, git, processes, env, commit } = options
  if (repository.workTree === null) return null
  const folder = realpathSync(repository.workTree)
  const isAt = async (untracked: 'normal' | 'no'): Promise<boolean> => {
    const head = await git.try(['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: folder })
    if (Buffer.from(head.stdout).toString('utf8').trim() !== commit) return false
    const status = await git.try(['status', '--porcelain', `--untracked-files=${untracked}`, '--ignore-submodules=none', '--', '.', ':(exclude).remnants'], { cwd: folder })
    return status.status === 0 && status.stdout.byteLength === 0
  }
  if (!(await isAt('normal')) || !(await isWhole(git, folder)) || (await ignoredHere(git)).length === 0) return null
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'git-remnant-gate-')))
  const isolation = await isolationOf(processes, env)
  const own = environmentOf(env, { workTree: null, folder, home })
  return {
    folder,
    isolation,
    isExact: () => isAt('normal'),
    isUnchanged: () => isAt('no'),
    run: (command, limits) => runIn(command, limits, { folder, home, isolation, env: own, repository, processes }),
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** What the work tree holds that git ignores (what was installed or built here, or set up by hand); a folder of nothing else as one, with `/` at its end. */
export async function ignoredHere(git: Git): Promise<readonly string[]> {
  const folder = git.repository.workTree
  if (folder === null) return []
  const { stdout } = await git.try(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '--no-empty-directory', '-z', '--', '.', ':(exclude).remnants'], { cwd: folder })
  return Buffer.from(stdout).toString('utf8').split('\0').filter((path) => path !== '')
}

/** Every file is there, and git was told to overlook none of them (a sparse checkout, `assume-unchanged`). */
async function isWhole(git: Git, folder: string): Promise<boolean> {
  const { status, stdout } = await git.try(['ls-files', '-v', '-z'], { cwd: folder })
  return status === 0 && Buffer.from(stdout).toString('latin1').split('\0').every((line) => line === '' || line.startsWith('H '))
}
