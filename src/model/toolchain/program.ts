import type { CanonicalCommand } from '../command.ts'

/** The program that a command is about, behind those that only start it. */
export interface Program {
  /** A bare name (`jest`), a path with a slash as typed (`./scripts/x.sh`), or a scoped package (`@scope/name`). */
  readonly program: string
  readonly args: readonly string[]
  /** The first of the programs that only start it (`npx`, `uv`, `python3`), or null. */
  readonly runner: string | null
  /** What runs is fetched by name and version (`npx jest@29`, `pnpm dlx x`), not found on this machine. */
  readonly fetched: boolean
  /** As typed, where it (or the Python that runs it) lies in a Python environment of the repository: `.venv/bin/pytest`. */
  readonly within: string | null
}

/** Looks behind `npx X`, `pnpm exec X`, `yarn X`, `uv run X`, `mise exec -- X`, `python -m X`, `node node_modules/.bin/X` and their like. */
export function programOf({ argv }: Pick<CanonicalCommand, 'argv'>): Program {
  let words: readonly string[] = argv
  let runner: string | null = null
  let fetched = false
  for (let depth = 0; depth < 4; depth++) {
    const inner = behind(words)
    if (inner === null || inner.words.length === 0) break
    runner ??= nameOf(words[0] ?? '')
    fetched ||= inner.fetched
    words = inner.words
  }
  const [first = '', ...args] = words
  const pinned = runner === null ? null : /^(@?[^@/]+(?:\/[^@/]+)?)@[^/]+$/.exec(first)
  const within = [argv[0] ?? '', first].find((word) => inEnvironment(word) !== null) ?? null
  return { program: nameOf(pinned?.[1] ?? first), args, runner, fetched: fetched || pinned !== null, within }
}

/** The program that a relative path into a Python environment names, without its folder. */
export const inEnvironment = (word: string): string | null => (/^(?:[\\/]|[A-Za-z]:)/.test(word) ? null : (IN_ENVIRONMENT.exec(word)?.[1] ?? null))
const IN_ENVIRONMENT = /^(?:(?:\.[\\/])?\.?env|(?:.*[\\/])?\.?venv)[\\/](?:bin|Scripts)[\\/]([^\\/]+)$/s

function behind(words: readonly string[]): { words: readonly string[]; fetched: boolean } | null {
  const [first = '', ...args] = words
  const name = nameOf(first)
  const found = (inner: readonly string[] | null, fetched = false) => (inner === null ? null : { words: inner, fetched })
  if (PYTHON.test(name)) return found(moduleIn(args))
  switch (name) {
    case 'npx':
    case 'bunx':
    case 'pnpx':
      return found(afterOptions(args))
    case 'uvx':
      return found(afterOptions(args), true)
    case 'npm':
      return /^(?:exec|x)$/.test(args[0] ?? '') ? found(afterOptions(args.slice(1))) : null
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return managed(name, args)
    case 'corepack':
      return found(/^(?:pnpm|yarn|npm)$/.test(args[0] ?? '') ? args : null)
    case 'uv':
    case 'poetry':
    case 'pipenv':
    case 'pdm':
      return args[0] === 'run' ? found(asPython(afterOptions(args.slice(1)))) : null
    case 'mise':
    case 'rtx':
      return /^(?:exec|x)$/.test(args[0] ?? '') ? found(behindTools(args.slice(1))) : null
    case 'asdf':
      return args[0] === 'exec' ? found(args.slice(1)) : null
    case 'direnv':
      return args[0] === 'exec' ? found(args.slice(2)) : null
    case 'devenv':
      return args[0] === 'shell' ? found(afterOptions(args.slice(1))) : null
    case 'coverage':
      return args[0] === 'run' ? found(moduleIn(args.slice(1))) : null
    case 'node':
      return found(installed(args))
    default:
      return null
  }
}

/** `pnpm exec X`, `yarn dlx X`, and `yarn X`, which is a script of that name or else the program. */
function managed(name: string, args: readonly string[]): { words: readonly string[]; fetched: boolean } | null {
  const words = behindQuieter(args)
  const [verb = '', ...rest] = words
  if (verb === 'exec' || (name === 'bun' && verb === 'x')) return { words: afterOptions(rest) ?? [], fetched: false }
  if (verb === 'dlx') return { words: afterOptions(rest) ?? [], fetched: true }
  if (verb === '' || verb.startsWith('-') || verb.includes('/') || /\.[cm]?[jt]sx?$/.test(verb) || MANAGER_VERBS.has(verb)) return null
  return { words, fetched: false }
}

/** A manager's words behind the options that change what it prints of its own, and nothing of what it runs. */
export const behindQuieter = (args: readonly string[]): readonly string[] => args.slice(args.findIndex((arg) => arg !== '-s' && arg !== '--silent'))

/** What stands behind a runner's own options; null where nothing does, or a shell text. */
function afterOptions(args: readonly string[]): readonly string[] | null {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '--') return args.slice(i + 1)
    if (!arg.startsWith('-')) return args.slice(i)
    if (arg === '-c' || arg === '--call') return null
    if (RUNNER_VALUES.has(arg)) i += 1
  }
  return null
}

/** What stands behind the tools and versions that are wanted for it (`go@1.26 --`); null where nothing does, or a shell text. */
function behindTools(args: readonly string[]): readonly string[] | null {
  const end = args.indexOf('--')
  if (end === -1 || args.slice(0, end).some((arg) => !/^(?:[\w.][\w./:@-]*|-[qvy]+|--(?:quiet|verbose|yes|raw|no-prepare-deps|fresh-env))$/.test(arg))) return null
  return args.slice(end + 1)
}

/** `[options] -m MODULE …` */
function moduleIn(args: readonly string[]): readonly string[] | null {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '-m') return args.slice(i + 1)
    if (!arg.startsWith('-') || arg === '-c' || arg === '-') return null
    if (arg === '-W' || arg === '-X') i += 1
  }
  return null
}

const asPython = (words: readonly string[] | null): readonly string[] | null => (words?.[0]?.endsWith('.py') === true ? ['python', ...words] : words)

/** A program of an installed package, started by node through its file. */
function installed(args: readonly string[]): readonly string[] | null {
  const at = args.findIndex((arg, i) => !arg.startsWith('-') && !NODE_VALUES.has(args[i - 1] ?? ''))
  const file = /(?:^|\/)node_modules\/(?:\.bin\/([\w.-]+)|([\w.-]+)\/(?:bin\/)?([\w.-]+?)(?:\.[cm]?js)?)$/.exec(args[at] ?? '')
  const name = file?.[1] ?? (file?.[2] === file?.[3] || file?.[3] === 'tsc' ? file?.[3] : undefined)
  return name === undefined || args.slice(0, at).includes('--test') ? null : [name, ...args.slice(at + 1)]
}

function nameOf(word: string): string {
  const bare = word.replace(/\.(?:cmd|exe|ps1|bat)$/i, '')
  return /(?:^|\/)node_modules\/\.bin\/([^/]+)$/.exec(bare)?.[1] ?? inEnvironment(bare) ?? /^\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/([^/]+)$/.exec(bare)?.[1] ?? bare
}

export const PYTHON = /^(?:python[\d.]*|py|pypy[\d.]*)$/
const RUNNER_VALUES = new Set(['-p', '--package', '-w', '--workspace', '--registry', '--cache', '--with', '--python', '--extra', '--group', '--directory', '--project', '--env-file', '--from'])
const NODE_VALUES = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader', '--env-file', '-C', '--conditions', '--test-reporter', '--test-name-pattern'])
const MANAGER_VERBS = new Set(
  `a add approve-builds audit autoclean bin c cache check ci clean-install config constraints create dedupe deploy doctor env
  explain fetch generate-lock-entry global help i import info init install install-test it licenses link list ll ln login logout ls node npm
  outdated owner pack patch patch-commit patch-remove plugin pm policies prune publish rb rebuild remove repl restart rm root run run-script
  search self-update server set setup stage start stop store t tag team test tst un uninstall unlink unplug up update upgrade
  upgrade-interactive version versions view whoami why workspace workspaces x`.split(/\s+/),
)
