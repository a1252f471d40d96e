import { listOf, objectOf } from '../../base/json.ts'
import type { Program } from '../../model/probe.ts'
import type { Files } from '../files.ts'
import { readCache, writeCache } from './cache.ts'

const MAX_PROGRAMS = 500

/** What programs said of their versions, kept as long as their files stay as they were. */
export interface VersionCache {
  get(program: Program): string | null
  set(program: Program, says: string): void
}

interface Entry {
  readonly found: string
  readonly path: string
  readonly size: number
  readonly changed: number
  readonly inode: number
  readonly says: string
}

export function openVersions(path: string, files: Files): VersionCache {
  let entries: Map<string, Entry> | undefined
  return {
    get(program) {
      entries ??= entriesAt(path, files)
      const entry = entries.get(program.found)
      return entry !== undefined && isSame(entry, program) ? entry.says : null
    },
    set({ found, path: real, size, changed, inode }, says) {
      // Read anew: another process may have written since.
      entries = entriesAt(path, files)
      entries.delete(found)
      entries.set(found, { found, path: real, size, changed, inode, says })
      writeCache(path, [...entries.values()].slice(-MAX_PROGRAMS), files)
    },
  }
}

const isSame = (entry: Entry, program: Program): boolean =>
  entry.path === program.path && entry.size === program.size && entry.changed === program.changed && entry.inode === program.inode

const entriesAt = (path: string, files: Files): Map<string, Entry> =>
  new Map(
    listOf(readCache(path, files)).flatMap((value) => {
      const { found, path: real, size, changed, inode, says } = objectOf(value)
      const whole = [found, real, says].every((text) => typeof text === 'string') && [size, changed, inode].every((number) => typeof number === 'number')
      return whole ? [[found as string, { found, path: real, size, changed, inode, says } as Entry]] : []
    }),
  )
