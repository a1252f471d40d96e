import { basename, resolve } from 'node:path'
import { type Call, ENDED, pathOf, textIn } from './calls.ts'

/**
 * What a process did with a path: `read` it, `saw` that it is there (`met`: the test runner of Node did, which walks folders so), `sought` it in vain, `listed` what lies in it
 * (`asked`: the command's own process did, while it was a make, which looks names up in the list), `ran` it,
 * (or asked whether it may), or `wrote` it (made, changed, removed or renamed; a mode or time that was set only `saw` it).
 */
export interface Access {
  readonly is: 'read' | 'saw' | 'met' | 'sought' | 'listed' | 'asked' | 'ran' | 'wrote'
  /** Absolute, as the process named it: links are not followed. */
  readonly path: string
}

/** Turns calls into accesses, one after the other; `lost()`: why they can't tell all that was done, or null; `makes()`: the programs that `asked`. */
export function openAccesses(folder: string): { take(call: Call): readonly Access[]; lost(): string | null; makes(): ReadonlySet<string> } {
  const folders = new Map<number, string>()
  /** What each process runs; a child runs what its maker does. */
  const images = new Map<number, string>()
  /** Who has begun to make a child that has not been named yet. */
  const making = new Map<number, string>()
  const makes = new Set<string>()
  /** What the command's own process runs, while it is a make. */
  let make: string | null = null
  let main: number | null = null
  let lost: string | null = null
  let begun = false

  const folderOf = ({ pid, args }: Call): string | null => {
    for (const arg of args) {
      const told = arg.startsWith('AT_FDCWD<') ? pathOf(arg) : null
      if (told !== null) remember(pid, told)
    }
    const known = folders.get(pid)
    if (known !== undefined) return known
    if (!begun) return remember(pid, folder)
    const makers = new Set(making.values())
    return makers.size === 1 ? remember(pid, [...makers][0] as string) : null
  }
  const remember = (pid: number, path: string): string => {
    begun = true
    folders.set(pid, path)
    return path
  }

  return {
    lost: () => lost,
    makes: () => makes,
    take(call) {
      const { name, args, result, pid } = call
      main ??= pid
      if (name === ENDED) {
        folders.delete(pid)
        images.delete(pid)
        making.delete(pid)
        return []
      }
      if (MAKES.has(name)) return begin(call)
      const entered = name === 'chdir' ? textIn(args[0]) : name === 'fchdir' ? pathOf(args[0]) : null
      const from = folderOf(call)
      if (LOSES.has(name) && /^\d/.test(result)) lost ??= `it calls ${name}`
      if (result === '') return []
      const failed = /^-1 (E\w+)/.exec(result)?.[1] ?? null
      const found: Access[] = []
      for (const { is, at, path } of namesIn(name, args)) {
        if (path === '' || path === null) continue
        const base = at === null || at.startsWith('AT_FDCWD') ? from : pathOf(at)
        if (base === null && !path.startsWith('/')) {
          lost ??= 'it is not known in which folder a process worked'
          continue
        }
        const place = resolve(base ?? '/', path)
        const does = failed === null ? is : failed === 'ENOENT' || failed === 'ENOTDIR' ? 'sought' : !SEES.has(failed) ? null : is === 'ran' ? is : 'saw'
        if (does !== null) found.push({ is: does === 'saw' && images.get(pid) === RUNNER ? 'met' : does, path: place })
        if (does !== 'ran' || failed !== null || !name.startsWith('exec')) continue
        if (pid === main) make = /^g?make$/.test(basename(place)) ? place : null
        images.set(pid, basename(place) === 'node' && /"--test"/.test(args.find((arg) => arg.startsWith('[')) ?? '') ? RUNNER : basename(place))
      }
      const listed = name.startsWith('getdents') && failed === null ? pathOf(args[0]) : null
      if (listed !== null && pid === main && make !== null) makes.add(make)
      if (listed !== null) found.push({ is: pid === main && make !== null ? 'asked' : 'listed', path: listed })
      if (entered !== null && failed === null) folders.set(pid, resolve(from ?? '/', entered))
      return found
    },
  }

  /** A child begins where its maker is. */
  function begin(call: Call): readonly Access[] {
    const from = folderOf(call)
    const child = /^\d+/.exec(call.result)?.[0]
    if (call.result === '') {
      if (from !== null) making.set(call.pid, from)
      return []
    }
    making.delete(call.pid)
    if (child !== undefined && from !== null && !folders.has(Number(child))) folders.set(Number(child), from)
    const image = images.get(call.pid)
    if (child !== undefined && image !== undefined && !images.has(Number(child))) images.set(Number(child), image)
    return []
  }
}

/** `node --test` itself: what it starts for a test is a process of its own. */
const RUNNER = 'node --test'

interface Named {
  readonly is: Access['is']
  /** The argument that says from where the path starts; null: from the process's own folder. */
  readonly at: string | null
  readonly path: string | null
}

/** The paths that a call names. Of most only the first; those that name two, or name one behind a descriptor, are listed. */
function namesIn(name: string, args: readonly string[]): readonly Named[] {
  const [a, b, c, d] = args
  const here = (is: Access['is'], path: string | undefined): Named => ({ is, at: null, path: textIn(path) })
  const from = (is: Access['is'], at: string | undefined, path: string | undefined): Named => ({ is, at: at ?? null, path: textIn(path) })
  switch (name) {
    case 'open':
      return opened(here('read', a), b ?? '')
    case 'openat':
    case 'openat2':
      return opened(from('read', a, b), c ?? '')
    case 'execve':
      return [here('ran', a)]
    case 'execveat':
      return [from('ran', a, b)]
    case 'truncate':
      return [here('read', a), here('wrote', a)]
    case 'rename':
      return [here('wrote', a), here('wrote', b)]
    case 'renameat':
    case 'renameat2':
      return [from('wrote', a, b), from('wrote', c, d)]
    case 'link':
      return [here('read', a), here('wrote', b)]
    case 'linkat':
      return [from('read', a, b), from('wrote', c, d)]
    case 'symlink':
      return [here('wrote', b)]
    case 'symlinkat':
      return [from('wrote', b, c)]
    case 'access':
      return [here(asked(b), a)]
    case 'faccessat':
    case 'faccessat2':
      return [from(asked(c), a, b)]
    case 'inotify_add_watch':
      return [here('saw', b)]
    case 'getcwd':
      return []
  }
  if (WRITES.has(name)) return [here('wrote', a)]
  if (WRITES_AT.has(name)) return [from('wrote', a, b)]
  return a?.startsWith('"') ? [here('saw', a)] : [from('saw', a, b)]
}

/** Whether it may be run is asked of what is going to be run. */
const asked = (mode: string | undefined): Access['is'] => (/\bX_OK\b/.test(mode ?? '') ? 'ran' : 'saw')

/** What is emptied or made is not read; what may have been there before is both, the writing last. */
function opened(read: Named, flags: string): readonly Named[] {
  if (/\bO_PATH\b|\bO_DIRECTORY\b/.test(flags) && !/\bO_TMPFILE\b/.test(flags)) return [{ ...read, is: 'saw' }]
  if (/\bO_TMPFILE\b/.test(flags)) return []
  const wrote: Named = { ...read, is: 'wrote' }
  if (/\bO_TRUNC\b|\bO_EXCL\b/.test(flags)) return [wrote]
  return /\bO_RDWR\b|\bO_WRONLY\b|\bO_CREAT\b/.test(flags) ? [read, wrote] : [read]
}

const MAKES = new Set(['clone', 'clone3', 'fork', 'vfork'])
/** After these, names mean other files, or files are read where no call shows it. */
const LOSES = new Set(['chroot', 'pivot_root', 'mount', 'move_mount', 'io_uring_setup', 'open_by_handle_at'])
const SEES = new Set(['EEXIST', 'EINVAL', 'EISDIR', 'ENOTEMPTY', 'EACCES', 'ENODATA', 'EOPNOTSUPP', 'ENXIO'])
const WRITES = new Set(['creat', 'unlink', 'rmdir', 'mkdir', 'mknod'])
const WRITES_AT = new Set(['unlinkat', 'mkdirat', 'mknodat'])
