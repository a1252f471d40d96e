import { basename, join, normalize, relative, sep } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { About, Format, LogPlace, Shelf } from '../../model/format.ts'
import { type LogFiles, headOf } from '../log.ts'

/** At most so many logs are looked into, the most recently changed first. */
const LOOKED_INTO = 40
/** At most so many are listed, where a host sorts by date and not by folder: the newest. */
const LISTED = 1000

type Env = LogPlace['env']

/**
 * The most recently changed log that a host keeps for sessions of this work tree; null: there is none.
 * A log counts if the session was started in exactly this folder, by its content.
 */
export async function newestLog(workTree: string, env: Env, formats: readonly Format[], files: LogFiles): Promise<string | null> {
  for (const log of newestFirst(kept(workTree, env, formats, files), files)) if ((await aboutOf(log, workTree, formats, files)) !== null) return log.path
  return null
}

/** The log of one session of this work tree, by the host's own id of it; null: there is none. */
export async function logOfSession(session: string, workTree: string, env: Env, formats: readonly Format[], files: LogFiles): Promise<string | null> {
  const all = kept(workTree, env, formats, files)
  const named = all.filter(({ path }) => basename(path).includes(session))
  for (const log of newestFirst(named.length > 0 ? named : all, files))
    if ((await aboutOf(log, workTree, formats, files))?.session === session) return log.path
  return null
}

/** Whether a log lies where its host itself keeps the logs of this work tree's sessions, so that it is known to have been made here. */
export async function isHostsOwnPlace(path: string, workTree: string, env: Env, formats: readonly Format[], files: LogFiles): Promise<boolean> {
  for (const { format, shelf } of shelvesOf(workTree, env, formats))
    if (liesOn(path, shelf) && (await aboutOf({ path, format, shelf }, workTree, formats, files)) !== null) return true
  return false
}

/** A log where a host would keep it. Whose it is only its content says. */
interface Kept {
  readonly path: string
  readonly format: Format
  readonly shelf: Shelf
}

const kept = (workTree: string, env: Env, formats: readonly Format[], files: LogFiles): readonly Kept[] =>
  shelvesOf(workTree, env, formats).flatMap(({ format, shelf }) => filesOn(shelf, files).map((path) => ({ path, format, shelf })))

function shelvesOf(workTree: string, env: Env, formats: readonly Format[]): readonly Omit<Kept, 'path'>[] {
  const home = env['HOME'] || env['USERPROFILE']
  if (!home) return []
  return formats.flatMap((format) => format.logs({ home: withoutEnd(home), folder: withoutEnd(workTree), env }).map((shelf) => ({ format, shelf })))
}

function newestFirst(logs: readonly Kept[], files: LogFiles): readonly Kept[] {
  return logs
    .map((log) => ({ ...log, changed: files.stat(log.path)?.changed ?? 0 }))
    .sort((a, b) => b.changed - a.changed || (a.path < b.path ? 1 : -1))
    .slice(0, LOOKED_INTO)
}

/** The files of a shelf; folders and files whose names come last in order first, since hosts name them by date. */
function filesOn(shelf: Shelf, files: LogFiles): readonly string[] {
  const found: string[] = []
  const walk = (folder: string, depth: number): void => {
    for (const { name, kind } of [...files.list(folder)].reverse()) {
      if (!shelf.own && found.length >= LISTED) return
      if (kind === 'folder' && depth > 0) walk(join(folder, name), depth - 1)
      if (kind === 'file' && shelf.name.test(name)) found.push(join(folder, name))
    }
  }
  walk(normalize(shelf.folder), shelf.depth)
  return found
}

function liesOn(path: string, shelf: Shelf): boolean {
  const steps = relative(normalize(shelf.folder), normalize(path)).split(sep)
  return steps[0] !== '..' && steps.length <= shelf.depth + 1 && shelf.name.test(basename(path))
}

/**
 * What a log says of itself; null if it is not of this work tree. On a shelf of its own it may leave out its folder, or
 * name one below; elsewhere it must name exactly this one.
 */
async function aboutOf({ path, format, shelf }: Kept, workTree: string, formats: readonly Format[], files: LogFiles): Promise<About | null> {
  try {
    const head = await headOf(path, formats, files)
    if (head.length === 0 || !format.recognise(head)) return null
    const about = format.about(head)
    const [folder, here] = [about.cwd === null ? null : withoutEnd(about.cwd), withoutEnd(workTree)]
    if (folder === here) return about
    if (folder === null && about.cwdSha256 === sha256(here)) return about
    return shelf.own && (folder === null || folder.startsWith(`${here}/`) || folder.startsWith(`${here}\\`)) ? about : null
  } catch (thrown) {
    // A log that can't be read is nobody's.
    if (thrown instanceof RemnantError) return null
    throw thrown
  }
}

/** `C:\a\` and `C:\a` are one folder. */
const withoutEnd = (folder: string): string => (folder.length > 1 ? folder.replace(/[\\/]$/, '') : folder)
