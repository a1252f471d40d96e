import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type ObjectFormat, blobId } from '../../base/digest.ts'
import type { Tree } from '../../model/probe.ts'
import type { Git } from '../git.ts'
import { blobsOf } from './blobs.ts'
import { changedAt, lstatOf } from './paths.ts'

/** Every file of the work tree that is tracked, or untracked and not ignored, as it lies. `doubts`: paths of which that can't be said. */
export interface Scan {
  readonly files: readonly (Tree['files'][number] & { readonly changed: number })[]
  readonly doubts: readonly { readonly path: string; readonly reason: string }[]
  /** Folders that are another repository's: submodules, and what was never added. */
  readonly foreign: readonly string[]
}

/** What is asked of a path: its blob is known from the index, or it has to be hashed in this mode. */
type Found = { readonly mode: string; readonly blob: string | null }

/** Two git processes say what the index holds and what differs from it; one more hashes what differs. Links are told from files here. */
export async function scan(git: Git, top: string, filemode: boolean): Promise<Scan> {
  const [index, status] = await Promise.all([
    git.run(['ls-files', '--stage', '-v', '-z'], { cwd: top }),
    git.run(['--no-optional-locks', 'status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'], { cwd: top }),
  ])
  const found = new Map<string, Found>()
  const doubts: Scan['doubts'][number][] = []
  for (const line of linesOf(index)) readIndexLine(line, top, filemode, found)
  const foreign: string[] = []
  for (const line of linesOf(status)) {
    if (line.startsWith('? ') && line.endsWith('/')) foreign.push(line.slice(2, -1))
    else await readStatusLine(line, git, top, filemode, found, doubts)
  }
  for (const [path, { mode }] of found) if (mode === '160000') foreign.push(path)
  for (const path of found.keys()) if (path === '.remnants' || path.startsWith('.remnants/')) found.delete(path)
  const files = await settle(found, git, top, doubts)
  return { files, doubts, foreign }
}

/** The part of a scan under a folder (`.`: all). `changed` covers the folders too: an entry may have been removed. */
export function under(folder: string, { files, doubts, foreign }: Scan, top: string): Tree {
  const inside = (path: string): boolean => folder === '.' || path.startsWith(`${folder}/`)
  const own = files.filter(({ path }) => inside(path))
  const folders = new Set<string>()
  let written = 0
  for (const file of own) {
    written = Math.max(written, file.changed)
    for (let above = folderOf(file.path); above !== '' && inside(`${above}/`) && !folders.has(above); above = folderOf(above)) folders.add(above)
  }
  let latest = 0
  for (const one of [...folders, folder]) latest = Math.max(latest, lstatOf(join(top, one))?.mtimeMs ?? 0)
  return {
    files: own,
    changed: Math.max(written, latest),
    written,
    folders: latest,
    // Few ask.
    get moved() {
      return lastMoved(join(top, folder))
    },
    doubt: foreign.some((one) => folder === one || folder.startsWith(`${one}/`)) ? 'it lies in another repository' : (doubts.find(({ path }) => inside(path))?.reason ?? null),
  }
}

/** A folder's ctime tells what was done in it even where its mtime was set back. Infinity: one can't be read, or there are too many. */
function lastMoved(top: string): number {
  let latest = 0
  const folders = [top]
  for (let n = 0; n < folders.length; n++) {
    if (n >= MOST_FOLDERS) return Number.POSITIVE_INFINITY
    const folder = folders[n] as string
    try {
      const stat = lstatSync(folder)
      latest = Math.max(latest, stat.mtimeMs, stat.ctimeMs)
      for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory() && !ASIDE.has(entry.name)) folders.push(join(folder, entry.name))
    } catch {
      return Number.POSITIVE_INFINITY
    }
  }
  return latest
}
const MOST_FOLDERS = 20_000
const ASIDE = new Set(['.git', '.remnants', 'node_modules'])

const linesOf = (bytes: Uint8Array): string[] => Buffer.from(bytes).toString('utf8').split('\0').filter((line) => line !== '')

/** `TAG MODE BLOB STAGE\tPATH`. A lower-case tag: git was told to assume it unchanged, so we look; `S`: it need not lie there. */
function readIndexLine(line: string, top: string, filemode: boolean, found: Map<string, Found>): void {
  const tab = line.indexOf('\t')
  const path = line.slice(tab + 1)
  const [tag = '', mode = '', blob = ''] = line.slice(0, tab).split(' ')
  const looks = tag.toLowerCase() === 's' || tag !== tag.toUpperCase()
  const stat = looks && mode !== '160000' ? lstatOf(`${top}/${path}`) : undefined
  if (stat !== undefined) found.set(path, { mode: stat.isSymbolicLink() ? '120000' : filemode ? modeOf(stat.mode) : mode, blob: null })
  else if (!looks || tag.toLowerCase() === 's' || mode === '160000') found.set(path, { mode, blob })
}

/** `1 XY SUB MODE_HEAD MODE_INDEX MODE_WORKTREE HEAD INDEX PATH`, `u XY SUB M1 M2 M3 MODE_WORKTREE H1 H2 H3 PATH`, `? PATH`. */
async function readStatusLine(line: string, git: Git, top: string, filemode: boolean, found: Map<string, Found>, doubts: Scan['doubts'][number][]): Promise<void> {
  if (line.startsWith('? ')) return readUntracked(line.slice(2), top, filemode, found)
  const fields = line.split(' ')
  const unmerged = fields[0] === 'u'
  if (!unmerged && fields[0] !== '1') return
  const path = fields.slice(unmerged ? 10 : 8).join(' ')
  const [change = '', submodule = '', mode = ''] = [fields[1]?.[1], fields[2], fields[unmerged ? 6 : 5]]
  if (change === '.') return
  if (mode === '000000') return void found.delete(path)
  if (mode !== '160000') return void found.set(path, { mode, blob: null })
  if (submodule[2] === 'M') doubts.push({ path, reason: `submodule "${path}" has changes that are not committed in it` })
  if (submodule[1] !== 'C') return
  const { status, stdout } = await git.try(['rev-parse', '--verify', '-q', 'HEAD^{commit}'], { cwd: join(top, path) })
  if (status === 0) found.set(path, { mode, blob: Buffer.from(stdout).toString('latin1').trim() })
  else doubts.push({ path, reason: `submodule "${path}" has no commit` })
}

function readUntracked(path: string, top: string, filemode: boolean, found: Map<string, Found>): void {
  const stat = lstatOf(`${top}/${path}`)
  if (stat?.isSymbolicLink()) found.set(path, { mode: '120000', blob: null })
  else if (stat?.isFile()) found.set(path, { mode: filemode ? modeOf(stat.mode) : '100644', blob: null })
}

const modeOf = (mode: number): string => ((mode & 0o100) === 0 ? '100644' : '100755')

/** Fills in what has to be hashed, and the times. */
async function settle(found: ReadonlyMap<string, Found>, git: Git, top: string, doubts: Scan['doubts'][number][]): Promise<Scan['files']> {
  const files: Scan['files'][number][] = []
  const links = new Map<string, string>()
  const toHash: string[] = []
  for (const [path, { blob }] of found) {
    if (path.includes('\uFFFD')) doubts.push({ path, reason: 'a file has a name that is not UTF-8' })
    else if (blob === null && linkAt(path, top, links, git.repository.objectFormat) === null) toHash.push(path)
  }
  const blobs = await blobsOf(toHash, git, top)
  for (const [path, { mode, blob }] of found) {
    const known = blob ?? links.get(path) ?? blobs.get(path)
    if (known === undefined) doubts.push({ path, reason: `"${path}" can't be read` })
    else files.push({ mode, blob: known, path, changed: changedOf(`${top}/${path}`) })
  }
  return files
}

/** The blob of a link's text, kept; null: it is no link. */
function linkAt(path: string, top: string, links: Map<string, string>, format: ObjectFormat): string | null {
  if (!lstatOf(`${top}/${path}`)?.isSymbolicLink()) return null
  const blob = blobId(readlinkSync(join(top, path), { encoding: 'buffer' }), format)
  links.set(path, blob)
  return blob
}

function changedOf(path: string): number {
  const stat = lstatOf(path)
  return stat === undefined ? 0 : changedAt(stat)
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
