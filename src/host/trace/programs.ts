import { statSync } from 'node:fs'
import { basename, delimiter, isAbsolute } from 'node:path'
import type { World } from '../../model/probe.ts'
import { isWithin, realOrNull } from '../world/paths.ts'

/** Names by which the programs that ran are found again. One that lies where no name finds it belongs to one that does. */
export async function programs(ran: ReadonlySet<string>, { world, top }: { readonly world: World; readonly top: string }): Promise<readonly string[]> {
  const names: string[] = []
  const places = new Map<string, string[]>()
  for (const path of ran) places.set(basename(path), [...(places.get(basename(path)) ?? []), path])
  for (const [name, paths] of places) {
    const found = await world.program(name, '.')
    if (found !== null && !isWithin(top, found.path) && paths.some((path) => path === found.found || realOrNull(path) === found.path)) names.push(name)
  }
  return names
}

/** Names that were looked for in every folder of PATH, and are nowhere. */
export async function missing(sought: ReadonlyMap<string, ReadonlySet<string>>, { world, path }: { readonly world: World; readonly path: string }): Promise<readonly string[]> {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory())
  const names: string[] = []
  for (const [name, places] of sought) if (folders.length > 0 && folders.every((folder) => places.has(folder)) && (await world.program(name, '.')) === null) names.push(name)
  return names
}
