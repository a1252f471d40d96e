import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, join, relative, sep } from 'node:path'
import { type Env, withoutGit } from '../git.ts'

export interface Places {
  /** The user's own tree; null: there is none. */
  readonly workTree: string | null
  /** The tree under trial. */
  readonly folder: string
  /** The folder around it, which goes with it. */
  readonly home: string
}

/**
 * The environment in which a trial's commands run: without what ties git to a repository or a test to the runner that
 * called us, paths of the user's tree turned into those of the trial, and a temporary folder of its own.
 */
export function environmentOf(env: Env, { workTree, folder, home }: Places): Record<string, string> {
  const temporary = join(home, 'tmp')
  const cache = join(home, 'cache')
  for (const folder of [temporary, cache]) mkdirSync(folder, { recursive: true })
  const own: Record<string, string> = {}
  for (const [name, value] of Object.entries(withoutGit(env))) {
    if (value === undefined || OF_A_RUNNER.test(name)) continue
    own[name] = workTree === null ? value : turned(value, workTree, folder)
  }
  return { ...own, TMPDIR: temporary, TMP: temporary, TEMP: temporary, XDG_CACHE_HOME: cache }
}

/** A runner tells its children by these that they are its own. */
const OF_A_RUNNER = /^(?:NODE_TEST_CONTEXT|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE|NODE_UNIQUE_ID|NODE_V8_COVERAGE|VITEST(?:_\w+)?|JEST_WORKER_ID|PYTEST_CURRENT_TEST|OLDPWD)$/

/** A list of paths (or one) with those of one tree as those of the other. Programs that the trial lacks are not run from the user's tree. */
const turned = (value: string, from: string, to: string): string =>
  value
    .split(delimiter)
    .flatMap((path) => {
      if (path !== from && !path.startsWith(`${from}${sep}`)) return [path]
      const other = join(to, relative(from, path))
      if (existsSync(other) || path.split(sep).includes('node_modules')) return [other]
      return [path]
    })
    .join(delimiter)
