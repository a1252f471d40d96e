import type { Effect } from './claim.ts'
import { Key, joinPath } from './key.ts'

/** What a declared effect rests on by its own words; null: it names what no key can hold: no key, no interface, or a path outside the repository. */
export function keysNamedBy({ verb, kind, value }: Effect): readonly Key[] | null {
  if (kind !== 'key' && kind !== 'interface' && kind !== 'path') return []
  const path = kind === 'path' ? joinPath('.', value) : null
  const key = kind === 'key' ? value : kind === 'interface' ? `interface:${value}` : path === null ? null : `exists:${path}`
  if (key !== null && Key.safeParse(key).success) return [key]
  // What nobody is to touch may lie anywhere.
  return kind === 'path' && verb === 'avoid' ? [] : null
}

/** The key of a path that an effect tells a successor to use or to have: it must be there. null: it tells of none. */
export function neededPath(effect: Effect): Key | null {
  return effect.kind === 'path' && effect.verb !== 'avoid' ? (keysNamedBy(effect)?.[0] ?? null) : null
}
