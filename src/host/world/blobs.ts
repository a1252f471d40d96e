import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ObjectFormat, blobId } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Git } from '../git.ts'

/**
 * Blob ids that `git add` would give to files as they lie, by path. Git's own process applies its clean filters: which of them
 * count depends on attributes in every folder, in the index and outside the repository, and on configuration.
 * Files that can't be read are left out. Paths are relative to the work tree's top and are files, not links.
 */
export async function blobsOf(paths: readonly string[], git: Git, top: string): Promise<ReadonlyMap<string, string>> {
  const found = await hashed(paths, git, top)
  const filtered = [...found].filter(([path, blob]) => blob !== rawBlob(join(top, path), git.repository.objectFormat)).map(([path]) => path)
  for (const path of await keptAsTheyAre(filtered, git, top)) found.set(path, rawBlob(join(top, path), git.repository.objectFormat) ?? '')
  return found
}

async function hashed(paths: readonly string[], git: Git, top: string): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map()
  const input = `${paths.map(quoted).join('\n')}\n`
  const { status, stdout, stderr } = await git.try(['-c', 'core.safecrlf=false', 'hash-object', '--stdin-paths'], { input, cwd: top })
  if (status === 0) {
    const blobs = Buffer.from(stdout).toString('latin1').trim().split('\n')
    if (blobs.length !== paths.length) throw new RemnantError('missing', 'git hash-object answered for other files')
    return new Map(paths.map((path, i) => [path, blobs[i] as string]))
  }
  if (/unknown option|not a git command/.test(stderr)) throw new RemnantError('missing', 'git has no hash-object --stdin-paths', { hint: 'update git' })
  // One file that can't be read ends the whole batch.
  if (paths.length === 1) return new Map()
  const half = paths.length >> 1
  return new Map([...(await hashed(paths.slice(0, half), git, top)), ...(await hashed(paths.slice(half), git, top))])
}

/** A file that was committed with CRLF stays as it is where line ends are converted by guess; hash-object does not look at the index. */
async function keptAsTheyAre(paths: readonly string[], git: Git, top: string): Promise<readonly string[]> {
  const kept: string[] = []
  for (let i = 0; i < paths.length; i += 200) {
    const listed = await git.run(['--literal-pathspecs', 'ls-files', '--eol', '-z', '--', ...paths.slice(i, i + 200)], { cwd: top })
    for (const line of Buffer.from(listed).toString('utf8').split('\0')) {
      const [facts = '', path = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]
      if (/^i\/(?:crlf|mixed)\s/.test(facts) && /attr\/(?:text=auto(?: eol=\w+)?)?\s*$/.test(facts)) kept.push(path)
    }
  }
  return kept
}

function rawBlob(path: string, format: ObjectFormat): string | null {
  try {
    return blobId(readFileSync(path), format)
  } catch {
    return null
  }
}

/** A path on a line of its own, as git unquotes it. */
const quoted = (path: string): string =>
  /^"|[\n\r\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"` : path
