import { ourVerb } from '../declaration.ts'
import { changed } from './folder.ts'
import { type Options, names, readOptions } from './options.ts'
import { type Scope, elsewhere, freshShell, withEnv } from './scope.ts'
import { type Term, assignmentIn } from './words.ts'

/** A command without what only says where and how it runs, which fills the scope instead. */
export type Unwrapped =
  | { readonly argv: readonly Term[]; readonly scope: Scope; readonly last: boolean }
  | { readonly script: Term; readonly argv: readonly Term[]; readonly scope: Scope; readonly last: boolean }

/** `last`: the shell itself becomes the command (`exec`), so nothing behind it runs. */
export function unwrap(argv: readonly Term[], scope: Scope, root: string | null): Unwrapped {
  let now: Step = { argv, scope }
  let last = false
  for (;;) {
    const name = nameOf(now.argv[0])
    const wrapper = name === null || (last && name === 'exec') ? undefined : WRAPPERS.get(name)
    const next = wrapper?.(now.argv, now.scope, root) ?? null
    if (next === null) return { ...now, last }
    last ||= name === 'exec'
    if ('script' in next) return { ...next, argv: now.argv, last }
    now = next
  }
}

interface Step {
  readonly argv: readonly Term[]
  readonly scope: Scope
}

/** null: the command stays as it is. */
type Wrapper = (argv: readonly Term[], scope: Scope, root: string | null) => Step | { script: Term; scope: Scope } | null

/** The plain name of a program in one of the system's own folders. */
function nameOf(term: Term | undefined): string | null {
  if (term === undefined || term.symbolic) return null
  return /^(?:\/(?:usr\/(?:local\/)?)?s?bin\/)?([\w.-]+)$/.exec(term.value)?.[1] ?? null
}

/** Options, but only if each of them is one that changes nothing of the command. */
function knownOptions(argv: readonly Term[], values: ReadonlySet<string>, flags: ReadonlySet<string>): Options | null {
  const options = readOptions(argv.slice(1), values)
  const known = options.given.every(([name]) => values.has(name) || flags.has(name))
  return known && !options.unclear && options.rest.length > 0 ? options : null
}

const vagueIf = (scope: Scope, terms: readonly (Term | null)[]): Scope =>
  terms.some((term) => term?.symbolic === true || term?.pattern === true) ? { ...scope, vague: true } : scope

/** A wrapper that changes nothing but speed, priority or waiting; `operands`: of its own, before the command. */
const transparent =
  (values: string, flags: string, operands = 0): Wrapper =>
  (argv, scope) => {
    const options = knownOptions(argv, names(values), names(flags))
    if (options === null || options.rest.length <= operands) return null
    const own = [...options.given.map(([, value]) => value), ...options.rest.slice(0, operands)]
    return { argv: options.rest.slice(operands), scope: vagueIf(scope, own) }
  }

const timeout: Wrapper = (argv, scope, root) => {
  const step = transparent('s signal k kill-after', 'f foreground p preserve-status v verbose', 1)(argv, scope, root)
  return step === null ? null : { ...step, scope: { ...step.scope, timed: true } }
}

/** Leading `NAME=VALUE` words. */
function assignments(terms: readonly Term[]): { env: (readonly [string, Term])[]; rest: readonly Term[] } {
  const env: (readonly [string, Term])[] = []
  for (const term of terms) {
    const pair = assignmentIn(term, true)
    if (pair === null) break
    env.push(pair)
  }
  return { env, rest: terms.slice(env.length) }
}

const env: Wrapper = (argv, scope) => {
  const options = readOptions(argv.slice(1), names('u unset C chdir S split-string'))
  const { env, rest } = assignments(options.rest)
  if (rest.length === 0 || options.unclear || rest[0]?.value === '-') return null
  const next = withEnv(scope, env)
  if (options.given.length === 0) return { argv: rest, scope: next }
  const bares = options.given.every(([name, value]) => (name === 'u' || name === 'unset') && value !== null && !value.symbolic)
  return { argv: rest, scope: bares ? { ...next, bared: true } : { ...next, vague: true } }
}

const SUDO_VALUES = names('u user g group p prompt C close-from h host r role t type T command-timeout D chdir R chroot U other-user')
const SUDO_FLAGS = names('E H n S k b preserve-env non-interactive set-home stdin reset-timestamp')

const sudo: Wrapper = (argv, scope) => {
  const options = readOptions(argv.slice(1), SUDO_VALUES)
  const { env, rest } = assignments(options.rest)
  if (rest.length === 0 || options.unclear) return null
  const told = options.given.every(([name, value]) => SUDO_FLAGS.has(name) || name === 'p' || name === 'prompt' || (isUser(name) && isRoot(value)))
  const keeps = options.given.some(([name, value]) => name === 'E' || (name === 'preserve-env' && value === null))
  const background = options.given.some(([name]) => name === 'b')
  const next = withEnv(scope, env)
  const vague = next.vague || !told || (scope.env.size > 0 && !keeps)
  return { argv: rest, scope: { ...next, privilege: 'root', vague, detached: next.detached || background } }
}

const isUser = (name: string): boolean => name === 'u' || name === 'user'
const isRoot = (user: Term | null): boolean => user !== null && !user.symbolic && ['root', '0', '#0'].includes(user.value)

const CONTAINER_VALUES = names('w workdir e env u user env-file detach-keys index')
const CONTAINER_FLAGS = names('i interactive t tty T no-TTY d detach')

/** `docker exec`, `podman exec`, `docker compose exec`: `-e`, `-u` and `-w` fill the fields; any other option leaves it untold. */
function intoContainer(argv: readonly Term[], scope: Scope): Step | null {
  const options = readOptions(argv, CONTAINER_VALUES)
  const [name, ...command] = options.rest
  if (name === undefined || command.length === 0 || options.unclear) return null
  let next = elsewhere(scope, name.value === '' ? 'container:?' : `container:${name.value}`)
  let vague = next.vague || name.symbolic || name.value === ''
  for (const [option, value] of options.given) {
    if (option === 'd' || option === 'detach') next = { ...next, detached: true }
    else if (CONTAINER_FLAGS.has(option)) continue
    else if (option === 'e' || option === 'env') {
      const pair = value === null ? null : assignmentIn(value, true)
      if (pair === null) vague = true
      else next = withEnv(next, [pair])
    } else if (isUser(option) && isRoot(value)) next = { ...next, privilege: 'root' }
    else if ((option === 'w' || option === 'workdir') && value?.value.startsWith('/') === true && !value.symbolic)
      next = { ...next, folder: changed('.', value.value, null), anchored: true, known: true }
    else vague = true
  }
  return { argv: command, scope: { ...next, vague } }
}

const container: Wrapper = (argv, scope) => {
  const words = argv.slice(0, 3).map((term) => term.value)
  if (words[1] === 'exec') return intoContainer(argv.slice(2), scope)
  return (words[1] === 'container' || words[1] === 'compose') && words[2] === 'exec' ? intoContainer(argv.slice(3), scope) : null
}

const SSH_VALUES = names('B b c D E e F I i J L l m O o p P Q R S W w')
const SSH_FLAGS = names('t T q v n x X Y A a 4 6 C k')
const HARMLESS = /^(?:StrictHostKeyChecking|BatchMode|ConnectTimeout|LogLevel|UserKnownHostsFile|ServerAliveInterval|ServerAliveCountMax)[= ]/i

/** The words of a command behind `ssh HOST` are joined and read by the shell there. */
const ssh: Wrapper = (argv, scope) => {
  const options = readOptions(argv.slice(1), SSH_VALUES)
  const [host, ...more] = options.rest
  const behind = readOptions(more, SSH_VALUES)
  if (host === undefined || host.value === '' || behind.rest.length === 0 || options.unclear || behind.unclear) return null
  const told = [...options.given, ...behind.given].every(
    ([name, value]) => SSH_FLAGS.has(name) || (name === 'o' && value !== null && !value.symbolic && HARMLESS.test(value.value)),
  )
  const next = elsewhere(scope, `host:${host.value}`)
  const words = behind.rest
  const script = { value: words.map((term) => term.value).join(' '), text: '', symbolic: words.some((term) => term.symbolic && term.value !== '<'), pattern: false }
  return { script, scope: { ...next, vague: next.vague || host.symbolic || !told } }
}

/** `bash -lc 'script'`: options before the script may turn on `-e` and pipefail; those that are not told leave it so. */
const shell: Wrapper = (argv, scope) => {
  let next = freshShell(scope)
  let at = 1
  let reads = false
  for (; at < argv.length && /^[-+]./.test((argv[at] as Term).value); at++) {
    const word = (argv[at] as Term).value
    if (word === '--') {
      at += 1
      break
    }
    if (word.startsWith('--')) {
      if (!['--login', '--norc', '--noprofile', '--posix'].includes(word)) next = { ...next, vague: true }
      continue
    }
    const on = word.startsWith('-')
    for (const letter of word.slice(1))
      if (letter === 'c') reads = true
      else if (letter === 'o') next = setOption(next, argv[++at]?.value ?? '', on)
      else if (letter === 'e') next = setOption(next, 'errexit', on)
      else if (!'lixuEhB'.includes(letter)) next = { ...next, vague: true }
  }
  const script = argv[at]
  return reads && script !== undefined ? { script, scope: next } : null
}

/** What `set -o NAME` changes for us. */
export function setOption(scope: Scope, name: string, on: boolean): Scope {
  if (name === 'errexit' || name === 'pipefail') {
    const option = on ? 'on' : 'off'
    return scope[name] === option ? scope : { ...scope, [name]: option }
  }
  if (name === 'allexport') return { ...scope, allexport: on }
  return name === 'noexec' && on ? { ...scope, vague: true } : scope
}

/** `git remnant run -- CMD` is transparent. */
const ours: Wrapper = (argv, scope, root) => {
  const found = ourVerb(argv.map((term) => term.value))
  const at = found?.rest.indexOf('--') ?? -1
  if (found?.verb !== 'run' || at === -1 || at === found.rest.length - 1) return null
  const own = argv.length - found.rest.length + at
  const moved = found.folder === null ? scope : { ...scope, folder: changed(scope.folder, found.folder, root) }
  const told = found.clear && (found.folder === null || (moved.anchored && moved.known))
  const next = vagueIf(told ? moved : { ...moved, vague: true }, argv.slice(0, own))
  return { argv: argv.slice(own + 1), scope: next }
}

/** `command -v NAME` asks; `command NAME` runs. */
const command: Wrapper = (argv, scope) => {
  const rest = argv[1]?.value === '-p' || argv[1]?.value === '--' ? argv.slice(2) : argv.slice(1)
  return rest.length === 0 || rest[0]?.value.startsWith('-') === true ? null : { argv: rest, scope }
}

const exec: Wrapper = (argv, scope) => {
  const options = readOptions(argv.slice(1), names('a'))
  if (options.rest.length === 0 || options.unclear) return null
  return { argv: options.rest, scope: options.given.length > 0 ? { ...scope, vague: true } : scope }
}

const limited = transparent('n adjustment', '#')

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['env', env],
  ['sudo', sudo],
  ['time', transparent('f format o output', 'p portability v verbose a append q quiet')],
  ['nice', limited],
  ['ionice', transparent('c class n classdata', 't ignore')],
  ['nohup', transparent('', '')],
  ['timeout', timeout],
  ['gtimeout', timeout],
  ['stdbuf', transparent('i input o output e error', '')],
  ['command', command],
  ['builtin', command],
  ['exec', exec],
  ['docker', container],
  ['podman', container],
  ['docker-compose', (argv, scope) => (argv[1]?.value === 'exec' ? intoContainer(argv.slice(2), scope) : null)],
  ['podman-compose', (argv, scope) => (argv[1]?.value === 'exec' ? intoContainer(argv.slice(2), scope) : null)],
  ['ssh', ssh],
  ...['bash', 'sh', 'zsh', 'dash', 'ash', 'ksh'].map((name) => [name, shell] as const),
  ['git', ours],
  ['git-remnant', ours],
  ['npx', ours],
])
