import { STAR, fitsStep, inFolder } from '../pattern.ts'
import type { Files } from './files.ts'
import type { Ledger } from './ledger.ts'

const MOST_MATCHES = 3000

/** Paths that fit a place with STARs in it, sorted. */
export async function matching(place: string, ledger: Ledger, files: Files): Promise<readonly string[]> {
  let found = ['.']
  const steps = place.split('/')
  for (const [i, step] of steps.entries()) {
    const next: string[] = []
    for (const folder of found) {
      if (!step.includes(STAR)) next.push(inFolder(folder, step))
      else for (const { name } of (await ledger.lying.entries(folder).catch(() => null)) ?? []) if (fitsStep(name, step)) next.push(inFolder(folder, name))
      if (next.length > MOST_MATCHES) {
        ledger.untold(`too much fits "${place.replaceAll(STAR, '*')}"`)
        return []
      }
    }
    found = next
    if (i < steps.length - 1 || !step.includes(STAR)) {
      const kinds = await Promise.all(found.map((path) => files.kind(path)))
      found = found.filter((_, n) => (i < steps.length - 1 ? kinds[n] === 'folder' : kinds[n] !== null))
    }
  }
  return found.sort()
}
