import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Lying {
  readonly path: string
  /** null: it is a folder. */
  readonly bytes: Uint8Array | null
  readonly mode: number
}

const known = new Map<string, readonly Lying[]>()

/**
 * Makes a repository in a folder that is not there yet, as `make` does; the next one of that name is written down from memory, as
 * a copy of the first: git takes four processes to make it. `make` must depend on nothing but what the name says, and leave no path
 * of its own in it. Git's samples of hooks are not kept: nobody runs them.
 */
export function prepared(name: string, folder: string, make: () => void): string {
  const lying = known.get(name)
  if (lying === undefined) {
    make()
    known.set(name, lyingIn(folder))
    return folder
  }
  mkdirSync(folder)
  for (const { path, bytes, mode } of lying) {
    if (bytes === null) mkdirSync(join(folder, path), { mode })
    else writeFileSync(join(folder, path), bytes, { mode })
  }
  return folder
}

/** Each folder before what lies in it. */
function lyingIn(folder: string): Lying[] {
  const found: Lying[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() && !entry.isDirectory()) throw new Error(`${path} is neither a file nor a folder`)
    if (/[\\/]hooks[\\/]\w[\w-]*\.sample$/.test(path)) rmSync(path)
    else found.push({ path: path.slice(folder.length + 1), bytes: entry.isFile() ? readFileSync(path) : null, mode: statSync(path).mode & 0o777 })
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}
