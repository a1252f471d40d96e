import type { Ephemeron, Span } from '../model/ephemeron.ts'

/**
 * A value that its name gives away, however it looks: `API_TOKEN=…`, `--password …`, `?api_key=…`, `authorization: …`, or a
 * sentence that tells it. A name alone, or one that points at where the value is kept, is none.
 */
export default {
  kind: 'named-secret',
  why: 'What is called a password is one, even if it looks like a word.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) => SHAPES.flatMap((shape) => [...text.matchAll(shape)].flatMap((found) => spanOf(found))),
} satisfies Ephemeron

const NAME = '(?:pass(?:word|wd|phrase)|passwd|secret|token|api[-_]?key|access[-_]?key|auth[-_]?key|private[-_]?key|client[-_]?secret|credentials?)'
/** Not a value: a reference, a switch, a kind of value, or a place. */
const PLAIN = /^(?:["'\x60]?(?:<[^>]*>|\$|\{|\*+|x{3,}|\.{3}|…|(?:true|false|null|none|undefined|optional|required)[.,:;]?$)|-)/i

const SHAPES: readonly RegExp[] = [
  new RegExp(`(?:^|[\\s'"\x60;])[A-Za-z0-9_]{0,40}${NAME}(?:_[A-Za-z0-9_]{0,20})?=(['"]?)([^\\s'"\x60;&|]{4,200})`, 'gi'),
  new RegExp(`(?:^|[\\s'"\x60])--?(?:[a-z]{1,20}-)?(?:${NAME}|otp|auth-token)(?:[ =])(['"]?)([^\\s'"\x60;&|-][^\\s'"\x60;&|]{3,200})`, 'gi'),
  new RegExp(`[?&](?:[a-z]{1,20}[-_])?(?:${NAME}|sig|signature|key|auth)=()([^\\s'"\x60&#]{4,200})`, 'gi'),
  new RegExp(`(?:^|[\\s'"\x60,=])(?:${NAME})=()([^\\s'"\x60,;&]{4,200})`, 'gi'),
  /\bauthorization["']?\s*[:=]\s*["']?(bearer|basic|token|digest)\s+([^\s'"\x60]{4,400})/gi,
  new RegExp(`\\b(?:the|a|an)\\s+(?:[a-z]{1,20}\\s+){0,3}(?:password|passphrase|secret|token|api key|access key)\\s+(?:is|=|:)\\s+(["'\x60]?)((?!(?:required|needed|missing|set|unset|empty|read|stored|kept|taken|optional|invalid|valid|expired|rotated|checked|sent|passed|given|absent|present|not|never|only|always|in|from|at|an?|the|needed|[a-z]{2,20}(?:ed|ing|able|ible|less))\\b)[^\\s'"\x60]{4,200})`, 'gi'),
]

function spanOf(found: RegExpMatchArray): Span[] {
  const value = found[2] ?? ''
  if (PLAIN.test(value) || found.index === undefined) return []
  const end = found.index + found[0].length
  return [{ start: end - value.length, end }]
}
