import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fetch from '../src/commands/fetch.ts'
import forget from '../src/commands/forget.ts'
import push from '../src/commands/push.ts'
import type { Answer, Host } from '../src/command.ts'
import { loadConfig } from '../src/host/config.ts'
import { shareWith } from '../src/host/sharing.ts'
import { prepared } from './prepared.ts'
import { ENV, type Stage, type StageOptions, gitIn, given, stage } from './stage.ts'

/** A repository that shares its remnants, and the verbs that do so. */
export interface Sharer extends Stage {
  readonly host: Host
  push(values?: Parameters<typeof given>[0]): Promise<Answer>
  fetch(values?: Parameters<typeof given>[0]): Promise<Answer>
  forget(digest: string, values?: Parameters<typeof given>[0]): Promise<Answer>
  /** Names of all refs under refs/remnants. */
  refs(): string[]
}

/** A stage with the remote `origin`, which it shares with unless `alone`. `copied`: as another one lies there, with its remote. */
export function sharer(remote: string, { alone = false, copied, ...options }: Omit<StageOptions, 'copied'> & { readonly alone?: boolean; readonly copied?: Stage } = {}): Sharer {
  const set = stage({ ...options, ...(copied !== undefined && { copied: copied.dir }) })
  if (copied === undefined) set.git('remote', 'add', 'origin', remote)
  if (!alone && copied === undefined) shareWith('origin', set.repository, set.files)
  const host: Host = { ...set.host, config: async () => loadConfig(set.repository, set.files) }
  return {
    ...set,
    host,
    push: (values) => push.run(given(values), host),
    fetch: (values) => fetch.run(given(values), host),
    forget: (digest, values) => forget.run(given({ DIGEST: digest, ...values }), host),
    refs: () => refsIn(set.dir),
  }
}

/** A bare repository in a folder of a stage. */
export function bareIn(base: string, name = 'remote.git'): string {
  return prepared('bare', join(base, name), () => gitIn(base, 'init', '-q', '--bare', '-b', 'main', name))
}

export const refsIn = (dir: string): string[] =>
  gitIn(dir, 'for-each-ref', '--format=%(refname)', 'refs/remnants')
    .split('\n')
    .filter((ref) => ref !== '')

/** Git with something on its standard input; what it prints, trimmed. */
export const gitWith = (dir: string, input: string | Uint8Array, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: dir, env: ENV as NodeJS.ProcessEnv, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trim()

/** A commit that holds some bytes at a path, made by whoever the environment names. */
export function commitWith(dir: string, path: string, bytes: string | Uint8Array, ...more: readonly string[]): string {
  const [name = '', ...folders] = path.split('/').reverse()
  let entry = `100644 blob ${gitWith(dir, bytes, 'hash-object', '-w', '--stdin')}\t${name}`
  for (const folder of folders) entry = `040000 tree ${gitWith(dir, `${entry}\n`, 'mktree')}\t${folder}`
  return gitWith(dir, '', 'commit-tree', '-m', 'forged', ...more, gitWith(dir, `${entry}\n`, 'mktree'))
}
