import { table } from '../../base/table.ts'
import { type Pattern, isKnown } from './pattern.ts'
import type { Place } from './place.ts'

/** It reads its standard input: where nothing in the command's own text feeds that, no key holds what it gets. */
export function takesInput({ inputs, fed }: Pick<Place, 'inputs' | 'fed'>): void {
  if (fed !== true) inputs.untold('it reads its standard input')
}

/** Paths under which a program finds its standard input. */
export const isInput = (path: Pattern): boolean => /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(path)

/** Whether a program takes its standard input, by its words alone. */
export function asksInput(name: string, args: readonly Pattern[]): boolean {
  if (args.some((arg) => /^--(?:help|version)$/.test(arg))) return false
  if (args.some(isInput)) return true
  if (/^(?:test|\[)$/.test(name)) return args.some((arg, i) => arg === '-t' && args[i + 1] === '0')
  if (/^(?:tr|tee|tty|stty|sponge)$/.test(name)) return true
  if (/^(?:xargs|parallel)$/.test(name)) return !args.some((arg) => /^-a|^--arg-file/.test(arg))
  if (args.some((arg, i) => (arg === '-' && !/^(?:-o|-O|--out|--output)$/.test(args[i - 1] ?? '')) || /^--stdin(?:$|[-_=])/.test(arg)) && !DASHES.test(name) && !(name === 'tar' && args[0]?.includes('c') === true)) return true
  const least = name === 'cmp' ? 2 : FILTERS.has(name) ? 1 : 0
  if (least === 0 || ALONE[name]?.test(args.join('\n')) === true) return false
  return operands(name, args) < least
}

/** How many words name what is to be read. */
function operands(name: string, args: readonly Pattern[]): number {
  const valued = new RegExp(`^-[a-zA-Z]*[${VALUED[name] ?? ''}]$`)
  let first = /^(?:[ef]?grep|sed|g?awk|mawk|jq)$/.test(name) && !args.some((arg) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file|expression|from-file)/.test(arg) && !(name === 'jq' && !/^-[a-zA-Z]*f|^--from/.test(arg)))
  let found = 0
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Pattern
    if (arg === '--') continue
    if (/^-./.test(arg) && isKnown(arg)) {
      if (name in VALUED && valued.test(arg)) i += 1
      else if (/^--arg(?:json)?$/.test(arg)) i += 2
      else if (LONG.test(arg)) i += 1
    } else if (first) first = false
    else if (!(/awk$/.test(name) && /^[A-Za-z_]\w*=/.test(arg))) found += 1
  }
  return found
}

/** Programs that read what they are given where their words name no file. */
const FILTERS = new Set(
  ('cat head tail wc sort uniq cut grep egrep fgrep sed awk gawk mawk nl od xxd hexdump sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5sum cksum sum b2sum paste fold fmt expand unexpand column rev tac base64 ' +
    'base32 tsort shuf jq zcat gzip gunzip bzip2 xz bzcat xzcat strings split csplit iconv pr less more patch m4 bc dc ed ex perl ruby php lua Rscript cmp').split(' '),
)

/** Their options of one letter that take the next word. */
const VALUED: Readonly<Record<string, string>> = table({
  head: 'nc', tail: 'ncs', sort: 'ktSTo', uniq: 'fsw', cut: 'dfcb', grep: 'ABCmefdD', egrep: 'ABCmefdD', fgrep: 'ABCmefdD', sed: 'ef', awk: 'Fvf', gawk: 'Fvf', mawk: 'Fvf', nl: 'bdfhilnsvw', od: 'AjNStw', xxd: 'cglos',
  hexdump: 'nsef', paste: 'd', fold: 'w', fmt: 'wpg', expand: 't', unexpand: 't', column: 'sco', base64: 'w', base32: 'w', shuf: 'nio', jq: 'f', tac: 's', strings: 'nte', split: 'ablnC', iconv: 'fto', perl: 'EI', patch: 'dipo', shasum: 'a', csplit: 'bfn',
})

/** Long options of these that take the next word. */
const LONG = /^--(?:lines|bytes|key|field-separator|delimiters?|fields|characters|regexp|file|max-count|context|after-context|before-context|expression|separator|width|assign|skip-fields|skip-chars|check-chars|output|indent)$/

/** Words with which they read nothing, or something else. */
const ALONE: Readonly<Record<string, RegExp>> = table({
  grep: /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive)/m,
  awk: /^\s*BEGIN\s*\{[^{}]*\}\s*$/m,
  gawk: /^\s*BEGIN\s*\{[^{}]*\}\s*$/m,
  mawk: /^\s*BEGIN\s*\{[^{}]*\}\s*$/m,
  jq: /^-[a-zA-Z]*n|^--null-input$/m,
  shuf: /^-[a-zA-Z]*[ie]|^--(?:input-range|echo)/m,
  patch: /^-i|^--input/m,
  perl: /^-[vV]$|^-(?![a-zA-Z]*[np])[a-zA-Z]*e/m,
  ruby: /^-v$|^-(?![a-zA-Z]*[np])[a-zA-Z]*e/m,
  php: /^-[vrim]/m,
  lua: /^-[ve]/m,
  Rscript: /^-e/m,
  ex: /^-c/m,
})

/** To these a dash is a folder, a branch or a text. */
const DASHES = /^(?:git|expr|seq|date|echo|printf|find|ls|basename|dirname|curl|wget)$/

/** What a source of another language says that reads its standard input. */
export const READS_INPUT = /\bSTDIN\b|\$stdin\b|<>|php:\/\/stdin|\bARGF\b|\bgets\b|\bio\.(?:read|lines)\b|file\(\s*['"]stdin/
