/**
 * A text from a record, made safe to show: what moves a cursor, hides or turns text round (control, bidi, zero-width and
 * tag characters) becomes visible as `<U+202E>`. `limit` counts characters of the text; what is cut ends in `…`.
 */
export function plainText(text: string, limit = Infinity): string {
  if (PLAINEST.test(text) && text.length <= limit) return text
  const shown = text.length <= limit ? text : [...text.slice(0, limit * 2)].slice(0, limit).join('')
  const safe = shown.replace(unsafe(), (character) => `<U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}>`)
  return shown.length < text.length ? `${safe}…` : safe
}

/** The lines of a text, each safe to show. */
export const plainLinesOf = (text: string, limit = Infinity): string[] => text.split(/\r?\n/).map((line) => plainText(line, limit))

/** Needs no look at each character: the classes of all others take longer to make ready than most texts to read. */
const PLAINEST = /^[ -~]*$/

/** Controls, formats, lone surrogates, line separators, fillers that look like nothing, and selectors that can carry hidden text. */
const unsafe = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\ufe00-\ufe0d\u{e0000}-\u{e0fff}]/gu
