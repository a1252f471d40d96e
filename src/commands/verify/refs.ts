import { join } from 'node:path'
import { HEX_64, oidForm } from '../../base/digest.ts'
import type { Files } from '../../host/files.ts'
import type { Git } from '../../host/git.ts'
import { plainText } from '../../model/plain.ts'
import type { StoreFault } from '../../model/store.ts'
import { openLocalLists } from '../../store/local-lists.ts'
import { signedBy } from '../../store/sync/queue.ts'
import { REFS, pathOf, refOf } from '../../store/git/recipe.ts'
import { listRefs } from '../../store/git/refs.ts'
import { openTombstones } from '../../store/sync/tombstones.ts'
import { MEND } from './words.ts'

/** What no look at one remnant after the other can find: names that are no remnant's, and remnants that should be here. `left`: what a process of ours left behind. Changes nothing. */
export async function namesAtRest(git: Git, files: Files, now: Date, left: readonly string[]): Promise<{ readonly faults: readonly StoreFault[]; readonly unnamed: readonly string[] }> {
  const { repository } = git
  const refs = listRefs(repository)
  const tombstones = openTombstones(repository.commonDir, files)
  const forgotten = tombstones.all()
  const missing = [...openLocalLists(repository.commonDir, files).sealed()].filter((digest) => !refs.digests.has(digest) && !forgotten.has(digest)).sort()
  const copies = repository.workTree === null ? [] : missing.filter((digest) => files.stat(join(repository.workTree as string, pathOf(digest))) !== null)
  return {
    unnamed: copies,
    faults: [
      ...(repository.refStorage === 'files' ? packedFaults(repository.commonDir, repository.objectFormat, files) : []),
      ...lockLeft(repository.commonDir, files, now, left),
      ...(await strangeNames(git)),
      ...missing.map((digest) => ({ subject: refOf(digest), fault: 'is not here, and this clone sealed it', repair: copies.includes(digest) ? MEND : `git remnant fetch, or git remnant forget ${digest.slice(0, 12)} if it is to be gone` })),
      ...[...forgotten].filter((digest) => refs.digests.has(digest)).sort().map((digest) => ({ subject: refOf(digest), fault: 'is here, and was forgotten', repair: `git remnant forget ${digest.slice(0, 12)} finishes that; with --undo it stays` })),
      ...strayCopies(repository.workTree, files),
      ...folders(repository.commonDir, files),
    ],
  }
}

/** git itself stops at such a line; whoever reads past it loses a ref without a word. */
function packedFaults(commonDir: string, format: Parameters<typeof oidForm>[0], files: Files): StoreFault[] {
  const text = Buffer.from(files.read(join(commonDir, 'packed-refs')) ?? []).toString('latin1')
  const form = new RegExp(`^(?:#.*|${oidForm(format)} refs/\\S+|\\^${oidForm(format)})$`)
  const lines = text.split('\n')
  const odd = lines.findIndex((line, i) => (i < lines.length - 1 || line !== '') && !(form.test(line) && i < lines.length - 1))
  return odd === -1 ? [] : [{ subject: 'packed-refs', fault: `is not in git's form (line ${odd + 1})`, repair: 'keep a copy of the file, then take that line out; git remnant verify tells what is missing then' }]
}

/** A lock that nobody can tell from that of a git at work but by its age, and that is not among what we left: it is named, and never taken away. */
function lockLeft(commonDir: string, files: Files, now: Date, left: readonly string[]): StoreFault[] {
  const path = join(commonDir, 'packed-refs.lock')
  const lock = files.stat(path)
  if (lock === null || left.includes(path) || now.getTime() - lock.changed < LONGEST_LOCK_MS) return []
  return [{ subject: 'packed-refs.lock', fault: 'has been there for over a minute, and keeps git from packing refs', repair: 'see that no git is at work in this repository, then move it away' }]
}

const LONGEST_LOCK_MS = 60_000

async function strangeNames(git: Git): Promise<StoreFault[]> {
  const { status, stdout } = await git.try(['for-each-ref', '--format=%(refname)', REFS])
  if (status !== 0) return []
  return Buffer.from(stdout)
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '' && !HEX_64.test(name.slice(REFS.length)) && signedBy(name) === null)
    .map((name) => ({ subject: plainText(name, 200), fault: 'is no name of a remnant or a signature', repair: 'none is needed: it is not read' }))
}

/** A copy in another folder than its name says is read by nobody. */
function strayCopies(workTree: string | null, files: Files): StoreFault[] {
  if (workTree === null) return []
  const top = join(workTree, '.remnants')
  return files.list(top).flatMap((folder) => {
    const named = (name: string): boolean => HEX_64.test(name.replace(/\.json$/, '')) && name.endsWith('.json')
    const fault = (path: string): StoreFault => ({ subject: `.remnants/${path}`, fault: 'lies where nobody reads it', repair: 'move it to the folder of its first two digits, or away' })
    if (folder.kind === 'file') return named(folder.name) ? [fault(folder.name)] : []
    if (folder.kind !== 'folder' || folder.name === 'sig') return []
    return files.list(join(top, folder.name)).flatMap(({ name }) => (named(name) && !name.startsWith(folder.name) ? [fault(`${folder.name}/${name}`)] : []))
  })
}

/** What was put where a folder of ours should be hides all that lies in it. */
function folders(commonDir: string, files: Files): StoreFault[] {
  return ['remnant', 'remnant/journals', 'remnant/sealed', 'remnant/cache', 'remnant/tombstones', 'remnant/purged', 'remnant/sent', 'remnant/sharing'].flatMap((path) => {
    const kind = files.stat(join(commonDir, path))?.kind
    return kind === undefined || kind === 'folder' ? [] : [{ subject: path, fault: 'is no folder', repair: 'move it away' }]
  })
}
