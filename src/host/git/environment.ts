import { delimiter } from 'node:path'

export type Env = Readonly<Record<string, string | undefined>>

/**
 * The environment as it was before git started us: git puts the folder of its own commands first on PATH, so that `git-status` seems
 * to be a program that anybody finds, and another git than theirs the first.
 */
export function beforeGit(env: Env): Env {
  const { GIT_EXEC_PATH: own, PATH: path } = env
  return own && path?.startsWith(`${own}${delimiter}`) ? { ...env, PATH: path.slice(own.length + delimiter.length) } : env
}

/** An environment without what ties git to one repository (`git rev-parse --local-env-vars`). */
export function withoutGit(env: Env): Record<string, string | undefined> {
  const rest = { ...env }
  for (const name of LOCAL_VARIABLES) if (name in rest) delete rest[name]
  return rest
}

const LOCAL_VARIABLES = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]
