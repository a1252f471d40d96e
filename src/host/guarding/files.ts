import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../guard/entry.ts'
import { HEAD_BYTES, type Head, entriesFor, rangeOf, readHead } from '../../guard/form.ts'
import type { Repository } from '../git.ts'

/** What the shell matches payloads against: its first line, then a pattern a line. */
export const indexPath = ({ commonDir }: Repository): string => join(commonDir, 'remnant', 'guard-index')
/** What the patterns stand for. */
export const claimsPath = ({ commonDir }: Repository): string => join(commonDir, 'remnant', 'guard-claims')

/** The guard's claims, read as far as they are asked for. */
export interface GuardClaims {
  /** Programs and words by which a mutation is seen. */
  readonly mutations: readonly string[]
  about(name: string): readonly Entry[]
  close(): void
}

/** null: there is none, or none that this version can read. */
export function openGuardClaims(repository: Repository): GuardClaims | null {
  let file: number
  try {
    file = openSync(claimsPath(repository), 'r')
  } catch {
    return null
  }
  const head = headIn(file)
  if (head === null) {
    closeSync(file)
    return null
  }
  return {
    mutations: head.mutations,
    about(name) {
      const { from, to } = rangeOf(name, head)
      // No more than the file has, whatever its head says.
      return entriesFor(name, textAt(file, from, Math.min(to, fstatSync(file).size) - from))
    },
    close: () => closeSync(file),
  }
}

function headIn(file: number): Head | null {
  try {
    return readHead(textAt(file, 0, HEAD_BYTES))
  } catch {
    return null
  }
}

function textAt(file: number, from: number, size: number): string {
  const bytes = Buffer.alloc(size)
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, size, from))
}

/** A file as it lies, told without reading it; null: there is none, or a link stands in for it. `before`: what changed later may have changed again unseen. */
export function stampOf(path: string, before = Infinity): string | null {
  try {
    const { size, mtimeMs, ctimeMs, ino, mode } = lstatSync(path)
    const latest = Math.max(mtimeMs, ctimeMs)
    // Some file systems keep whole seconds.
    const coarse = Number.isInteger(mtimeMs / 1000) ? 2000 : 50
    return (mode & 0o170000) !== 0o100000 || latest > before - coarse ? null : [size, mtimeMs, ctimeMs, ino].join(' ')
  } catch {
    return null
  }
}

/** Text of a small file; null: there is none. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
