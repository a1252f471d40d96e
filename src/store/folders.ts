import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The plain folders in a folder: one reading tells what each entry is, and a link is none. Empty where it can't be read. */
export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** The names of all that lies in a folder. Empty where it can't be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether no link lies on the way from a folder to where a path in it lies: each folder between is a plain one, or not there yet. `path`: with `/`. */
export function liesPlainly(top: string, path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  return folders.every((_, i) => lstatSync(join(top, ...folders.slice(0, i + 1)), { throwIfNoEntry: false })?.isDirectory() ?? true)
}
