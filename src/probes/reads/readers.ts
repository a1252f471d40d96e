import { table } from '../../base/table.ts'
import { ANY, type Pattern, STAR, UNKNOWN, isElsewhere, isKnown, placeOf } from './pattern.ts'
import type { Place } from './place.ts'
import { onlyEdits } from './sed.ts'
import { READS_INPUT, takesInput } from './stdin.ts'
import { testHow } from './shell/tests.ts'

/** Programs that read what their words name, and nothing else. */
export const READERS = new Set(
  ('test [ cat head tail wc sort uniq cut grep egrep fgrep sed awk gawk diff cmp comm tee nl od xxd hexdump sha1sum sha256sum md5sum cksum sum b2sum file stat ls du paste join fold fmt expand unexpand ' +
    'column strings rev tac base64 base32 basename dirname cp mv rm mkdir rmdir touch ln chmod install truncate split tsort shuf readlink realpath jq find zcat gzip gunzip').split(' '),
)

/** Follows one of them. Where it is told to do more, it may read anything. */
export async function readers(name: string, args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const refused = REFUSED[name]
  if (refused !== undefined && args.some((arg) => refused.test(arg))) {
    inputs.all(`"${name}" that may read more than it is told`)
    await unknown(args, at)
    if (name !== 'sed' && name !== 'find') return
  }
  if (args.some((arg) => TIMES[name]?.test(arg) === true) || (name === 'stat' && !args.some((arg) => /^-[a-zA-Z]*c|^--(?:format|printf)/.test(arg)))) inputs.times()
  if (name === 'sed' && !scripts(args).every((script) => isKnown(script) && onlyEdits(script))) {
    inputs.all('a sed that may read more than it is told')
    return unknown(args, at)
  }
  const patternFirst = /^(?:e|f)?grep$|^sed$|^g?awk$|^jq$/.test(name)
  const recursive = /grep$/.test(name) && args.some((arg) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive/.test(arg))
  let pattern = patternFirst && !args.some((arg) => /^-(?:e|f|-regexp|-file|-expression)/.test(arg))
  let words = 0
  let ended = false
  for (const arg of args) {
    if (name === '[' && arg === ']') continue
    if (!ended && arg === '--') {
      ended = true
      continue
    }
    const option = !ended && arg.startsWith('-') && arg !== '-'
    if (!option && pattern) {
      pattern = false
      continue
    }
    if (/^(?:test|\[)$/.test(name) && !isKnown(arg) && arg.startsWith(ANY) && COMPARES(args)) continue
    if (/^(?:sed|g?awk)$/.test(name) && option && /^(?:-e|--expression)/.test(arg)) continue
    const value = option ? (/^--?[\w-]+=(.+)$/s.exec(arg)?.[1] ?? /^-[a-zA-Z]([^-\s].+)$/s.exec(arg)?.[1]) : arg
    if (value === undefined || value === '') continue
    if (!option && isKnown(value) && (isElsewhere(value) || (await named(value, at)))) words += 1
    if (option && !isKnown(value)) return inputs.all('an option that only running tells')
    await readOne(name, value, args, at)
  }
  if (words === 0 && (recursive || name === 'find' || name === 'du')) return inputs.tree(folder)
  if (words === 0 && name === 'ls') return readOne(name, '.', args, at)
}

/** Whether something lies where a word leads: a pattern, a number or the value of an option are words too. */
async function named(word: Pattern, { inputs, folder }: Place): Promise<boolean> {
  const place = placeOf(word, folder)
  return place === null || place === UNKNOWN || (await inputs.kind(place)) !== null
}

async function readOne(name: string, value: Pattern, args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const place = isKnown(value) && !value.startsWith('/') ? placeOf(value, folder) : null
  if ((place !== null && at.made.has(place) && !inputs.tracked(place)) || (isElsewhere(value) && at.made.has(value))) return
  // What an option's letters or a number look like is looked for as a file too: it does no harm.
  if (!value.startsWith('/') && value.length > 300) return
  const path = value.replaceAll(`${STAR}${STAR}`, STAR)
  if (name === 'test' || name === '[') {
    const asked = args.map(testHow)
    const how = asked.includes('read') || args.includes('-ef') ? 'read' : 'stat'
    await inputs.path(path, folder, how)
    if (asked.includes('mode') || args.includes('-ef')) await inputs.path(path, folder, 'mode')
    return
  }
  const how = /^(?:dirname|basename)$/.test(name) ? 'stat' : name === 'ls' && !args.some((arg) => /^-[a-zA-Z]*[lsStLZiRFn]/.test(arg)) ? 'list' : 'read'
  await inputs.path(path, folder, how)
  if (/^(?:ls|stat|readlink|realpath|cp|mv|install|chmod|rm|find|du|file|tee)$/.test(name)) await inputs.path(path, folder, 'mode')
}

/** The texts that sed is to do. */
function scripts(args: readonly Pattern[]): readonly Pattern[] {
  const given = args.flatMap((arg, i) => (/^(?:-[a-zA-Z]*e|--expression)$/.test(arg) ? [args[i + 1] ?? ''] : (/^(?:-e|--expression=)(.+)$/s.exec(arg)?.[1] ?? [])))
  return given.length > 0 ? given : [args.find((arg) => !arg.startsWith('-')) ?? '']
}

/** `date -f FILE` reads dates from it; `-r FILE` asks when it was changed. */
export async function date(args: readonly Pattern[], { inputs, folder }: Place): Promise<void> {
  for (const [i, arg] of args.entries()) {
    const [, long, value] = /^(?:-[a-zA-Z]*([fr])|--(?:file|reference)=)(.*)$/s.exec(arg) ?? []
    if (/^-[a-zA-Z]*r|^--reference/.test(arg)) inputs.times()
    else if (value !== undefined) await inputs.path(value === '' && long !== undefined ? (args[i + 1] ?? '') : value, folder, 'read')
    else if (arg === '--file') await inputs.path(args[i + 1] ?? '', folder, 'read')
  }
}

/** Of a program that may read anything: what its words name outside the repository, and whether they, or the script that they name, start git. */
export async function unknown(args: readonly Pattern[], at: Place, name = ''): Promise<void> {
  const { inputs, folder, made } = at
  const speaks = /^(?:perl|ruby|php|lua)[\d.]*$/.test(name)
  for (const arg of args.slice(0, MOST_WORDS)) {
    if (/^git(?:\s|$)/.test(arg)) inputs.git()
    if (speaks && READS_INPUT.test(arg)) takesInput(at)
    const value = /^-[\w-]*=(.+)$/s.exec(arg)?.[1] ?? arg
    if (isElsewhere(value)) {
      if (!made.has(value)) await inputs.path(value, folder, 'read')
    } else if (isKnown(value)) {
      const place = placeOf(value, folder)
      if (place === null || place === '?' || place === '.') continue
      if (inputs.tracked(place)) {
        const text = await inputs.text(place)
        if (speaks && READS_INPUT.test(text ?? '')) takesInput(at)
      } else if ((await inputs.kind(place)) !== null) await inputs.path(value, folder, 'read')
    }
  }
}

const MOST_WORDS = 100

/** Words by which these ask when a file was changed. */
const TIMES: Readonly<Record<string, RegExp>> = table({
  'test': /^-(?:nt|ot|N)$/,
  '[': /^-(?:nt|ot|N)$/,
  'find': /^-(?:newer|anewer|cnewer|[acm]time|[acm]min|used|printf|fprintf|ls|fls|perm|inum|links|user|group|uid|gid)/,
  'ls': /^-[a-zA-Z]*[tcu]|^--(?:sort|time)/,
  'stat': /%[^aAnNFsh]*[bBcCdDfgGhimoTtuUwWxXyYzZ]|^-[a-zA-Z]*t/,
  'cp': /^-[a-zA-Z]*u|^--update/,
  'mv': /^-[a-zA-Z]*u|^--update/,
  'du': /^--time/,
  'touch': /^-[a-zA-Z]*r|^--reference/,
  'sort': /^--random|^-R$/,
})

/** `[ "$n" -eq 3 ]` looks at no file. */
const COMPARES = (args: readonly Pattern[]): boolean => args.some((arg) => /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-n|-z)$/.test(arg)) && !args.some((arg) => /^-(?:[a-hkprstuwxGLNOS]|nt|ot|ef)$/.test(arg))

/** Words of these that make them read, run or write elsewhere. */
const REFUSED: Readonly<Record<string, RegExp>> = table({
  find: /^-(?:exec|ok|delete|fls|fprint|files0)|^-L$|^-follow$/,
  sed: /^-[a-zA-Z]*f|^--file/,
  awk: /^-[fiEl]|^--(?:file|include|exec|load)|getline|system|\||printf?.*>|ARGV|ENVIRON|@include|@load/,
  gawk: /^-[fiEl]|^--(?:file|include|exec|load)|getline|system|\||printf?.*>|ARGV|ENVIRON|@include|@load/,
  jq: /^-[fL]|^--(?:from-file|slurpfile|rawfile|arg)|include|import|input_filename|env|\$__loc__/,
  sort: /^--(?:files0-from|compress-program)/,
  wc: /^--files0-from/,
  du: /^--files0-from|^-X/,
  diff: /^--(?:from|to)-file|^-X|^--exclude-from/,
  file: /^-[a-zA-Z]*[fmz]|^--(?:files-from|magic-file|uncompress)/,
  split: /^--filter/,
  ...Object.fromEntries(['md5sum', 'sha1sum', 'sha256sum', 'b2sum', 'cksum'].map((name) => [name, /^-[a-zA-Z]*c|^--check/])),
})
