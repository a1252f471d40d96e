import { join } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import { CONFIG_SCHEMA, type Config } from '../model/config.ts'
import { localConfig } from './config.ts'
import type { Files } from './files.ts'
import { type Env, type Git, type Repository, withoutGit } from './git.ts'

/** What of a verb's outside sharing needs. */
export interface SharingPlace {
  readonly env: Env
  /** The folder of the package that this program came in. */
  readonly installation: string
  readonly files: Files
  now(): Date
  repository(): Promise<Repository>
  git(): Promise<Git>
  config(): Promise<Config>
}

/** The one remote that may have remnants. Throws `refused` where none was named: nothing leaves, or is believed, by default. */
export async function sharedRemote(host: Pick<SharingPlace, 'config'>): Promise<string> {
  const { share } = await host.config()
  if (share !== undefined) return share
  throw new RemnantError('refused', 'no remote was named that may have remnants', { hint: 'git remnant init --share REMOTE names one' })
}

/** Names that remote in this clone's own configuration. false: it was named so already. Throws `malformed` where that file is. */
export function shareWith(remote: string, repository: Repository, files: Files): boolean {
  const known = localConfig(repository, files) ?? {}
  if (known.share === remote) return false
  const { schema: _first, ...fields } = known
  files.write(localConfigPath(repository), `${JSON.stringify({ schema: CONFIG_SCHEMA, ...fields, share: remote }, null, 2)}\n`, 0o600)
  return true
}

const localConfigPath = (repository: Repository): string => join(repository.commonDir, 'remnant', 'config.json')

/** How long after the last attempt the remote is asked again, by what has it asked (ms). */
export const FETCH_AGAIN_MS = { session: 10 * 60_000, merge: 60_000 } as const

/**
 * Starts `git remnant fetch` from the accepted remote in the background, if one was named and the last attempt is `again`
 * milliseconds old; it ends within a minute, so that there is one at a time. Waits for nothing and never throws for what it finds.
 * false: nothing was started.
 */
export async function fetchInBackground(host: SharingPlace, again: number): Promise<boolean> {
  try {
    const remote = (await host.config()).share
    if (remote === undefined || host.env.REMNANT === '0') return false
    const repository = await host.repository()
    // A clock that was set back would else keep it off for long.
    if (Math.abs(host.now().getTime() - (host.files.stat(fetchedPath(repository))?.changed ?? 0)) < again) return false
    noteFetch(host, repository)
    await startInBackground(['fetch', '--', remote], host)
    return true
  } catch (thrown) {
    if (thrown instanceof RemnantError) return false
    throw thrown
  }
}

/** From now on counts as an attempt to fetch from the accepted remote. Throws `unwritable`. */
export const noteFetch = ({ files, now }: Pick<SharingPlace, 'files' | 'now'>, repository: Repository): void => files.write(fetchedPath(repository), `${now().toISOString()}\n`, 0o600, true)

const fetchedPath = (repository: Repository): string => join(repository.commonDir, 'remnant', 'sharing', 'fetched')

/** Starts `git remnant hook …` in a session of its own, with nothing of ours to hold open: whoever called us waits for neither. */
export async function startInBackground(args: readonly string[], host: Pick<SharingPlace, 'env' | 'installation' | 'repository'>): Promise<void> {
  const { workTree, gitDir } = await host.repository()
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(process.execPath, [join(host.installation, 'dist', 'git-remnant.cjs'), 'hook', ...args], {
    cwd: workTree ?? gitDir,
    env: { ...withoutGit(host.env), REMNANT: '0' },
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  })
  child.on('error', () => {})
  child.unref()
}

/** Lines that nobody was there to read, kept for the next one who is; at most the last hundred. */
export function tellLater(lines: readonly string[], repository: Repository, files: Files): void {
  if (lines.length === 0) return
  const known = toldIn(repository, files).filter((line) => !lines.includes(line))
  files.write(unreadPath(repository), `${[...known, ...lines].slice(-100).join('\n')}\n`)
}

/** What was kept to be told, once. */
export function toldLater(repository: Repository, files: Files): string[] {
  const lines = toldIn(repository, files)
  if (lines.length > 0) files.remove(unreadPath(repository))
  return lines
}

const unreadPath = (repository: Repository): string => join(repository.commonDir, 'remnant', 'sharing', 'unread')

const toldIn = (repository: Repository, files: Files): string[] =>
  Buffer.from(files.read(unreadPath(repository)) ?? [])
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
