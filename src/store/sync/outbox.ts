import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Env, Repository } from '../../host/git.ts'
import { localFolder } from '../local-lists.ts'
import { REFS } from '../git/recipe.ts'

/** Where an outbox shows its refs: git keeps those under refs/worktree of one work tree apart from all others. */
const OUT = 'refs/worktree/remnants/'
const NAME = 'outbox-'
/** Milliseconds; nobody is sending from an older one any more. */
const STALE = 24 * 3600 * 1000

/** A git directory beside the repository's own, as a linked work tree has one, that shows some refs and no others of its own. */
export interface Outbox {
  /** All that is in it, and nothing else, to the same names under refs/remnants. */
  readonly refspec: string
  /** With these git works from it; settings, objects and remotes are the repository's own. */
  readonly env: Env
  remove(): void
}

/**
 * Git matches refs that are named one by one in quadratic time, and those of a pattern in linear time; but a pattern under
 * refs/remnants would send what is not to leave. So what leaves is shown under a pattern of its own. The repository's refs are not
 * touched. null: it can't be made here. `refs`: what leaves, with the ids.
 */
export function openOutbox({ commonDir, gitDir, refStorage }: Repository, refs: readonly (readonly [ref: string, oid: string])[]): Outbox | null {
  // Refs in a table are written by git alone.
  if (refStorage !== 'files') return null
  let folder: string | undefined
  const remove = (): void => void (folder !== undefined && rmSync(folder, { recursive: true, force: true, maxRetries: 2 }))
  try {
    const parent = localFolder(commonDir)
    removeStale(parent, NAME)
    folder = mkdtempSync(join(parent, NAME))
    copyFileSync(join(gitDir, 'HEAD'), join(folder, 'HEAD'))
    copyWhereThere(join(gitDir, 'config.worktree'), join(folder, 'config.worktree'))
    writeFileSync(join(folder, 'commondir'), `${commonDir}\n`)
    const made = new Set<string>()
    for (const [ref, oid] of refs) {
      const path = join(folder, OUT, ref.slice(REFS.length))
      if (!made.has(dirname(path))) mkdirSync(dirname(path), { recursive: true })
      made.add(dirname(path))
      writeFileSync(path, `${oid}\n`)
    }
    return { refspec: `${OUT}*:${REFS}*`, env: { GIT_DIR: folder, GIT_COMMON_DIR: commonDir }, remove }
  } catch {
    // A full disk, a folder that can't be written: there is the slower way.
    remove()
    return null
  }
}

function copyWhereThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isFile() === true) copyFileSync(from, to)
}

/** What a killed process left behind in folders whose names begin so. */
export function removeStale(parent: string, start: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    if (name.startsWith(start) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - STALE) rmSync(path, { recursive: true, force: true })
  }
}
