import { table } from '../../base/table.ts'
/**
 * A PowerShell text in the words of a POSIX shell, where each of its commands is plain: a program with its words, lists and
 * pipes of such, `cd`, `$env:NAME = '…'`, and the few cmdlets that only pass text on. null: it does more, or nobody can tell.
 * A path inside the folder is written with `/`.
 */
export function posixOf(text: string): string | null {
  const tokens = ODD_QUOTES.test(text) ? null : tokensOf(text)
  if (tokens === null) return null
  const out: string[] = []
  let words: Word[] = []
  for (const token of [...tokens, END]) {
    if (token.is === 'word') {
      words.push(token)
      continue
    }
    if (words.length > 0) {
      const command = plain(words)
      if (command === null) return null
      out.push(command)
    } else if (token !== END && token.value !== '\n') return null
    words = []
    if (token !== END) out.push(token.value)
  }
  return out.length === 0 ? null : out.join(' ').replace(/ ?\n ?/g, '\n')
}

/** The program that is PowerShell, as a host names it. */
export const isPowerShell = (program: string): boolean => /(?:^|[\\/])(?:pwsh|powershell)(?:\.exe)?$/i.test(program)

/** Whether a PowerShell text only looks at things: nothing in it is known to write, to start a program, or to call a method. */
export function looksOnly(text: string): boolean {
  if (text.length > MAX || ODD_QUOTES.test(text) || /--output\b|[&`]|::|\.\w+\(|[^2]>|^>|2>(?!\s*\$null)|\$\(|\bcmd\b/.test(text.replace(/2>&1/g, ''))) return false
  const starts = text.replace(/'[^'\n]*'|"[^"\n]*"/g, '""').split(/[|;{}()\n]/)
  return starts.every((start) => {
    const word = /^\s*(?:\$\w+\s*=(?!=)\s*)?([^\s]*)/.exec(start)?.[1] ?? ''
    return word === '' || LOOKS.test(word) || GIT_LOOKS.test(start) || /^(?:if|else|elseif|""|-\w+|\$[\w:.?]+|\d[\d.]*)$/.test(word)
  })
}

const LOOKS =
  /^(?:Get-(?:ChildItem|Content|Item|ItemProperty|ItemPropertyValue|Location|Process|Service|Command|Date|Help|Member|Module|Variable|Host|FileHash|Acl|PSDrive|Unique|NetTCPConnection|CimInstance|ComputerInfo|Alias)|Select-(?:Object|String|Xml)|Where-Object|Sort-Object|Group-Object|Measure-Object|Compare-Object|Format-(?:Table|List|Wide|Hex)|ConvertFrom-(?:Json|Csv)|ConvertTo-(?:Json|Csv)|Out-(?:String|Host|Null)|Test-(?:Path|Connection)|Resolve-Path|Split-Path|Join-Path|Write-(?:Output|Host)|gci|gc|sls|dir|ls|cat|type|where|select|sort|measure|echo|pwd|rg)$/i

/** Quotes of print, which PowerShell takes for its own. */
const ODD_QUOTES = /[\u2018-\u201b\u201c-\u201e]/

const GIT_LOOKS = /^\s*git (?:status|log|diff|show|rev-parse|ls-files|blame|describe)\b/

type Word = { readonly is: 'word'; readonly value: string; readonly quoted: boolean }
type Token = Word | { readonly is: 'mark'; readonly value: string }
const END: Token = { is: 'mark', value: '' }
const MAX = 20_000

/** One command: its words in single quotes where they need them. */
function plain(words: readonly Word[]): string | null {
  const assigned = /^\$env:(\w+)=$/i.exec(words[0]?.quoted ? '' : (words[0]?.value ?? ''))
  if (assigned !== null) return words.length === 2 && words[1]?.quoted === true ? `export ${assigned[1]}=${quoted(words[1].value)}` : null
  if (words.some(({ value, quoted: isQuoted }) => !isQuoted && (value.includes('$') || value.startsWith('--%') || /^[@#%]/.test(value)))) return null
  const called = words[0]?.value === '&' && words[0].quoted === false ? words.slice(1) : words
  if (called.some(({ value, quoted: isQuoted }) => value === '&' && !isQuoted)) return null
  const [program, ...rest] = called
  if (program === undefined || (program.quoted && called === words)) return null
  const args = rest.map(({ value }) => value)
  const passed = PASSES[program.value.toLowerCase()]
  const own = passed === undefined ? (/^[A-Za-z]+-[A-Za-z]+$/.test(program.value) && /^[A-Z]/.test(program.value) ? null : [program.value, ...args]) : passed(args)
  // A list of words behind commas is several arguments.
  if (own === null || rest.some((word) => !word.quoted && word.value.includes(','))) return null
  return own.map((word) => (MARKS.has(word) ? word : quoted(path(word)))).join(' ')
}

const MARKS = new Set(['2>&1', '2>/dev/null', '>/dev/null'])

type Passes = (args: readonly string[]) => readonly string[] | null
const one =
  (program: string): Passes =>
  (args) =>
    args.length === 1 && !(args[0] as string).startsWith('-') ? [program, args[0] as string] : null
const lines = (args: readonly string[]): readonly string[] | null => {
  const [which = '', count = ''] = args
  if (args.length !== 2 || !/^\d{1,6}$/.test(count)) return null
  return /^-Last$/i.test(which) ? ['tail', '-n', count] : /^-First$/i.test(which) ? ['head', '-n', count] : null
}

/** Cmdlets that have a plain counterpart, with the arguments with which they do. */
const PASSES: Readonly<Record<string, Passes>> = table({
  'set-location': one('cd'),
  sl: one('cd'),
  chdir: one('cd'),
  'push-location': one('cd'),
  'select-object': lines,
  select: lines,
  'tee-object': one('tee'),
  'out-host': (args) => (args.length === 0 ? ['cat'] : null),
  'out-string': (args) => (args.length === 0 ? ['cat'] : null),
  'get-location': (args) => (args.length === 0 ? ['pwd'] : null),
  'get-content': one('cat'),
  'write-output': one('echo'),
  'write-host': one('echo'),
})

/** A relative path as other systems write it; any other word as it is. */
const path = (word: string): string => (/^(?:\.{1,2}\\)*[\w.@+-]+(?:\\[\w.@+ -]+)*\\?$/.test(word) && word.includes('\\') ? word.replaceAll('\\', '/') : word)

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

function tokensOf(text: string): readonly Token[] | null {
  if (text.length > MAX) return null
  const tokens: Token[] = []
  let i = 0
  while (i < text.length) {
    const rest = text.slice(i, i + 12)
    const mark = /^(?:&&|\|\||[;|\n])/.exec(rest)?.[0]
    const redirected = /^(?:2>&1|\*>&1|(?:2|\*)?>\s{0,3}\$null)(?![\w:])/i.exec(rest)?.[0]
    if (/^[^\S\n]/.test(rest)) i += 1
    else if (redirected !== undefined) {
      tokens.push({ is: 'word', value: redirected.endsWith('&1') ? '2>&1' : redirected.startsWith('2') ? '2>/dev/null' : '>/dev/null', quoted: false })
      i += redirected.length
    } else if (mark !== undefined) {
      tokens.push({ is: 'mark', value: mark })
      i += mark.length
    } else if (/^\$env:\w/i.test(rest)) {
      const found = /^\$env:\w{1,80}\s{0,8}=\s{0,8}/i.exec(text.slice(i, i + 120))?.[0]
      if (found === undefined) return null
      tokens.push({ is: 'word', value: found.replace(/\s/g, ''), quoted: false })
      i += found.length
    } else {
      const word = wordAt(text, i)
      if (word === null) return null
      tokens.push(word.token)
      i = word.end
    }
  }
  return tokens
}

/** A word of bare and quoted parts; null: it holds something that PowerShell works out. */
function wordAt(text: string, from: number): { token: Word; end: number } | null {
  let value = ''
  let isQuoted = false
  let i = from
  for (; i < text.length && !/[\s;|]/.test(text[i] as string); i++) {
    const char = text[i] as string
    if (char === '&') return i === from && /\s/.test(text[i + 1] ?? '') ? { token: { is: 'word', value: '&', quoted: false }, end: i + 1 } : null
    if (/[`$(){}<>]/.test(char) || (/[@#%]/.test(char) && i === from)) return null
    if (char !== '"' && char !== "'") {
      value += char
      continue
    }
    let end = i + 1
    let part = ''
    for (; end < text.length; end++) {
      if (text[end] !== char) part += text[end]
      else if (text[end + 1] === char) part += text[end++]
      else break
    }
    if (end >= text.length || (char === '"' && /[`$]/.test(part))) return null
    value += part
    isQuoted ||= i === from
    i = end
  }
  return { token: { is: 'word', value, quoted: isQuoted }, end: i }
}
