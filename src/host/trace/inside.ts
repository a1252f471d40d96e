import { basename, dirname, join, relative, sep } from 'node:path'
import { isWithin, realOrNull } from '../world/paths.ts'

/** A path as one of the repository; null: it lies outside. `closed`: git's, or ours. */
export function openInside({ top, closed }: { readonly top: string; readonly closed: readonly string[] }): (path: string) => { readonly path: string; readonly closed: boolean } | null {
  const reals = new Map<string, string>()
  const followed = (folder: string): string => {
    const known = reals.get(folder)
    if (known !== undefined) return known
    // What is gone, or was never there, is followed as far as it can be.
    const real = realOrNull(folder) ?? (dirname(folder) === folder ? folder : join(followed(dirname(folder)), basename(folder)))
    reals.set(folder, real)
    return real
  }
  return (path) => {
    // A link inside is kept as it is: a key follows it each time.
    const place = isWithin(top, path) ? path : path === '/' ? path : join(followed(dirname(path)), basename(path))
    if (closed.some((folder) => isWithin(folder, place))) return { path: '', closed: true }
    if (!isWithin(top, place)) return null
    const steps = relative(top, place).split(sep).filter((step) => step !== '')
    return { path: steps.join('/') || '.', closed: steps[0] === '.remnants' || steps.some((step) => step.toLowerCase() === '.git') }
  }
}
