import { type Ephemeron, type Span, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'assignment',
  why: 'A value that its own name calls a password, token or key is one, whatever it looks like.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) => SHAPES.flatMap(([pattern, holds]) => valuesOf(text, pattern).filter(({ start, end }) => holds(text.slice(start, end)))),
} satisfies Ephemeron

const PASSWORD = '(?:pass(?:word|wd|phrase|code)|(?<![A-Za-z])pwd|_pass|_auth)'
const KEY =
  '(?:secret(?:[_-]?key(?:[_-]?base)?)?|(?<!unexpected )token|(?:api|access|private|account|signing|encryption|auth|session|master|service|shared[_-]?access)[_-]?key|credentials?)'
/** A quote, escaped as JSON or a shell would have it, or a bracket. */
const QUOTES = String.raw`(?:\\{0,3}["'\]]|'\\''){0,2}`
const VALUE = String.raw`(?:\\{0,3}["'\x60]|'\\'')?(?<it>[^\s"'\x60,;&|)}\]]{4,4000})`

/** A value that was written out, not named: no variable, placeholder, call, path or type. */
const isWrittenOut = (value: string): boolean => !NOT_WRITTEN_OUT.test(value) && !NAMED.has(value.toLowerCase().replace(/[.:;?!]+$/, ''))
const NOT_WRITTEN_OUT = new RegExp(
  [
    String.raw`^[$<{[@]|^\((?:protected|hidden|redacted|masked|unset|none)|\$\{|\{\{|\$\(|^%[A-Za-z_]+%`, // variables and templates
    String.raw`^[A-Za-z_.]+\(|^(?:process\.env|os\.environ|import\.meta|env|secrets|vars)\.`, // calls and look-ups
    String.raw`^(?:https?|file|ssh):|^(?:~|\.{1,2})?\/(?:[\w.-]+\/)*[\w.-]+$|\.(?:pem|key|json|txt|ya?ml|env|crt)$`, // addresses and paths
    String.raw`^(.)\1*$|^(?:x{3,}|your|my-)[\w-]*$`, // stand-ins
  ].join('|'),
  'i',
)
const NAMED = new Set(
  'true false null none undefined nil string number boolean bool object unknown any void never required optional empty missing invalid expired redacted hidden masked secret token password passphrase example value changeit prompt stdin auto inherit default read-only'.split(
    ' ',
  ),
)
const isCoded = (value: string): boolean => (/\d/.test(value) && /[A-Za-z]/.test(value)) || /[!@#$%^*+]/.test(value)

const coded =
  (least: number) =>
  (value: string): boolean =>
    value.length >= least && isCoded(value) && isWrittenOut(value)
// In a sentence words follow an option's name; on a command line its value does.
const notAWord = (value: string): boolean =>
  isWrittenOut(value) && (isCoded(value) || !/^[a-z]+$/.test(value) || (value.length >= 6 && !PROSE.has(value)))
const PROSE = new Set(
  'option options argument arguments parameter requires require without instead before cannot should reads takes fails prints exists accepts needs works expects switch support variable becomes'.split(' '),
)
const notNumbers = (value: string): boolean => isWrittenOut(value) && !/^\d{1,6}$/.test(value)
const keyMaterial = (value: string): boolean => /^[A-Za-z0-9+/=_]{16,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && isWrittenOut(value)

/** Where a value stands, and when it is a secret. Option values and programs' own spellings included. */
const SHAPES: readonly (readonly [RegExp, (value: string) => boolean])[] = [
  [new RegExp(`${PASSWORD}${QUOTES}\\s?(?:=|%3D)\\s?${VALUE}`, 'dgi'), isWrittenOut],
  [new RegExp(`${PASSWORD}${QUOTES}\\s?(?::|=>|:=)\\s{0,4}${VALUE}`, 'dgi'), coded(6)],
  [new RegExp(`${KEY}${QUOTES}\\s?(?:=|:|=>|:=|%3D)\\s{0,4}${VALUE}`, 'dgi'), coded(8)],
  [/<[\w.:-]{0,40}(?:password|passwd|passphrase|secret|token|apikey)>(?<it>[^\s<>]{4,4000})<\//dgi, isWrittenOut],
  [/\b[A-Z0-9]{1,40}_KEY=["']?(?<it>[A-Za-z0-9+/=_]{16,1000})/dg, keyMaterial],
  [/_auth(?:token)?["']?\s?=\s?["']?(?<it>[^\s"',;]{8,4000})/dgi, isWrittenOut],
  [new RegExp(`(?<![\\w-])--?(?:[a-z0-9]{1,20}-){0,3}(?:password|passwd|passphrase|pass|pwd|pw)(?:=|\\s{1,3})["']?(?<it>[^\\s"'\`;|&-][^\\s"'\`;|&]{3,1000})`, 'dgi'), notAWord],
  [
    new RegExp(`(?<![\\w-])--?(?:[a-z0-9]{1,20}-){0,3}(?:token|api-?key|access-?key|secret-?key|client-?secret|auth-?key)(?:=|\\s{1,3})["']?(?<it>[^\\s"'\`;|&-][^\\s"'\`;|&]{5,4000})`, 'dgi'),
    (value) => notAWord(value) && (isCoded(value) || value.length >= 16),
  ],
  [/\b(?:curl|https?|xh|wget|hey|ab)\b[^\n|;&]{0,300}?\s(?:-u|-U|--user|--proxy-user|-a|--auth)(?:=|\s{0,3})["']?[^\s:"'=/]{1,100}:(?<it>[^\s"']{3,200})/dg, notNumbers],
  [/\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|7z|7za)\b[^\n|;&]{0,300}?\s-p(?<it>[^\s"'-][^\s"']{2,200})/dg, notNumbers],
  [/\b(?:sshpass|docker login|podman login|helm registry login|az login)\b[^\n|;&]{0,300}?\s-p\s{0,3}["']?(?<it>[^\s"'-][^\s"']{2,200})/dg, isWrittenOut],
  [/\bredis-cli\b[^\n|;&]{0,300}?\s-a\s{1,3}["']?(?<it>[^\s"'-][^\s"']{2,200})/dg, isWrittenOut],
  [/\bldap(?:search|modify|add|whoami)\b[^\n|;&]{0,300}?\s-w\s{1,3}["']?(?<it>[^\s"'-][^\s"']{2,200})/dg, isWrittenOut],
  [/\b(?:zip|unzip)\b[^\n|;&]{0,300}?\s-P\s{1,3}["']?(?<it>[^\s"'-][^\s"']{2,200})/dg, isWrittenOut],
  [/-pass(?:in|out)?\s{1,3}["']?pass:(?<it>[^\s"']{3,200})/dg, isWrittenOut],
  [/\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3}(?<it>\S{3,200})/dg, isWrittenOut],
  [/[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_token|refresh_token|id_token|token|api_?key|key|code)=(?<it>[^\s"'&#<>]{8,4000})/dgi, coded(8)],
  [/\bcookie["']?\s{0,2}[:=]\s{0,2}["']?[\w.-]{1,60}=(?<it>[^\s"';]{8,4000})/dgi, coded(8)],
]

/** Without the full stop of the sentence that they stand in. */
const valuesOf = (text: string, pattern: RegExp): Span[] =>
  spansOf(text, pattern)
    .map(({ start, end }) => ({ start, end: end - (/[.:?!]+$/.exec(text.slice(start, end))?.[0].length ?? 0) }))
    .filter(({ start, end }) => end > start)
