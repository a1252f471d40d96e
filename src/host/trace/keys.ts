import { type Stats, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { canonical } from '../../base/canonical.ts'
import { isCache } from '../../model/caches.ts'
import { Key } from '../../model/key.ts'
import type { Tree, World } from '../../model/probe.ts'
import { headOf } from '../world/head.ts'
import { isWithin, realOrNull } from '../world/paths.ts'
import type { Access } from './accesses.ts'
import { MOST_KEYS, bounded } from './bounded.ts'
import { openInside } from './inside.ts'
import { type Outside, openOutside } from './outside.ts'
import { missing, programs } from './programs.ts'

/** What was there when the command began and what is there now, by which its own doing is told from what it found. */
export interface Scene {
  /** The work tree's top, links followed. */
  readonly top: string
  /** Git's own folders. */
  readonly closed: readonly string[]
  /** The user's home folder; null: there is none. */
  readonly home: string | null
  /** PATH of the command. */
  readonly path: string
  readonly before: Tree
  readonly after: Tree
  readonly world: World
  /** Nothing that was changed later than this (ms) is what the command found. */
  readonly start: number
  /** Parts of the names for which a make looked in the folders that it listed; null: for any. */
  readonly asked: readonly string[] | null
}

/** The keys of what a command really depended on, or why that can't be told of it. */
export type Told = { readonly keys: readonly Key[] } | { readonly untold: string }

/**
 * Accesses as keys: files that were read `file:`, looked for in vain `absent:`, folders that were listed `names:`, those in which names
 * were looked up `alike:`, programs that ran `tool:`. Left out is what the system and the toolchain hold outside the repository, `.remnants/`, what the command itself wrote before it
 * read it, and what git ignores and tools keep for themselves. Nothing is told where it read other files outside, or git's own.
 */
export async function keysOf(accesses: Iterable<Access>, scene: Scene): Promise<Told> {
  const inside = openInside(scene)
  const paths = new Map<string, Use>()
  const shelves = new Set(scene.path.split(delimiter).filter((folder) => isAbsolute(folder)))
  const ran = new Set<string>()
  const missed = new Map<string, Set<string>>()
  const outside = openOutside(scene)
  let git: string | null = null
  for (const { is, path } of accesses) {
    const place = inside(path)
    const interpreter = is === 'ran' ? interpreterOf(path) : null
    if (interpreter !== null) ran.add(interpreter)
    if (place === null) {
      outside.note(is, path)
      if (is === 'ran' || ((is === 'saw' || is === 'met') && shelves.has(dirname(path)))) ran.add(path)
      if (is === 'sought') missed.set(basename(path), (missed.get(basename(path)) ?? new Set()).add(dirname(path)))
    } else if (place.closed) {
      if (is === 'read' && !/^\.remnants(?:\/|$)/.test(place.path) && statOf(path)?.isDirectory() !== true) git ??= basename(path)
    } else note(paths, place.path, is)
  }
  if (git !== null) return { untold: `it reads git's own "${git}"` }
  const strange = outside.reads(ran)
  if (strange !== null) return { untold: `it reads "${strange}", which lies outside the repository` }
  const found = new Set<Key>()
  const untold = addPaths(paths, found, scene, { outside, ran })
  if (untold !== null) return { untold }
  for (const name of await programs(ran, scene)) found.add(`tool:${name}`)
  for (const name of await missing(missed, scene)) found.add(`absent-tool:${name}`)
  const keys = bounded(withoutImplied(found), scene)
  if (keys.length > MOST_KEYS) return { untold: `it depends on more than ${MOST_KEYS} things that git ignores` }
  const unfit = keys.find((key) => !Key.safeParse(key).success || key.includes('\uFFFD') || !key.isWellFormed())
  if (unfit !== undefined) return { untold: 'it depends on a path that no key can name' }
  return keys.length === 0 ? { untold: 'it depends on nothing that a key can name' } : { keys: keys.sort() }
}

/** Below what is absent all is: one key says so. An installed package is looked for outside too, which its own key alone says. */
const withoutImplied = (keys: ReadonlySet<Key>): ReadonlySet<Key> =>
  new Set([...keys].filter((key) => !key.startsWith('absent:') || isDependencies(key.slice(7)) || !upFrom(above(key.slice(7))).some((folder) => keys.has(`absent:${folder}`))))

/** What the system starts in place of a script, by its first line: no call names it. */
const interpreterOf = (path: string): string | null => (statOf(path)?.isFile() ? (/^#! *(\/\S+)/.exec(headOf(path, 256))?.[1] ?? null) : null)

/** All that was done with one path of the repository. */
interface Use {
  /** It was found, or looked for in vain, before the command wrote it. */
  readonly first: Access['is']
  readonly did: Set<Access['is']>
}

function note(paths: Map<string, Use>, path: string, is: Access['is']): void {
  const known = paths.get(path)
  if (known === undefined) paths.set(path, { first: is, did: new Set([is]) })
  else known.did.add(is)
}

/** Adds the keys of paths; why they can't be told, or null. */
function addPaths(paths: ReadonlyMap<string, Use>, found: Set<Key>, scene: Scene, { outside, ran }: { readonly outside: Outside; readonly ran: ReadonlySet<string> }): string | null {
  const { top, start, asked } = scene
  const [before, after] = [filesOf(scene.before), filesOf(scene.after)]
  const folders: string[] = []
  const heard = new Set<string>()
  const derived = [...paths].some(([path, { did }]) => did.has('read') && !before.has(path) && !after.has(path) && !isDependencies(path) && statOf(join(top, path))?.isFile())
  const stood = foldersOf(scene.before)
  const own = (path: string): boolean => {
    for (let at = path; at !== '.'; at = above(at)) if (paths.get(at)?.first === 'wrote' && !stood.has(at)) return true
    return false
  }
  for (const [path, { first, did }] of paths) {
    if (own(path)) continue
    const stat = statOf(join(top, path))
    if ((did.has('listed') || did.has('asked')) && stat?.isDirectory()) {
      const changed = changedNames(path, before, after, own, paths)
      if (changed) return `the names in "${path}" changed while it ran`
      if (isDependencies(path)) found.add(`file:${dependencies(path)}/.package-lock.json`)
      else found.add(did.has('listed') || asked === null ? `names:${path}` : alike(path, asked))
      heard.add(path)
      continue
    }
    const [was, is] = [before.get(path), after.get(path)]
    if (first === 'sought') {
      if (stat === null && !isKept(path, top)) found.add(`absent:${path}`)
      else if (stat === null) continue
      else if (!did.has('wrote')) return `"${path}" was made while it ran, by somebody else`
      continue
    }
    if (stat === null) {
      if (was !== undefined) return `it removes "${path}", which it had looked at`
      continue
    }
    if (stat.isDirectory()) {
      folders.push(path)
      continue
    }
    if (!stat.isFile()) continue
    if (was === undefined && did.has('wrote')) continue
    // Who only walks by depends on the names that it finds; but what was made of a file before may stand for its content.
    if (isMet(did) && was !== undefined && !derived && paths.get(above(path))?.did.has('listed')) continue
    if (was !== is) return `"${path}", which it reads, changed while it ran`
    if (was === undefined) {
      if (isKept(path, top)) continue
      if (Math.max(stat.mtimeMs, stat.ctimeMs) > start) return `"${path}", which it reads, changed while it ran`
    }
    if (leadsOut(join(top, path), top)) {
      if (did.has('read') && outside.isStrange(realOrNull(join(top, path)) ?? '', ran)) return `"${path}", which it reads, leads out of the repository`
      if (was !== undefined) found.add(`tree:${above(path)}`)
      continue
    }
    found.add(`file:${path}`)
    // Whether it may be run.
    if (did.has('ran')) found.add(alike(above(path), [basename(path)]))
  }
  const told = [...heard, ...[...found].filter((key) => /^(?:file|names|tree):/.test(key)).map((key) => key.slice(key.indexOf(':') + 1))]
  const isTold = (folder: string): boolean => told.some((path) => path === folder || path.startsWith(`${folder}/`))
  for (const folder of folders) if (folder !== '.' && !isDependencies(folder) && !isKept(folder, top) && !isTold(folder)) found.add(`names:${folder}`)
  return null
}

/** The names in a folder that hold one of some parts; where no key can name these, all of them. */
function alike(folder: string, parts: readonly string[]): Key {
  const key = `alike:${canonical([folder, ...parts])}`
  return Key.safeParse(key).success && key.isWellFormed() ? key : `names:${folder}`
}

const isMet = (did: ReadonlySet<Access['is']>): boolean => did.has('met') && !did.has('read') && !did.has('ran') && !did.has('saw')

const filesOf = ({ files }: Tree): ReadonlyMap<string, string> => new Map(files.map(({ mode, blob, path }) => [path, `${mode} ${blob}`]))

/** Every folder in which a file lies. */
function foldersOf({ files }: Tree): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { path } of files) for (let at = above(path); at !== '.' && !found.has(at); at = above(at)) found.add(at)
  return found
}

/** Whether other names lie in a folder than before, but for those that the command itself made. */
function changedNames(folder: string, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, own: (path: string) => boolean, paths: ReadonlyMap<string, Use>): boolean {
  const prefix = folder === '.' ? '' : `${folder}/`
  const namesOf = (files: ReadonlyMap<string, string>): ReadonlySet<string> =>
    new Set([...files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length).split('/', 1)[0] as string))
  const [was, is] = [namesOf(before), namesOf(after)]
  const made = (name: string): boolean => own(prefix + name) || paths.get(prefix + name)?.did.has('wrote') === true
  return [...was].some((name) => !is.has(name)) || [...is].some((name) => !was.has(name) && !made(name))
}

/** What git ignores and tools keep for themselves: made from files that they look at again each time. */
function isKept(path: string, top: string): boolean {
  const steps = path.split('/')
  if (isCache(path)) return true
  const at = steps.indexOf('target')
  return at !== -1 && statOf(join(top, ...steps.slice(0, at), 'Cargo.toml')) !== null
}

const isDependencies = (path: string): boolean => path.split('/').includes('node_modules')
const dependencies = (path: string): string => path.slice(0, `/${path}`.indexOf('/node_modules') + 'node_modules'.length)
const upFrom = (path: string): string[] => (path === '.' ? [] : [path, ...upFrom(above(path))])
const above = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')

const leadsOut = (path: string, top: string): boolean => !isWithin(top, realOrNull(path) ?? '/')

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
