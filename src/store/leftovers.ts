import { join } from 'node:path'
import { RemnantError, codeOf } from '../base/errors.ts'
import type { Files } from '../host/files.ts'
import type { Repository } from '../host/git.ts'
import { liesPlainly } from './folders.ts'
import { REFS } from './git/recipe.ts'

/** So old is what nobody is writing any more (ms). */
const STALE_MS = 10_000

/**
 * Files that a killed process of ours left beside what it was writing: neighbours that never took their name, locks of remnants'
 * refs, and that of packed refs where it is one of those neighbours under a second name. Absolute. What a process that lives, or one of a moment ago, may still be writing is none.
 */
export function leftovers({ commonDir, workTree }: Repository, files: Files, now: number): string[] {
  const found: string[] = []
  const look = (folder: string, depth: number): void => {
    for (const { name, kind } of listed(folder, files)) {
      const path = join(folder, name)
      if (kind === 'folder') {
        if (depth > 0) look(path, depth - 1)
        continue
      }
      const neighbour = /^\..+\.(\d+)\.\d+\.new$/.exec(name)
      const lock = folder.startsWith(join(commonDir, REFS)) && name.endsWith('.lock')
      if (kind !== 'file' || (neighbour === null && !lock) || Math.abs(now - (files.stat(path)?.changed ?? now)) < STALE_MS) continue
      if (neighbour === null || !isAlive(Number(neighbour[1]))) found.push(path)
    }
  }
  look(join(commonDir, 'remnant'), 3)
  look(join(commonDir, REFS), 2)
  look(join(commonDir, 'info'), 0)
  look(join(commonDir, 'hooks'), 0)
  if (workTree !== null && liesPlainly(workTree, '.remnants/')) look(join(workTree, '.remnants'), 3)
  return [...lockOf(found, join(commonDir, 'packed-refs.lock'), files), ...found]
}

/** Before its neighbour: without that nobody could tell whose it was. */
function lockOf(neighbours: readonly string[], lock: string, files: Files): string[] {
  const id = files.stat(lock)?.id
  return id !== undefined && neighbours.some((path) => /\/\.packed-refs\.[^/]+$/.test(path) && files.stat(path)?.id === id) ? [lock] : []
}

function listed(folder: string, files: Files): ReturnType<Files['list']> {
  try {
    return files.list(folder)
  } catch (thrown) {
    if (thrown instanceof RemnantError) return []
    throw thrown
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return codeOf(cause) !== 'ESRCH'
  }
}
