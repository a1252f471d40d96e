import { createHash, randomUUID } from 'node:crypto'
import type * as fs from 'node:fs'
import { promises as read, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inflateSync } from 'node:zlib'
import { HEX_64 } from '../../base/digest.ts'
import { RemnantError, codeOf } from '../../base/errors.ts'
import { MAX_REMNANT_BYTES } from '../../model/remnant.ts'
import { REFS } from './recipe.ts'
import { readRef } from './refs.ts'

/** All by which we change a git directory; a test hands in one that dies at its nth step. */
export type Disk = Pick<typeof fs, 'openSync' | 'writeSync' | 'fsyncSync' | 'closeSync' | 'renameSync' | 'linkSync' | 'mkdirSync' | 'unlinkSync'>

/** Another process holds a ref's lock for milliseconds; one that kept it this long is dead. */
const STALE_LOCK_MS = 10_000
const PATIENCE_MS = 1_000

/**
 * The `fs` that isomorphic-git works with. It alone would write in place and take no locks; here objects are written beside
 * and renamed, refs of remnants are made once and under git's own lock, all of it synced, and nothing else can be changed.
 */
export class AtomicFs {
  /** Refs that this one made, and did not find. */
  readonly made = new Set<string>()
  readonly #commonDir: string
  readonly #disk: Disk
  readonly #deadlines = new Map<string, number>()
  /** Folders with names that are not durable yet. */
  readonly #unsettled = new Set<string>()

  constructor(commonDir: string, disk: Disk) {
    this.#commonDir = commonDir
    this.#disk = disk
  }

  readonly promises = {
    readFile: read.readFile,
    readdir: read.readdir,
    readlink: read.readlink,
    lstat: read.lstat,
    // isomorphic-git leaves an object alone that is there; one that a crash cut short must not count as there.
    stat: async (path: string) => {
      if (this.#isObject(path) && isDamaged(path)) throw Object.assign(new Error('damaged object'), { code: 'ENOENT' })
      return read.stat(path)
    },
    mkdir: async (path: string) => this.#folder(path),
    writeFile: async (path: string, content: Uint8Array | string) => {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
      if (this.#isObject(path)) return this.#writeObject(path, bytes)
      if (this.#isRef(path)) return this.#makeRef(path, bytes)
      throw refusal()
    },
    unlink: async () => Promise.reject(refusal()),
    rmdir: async () => Promise.reject(refusal()),
    rm: async () => Promise.reject(refusal()),
    symlink: async () => Promise.reject(refusal()),
  }

  /** Makes all that was written so far durable by name too. Throws `unwritable`. */
  settle(): void {
    for (const folder of this.#unsettled) {
      try {
        this.#sync(folder)
      } catch (cause) {
        throw unwritable(basename(folder), cause)
      }
    }
    this.#unsettled.clear()
  }

  #isObject(path: string): boolean {
    return dirname(dirname(path)) === join(this.#commonDir, 'objects') && /^[0-9a-f]{38}$/.test(basename(path))
  }

  #isRef(path: string): boolean {
    return dirname(path) === join(this.#commonDir, REFS.slice(0, -1)) && HEX_64.test(basename(path))
  }

  #writeObject(path: string, bytes: Uint8Array): void {
    const neighbour = join(dirname(path), `tmp_obj_${randomUUID()}`)
    try {
      this.#folder(dirname(path))
      this.#fill(this.#disk.openSync(neighbour, 'wx', 0o444), bytes)
      this.#disk.renameSync(neighbour, path)
      this.#unsettled.add(dirname(path))
    } catch (cause) {
      this.#drop(neighbour)
      throw unwritable('objects', cause)
    }
  }

  async #makeRef(path: string, bytes: Uint8Array): Promise<void> {
    const lock = `${path}.lock`
    const fd = await this.#lock(path, lock)
    try {
      this.#fill(fd, bytes)
      if (this.#isThere(path, bytes)) return this.#drop(lock)
      this.#disk.renameSync(lock, path)
      this.#unsettled.add(dirname(path))
      this.settle()
      this.made.add(basename(path))
    } catch (cause) {
      this.#drop(lock)
      throw unwritable(`${REFS}${basename(path)}`, cause)
    }
  }

  /** Whether the ref says so already. Throws `corrupt` where it says something else: a remnant's ref never moves. */
  #isThere(path: string, bytes: Uint8Array): boolean {
    const ref = readRef({ commonDir: this.#commonDir, objectFormat: 'sha1', refStorage: 'files' }, basename(path))
    if (ref === null) return false
    if ('oid' in ref && ref.oid === Buffer.from(bytes).toString('utf8').trim()) return true
    throw elsewhere(basename(path))
  }

  async #lock(path: string, lock: string): Promise<number> {
    const deadline = this.#deadlines.get(path) ?? performance.now() + PATIENCE_MS
    this.#deadlines.set(path, deadline)
    for (;;) {
      try {
        this.#folder(dirname(path))
        return this.#disk.openSync(lock, 'wx', 0o666)
      } catch (cause) {
        if (codeOf(cause) === 'EEXIST') {
          if (this.#breakStale(lock)) continue
          if (performance.now() > deadline)
            throw new RemnantError('unwritable', `ref "${REFS}${basename(path)}" is locked by another process`, { hint: 'try again in some seconds', cause })
        } else if (codeOf(cause) !== 'ENOENT' || performance.now() > deadline) throw unwritable(`${REFS}${basename(path)}`, cause)
        await wait(20)
      }
    }
  }

  #breakStale(lock: string): boolean {
    const stat = statSync(lock, { throwIfNoEntry: false })
    if (stat === undefined) return true
    if (Date.now() - stat.mtimeMs < STALE_LOCK_MS) return false
    this.#drop(lock)
    return true
  }

  #fill(fd: number, bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.byteLength; ) done += this.#disk.writeSync(fd, bytes, done)
      this.#disk.fsyncSync(fd)
    } finally {
      this.#disk.closeSync(fd)
    }
  }

  #folder(path: string): void {
    const made = this.#disk.mkdirSync(path, { recursive: true })
    if (made !== undefined) this.#unsettled.add(dirname(made))
  }

  /** Makes a folder's entries durable, where the system can do that. */
  #sync(folder: string): void {
    let fd: number
    try {
      fd = this.#disk.openSync(folder, 'r')
    } catch (cause) {
      if (NO_FOLDER_SYNC.includes(codeOf(cause) ?? '')) return
      throw cause
    }
    try {
      this.#disk.fsyncSync(fd)
    } catch (cause) {
      if (!NO_FOLDER_SYNC.includes(codeOf(cause) ?? '')) throw cause
    } finally {
      this.#disk.closeSync(fd)
    }
  }

  #drop(path: string): void {
    try {
      this.#disk.unlinkSync(path)
    } catch {
      // It was renamed, or never made.
    }
  }
}

const NO_FOLDER_SYNC = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']

/** The ref of a remnant names another commit than the one that follows from it. */
export const elsewhere = (digest: string): RemnantError =>
  new RemnantError('corrupt', `ref "${REFS}${digest}" does not name the commit that follows from its remnant`, { hint: `git remnant verify ${digest.slice(0, 12)}` })

function isDamaged(path: string): boolean {
  const name = basename(dirname(path)) + basename(path)
  try {
    const bytes = inflateSync(readFileSync(path), { maxOutputLength: 2 * MAX_REMNANT_BYTES })
    return createHash('sha1').update(bytes).digest('hex') !== name
  } catch (cause) {
    return codeOf(cause) !== 'ENOENT'
  }
}

function unwritable(what: string, cause: unknown): RemnantError {
  if (cause instanceof RemnantError) return cause
  const code = codeOf(cause)
  const hint = code === 'ENOSPC' || code === 'EDQUOT' ? 'make room on the disk' : 'look at who may write in the git directory'
  return new RemnantError('unwritable', `"${what}" can't be written in the git directory${code === undefined ? '' : ` (${code})`}`, { hint, cause })
}

const refusal = (): Error => new Error('the store changes nothing but objects and refs of remnants')
