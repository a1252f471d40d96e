import {
  type Stats,
  closeSync,
  createReadStream,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { RemnantError, codeOf } from '../base/errors.ts'
import { table } from '../base/table.ts'

/** The file system outside any repository's meaning. Paths are absolute. */
export interface Files {
  /** null: there is no such file. Throws RemnantError for what can't be read. */
  read(path: string): Uint8Array | null
  /**
   * Neighbour, fsync, rename: the old content or the new. Makes missing folders. Throws `unwritable`. `derived`: it is made again
   * where it is spoilt, so it waits for no disk, and a power cut may spoil it.
   */
  write(path: string, content: string | Uint8Array, mode?: number, derived?: boolean): void
  /** One durable append of whole lines; the file is made with mode 0600. Behind a line that a crash cut short it starts a new one. */
  append(path: string, text: string): void
  /** Takes a file to another name in one step, and makes its folder; false: it is not there any more. */
  move(from: string, to: string): boolean
  /** A file, a link itself, or an empty folder; what is not there is removed already. */
  remove(path: string): void
  /** Names in a folder, sorted; empty where there is none. Links are `other`. */
  list(path: string): readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'other' }[]
  /** Links are followed. `id`: equal for two names of one file. */
  stat(path: string): { readonly kind: 'file' | 'folder' | 'other'; readonly size: number; readonly mode: number; readonly changed: number; readonly id: string } | null
  /** The bytes of a file in chunks. Throws `malformed` where it can't be opened. */
  stream(path: string): AsyncIterable<Uint8Array>
}

/** The real file system. Writes are durable when they return; a file is private (0600) unless its mode is given. */
export const openFiles = (): Files => ({
  read(path) {
    return reading(path, () => {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat === undefined) return null
      if (!stat.isFile()) throw new RemnantError('malformed', `"${shortly(path)}" is no file`)
      return readFileSync(path)
    })
  },
  write: (path, content, mode, derived) => writing(path, () => replace(path, content, mode ?? 0o600, derived === true)),
  append: (path, text) => writing(path, () => append(path, text)),
  move: (from, to) => writing(from, () => move(from, to)),
  remove: (path) => writing(path, () => remove(path)),
  list(path) {
    const entries = reading(path, () => readdirSync(path, { withFileTypes: true })) ?? []
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1))
  },
  stat(path) {
    const stat = reading(path, () => statSync(path, { throwIfNoEntry: false }) ?? null)
    return stat === null ? null : { kind: kindOf(stat), size: stat.size, mode: stat.mode & 0o7777, changed: Math.max(stat.mtimeMs, stat.ctimeMs), id: `${stat.dev}:${stat.ino}` }
  },
  stream,
})

const kindOf = (entry: Pick<Stats, 'isFile' | 'isDirectory'>): 'file' | 'folder' | 'other' => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other')

async function* stream(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 })
  } catch (cause) {
    throw cause instanceof RemnantError || codeOf(cause) === undefined ? cause : unreadable(path, cause)
  }
}

let serial = 0

/** A neighbour that nobody else has is written and made durable, then takes the name. */
function replace(path: string, content: string | Uint8Array, mode: number, derived: boolean): void {
  mkdirSync(dirname(path), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o777 })
  const neighbour = join(dirname(path), `.${basename(path).slice(0, 200)}.${process.pid}.${serial++}.new`)
  const file = openNeighbour(neighbour)
  try {
    try {
      writeAll(file, content)
      fchmodSync(file, mode)
      if (!derived) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(neighbour, path)
  } catch (cause) {
    rmSync(neighbour, { force: true })
    throw cause
  }
  if (!derived) syncFolder(dirname(path))
}

/** What a killed process of the same number left is no longer anybody's. */
function openNeighbour(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
    unlinkSync(path)
    return openSync(path, 'wx', 0o600)
  }
}

function append(path: string, text: string): void {
  const folder = mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined
  const file = openSync(path, 'a+', 0o600)
  const before = fstatSync(file).size
  const bytes = Buffer.from(`${isTorn(file, before) ? '\n' : ''}${text}`, 'utf8')
  let done = 0
  try {
    while (done < bytes.byteLength) done += writeSync(file, bytes, done)
    fsyncSync(file)
  } catch (cause) {
    // Half a line would spoil the next one. What others have appended meanwhile stays.
    if (done > 0 && fstatSync(file).size === before + done) ftruncateSync(file, before)
    throw cause
  } finally {
    closeSync(file)
  }
  if (isNew) syncFolder(dirname(path))
  if (folder !== undefined) syncFolder(dirname(folder))
}

function isTorn(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10
}

function move(from: string, to: string): boolean {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    renameSync(from, to)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false
    throw cause
  }
  syncFolder(dirname(to))
  return true
}

function remove(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (stat.isDirectory()) rmdirSync(path)
  else unlinkSync(path)
}

function writeAll(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  for (let done = 0; done < bytes.byteLength; ) done += writeSync(file, bytes, done, bytes.byteLength - done)
}

/** Makes a name durable. Where folders can't be opened (Windows), the system sees to it. */
function syncFolder(path: string): void {
  let folder: number | undefined
  try {
    folder = openSync(path, 'r')
    fsyncSync(folder)
  } catch (cause) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(codeOf(cause) ?? '')) throw cause
  } finally {
    if (folder !== undefined) closeSync(folder)
  }
}

function reading<T>(path: string, read: () => T): T | null {
  try {
    return read()
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return null
    throw cause instanceof RemnantError ? cause : unreadable(path, cause)
  }
}

function writing<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw new RemnantError('unwritable', `"${shortly(path)}" can't be written: ${REASONS[codeOf(cause) ?? ''] ?? codeOf(cause) ?? 'unknown'}`, {
      hint: 'make room or give permission, then do it again',
      cause,
    })
  }
}

const unreadable = (path: string, cause: unknown): RemnantError =>
  new RemnantError('malformed', `"${shortly(path)}" can't be read: ${REASONS[codeOf(cause) ?? ''] ?? codeOf(cause) ?? 'unknown'}`, { cause })

const REASONS: Readonly<Record<string, string>> = table({
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ELOOP: 'its links go round in a circle',
  ENOTEMPTY: 'the folder is not empty',
})

/** Enough of a path to find it, without the folders above that name a person or a machine. */
const shortly = (path: string): string => path.split(sep).slice(-3).join('/')
