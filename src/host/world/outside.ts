import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { World } from '../../model/probe.ts'
import { changedAt, isWithin, realOf } from './paths.ts'

/** A larger file is not read. */
const MOST_BYTES = 1024 * 1024

/** What lies outside the work tree, at an absolute path, at `~/…`, or where a path from its top leads. Git's own folders stay closed. */
export function readOutside(path: string, top: string, home: string, closed: readonly string[]): Awaited<ReturnType<World['outside']>> {
  const at = path.startsWith('~/') ? join(home, path.slice(2)) : resolve(top, path)
  const real = realOf(at)
  if (real === null) return null
  const stat = statSync(real)
  const link = lstatSync(at)
  const changed = Math.max(changedAt(stat), link.isSymbolicLink() ? changedAt(link) : 0)
  const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
  const isOpen = kind === 'file' && stat.size <= MOST_BYTES && !closed.some((folder) => isWithin(folder, real))
  return { kind, bytes: isOpen ? readFileSync(real) : null, changed }
}
