import { followC } from './c.ts'
import { followCargo } from './cargo.ts'
import { followMake } from './make.ts'
import { followNode } from './node.ts'
import { followNpm } from './npm.ts'
import { ANY, type Pattern, STAR, inFolder, isElsewhere, isKnown, nameIn, placeOf, upFrom } from './pattern.ts'
import { followPython } from './python.ts'
import type { Place } from './place.ts'
import { onlyEdits } from './sed.ts'
import { STEERS, followShell, testHow } from './shell.ts'

/** Follows a command to all that it can read. What is not known to read only what its words name may read anything. */
export async function follow(argv: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const [name = '', ...args] = argv
  if (at.depth > 16 || inputs.isFull) return inputs.all('it goes too deep')
  if (!isKnown(name) || name === '') return inputs.all('a program that only running tells')
  if (name.includes('/')) return ownProgram(name, args, at)
  if (BUILTINS.has(name)) return
  if (name === 'command' || name === 'builtin' || name === 'type' || name === 'which' || name === 'hash') return asked(name, args, at)
  if (name in WRAPPERS) return wrapped(name, args, at)
  for (const up of upFrom(folder)) if ((await inputs.kind(inFolder(up, `node_modules/.bin/${name}`))) !== null) return installed(name, inFolder(up, `node_modules/.bin/${name}`), args, at)
  if (name === 'git') inputs.git()
  // What is not there reads nothing.
  if (name !== 'test' && name !== '[' && !(await inputs.program(name, folder))) return
  if (/^(?:sh|bash|dash|ash|ksh)$/.test(name)) return shell(args, at)
  if (/^(?:node|nodejs)$/.test(name)) return followNode(args, at, follow)
  if (name === 'npm') return followNpm(args, at, follow)
  if (/^(?:python|pypy)[\d.]*$/.test(name)) return followPython(args, at)
  if (name === 'pytest' || name === 'py.test') return followPython(['-m', 'pytest', ...args], at, true)
  if (/^g?make$/.test(name)) return followMake(args, at, follow)
  if (/^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?$/.test(name)) return followC(args, at)
  if (name === 'cargo') return followCargo(args, at)
  if (name === 'date') return date(args, at)
  if (NOTHING.has(name)) return
  if (READERS.has(name)) return readers(name, args, at)
  inputs.all(`"${name}" may read anything`)
  await unknown(args, at)
}

/** Of a program that may read anything: what its words name outside the repository, and whether they, or the script that they name, start git. */
async function unknown(args: readonly Pattern[], { inputs, folder, made }: Place): Promise<void> {
  for (const arg of args.slice(0, MOST_WORDS)) {
    if (/^git(?:\s|$)/.test(arg)) inputs.git()
    const value = /^-[\w-]*=(.+)$/s.exec(arg)?.[1] ?? arg
    if (isElsewhere(value)) {
      if (!made.has(value)) await inputs.path(value, folder, 'read')
    } else if (isKnown(value)) {
      const place = placeOf(value, folder)
      if (place === null || place === '?' || place === '.') continue
      if (inputs.tracked(place)) await inputs.text(place)
      else if ((await inputs.kind(place)) !== null) await inputs.path(value, folder, 'read')
    }
  }
}

const MOST_WORDS = 100

/** A file of the repository that is run, by its first line. */
async function ownProgram(name: string, args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const system = /^\/(?:usr\/|usr\/local\/)?s?bin\/([^/]+)$/.exec(name)?.[1]
  if (system !== undefined) return follow([system, ...args], at)
  const place = placeOf(name, folder)
  if (place === null || place === '?') {
    if (isElsewhere(name)) await inputs.outside(name)
    if (nameIn(name) === 'git') inputs.git()
    return inputs.all('a program that lies outside')
  }
  if (at.made.has(place)) return void inputs.ran.add(place)
  const text = await inputs.text(place)
  const shebang = /^#! *(\S+)(?: +(\S+))?(?: +(\S.*))?[\r\n]/.exec(text ?? '')
  if (text === null || text.slice(0, 400).includes('\0')) return inputs.all(`"${place}" may read anything`)
  if (shebang === null) return followShell(text, name, args, at, follow)
  const [, program = '', first, more] = shebang
  const viaEnv = /\/env$/.test(program)
  const interpreter = viaEnv ? (first === '-S' ? more : first) : program.replace(/^.*\//, '')
  if (interpreter === undefined || /\s/.test(interpreter)) return inputs.all('a first line that can not be followed')
  return follow([interpreter, ...(viaEnv || first === undefined ? [] : [first]), name, ...args], { ...at, depth: at.depth + 1 })
}

/** What an installer put into `node_modules/.bin`: a program of Node, or nobody knows. */
async function installed(name: string, path: string, args: readonly Pattern[], at: Place): Promise<void> {
  const text = await at.inputs.text(path)
  if (text === null || !/^#!.*\bnode\b/.test(text)) return at.inputs.all(`"${name}" may read anything`)
  return followNode([path, ...args], at, follow, '.')
}

/** `command -v X` asks whether a program is there; `command X` runs it. */
async function asked(name: string, args: readonly Pattern[], at: Place): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith('-'))
  if ((name === 'command' || name === 'builtin') && !args.some((arg) => /^-[vV]/.test(arg))) return words.length === 0 ? undefined : follow(args.slice(args.indexOf(words[0] as string)), { ...at, depth: at.depth + 1 })
  for (const word of words) {
    if (!isKnown(word)) at.inputs.all('a program that only running tells')
    else if (word.includes('/')) await at.inputs.path(word, at.folder, 'stat')
    else await at.inputs.program(word, at.folder)
  }
}

/** Programs that run another one: their options that take a value. */
const WRAPPERS: Readonly<Record<string, RegExp>> = { env: /^-[uC]$/, nohup: /^$/, nice: /^-n$/, time: /^-[fo]$/, timeout: /^-[ks]$/, exec: /^-a$/, setsid: /^$/, stdbuf: /^-[ioe]$/ }

async function wrapped(name: string, args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs } = at
  let i = 0
  for (; i < args.length; i++) {
    const arg = args[i] as Pattern
    if (name === 'env' && /^[A-Za-z_]\w*=/.test(arg)) {
      if (STEERS.test(arg.slice(0, arg.indexOf('=')))) inputs.all('its environment steers what it reads')
    } else if (name === 'env' && /^-(?:C|S|-chdir|-split)/.test(arg)) return inputs.all('an env that changes more than variables')
    else if (arg.startsWith('-')) i += WRAPPERS[name]?.test(arg) === true ? 1 : 0
    else if (name === 'timeout' && /^[\d.]+[smhd]?$/.test(arg)) continue
    else break
  }
  return i < args.length ? follow(args.slice(i), { ...at, depth: at.depth + 1 }) : undefined
}

async function shell(args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  let only = false
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Pattern
    if (/^-[a-zA-Z]*c$/.test(arg)) {
      const text = args[i + 1] ?? ''
      return isKnown(text) ? followShell(text, args[i + 2] ?? 'sh', args.slice(i + 3), at, follow) : inputs.all('a text that only running tells')
    }
    if (/^-[a-zA-Z]+$/.test(arg)) {
      if (/[sil]/.test(arg)) return inputs.all('a shell that reads more than its script')
      only ||= arg.includes('n')
      if (arg.endsWith('o')) i += 1
      continue
    }
    if (arg.startsWith('-') || arg.includes(ANY)) return inputs.all('a shell whose script only running tells')
    for (const path of await inputs.path(arg, folder, 'read')) {
      const text = await inputs.text(path)
      if (!only && text !== null) await followShell(text, arg, args.slice(i + 1), at, follow)
    }
    return
  }
  return inputs.all('a shell that reads what it is given')
}

/** Programs that read what their words name, and nothing else. */
async function readers(name: string, args: readonly Pattern[], at: Place): Promise<void> {
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
    if (/^[-+]?[\d.]+$/.test(arg) || (/^(?:test|\[)$/.test(name) && !isKnown(arg) && arg.startsWith(ANY) && COMPARES(args))) continue
    if (/^(?:sed|g?awk)$/.test(name) && option && /^(?:-e|--expression)/.test(arg)) continue
    const value = option ? (/^--?[\w-]+=(.+)$/s.exec(arg)?.[1] ?? /^-[a-zA-Z]([^-\s].+)$/s.exec(arg)?.[1]) : arg
    if (value === undefined || value === '') continue
    if (!option) words += 1
    if (option && !isKnown(value)) return inputs.all('an option that only running tells')
    await readOne(name, value, args, at)
  }
  if (words === 0 && (recursive || name === 'find' || name === 'du')) return inputs.tree(folder)
  if (words === 0 && (name === 'ls' || name === 'dir')) return inputs.path('.', folder, 'list').then(() => undefined)
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
async function date(args: readonly Pattern[], { inputs, folder }: Place): Promise<void> {
  for (const [i, arg] of args.entries()) {
    const [, long, value] = /^(?:-[a-zA-Z]*([fr])|--(?:file|reference)=)(.*)$/s.exec(arg) ?? []
    if (/^-[a-zA-Z]*r|^--reference/.test(arg)) inputs.times()
    else if (value !== undefined) await inputs.path(value === '' && long !== undefined ? (args[i + 1] ?? '') : value, folder, 'read')
    else if (arg === '--file') await inputs.path(args[i + 1] ?? '', folder, 'read')
  }
}

/** Words by which these ask when a file was changed. */
const TIMES: Readonly<Record<string, RegExp>> = {
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
}

/** `[ "$n" -eq 3 ]` looks at no file. */
const COMPARES = (args: readonly Pattern[]): boolean => args.some((arg) => /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-n|-z)$/.test(arg)) && !args.some((arg) => /^-(?:[a-hkprstuwxGLNOS]|nt|ot|ef)$/.test(arg))

/** Words of these that make them read, run or write elsewhere. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|ok|delete|fls|fprint|files0)|^-L$|^-follow$/,
  sed: /^-[a-zA-Z]*f|^--file/,
  awk: /^-[fi]|getline|system|\||printf?.*>|ARGV|ENVIRON|@include|@load/,
  gawk: /^-[fi]|getline|system|\||printf?.*>|ARGV|ENVIRON|@include|@load/,
  jq: /^-[fL]|^--(?:from-file|slurpfile|rawfile|arg)|include|import|input_filename|env|\$__loc__/,
  sort: /^--(?:files0-from|compress-program)/,
  wc: /^--files0-from/,
  du: /^--files0-from|^-X/,
  diff: /^--(?:from|to)-file|^-X|^--exclude-from/,
}

/** What the shell does itself, and looks at no file for. */
const BUILTINS = new Set(': true false echo printf exit return break continue wait umask ulimit unset times jobs bg fg kill pwd'.split(' '))
/** Programs that look at no file. */
const NOTHING = new Set('sleep date seq expr uname id whoami hostname nproc arch tty tput yes clear mktemp printenv logname getconf stty sync tr'.split(' '))

const READERS = new Set(
  ('test [ cat head tail wc sort uniq cut grep egrep fgrep sed awk gawk diff cmp comm tee nl od xxd hexdump sha1sum sha256sum md5sum cksum sum b2sum file stat ls du paste join fold fmt expand unexpand ' +
    'column strings rev tac base64 base32 basename dirname cp mv rm mkdir rmdir touch ln chmod install truncate split tsort shuf readlink realpath jq find zcat gzip gunzip').split(' '),
)
