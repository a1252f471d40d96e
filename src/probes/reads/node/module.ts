import type { Place, Start } from '../place.ts'
import { lists } from '../tokens.ts'
import { type Asked, Imports } from './imports.ts'
import { Locals } from './locals.ts'
import { javascript } from './tokens.ts'
import { Uses } from './uses.ts'

/**
 * Follows what a module does besides importing: the files and programs that it names. What can't be told from its text
 * makes it read anything. Gives what it imports.
 */
export async function followModule(source: string, path: string, at: Place, start: Start): Promise<readonly Asked[]> {
  const tokens = javascript(source)
  if (tokens === null) {
    at.inputs.all(`"${path}" can not be parsed`)
    return []
  }
  const all = lists(tokens)
  const locals = new Locals(tokens)
  const imports = new Imports(path, at.inputs, locals)
  const uses = new Uses(path, at, start, locals)
  for (const list of all) locals.declare(list)
  for (const list of all) imports.follow(list)
  for (const list of all) await uses.follow(list)
  return imports.asked
}
