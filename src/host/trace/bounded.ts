import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Key, listedIn } from '../../model/key.ts'
import type { Tree } from '../../model/probe.ts'

/** More keys than this make a claim that takes longer to look at than to prove again. */
export const MOST_KEYS = 200

/**
 * Not more keys than a claim can bear. Installed packages become their `package.json`, which names their version, then the
 * manager's own list of them; then the folder with the most keys becomes its `tree:`, one after the other.
 */
export function bounded(keys: ReadonlySet<Key>, { top, after }: { readonly top: string; readonly after: Tree }): Key[] {
  if (keys.size <= MOST_KEYS) return [...keys]
  let found = packaged(keys, (path) => `${path}/package.json`)
  if (found.size > MOST_KEYS) found = listed(found, top)
  const tracked = new Set(after.files.map(({ path }) => path))
  while (found.size > MOST_KEYS) {
    const fullest = fullestFolder(found, tracked)
    if (fullest === null) break
    found = new Set([...[...found].filter((key) => !isBelow(key, fullest, tracked)), `tree:${fullest}`])
  }
  return [...found]
}

/** What was read of an installed package as one key. What was sought there in vain comes with another version of it. */
function packaged(keys: ReadonlySet<Key>, one: (path: string) => string): Set<Key> {
  const found = new Set<Key>()
  for (const key of keys) {
    const [, probe, path] = /^(file|absent|names):((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/@.][^/]*)(?=\/)/s.exec(key) ?? []
    if (path === undefined) found.add(key)
    else if (probe === 'file') found.add(`file:${one(path)}`)
  }
  return found
}

/** Packages of a folder that keeps a list of them as that list. */
function listed(keys: ReadonlySet<Key>, top: string): Set<Key> {
  const found = new Set<Key>()
  for (const key of keys) {
    const folder = /^file:((?:.*?\/)?node_modules)\//s.exec(key)?.[1]
    const list = folder === undefined ? undefined : LISTS.map((name) => `${folder}/${name}`).find((path) => statSync(join(top, path), { throwIfNoEntry: false })?.isFile())
    found.add(list === undefined ? key : `file:${list}`)
  }
  return found
}

const LISTS = ['.package-lock.json', '.yarn-integrity', '.yarn-state.yml', '.pnpm/lock.yaml', '.modules.yaml']

/** The deepest of the folders of files known to git under which the most keys are; null: there are none to be put together. */
function fullestFolder(keys: ReadonlySet<Key>, tracked: ReadonlySet<string>): string | null {
  const counts = new Map<string, number>()
  const known = new Set<string>()
  for (const path of tracked) for (let at = above(path); ; at = above(at)) if (known.has(at) || !known.add(at) || at === '.') break
  for (const key of keys) {
    const path = pathIn(key)
    if (path === null || !isBelow(key, '.', tracked)) continue
    const folder = above(path)
    if (known.has(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || depth(b) - depth(a) || (a < b ? -1 : 1))
  return first === undefined || first[1] < 2 ? ([...counts.keys()].length > 1 ? '.' : null) : first[0]
}

/** Keys of ignored files stay as they are: no `tree:` sees them. */
const isBelow = (key: Key, folder: string, tracked: ReadonlySet<string>): boolean => {
  const path = pathIn(key)
  if (path === null || /(?:^|\/)node_modules(?:\/|$)/.test(path) || (key.startsWith('file:') && !tracked.has(path))) return false
  return folder === '.' || path === folder || path.startsWith(`${folder}/`)
}

const pathIn = (key: Key): string | null => /^(?:file|absent|names|tree):(.*)$/s.exec(key)?.[1] ?? listedIn(key)
const above = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')
const depth = (path: string): number => (path === '.' ? 0 : path.split('/').length)
