import { table } from '../../base/table.ts'
import { followC } from './c.ts'
import { followCargo } from './cargo.ts'
import { followMake } from './make.ts'
import { followNode } from './node.ts'
import { followNpm } from './npm.ts'
import { ANY, type Pattern, inFolder, isElsewhere, isKnown, leadsOut, nameIn, placeOf, upFrom } from './pattern.ts'
import { followPython } from './python.ts'
import type { Place } from './place.ts'
import { READERS, date, readers, unknown } from './readers.ts'
import { followShell } from './shell.ts'
import { STEERS } from './shell/steering.ts'
import { asksInput, takesInput } from './stdin.ts'

/** Follows a command to all that it can read. What is not known to read only what its words name may read anything. */
export async function follow(argv: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const [name = '', ...args] = argv
  if (at.depth > 16 || inputs.isFull) return inputs.all('it goes too deep')
  if (!isKnown(name) || name === '') return inputs.all('a program that only running tells')
  if (!name.includes('/') && !BUILTINS.has(name) && asksInput(name, args)) takesInput(at)
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
  if (FETCHES.test(name)) await fetched(name, args, at)
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
  await unknown(args, at, name)
}

/** A file of the repository that is run, by its first line. */
async function ownProgram(name: string, args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const system = /^\/(?:usr\/|usr\/local\/)?s?bin\/([^/]+)$/.exec(name)?.[1]
  if (system !== undefined) return follow([system, ...args], at)
  const place = placeOf(name, folder)
  if (place === null || place === '?') {
    if (isElsewhere(name) || (place === null && !name.startsWith('/'))) await inputs.path(name, folder, 'read')
    if (nameIn(name) === 'git') inputs.git()
    return inputs.all('a program that lies outside')
  }
  if (at.made.has(place)) return void inputs.ran.add(place)
  // Where git does not look at modes, whether it may be run is in no blob.
  await inputs.path(place, '.', 'mode')
  const text = await inputs.text(place)
  const shebang = /^#! *(\S+)(?: +(\S+))?(?: +(\S.*))?[\r\n]/.exec(text ?? '')
  if (text === null || text.slice(0, 400).includes('\0')) return inputs.all(`"${place}" may read anything`)
  if (shebang === null) return followShell(text, name, args, at, follow)
  const [, program = '', first, more] = shebang
  // What is no absolute path is looked for from the folder in which it runs.
  if (!program.startsWith('/')) return follow([program.includes('/') ? program : `./${program}`, ...(first === undefined ? [] : [first]), name, ...args], { ...at, depth: at.depth + 1 })
  if (isElsewhere(program)) await inputs.path(program, folder, 'stat')
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

/** `npx X` where nothing of the repository is X: it comes from a cache, from another folder, or from a registry. */
async function fetched(name: string, args: readonly Pattern[], { inputs, folder }: Place): Promise<void> {
  const verb = /^(?:npx|pnpx|bunx|uvx)$/.test(name) ? null : name === 'uv' ? 'tool' : name === 'pipx' ? 'run' : /^(?:exec|x|dlx)$/.exec(args[0] ?? '')?.[0]
  if (verb === undefined || (verb !== null && args[0] !== verb)) return
  const words = args.slice(verb === null ? 0 : 1)
  const tool = words.find((word) => !word.startsWith('-'))
  if (tool === undefined || /^(?:uvx?|pipx)$/.test(name) || verb === 'dlx') return inputs.strange(tool ?? name)
  if (isKnown(tool)) for (const up of upFrom(folder)) if ((await inputs.kind(inFolder(up, `node_modules/.bin/${tool}`))) !== null) return
  inputs.strange(tool)
}

/** Programs that run others which need not be installed. */
const FETCHES = /^(?:npx|pnpx|bunx|uvx|uv|pipx|npm|pnpm|yarn)$/

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
const WRAPPERS: Readonly<Record<string, RegExp>> = table({ env: /^-[uC]$/, nohup: /^$/, nice: /^-n$/, time: /^-[fo]$/, timeout: /^-[ks]$/, exec: /^-a$/, setsid: /^$/, stdbuf: /^-[ioe]$/ })

async function wrapped(name: string, args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs } = at
  const searched = args.flatMap((arg) => (name === 'env' && arg.startsWith('PYTHONPATH=') ? [arg.slice('PYTHONPATH='.length)] : []))
  let i = 0
  for (; i < args.length; i++) {
    const arg = args[i] as Pattern
    if (name === 'env' && /^[A-Za-z_]\w*=/.test(arg)) {
      if (STEERS.test(arg.slice(0, arg.indexOf('=')))) inputs.all('its environment steers what it reads')
      await inEnvironment(arg, at)
    } else if (name === 'env' && /^-(?:C|S|-chdir|-split)/.test(arg)) return inputs.all('an env that changes more than variables')
    else if (arg.startsWith('-')) i += WRAPPERS[name]?.test(arg) === true ? 1 : 0
    else if (name === 'timeout' && /^[\d.]+[smhd]?$/.test(arg)) continue
    else break
  }
  return i < args.length ? follow(args.slice(i), { ...at, depth: at.depth + 1, searched: [...(at.searched ?? []), ...searched] }) : undefined
}

/** What a variable's value names counts, though git ignores it: a list of folders, a file, options with such behind them. */
async function inEnvironment(assignment: Pattern, { inputs, folder }: Place): Promise<void> {
  const at = assignment.indexOf('=')
  const steers = STEERS.test(assignment.slice(0, at)) && !/^(?:PATH|HOME|TMPDIR|SHELL)$/.test(assignment.slice(0, at))
  const words = assignment.slice(at + 1).split(/[:=,\s'"]+/, MOST_NAMED).filter((word) => word !== '' && isKnown(word))
  for (const word of words) {
    const place = placeOf(word, folder)
    if (isElsewhere(word)) {
      if (steers && (await inputs.world.outside(word).catch(() => 'closed')) !== null) await inputs.path(word, folder, 'read')
    } else if (place !== null && place !== '?' && place !== '.' && !inputs.tracked(place)) {
      if ((await inputs.kind(place)) !== null) await inputs.path(word, folder, 'read')
      else if (steers) await inputs.present(place)
    }
  }
}

/** Folders or files in one variable. */
const MOST_NAMED = 100

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
      if (/[sil]/.test(arg)) {
        if (/[si]/.test(arg)) takesInput(at)
        return inputs.all('a shell that reads more than its script')
      }
      only ||= arg.includes('n')
      if (/[oO]$/.test(arg)) i += 1
      continue
    }
    if (/^\+[a-zA-Z]+$/.test(arg)) {
      if (/[oO]$/.test(arg)) i += 1
      continue
    }
    if (arg.startsWith('-') || arg.includes(ANY)) return inputs.all('a shell whose script only running tells')
    if (leadsOut(arg, folder)) return inputs.strange(arg)
    for (const path of await inputs.path(arg, folder, 'read')) {
      const text = await inputs.text(path)
      if (!only && text !== null) await followShell(text, arg, args.slice(i + 1), at, follow)
    }
    return
  }
  if (args.every((arg) => !arg.startsWith('--'))) takesInput(at)
  return inputs.all('a shell that reads what it is given')
}

/** What the shell does itself, and looks at no file for. */
const BUILTINS = new Set(': true false echo printf exit return break continue wait umask ulimit unset times jobs bg fg kill pwd'.split(' '))
/** Programs that look at no file. */
const NOTHING = new Set('sleep date seq expr uname id whoami hostname nproc arch tty tput yes clear mktemp printenv logname getconf stty sync tr'.split(' '))
