import { lstatSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { HEX_64 } from '../../base/digest.ts'
import type { Host } from '../../command.ts'
import type { Git } from '../../host/git.ts'
import { listCopies } from '../../store/copies.ts'
import { foldersIn, liesPlainly, namesIn } from '../../store/folders.ts'
import { trackedFiles } from '../../store/format-page.ts'
import { pathOf, refOf } from '../../store/git/recipe.ts'
import { listSignatureCopies, signaturePathOf, signatureRefOf } from '../../store/signing/signatures.ts'
import { leftovers } from '../../store/leftovers.ts'

/** A file under `.remnants/` that was not removed, and why. `path`: absolute. */
export interface Stays {
  readonly path: string
  readonly why: string
}

/** What came of the copies in one work tree; paths are absolute. */
export interface Removed {
  readonly removed: readonly string[]
  readonly left: readonly Stays[]
}

/**
 * Removes what is ours alone in a work tree and git does not track: copies of remnants and signatures that their refs hold too, what a
 * killed process left beside them, the files of `init --track` where nobody changed them, and the folders that are empty then.
 * A copy that no ref holds may be the only one: it stays. A link is never followed.
 */
export async function removeCopies(workTree: string, git: Git, host: Host): Promise<Removed> {
  const top = join(workTree, '.remnants')
  if (!liesPlainly(workTree, '.remnants/')) return { removed: [], left: [] }
  const copies = [
    ...listCopies(workTree).map((digest) => ({ path: pathOf(digest), ref: refOf(digest) })),
    ...listSignatureCopies(workTree).map((name) => ({ path: signaturePathOf(name), ref: signatureRefOf(name) })),
  ]
  const held = await heldByGit(copies, git)
  const litter = leftovers({ ...git.repository, workTree }, host.files, host.now().getTime()).flatMap((path) => (path.startsWith(`${top}/`) ? [path.slice(workTree.length + 1)] : []))
  const { status, stdout } = await git.try(['ls-files', '-z', '--', '.remnants'], { cwd: workTree })
  const tracked = new Set(Buffer.from(stdout).toString('utf8').split('\0'))
  const ours = [...copies.flatMap(({ path }) => (held.has(path) ? [path] : [])), ...litter, ...unchangedPages(workTree, host)]
  const gone = status === 0 ? ours.filter((path) => !tracked.has(path)) : []
  for (const path of gone) host.files.remove(join(workTree, path))
  removeFolders(top)
  const unheld = new Set(copies.flatMap(({ path }) => (held.has(path) ? [] : [path])))
  const why = (path: string): string =>
    status !== 0 ? 'git does not tell what it tracks' : tracked.has(path) ? 'tracked by git' : unheld.has(path) ? 'no ref here holds it, so it may be the only copy' : 'not ours, or changed by somebody'
  return { removed: gone.map((path) => join(workTree, path)), left: filesUnder(workTree, '.remnants').map((path) => ({ path: join(workTree, path), why: why(path) })) }
}

/** Paths of those copies whose ref leads to what they are a copy of. */
async function heldByGit(copies: readonly { readonly path: string; readonly ref: string }[], git: Git): Promise<ReadonlySet<string>> {
  if (copies.length === 0) return new Set()
  const input = copies.map(({ path, ref }) => `${ref}:${path}\n`).join('')
  const { stdout } = await git.try(['--no-replace-objects', 'cat-file', '--batch-check'], { input, env: { GIT_NO_LAZY_FETCH: '1' } })
  const lines = Buffer.from(stdout).toString('latin1').split('\n')
  return new Set(copies.flatMap(({ path }, i) => (/^[0-9a-f]+ blob \d+$/.test(lines[i] ?? '') ? [path] : [])))
}

function unchangedPages(workTree: string, host: Host): string[] {
  const text = (path: string): string => Buffer.from(host.files.read(join(workTree, path)) ?? []).toString('utf8')
  const root = /"repository_root": ?"([0-9a-f]+)"/.exec(text('.remnants/config.json'))?.[1] ?? null
  return trackedFiles(root).flatMap(([path, page]) => (text(path) === page ? [path] : []))
}

/** The folders in which copies lie, where nothing is in them any more. */
function removeFolders(top: string): void {
  for (const name of foldersIn(top)) {
    if (name === 'sig') for (const remnant of foldersIn(join(top, name)).filter((one) => HEX_64.test(one))) removeEmpty(join(top, name, remnant))
    if (name === 'sig' || /^[0-9a-f]{2}$/.test(name)) removeEmpty(join(top, name))
  }
  removeEmpty(top)
}

export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not there, or holds something of somebody's.
  }
}

/** All that lies in a folder but folders, by path from the work tree's top; sorted. */
function filesUnder(workTree: string, folder: string): string[] {
  return namesIn(join(workTree, folder))
    .sort()
    .flatMap((name) => {
      const path = `${folder}/${name}`
      return lstatSync(join(workTree, path), { throwIfNoEntry: false })?.isDirectory() === true ? filesUnder(workTree, path) : [path]
    })
}
