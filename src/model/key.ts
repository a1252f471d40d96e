import * as z from 'zod/mini'
import { RemnantError } from '../base/errors.ts'

/** One property of the environment: `probe` or `probe:argument` (`platform`, `file:package.json`). */
export const Key = z.string().check(z.regex(/^[a-z][a-z-]*(?::[^\p{Cc}]+)?$/u), z.maxLength(500))
export type Key = z.infer<typeof Key>

export function splitKey(key: Key): { probe: string; argument: string } {
  const at = key.indexOf(':')
  return at === -1 ? { probe: key, argument: '' } : { probe: key.slice(0, at), argument: key.slice(at + 1) }
}

/** The key of a path in a folder of the repository; `file:` in `packages/a` and `package.json` give `file:packages/a/package.json`. */
export function keyIn(probe: string, folder: string, path: string): Key {
  const joined = joinPath(folder, path)
  if (joined === null) throw new RemnantError('malformed', `key "${probe}" points outside the repository`)
  return `${probe}:${joined}`
}

/** `folder/path` with `.` and `..` resolved, relative to the repository; null when it leads outside. */
export function joinPath(folder: string, path: string): string | null {
  if (path.startsWith('/')) return null
  const steps: string[] = []
  for (const step of [...folder.split('/'), ...path.split('/')]) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return null
  }
  return steps.length === 0 ? '.' : steps.join('/')
}

/** The folder of which a key names a part of the list (`alike:["src","main"]`); null: it is of another kind. */
export function listedIn(key: Key): string | null {
  const { probe, argument } = splitKey(key)
  if (probe !== 'alike') return null
  try {
    const words: unknown = JSON.parse(argument)
    return Array.isArray(words) && typeof words[0] === 'string' ? words[0] : null
  } catch {
    return null
  }
}

/**
 * What a probe read: the value that is hashed, or why it could not be read. `text` is the public form, if it has one. Times in ms:
 * `changed`: the latest at which what it shows can have changed · `written`: the same of files alone, not of the folders in which they
 * lie · `moved`: the latest at which something else can have been put in its place with a folder above it.
 */
export type Reading = { readonly value: string; readonly text?: string; readonly changed?: number; readonly written?: number; readonly moved?: number } | { readonly unreadable: string }

/** Readings by key. A key that is not in it was not looked at. */
export type KeyValues = ReadonlyMap<Key, Reading>

/** The three keys whose change invalidates a whole remnant (003). */
export const STRUCTURAL: readonly Key[] = ['platform', 'privilege', 'repository']

/** What a seal records although no claim rests on it; the root's lockfiles join as `file:` where they exist. */
export const AMBIENT: readonly Key[] = ['os-release', 'tool:git']

export const ROOT_LOCKFILES: readonly string[] = [
  'Cargo.lock', 'Gemfile.lock', 'bun.lock', 'bun.lockb', 'composer.lock', 'go.sum', 'gradle.lockfile', 'npm-shrinkwrap.json',
  'package-lock.json', 'pnpm-lock.yaml', 'poetry.lock', 'requirements.txt', 'uv.lock', 'yarn.lock',
]

/** The part of a key's value that explains drift to a person (`npm 11.19.1`); null for what is only a digest or may be private. */
export function publicText(key: Key, value: string): string | null {
  const { probe, argument } = splitKey(key)
  if (probe === 'tool') return value.startsWith('file ') ? null : `${argument.split('/').at(-1)} ${value}`
  if (probe === 'platform' || probe === 'privilege' || probe === 'os-release' || probe === 'exists' || probe === 'absent' || probe === 'absent-tool') return value
  return null
}
