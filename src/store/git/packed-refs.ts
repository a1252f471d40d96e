import { fchmodSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { oidForm } from '../../base/digest.ts'
import { RemnantError, codeOf } from '../../base/errors.ts'
import type { Repository } from '../../host/git.ts'
import type { Disk } from './atomic-fs.ts'
import { REFS } from './recipe.ts'

/** As long as git itself waits for that lock (ms). */
const PATIENCE_MS = 1000
const HEADER = '# pack-refs with: peeled fully-peeled sorted \n'

/**
 * Makes many refs in one step, under git's own lock, in the file in which git keeps packed refs: all of them or none, with two
 * syncs instead of two each. What they name must be durable, and no tag. Answers those that were not made: what is there already, as
 * whatever, or in another's way; and all of them where that file can't be written here (a table of refs, a link, a lock that stays,
 * a form that is not known). Throws `unwritable`.
 */
export async function addPackedRefs(commits: ReadonlyMap<string, string>, repository: Repository, disk: Disk): Promise<string[]> {
  const { commonDir, refStorage } = repository
  const path = join(commonDir, 'packed-refs')
  const all = [...commits.keys()]
  if (all.length === 0 || refStorage !== 'files' || kindOf(path) === 'other') return all
  const lock = `${path}.lock`
  const mark = join(commonDir, 'remnant', `.packed-refs.${process.pid}.${serial++}.new`)
  const fd = await locked(lock, mark, disk)
  if (fd === null) return all
  let made: string[]
  try {
    try {
      const packed = packedIn(kindOf(path) === 'absent' ? HEADER : readFileSync(path, 'latin1'), repository)
      made = packed === null ? [] : free(all, packed, commonDir)
      if (packed !== null && made.length > 0) {
        fchmodSync(fd, (lstatSync(path, { throwIfNoEntry: false }) ?? lstatSync(join(commonDir, 'HEAD'))).mode & 0o666)
        fill(fd, Buffer.from(textWith(packed, made, commits), 'latin1'), disk)
      }
    } finally {
      disk.closeSync(fd)
    }
    if (made.length > 0) disk.renameSync(lock, path)
    else disk.unlinkSync(lock)
  } catch (cause) {
    dropped(lock, disk)
    throw unwritable(cause)
  } finally {
    dropped(mark, disk)
  }
  if (made.length > 0) syncFolder(commonDir, disk)
  const there = new Set(made)
  return all.filter((ref) => !there.has(ref))
}

/** `packed-refs` as it stands: what each ref's lines are, in their order. */
interface Packed {
  readonly head: string
  readonly blocks: readonly { readonly name: string; readonly lines: string }[]
  readonly names: ReadonlySet<string>
  /** What can't be a ref, since refs lie below it. */
  readonly folders: ReadonlySet<string>
}

/** null: something in it is not known. */
function packedIn(text: string, { objectFormat }: Repository): Packed | null {
  if (text !== '' && !text.endsWith('\n')) return null
  const form = new RegExp(`^${oidForm(objectFormat)} (refs/[^ ]+)$`)
  const blocks: { name: string; lines: string }[] = []
  let head = ''
  for (const line of text.split('\n').slice(0, -1)) {
    const last = blocks.at(-1)
    const name = form.exec(line)?.[1]
    if (name !== undefined) blocks.push({ name, lines: `${line}\n` })
    else if (line.startsWith('#') && last === undefined) head += `${line}\n`
    else if (line.startsWith('^') && last !== undefined) last.lines += `${line}\n`
    else return null
  }
  const names = blocks.map(({ name }) => name)
  return { head, blocks, names: new Set(names), folders: new Set(names.filter((name) => name.startsWith(REFS)).flatMap(foldersOf)) }
}

/** `a/b/c` lies in `a/b` and in `a`. */
const foldersOf = (name: string): string[] => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))

/** Those that git would find neither made nor in the way of another, in the order of the list. */
function free(refs: readonly string[], { names, folders }: Packed, commonDir: string): string[] {
  const files = new Map<string, boolean>()
  const isFile = (folder: string): boolean => {
    const known = files.get(folder)
    if (known === undefined) files.set(folder, kindOf(join(commonDir, folder)) === 'file')
    return files.get(folder) as boolean
  }
  const isLoose = (ref: string): boolean => kindOf(join(commonDir, ref)) !== 'absent' || kindOf(join(commonDir, `${ref}.lock`)) !== 'absent'
  return refs.filter((ref) => !names.has(ref) && !folders.has(ref) && !foldersOf(ref).some((folder) => names.has(folder) || isFile(folder)) && !isLoose(ref)).sort()
}

/** Where git has said that the list is sorted, it stays so; else git sorts it. */
function textWith({ head, blocks }: Packed, made: readonly string[], commits: ReadonlyMap<string, string>): string {
  const fresh = made.map((name) => ({ name, lines: `${commits.get(name)} ${name}\n` }))
  const all = / sorted\b/.test(head) ? merged(blocks, fresh) : [...blocks, ...fresh]
  return head + all.map(({ lines }) => lines).join('')
}

function merged<T extends { readonly name: string }>(one: readonly T[], other: readonly T[]): T[] {
  const all: T[] = []
  let at = 0
  for (const each of one) {
    for (let next = other[at]; next !== undefined && next.name < each.name; next = other[++at]) all.push(next)
    all.push(each)
  }
  return [...all, ...other.slice(at)]
}

/** Files that this process has marked as its own. */
let serial = 0

/**
 * The lock, open. It is a second name of a file that bears this process's number (`mark`), so that whoever finds both knows whose
 * it was; where a file can't have two names, it is a file of its own. null: somebody else has it, for longer than a moment, or it
 * can't be had.
 */
async function locked(lock: string, mark: string, disk: Disk): Promise<number | null> {
  const deadline = performance.now() + PATIENCE_MS
  const marked = opened(mark, disk)
  for (;;) {
    try {
      if (marked === null) return disk.openSync(lock, 'wx', 0o666)
      disk.linkSync(mark, lock)
      return marked
    } catch (cause) {
      const isTaken = codeOf(cause) === 'EEXIST'
      if (isTaken && performance.now() <= deadline) {
        await wait(20)
        continue
      }
      if (marked !== null) disk.closeSync(marked)
      dropped(mark, disk)
      if (isTaken || marked === null) return null
      return locked(lock, '', disk)
    }
  }
}

/** null: no such file can be made. */
function opened(mark: string, disk: Disk): number | null {
  if (mark === '') return null
  try {
    disk.mkdirSync(dirname(mark), { recursive: true, mode: 0o700 })
    return disk.openSync(mark, 'wx', 0o600)
  } catch {
    return null
  }
}

function fill(fd: number, bytes: Uint8Array, disk: Disk): void {
  for (let done = 0; done < bytes.byteLength; ) done += disk.writeSync(fd, bytes, done)
  disk.fsyncSync(fd)
}

/** What was renamed is there; where a folder can't be synced, no more can be done for it. */
function syncFolder(folder: string, disk: Disk): void {
  let fd: number | undefined
  try {
    fd = disk.openSync(folder, 'r')
    disk.fsyncSync(fd)
  } catch (cause) {
    if (!NO_FOLDER_SYNC.includes(codeOf(cause) ?? '')) throw unwritable(cause)
  } finally {
    if (fd !== undefined) disk.closeSync(fd)
  }
}

const NO_FOLDER_SYNC = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']

const unwritable = (cause: unknown): RemnantError =>
  new RemnantError('unwritable', '"packed-refs" can\'t be written in the git directory', { hint: codeOf(cause) === 'ENOSPC' ? 'make room on the disk' : 'look at who may write in the git directory', cause })

function dropped(path: string, disk: Disk): void {
  try {
    disk.unlinkSync(path)
  } catch {
    // It has taken the name already.
  }
}

function kindOf(path: string): 'absent' | 'file' | 'folder' | 'other' {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 'absent' : stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
}
