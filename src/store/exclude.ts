import { lstatSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Files } from '../host/files.ts'
import type { Git, Repository } from '../host/git.ts'
import { localFolder } from './local-lists.ts'

export const EXCLUDE_LINE = '/.remnants/'

/** How `info/exclude` was before we added our line. `done`: the line was written; a later absence is the user's own wish. */
interface Before {
  readonly existed: boolean
  readonly folderExisted: boolean
  /** What was added: the line, behind a line break where the file lacked its last one. */
  readonly added: string
  readonly done: boolean
}

/**
 * Whether a first write should hide `.remnants/` from git: not if it is tracked or meant to be, if a line of the user's does so,
 * or if we did so once and the user took the line out again.
 */
export async function wantsExclude(repository: Repository, files: Files, git: () => Promise<Git>): Promise<boolean> {
  if (repository.workTree === null || hasLine(textOf(files, excludePath(repository)))) return false
  if (readBefore(repository, files)?.done === true) return false
  for (const name of ['README.md', 'config.json']) if (isThere(join(repository.workTree, '.remnants', name))) return false
  return (await (await git()).run(['ls-files', '--', '.remnants'])).byteLength === 0
}

/** Adds the line `/.remnants/` to the common `info/exclude`, once, and remembers how the file was. */
export function addExclude(repository: Repository, files: Files): void {
  const path = excludePath(repository)
  const text = textOf(files, path)
  if (hasLine(text)) return
  const added = `${text === '' || text.endsWith('\n') ? '' : '\n'}${EXCLUDE_LINE}\n`
  const now = { existed: isThere(path), folderExisted: isThere(dirname(path)), added, done: false }
  writeBefore(repository, files, now)
  const mode = files.stat(path)?.mode
  files.write(path, Buffer.from(text + added, 'latin1'), mode === undefined ? 0o644 : mode & 0o777)
  writeBefore(repository, files, { ...now, done: true })
}

/** Takes our line out of `info/exclude` again, which is then byte for byte as it was; a line of the user's stays. */
export function removeExclude(repository: Repository, files: Files): void {
  const before = readBefore(repository, files)
  if (before === null) return
  const path = excludePath(repository)
  const text = textOf(files, path)
  if (!before.existed && text === before.added) {
    files.remove(path)
    if (!before.folderExisted) removeEmpty(dirname(path))
  } else {
    const without = text.endsWith(before.added) ? text.slice(0, -before.added.length) : withoutLine(text)
    if (without !== text) files.write(path, Buffer.from(without, 'latin1'), (files.stat(path)?.mode ?? 0o644) & 0o777)
  }
  files.remove(beforePath(repository))
}

/** A link to a file elsewhere is written through: it is the user's own. */
function excludePath(repository: Repository): string {
  const path = join(repository.commonDir, 'info', 'exclude')
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const beforePath = (repository: Repository): string => join(repository.commonDir, 'remnant', 'exclude-before')

const hasLine = (text: string): boolean => text.split(/\r?\n/).some((line) => /^\/?\.remnants\/?$/.test(line.trimEnd()))

function withoutLine(text: string): string {
  const lines = text.split('\n')
  const at = lines.indexOf(EXCLUDE_LINE)
  return at === -1 ? text : lines.toSpliced(at, 1).join('\n')
}

function readBefore(repository: Repository, files: Files): Before | null {
  const text = textOf(files, beforePath(repository))
  try {
    const value = JSON.parse(text) as Partial<Before> | null
    return typeof value?.added === 'string' ? { existed: value.existed !== false, folderExisted: value.folderExisted !== false, added: value.added, done: value.done === true } : null
  } catch {
    return null
  }
}

function writeBefore(repository: Repository, files: Files, before: Before): void {
  localFolder(repository.commonDir)
  files.write(beforePath(repository), JSON.stringify(before), 0o600)
}

/** One character a byte, so that a file in any encoding comes back as it was. */
function textOf(files: Files, path: string): string {
  const bytes = files.read(path)
  return bytes === null ? '' : Buffer.from(bytes).toString('latin1')
}

function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody put something into it.
  }
}
