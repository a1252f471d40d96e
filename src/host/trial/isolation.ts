import type { Env } from '../git.ts'
import type { Processes } from '../processes.ts'

/** `bwrap`: no network, nothing outside the tree can be written, no process outlives it · `none`: only a folder of its own. */
export type Isolation = 'bwrap' | 'none'

const PROBE = ['bwrap', '--ro-bind', '/', '/', '--tmpfs', '/tmp', '--dev', '/dev', '--proc', '/proc', '--unshare-net', '--unshare-pid', '--die-with-parent', '--new-session', '--', 'true']

/** What this machine offers; tried once, since an installed bwrap may not be allowed to work. */
export function isolationOf(processes: Processes, env: Env): Promise<Isolation> {
  const known = tried.get(processes)
  if (known !== undefined) return known
  const found = processes
    .collect(PROBE, { cwd: '/', env, timeout: 5000, limit: 4096 })
    .then(({ status, timedOut }): Isolation => (status === 0 && !timedOut ? 'bwrap' : 'none'))
  tried.set(processes, found)
  return found
}

const tried = new WeakMap<Processes, Promise<Isolation>>()
