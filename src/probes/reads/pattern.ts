import { joinPath } from '../../model/key.ts'

/**
 * A text of which a part may be unknown until a program runs. ANY stands for any text, STAR for any text without `/`,
 * TOP at its start for the work tree's own top.
 */
export type Pattern = string

export const ANY = '\u0000'
export const STAR = '\u0001'
export const TOP = '\u0002'

export const isKnown = (pattern: Pattern): boolean => !/[\0\x01]/.test(pattern)

/** Where a pattern leads from a folder: a path of the repository with what is unknown of it; null: surely out of it; `?`: nobody knows. */
export function placeOf(pattern: Pattern, folder: string): string | null {
  if (pattern.startsWith(TOP)) return joinPath('.', pattern.slice(1).replace(/^\/+/, '') || '.')
  if (pattern.startsWith(ANY) || pattern.startsWith('~')) return UNKNOWN
  if (pattern.startsWith('/')) return SYSTEM.test(pattern) ? null : UNKNOWN
  return joinPath(folder, pattern)
}

/** The place of a known word in the repository; null: it leads out, or nobody knows where. */
export const knownPlace = (word: Pattern, folder: string): string | null => (isKnown(word) && !word.startsWith('/') && !word.startsWith('~') ? (word.startsWith(TOP) ? placeOf(word, folder) : joinPath(folder, word)) : null)

export const UNKNOWN = '?'

const SYSTEM = /^\/(?:dev|usr|bin|sbin|lib|lib64|etc|proc|sys|nix)(?:\/|$)/

/** Surely outside the repository, or in it by its absolute path, and no part of the system: nothing but its own key could hold it. */
export const isElsewhere = (pattern: Pattern): boolean => /^(?:\/|~\/)/.test(pattern) && !SYSTEM.test(pattern) && pattern !== '/'

/** Surely outside of the repository by what it says, and no part of the system. */
export const leadsOut = (pattern: Pattern, folder: string): boolean => isKnown(pattern) && (isElsewhere(pattern) || (!pattern.startsWith('/') && placeOf(pattern, folder) === null))

/** A known path from the top, with `.` and `..` resolved as far as that goes; of others, the path as it is. */
export function normal(path: Pattern): Pattern {
  if (!path.startsWith(TOP) || !isKnown(path)) return path
  const steps: string[] = []
  for (const step of path.slice(1).split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else steps.push(step)
  }
  return [TOP, ...steps].join('/')
}

/** The folder of a known path; null: only running tells. From the top it may lead out. */
export function folderOf(path: Pattern): Pattern | null {
  if (!isKnown(path)) return null
  if (path.startsWith(TOP)) return normal(`${path}/..`)
  return path.includes('/') ? path.replace(/\/[^/]*\/*$/, '') : null
}

/** The deepest folder in which a place lies for certain, in the words of its known part. */
export function certainFolder(place: string): string {
  const at = place.search(/[\0\x01]/)
  const known = at === -1 ? place : place.slice(0, at)
  return known.includes('/') ? known.slice(0, known.lastIndexOf('/')) : '.'
}

/** Whether a name fits a step of a place with STARs in it. Linear. */
export function fitsStep(step: string, wanted: string): boolean {
  const parts = wanted.split(STAR)
  if (parts.length === 1) return step === wanted
  const [first, last] = [parts[0] as string, parts.at(-1) as string]
  if (!step.startsWith(first) || !step.endsWith(last) || step.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = step.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= step.length - last.length
}

export const above = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')
export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** A folder and all above it, the nearest first. */
export const upFrom = (folder: string): string[] => {
  const steps = folder === '.' ? [] : folder.split('/')
  return [...steps.map((_, i) => steps.slice(0, steps.length - i).join('/')), '.']
}
export const within = (path: string, folder: string): boolean => folder === '.' || path === folder || path.startsWith(`${folder}/`)
export const inFolder = (folder: string, name: string): string => (folder === '.' ? name : `${folder}/${name}`)
