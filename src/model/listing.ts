import { isCache } from './caches.ts'
import type { Reading } from './key.ts'
import type { World } from './probe.ts'

/** An entry right in a folder: `is` says its mode as git does (a folder's `040000`), or in a folder that git ignores what it is. */
export interface Listed {
  readonly name: string
  readonly is: string
}

/** What lies right in a folder as git sees it, by name; null: there is no such folder. `changed` as a reading has it. */
export async function listingOf(folder: string, world: World): Promise<{ readonly entries: readonly Listed[]; readonly changed: number } | Extract<Reading, { unreadable: string }> | null> {
  const tree = await world.tree(folder)
  if (tree === null) return null
  if (tree.doubt !== null) return { unreadable: tree.doubt }
  // Of a folder that git ignores, what lies there counts.
  if (tree.files.length === 0) {
    const lying = ((await world.entries(folder)) ?? []).filter(({ name }) => !isCache(name))
    const changed = Math.max(tree.changed, (await world.stat(folder))?.changed ?? 0)
    if (lying.length > 0) return { entries: lying.map(({ name, kind }) => ({ name, is: kind })), changed }
  }
  const prefix = folder === '.' ? '' : `${folder}/`
  const names = new Map<string, string>()
  for (const { mode, path } of tree.files) {
    const [name = '', ...below] = path.slice(prefix.length).split('/')
    names.set(name, below.length > 0 ? FOLDER : mode)
  }
  return { entries: [...names].map(([name, is]) => ({ name, is })), changed: tree.changed }
}

/** As git's own trees say that an entry is one. */
const FOLDER = '040000'
