import { RemnantError } from '../base/errors.ts'
import { plainText } from '../model/plain.ts'
import type { Store } from '../model/store.ts'
import { REFS } from './git/recipe.ts'

/**
 * The digest that its first digits (four or more) or its ref name; null: there is none.
 * Throws `misuse` where it can't be a digest, or where several remnants begin so.
 */
export async function named(store: Store, name: string): Promise<string | null> {
  const digits = (name.startsWith(REFS) ? name.slice(REFS.length) : name).toLowerCase()
  const shown = plainText(name, 80)
  if (!/^[0-9a-f]{4,64}$/.test(digits))
    throw new RemnantError('misuse', `"${shown}" is not a digest or its first digits`, { hint: 'type four hex digits or more; git remnant list shows them' })
  const found = (await store.digests()).filter((digest) => digest.startsWith(digits))
  if (found.length > 1) throw new RemnantError('misuse', `"${shown}" could be ${found.length} remnants`, { hint: 'type more digits; git remnant list shows them' })
  return found[0] ?? null
}
