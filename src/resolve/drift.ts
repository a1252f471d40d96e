import { type Key, type KeyValues, listedIn } from '../model/key.ts'
import type { Outline } from '../model/outline.ts'
import type { Drift } from '../model/verdict.ts'
import { plainText } from '../model/plain.ts'

const MAX_SHOWN = 120

/** What may be shown of a remnant's keys: the public texts that its boundaries kept, and those read now. */
export function explain(keys: readonly Key[], { claims }: Outline, isSealed: (key: Key) => boolean, current: KeyValues): readonly Drift[] {
  if (keys.length === 0) return NONE
  const texts = new Map<Key, string>()
  for (const claim of claims) for (const [key, text] of claim.texts) if (!texts.has(key)) texts.set(key, text)
  return keys.map((key) => {
    const reading = current.get(key)
    return {
      key,
      was: texts.get(key) ?? null,
      is: reading !== undefined && 'value' in reading ? (reading.text ?? null) : null,
      unreadable: reading === undefined ? 'it was not read' : 'value' in reading ? null : reading.unreadable,
      sealed: isSealed(key),
    }
  })
}

const NONE: readonly Drift[] = []

/** A drifted key in words: `tool:npm: was npm 11.19.1, is npm 11.20.0`. Harmless to a terminal. */
export function driftInWords({ key, was, is, unreadable, sealed }: Drift): string {
  const before = was === null ? '' : `was ${brief(was)}, `
  const name = brief(keyInWords(key))
  if (!sealed) return `${name}: no baseline was sealed`
  if (unreadable !== null) return `${name}: ${before}can't be read now: ${brief(unreadable)}`
  if (is === null || is === was) return `${name}: ${before}has changed`
  return `${name}: ${before}is ${before === '' ? 'now ' : ''}${brief(is)}`
}

const brief = (text: string): string => plainText(text, MAX_SHOWN)

/** A key as a person would say it: `what "npm test" can reach from packages/a` for `reads:["packages/a","npm","test"]`. */
export function keyInWords(key: Key): string {
  if (key.startsWith('makefiles:')) return makefilesInWords(key)
  if (key.startsWith('manifests:')) return `the files called "${key.slice('manifests:'.length)}"`
  if (listedIn(key) !== null) return alikeInWords(key)
  if (!key.startsWith('reads:')) return key
  try {
    const words: unknown = JSON.parse(key.slice('reads:'.length))
    if (!Array.isArray(words) || words.length < 2 || !words.every((word) => typeof word === 'string')) return key
    return `what "${words.slice(1).join(' ')}" can reach${words[0] === '.' ? '' : ` from ${words[0]}`}`
  } catch {
    return key
  }
}

/** `names in "src" like "main", "sum"` */
function alikeInWords(key: Key): string {
  const [folder, ...parts] = JSON.parse(key.slice(key.indexOf(':') + 1)) as unknown[]
  return `names in "${String(folder)}" like ${parts.map((part) => `"${String(part)}"`).join(', ')}`
}

/** `the makefiles of "." (-f ci.mk) and what they include` */
function makefilesInWords(key: Key): string {
  try {
    const [folder, ...words] = JSON.parse(key.slice('makefiles:'.length)) as unknown[]
    return typeof folder === 'string' ? `the makefiles of "${folder}"${words.length === 0 ? '' : ` (${words.join(' ')})`} and what they include` : key
  } catch {
    return key
  }
}
