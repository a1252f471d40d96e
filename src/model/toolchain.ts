import { table } from '../base/table.ts'
import type { BoundaryClass } from './claim.ts'
import type { CanonicalCommand } from './command.ts'
import { type Key, joinPath } from './key.ts'
import { PYTHON, behindQuieter, programOf } from './toolchain/program.ts'

export { PYTHON, type Program, behindQuieter, inEnvironment, programOf } from './toolchain/program.ts'

/** A toolchain's failure as its output shows it. `lines` are the tool's own words, not yet made comparable. */
export interface Failure {
  readonly class: BoundaryClass | null
  readonly lines: readonly string[]
  /** Keys besides those of the command itself on which this failure rests (`absent-tool:jest`). */
  readonly keys: readonly Key[]
  /** The runner did not find what it was told to run (a target, a script, a module), so that nothing ran that could be red. */
  readonly unstarted?: true
}

/** What a toolchain says of a command that it knows. */
export interface Invocation {
  /** A passing run is a gate: a test, build, type check, lint, version or schema check. */
  readonly verifies: boolean
  /** It reads sources: a red outcome rests on the tree of its folder. */
  readonly readsSources: boolean
  /** It hands over to other tools (`npm test`): any toolchain's closing lines may stand in its output. */
  readonly delegates: boolean
  /** The program, the configuration that it reads by convention, and its lockfile entries, as keys of the repository. */
  readonly keys: readonly Key[]
}

/** What is known of a command that failed, or whose status nobody reported. */
export interface Ending {
  readonly command: CanonicalCommand
  /** The exit status where the log has one. */
  readonly code: number | null
  /** Without terminal escapes; lines end with \n. */
  readonly output: string
}

/**
 * One toolchain: which commands are its own, how its output closes, and how it fails. A failure is asked of the
 * command's own toolchain, then of the fallback; where it hands over, of all the others before.
 */
export interface Toolchain {
  readonly id: string
  readonly why: string
  /** null: not a command of this toolchain. */
  knows(command: CanonicalCommand): Invocation | null
  /** From the tool's own closing lines, and only if they are complete and certain. */
  summary(output: string): { readonly passed: boolean } | null
  /** Its last two lines tell how it closed: nothing that stands above them can say otherwise. */
  readonly lastDecides?: boolean
  /** It prints what it found, each with its place, and nothing that could be taken for the closing lines of a run of tests. */
  readonly diagnoses?: boolean
  /** It heads each step that it starts with a line of its own. */
  readonly headsSteps?: boolean
  /** A run that passes prints nothing at all. */
  readonly still?: boolean
  /** Another toolchain in whose very words it closes. */
  readonly closesLike?: string
  /** What of the output of several commands is its own for certain, where it ran last: from a line by which it begins. null: nobody can tell. */
  own?(ending: Ending): string | null
  /** null: nothing in it that this toolchain recognises. A failure that passes (time-out, network, rate limit, memory, disk) is `transient`. */
  failure(ending: Ending): Failure | 'transient' | null
}

/** What decides which program a command runs: the tool itself, the file of the repository, or what its runner reads. */
export function programKeys(command: CanonicalCommand): readonly Key[] {
  const { folder } = command
  const { program, runner, fetched, within } = programOf(command)
  const environment = within === null ? null : joinPath(folder, within.replaceAll('\\', '/'))
  if (environment !== null) return fit([`tool:${environment}`])
  const own = program.startsWith('@') ? [`lock:npm/${program}`] : program.includes('/') ? keysIn('file', folder, [program]) : [toolKey(folder, program)]
  if (runner === null) return fit(own)
  if (PYTHON.test(runner)) return fit([toolKey(folder, runner)])
  const lists = ENVIRONMENTS[runner]
  if (lists !== undefined) return fit([toolKey(folder, runner), ...upwards(folder, lists), ...(program.includes('/') && !program.startsWith('@') ? own : [])])
  if (fetched || program.startsWith('@')) return fit([toolKey(folder, runner), ...(program.startsWith('@') ? own : [])])
  if (runner === 'node') return fit([toolKey(folder, runner), ...own])
  return fit(/^(?:pnpm|yarn|bun)$/.test(runner) && behindQuieter(command.argv.slice(1))[0] === program ? [...own, toolKey(folder, runner), ...upwards(folder, ['package.json'])] : own)
}

/** The key of a program as it is found from a folder: `tool:jest` in the root, `tool:packages/a/jest` elsewhere. */
export const toolKey = (folder: string, name: string): Key => `tool:${folder === '.' ? '' : `${folder}/`}${name}`

/** The same, for a program that was missed. */
export const absentToolKey = (folder: string, name: string): Key => `absent-${toolKey(folder, name)}`

/** Keys of paths in a folder; those that lead outside the repository, or that no key can hold, are left out. */
export const keysIn = (probe: string, folder: string, paths: readonly string[]): Key[] =>
  fit(paths.flatMap((path) => (outside(path) ? [] : (joinPath(folder, path) ?? []))).map((path) => `${probe}:${path}`))

/** `file:` keys of names that a tool looks for in a folder and in all above it. */
export const upwards = (folder: string, names: readonly string[], probe = 'file'): Key[] => foldersUp(folder).flatMap((up) => keysIn(probe, up, names))

/** `file:` keys of the files that arguments name: what looks like a path to a file, and is not written by the command. */
export function namedFiles(folder: string, args: readonly string[]): Key[] {
  const paths = args.flatMap((arg, i) => {
    const before = args[i - 1] ?? ''
    if (before === '<') return [arg]
    if (/^--?[\w-]*$/.test(before) && WRITTEN.test(before)) return []
    const option = /^(--?[\w.-]+)=(.*)$/s.exec(arg)
    if (option !== null && WRITTEN.test(option[1] ?? '')) return []
    const path = (option === null ? arg : (option[2] ?? '')).replace(/::.*$/s, '')
    return isFilePath(path) ? [path] : []
  })
  return keysIn('file', folder, paths)
}

/** `exists:` keys of the files and folders that a runner's operands name (`tests/unit`, `test/a.test.js::adds`), whatever they hold. `valued`: its options that take a value. */
export function namedPaths(folder: string, args: readonly string[], valued: ReadonlySet<string> = new Set()): Key[] {
  const paths = args.flatMap((arg, i) => (arg === '' || arg.startsWith('-') || valued.has(args[i - 1] ?? '') || !PATH.test(arg) ? [] : [arg.replace(/::.*$/s, '').replace(/\/+$/, '')]))
  return keysIn('exists', folder, paths)
}

/** The same of a module of Python by its dotted name, with what is in it (`tests.test_a.TestA.test_b`) or without. */
export function namedModule(folder: string, name: string): Key[] {
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(name)) return []
  const parts = name.split('.')
  const end = parts.findIndex((part) => /^[A-Z]/.test(part))
  const named = end === -1 ? parts : parts.slice(0, end)
  // Where no class tells, the last names may be those of what is in it.
  const least = end === -1 ? Math.max(1, named.length - 2) : named.length
  const paths = named.flatMap((_, i) => (i + 1 < least ? [] : [named.slice(0, i + 1).join('/')]))
  return keysIn('exists', folder, paths.flatMap((path) => [`${path}.py`, `${path}/__init__.py`]))
}

/** The value that an option was given (`--config X`, `--config=X`), or null. */
export function optionOf(args: readonly string[], names: readonly string[]): string | null {
  for (const [i, arg] of args.entries()) {
    if (names.includes(arg)) return args[i + 1] ?? null
    const name = names.find((one) => one.startsWith('--') && arg.startsWith(`${one}=`))
    if (name !== undefined) return arg.slice(name.length + 1)
  }
  return null
}

/** Whether one of these options is on (`--watch`, `--watch=true`; `--watch=false` is off). */
export const hasOption = (args: readonly string[], names: readonly string[]): boolean =>
  args.some((arg) => names.includes(arg) || names.some((name) => arg.startsWith(`${name}=`) && !arg.endsWith('=false')))

/** A question for a version, and nothing else. */
export const asksVersion = (args: readonly string[]): boolean => args.length === 1 && /^(?:--version|-V)$/.test(args[0] ?? '')

/** Whether a script or target of this name (`test:unit`, `typeCheck`) checks or builds, and neither writes sources, stays running nor publishes. */
export function isGateName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/)
  if (words.some((word) => STAYS.has(word))) return false
  if (words.some((word) => WRITES.has(word)) && !words.includes('check')) return false
  return words.some((word) => GATES.has(word))
}

const isFilePath = (path: string): boolean =>
  !/[*?[\]{}$:\s~@,;|<>"'\\]/.test(path) && !path.startsWith('-') && (path.includes('/') ? /[^/.][^/]*\.[A-Za-z][A-Za-z0-9]{0,7}$/ : KNOWN_FILE).test(path)

/** What can be one path: no pattern, no list, no text. */
const PATH = /^[^*?[\]{}$\s~@,;|<>"'\\=]+$/

const outside = (path: string): boolean => path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:[\\/]/.test(path)

function foldersUp(folder: string): string[] {
  const steps = folder === '.' ? [] : folder.split('/').slice(0, 12)
  return [...steps.map((_, i) => steps.slice(0, steps.length - i).join('/')), '.']
}

const fit = (keys: readonly Key[]): Key[] => [...new Set(keys)].filter((key) => key.length <= 500 && /^[a-z-]+:[^\p{Cc}]+$/u.test(key) && key.isWellFormed())

const MISE = ['mise.toml', '.mise.toml', 'mise.local.toml', '.mise/config.toml', '.config/mise.toml', 'mise.lock', '.tool-versions']
/** What says in which version a program runs, by the runner that reads it. */
const ENVIRONMENTS: Readonly<Record<string, readonly string[]>> = table({
  uv: ['pyproject.toml', 'uv.lock'],
  poetry: ['pyproject.toml', 'poetry.lock'],
  pipenv: ['Pipfile', 'Pipfile.lock'],
  pdm: ['pyproject.toml', 'pdm.lock'],
  mise: MISE,
  rtx: MISE,
  asdf: ['.tool-versions'],
  direnv: ['.envrc'],
  devenv: ['devenv.nix', 'devenv.yaml', 'devenv.lock'],
})
const WRITTEN = /^-o$|^--?out|output|junit|report-?file|log-?file/i
const KNOWN_FILE = /[\w-]\.(?:[cm]?[jt]sx?|jsonc?|ya?ml|toml|ini|cfg|py|rs|go|sh|bash|[ch]|cc|cpp|hpp|java|kt|rb|php|sql|md|txt|html|s?css|mk|xml|vue|svelte|proto|graphql|prisma)$/

const GATES = new Set(
  'test tests pretest build compile check checks lint eslint typecheck types tsc verify validate ci e2e unit integration spec specs coverage smoke jest vitest'.split(' '),
)
const WRITES = new Set('format fmt fix write update upgrade generate gen codegen prettier'.split(' '))
const STAYS = new Set('start dev serve server watch preview storybook debug deploy publish release push migrate seed install clean bench ui open'.split(' '))
