/**
 * A text from a record, made safe to show: what moves a cursor, hides or turns text round (control, bidi, zero-width and
 * tag characters) becomes visible as `<U+202E>`. `limit` counts characters of the text; what is cut ends in `…`.
 */
export function plainText(text: string, limit = Infinity): string {
  const shown = text.length <= limit ? text : [...text.slice(0, limit * 2)].slice(0, limit).join('')
  const safe = shown.replace(UNSAFE, (character) => `<U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}>`)
  return shown.length < text.length ? `${safe}…` : safe
}

/** The lines of a text, each safe to show. */
export const plainLinesOf = (text: string, limit = Infinity): string[] => text.split(/\r?\n/).map((line) => plainText(line, limit))

/** Controls, formats, lone surrogates, line separators, fillers that look like nothing, and selectors that can carry hidden text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\ufe00-\ufe0d\u{e0000}-\u{e0fff}]/gu
