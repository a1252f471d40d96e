import { readdirSync } from 'node:fs'

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
