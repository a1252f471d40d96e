import { type Stats, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { RemnantError, codeOf } from '../../base/errors.ts'
import { isOutside } from '../../model/command.ts'

/**
 * Something of the work tree, links followed. Times in ms: `changed`: the latest at which it, or a link to it, can have changed ·
 * `moved`: the latest at which a folder between the top and it, or it if it is one, can have been put there.
 */
export interface Located {
  readonly real: string
  readonly stat: Stats
  readonly changed: number
  readonly moved: number
}

/**
 * Finds a path of the work tree; null: there is no such entry.
 * Throws `malformed` for a path that leads out of it, through a link too, into git's own folders, or into `.remnants/`.
 * `top` has its links followed already; `closed`: folders that no key may look into.
 */
export function locate(path: string, top: string, closed: readonly string[] = []): Located | null {
  const steps = stepsOf(path)
  for (let n = steps.length; n >= 0; n--) {
    const at = join(top, ...steps.slice(0, n))
    const real = realOf(at)
    if (real === null && n > 0) {
      refuseLinkOut(at, top, path)
      continue
    }
    if (real === null || !isWithin(top, real)) throw leadsOut(path)
    if (closed.some((folder) => isWithin(folder, real))) throw isClosed(path)
    if (n < steps.length) return null
    const stat = statSync(real)
    return {
      real,
      stat,
      changed: Math.max(changedAt(stat), real === at ? 0 : linksChanged(top, steps)),
      // Few ask.
      get moved() {
        return foldersMoved(top, real)
      },
    }
  }
  return null
}

/** The steps of a relative path, `.` left out. Throws `malformed` for one that can't be a key's. */
export function stepsOf(path: string): string[] {
  if (path === '' || isOutside(path) || path.split('/').includes('..')) throw leadsOut(path)
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  if (steps[0] === '.remnants' || steps.some((step) => step.toLowerCase() === '.git')) throw isClosed(path)
  return steps
}

export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path)
}

/** A folder changes when an entry is made or removed; a file also when it is moved or its mode is set. */
export const changedAt = (stat: Stats): number => (stat.isDirectory() ? stat.mtimeMs : Math.max(stat.mtimeMs, stat.ctimeMs))

/** The path with its links followed; null: nothing is there. */
export function realOf(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return null
    throw new RemnantError('malformed', `path can't be followed (${codeOf(cause) ?? 'unknown'})`, { cause })
  }
}

/** The same, where it does not matter why a path can't be followed. */
export function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}

/** What a name is, links not followed; undefined: there is no such name. */
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined
    throw new RemnantError('malformed', `path can't be looked at (${codeOf(cause) ?? 'unknown'})`, { cause })
  }
}

/** A link to nothing is as absent as nothing, unless that nothing lies outside. */
function refuseLinkOut(at: string, top: string, path: string): void {
  const link = lstatOf(at)
  if (link?.isSymbolicLink() && !isWithin(top, resolve(realOf(dirname(at)) ?? dirname(at), readlinkSync(at)))) throw leadsOut(path)
}

function linksChanged(top: string, steps: readonly string[]): number {
  let latest = 0
  for (let n = 1; n <= steps.length; n++) {
    const stat = lstatOf(join(top, ...steps.slice(0, n)))
    if (stat?.isSymbolicLink()) latest = Math.max(latest, changedAt(stat))
  }
  return latest
}

/** A folder that is moved changes its ctime; so does one in which an entry is made or removed, and nobody can tell which it was. */
function foldersMoved(top: string, real: string): number {
  let latest = 0
  for (let at = real; at !== top && isWithin(top, at); at = dirname(at)) {
    const stat = statSync(at)
    if (stat.isDirectory()) latest = Math.max(latest, stat.ctimeMs)
  }
  return latest
}

const leadsOut = (path: string): RemnantError => new RemnantError('malformed', `path "${path}" leads out of the work tree`)
const isClosed = (path: string): RemnantError => new RemnantError('malformed', `path "${path}" is no part of the environment`)
