import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../base/digest.ts'
import { RemnantError, codeOf } from '../base/errors.ts'
import type { Files } from '../host/files.ts'
import { MAX_REMNANT_BYTES } from '../model/remnant.ts'
import { foldersIn, namesIn } from './folders.ts'
import { pathOf } from './git/recipe.ts'

/** The copy of a remnant in the work tree: bytes that hash to its name, none, other bytes, or a place that is not looked into. */
export type Copy = { readonly bytes: Uint8Array } | 'absent' | 'differs' | 'linked'

/** Digests that have a well-named copy, whatever is in it; sorted. */
export function listCopies(workTree: string): string[] {
  const top = join(workTree, '.remnants')
  if (kindOf(top) !== 'folder') return []
  const found: string[] = []
  for (const folder of foldersIn(top).sort()) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue
    for (const name of namesIn(join(top, folder)).sort()) if (COPY.test(name) && name.startsWith(folder)) found.push(name.slice(0, -'.json'.length))
  }
  return found
}

const COPY = /^[0-9a-f]{64}\.json$/

/** Reads copies. Symbolic links are never followed: not of the file, not of the folders that lead to it. */
export function copyReader(workTree: string): (digest: string) => Copy {
  const folders = new Map<string, ReturnType<typeof kindOf>>()
  const kindOfFolder = (path: string): ReturnType<typeof kindOf> => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const kind = kindOf(path)
    folders.set(path, kind)
    return kind
  }
  const top = join(workTree, '.remnants')
  return (digest) => {
    // Joined by hand: this runs once for each of thousands of remnants.
    const folder = `${top}/${digest.slice(0, 2)}`
    for (const each of [top, folder]) {
      const kind = kindOfFolder(each)
      if (kind !== 'folder') return kind === 'absent' ? 'absent' : 'linked'
    }
    const bytes = readPlain(`${folder}/${digest}.json`)
    return typeof bytes === 'string' ? bytes : sha256(bytes) === digest ? { bytes } : 'differs'
  }
}

/**
 * Reads copies that are plain, not large, and hash to their names, faster; null: the slow way tells why. The bytes stay until the next
 * are read. For folders that were listed just now.
 */
export function bytesReader(workTree: string): (digest: string) => Buffer | null {
  const top = join(workTree, '.remnants')
  return (digest) => {
    let fd: number
    try {
      fd = openSync(`${top}/${digest.slice(0, 2)}/${digest}.json`, FLAGS)
    } catch {
      return null
    }
    try {
      const size = readSync(fd, ROOM, 0, ROOM.byteLength, null)
      const bytes = ROOM.subarray(0, size)
      return size < ROOM.byteLength && sha256(bytes) === digest ? bytes : null
    } catch {
      return null
    } finally {
      closeSync(fd)
    }
  }
}

/** Writes a copy: the old one or the new; its ref is there, from which a reader makes it again where a power cut spoils it. Throws `unwritable`, also where a symbolic link is in the way. */
export function writeCopy(files: Files, workTree: string, digest: string, bytes: Uint8Array): void {
  refuseLinks(workTree, digest)
  files.write(join(workTree, pathOf(digest)), bytes, 0o644, true)
}

/** Throws `unwritable` where a symbolic link, or anything else that is not ours, lies where a copy would be written. */
export function refuseLinks(workTree: string, digest: string): void {
  const path = join(workTree, pathOf(digest))
  for (const [place, kind] of [[join(workTree, '.remnants'), 'folder'], [dirname(path), 'folder'], [path, 'file']] as const) {
    const there = kindOf(place)
    if (there !== 'absent' && there !== kind)
      throw new RemnantError('unwritable', `"${place}" is not a plain ${kind}`, { hint: 'move it away: remnants are never written through a link' })
  }
}

/** O_NOFOLLOW refuses a link, O_NONBLOCK a pipe that nobody writes to. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The bytes of a plain file of at most 1 MiB, or why it has none; a symbolic link at its end is not followed. */
export function readPlain(path: string): Uint8Array | 'absent' | 'differs' | 'linked' {
  if (constants.O_NOFOLLOW === undefined && kindOf(path) === 'other') return 'linked'
  let fd: number
  try {
    fd = openSync(path, FLAGS)
  } catch (cause) {
    const code = codeOf(cause)
    return code === 'ENOENT' ? 'absent' : code === 'ELOOP' || code === 'EMLINK' ? 'linked' : 'differs'
  }
  try {
    return readWhole(fd)
  } catch {
    return 'differs'
  } finally {
    closeSync(fd)
  }
}

/** One read and no stat for all but a large file; a folder, or what never ends, is no copy. */
function readWhole(fd: number): Uint8Array | 'differs' {
  const parts: Buffer[] = []
  let size = 0
  for (;;) {
    const read = readSync(fd, ROOM, 0, ROOM.byteLength, null)
    parts.push(Buffer.from(ROOM.subarray(0, read)))
    size += read
    if (size > MAX_REMNANT_BYTES) return 'differs'
    if (read < ROOM.byteLength) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}

const ROOM = Buffer.allocUnsafeSlow(64 * 1024)

function kindOf(path: string): 'file' | 'folder' | 'other' | 'absent' {
  try {
    const stat = lstatSync(path)
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other'
  } catch {
    return 'absent'
  }
}
