import type { Key } from '../../model/key.ts'
import type { Program } from '../../model/toolchain.ts'
import { hasOption, keysIn, upwards } from '../../model/toolchain.ts'

/** What defines a script besides the manifest here: where it is that of another package, or of many, any manifest; where it may be a program of theirs, any file. */
export function definedBy(manager: string, { name, bare }: Script, folder: string, args: readonly string[]): Key[] {
  if (!isSpread(manager, args)) return manager === 'vp' ? keysIn('file', folder, VITE_CONFIGS) : []
  if (bare === true && PROGRAMS.test(name)) return ['tree:.']
  const named = manager === 'vp' ? ['package.json', ...VITE_CONFIGS] : ['package.json']
  return [...keysIn('manifests', '.', named), ...(manager === 'pnpm' || manager === 'vp' ? upwards(folder, ['pnpm-workspace.yaml']) : [])]
}

/** The script that is run, and the words behind its name. `own`: a test runner of the manager itself; `bare`: where there is no script of the name, it is a program. */
export interface Script {
  readonly name: string
  readonly rest: readonly string[]
  readonly own?: boolean
  readonly bare?: boolean
}

/** Names that programs bear too: `tsc`, `svelte-check`. */
const PROGRAMS = /^(?:eslint|jest|tsc|vitest)$|-/
const VITE_CONFIGS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((end) => `vite.config.${end}`)

/** The script is that of another package, or of many: its definition lies where no command line says. */
const isSpread = (manager: string, args: readonly string[]): boolean =>
  hasOption(args, SPREAD) || (manager === 'yarn' && args.some((arg) => /^workspaces?$/.test(arg))) || (manager === 'vp' && args.some((arg) => arg.includes('#')))
const SPREAD = ['-w', '--workspace', '--workspaces', '-ws', '-r', '--recursive', '--filter', '-F']
const VALUES = new Set(['-w', '--workspace', '--filter', '-F', '-C', '--dir', '--prefix', '--cwd', '--loglevel'])

export function scriptIn(manager: string, { program, args }: Program): Script | null {
  if (program !== manager) return { name: program, rest: args, bare: true }
  const end = args.indexOf('--') === -1 ? args.length : args.indexOf('--')
  const words = args.filter((arg, i) => i > end || (!arg.startsWith('-') && !VALUES.has(args[i - 1] ?? '')))
  const [verb = '', name = ''] = words
  const rest = args.slice(args.indexOf(name) + 1)
  if (manager === 'yarn' && verb === 'workspace') return words[2] === undefined ? null : words[2] === 'run' ? { name: words[3] ?? '', rest } : { name: words[2], rest, bare: true }
  if (manager === 'yarn' && verb === 'workspaces') return words.includes('run') ? { name: words[words.indexOf('run') + 1] ?? '', rest: args.slice(args.indexOf('run') + 2) } : null
  if (/^(?:run|run-script|rum|urn)$/.test(verb)) return name === '' ? null : { name, rest }
  const after = args.slice(args.indexOf(verb) + 1)
  if (manager === 'bun' && verb === 'test') return { name: 'test', rest: after, own: true }
  if (manager === 'vp' && /^(?:test|build|lint|check)$/.test(verb)) return { name: name === 'watch' ? 'watch' : verb, rest: after }
  if (manager === 'vp') return null
  if (/^(?:test|t|tst)$/.test(verb)) return { name: 'test', rest: after }
  if (/^(?:start|stop|restart)$/.test(verb)) return { name: verb, rest: after }
  const short = hasOption(args, SPREAD) && manager !== 'npm' && verb !== '' && !/^(?:exec|install|i|add|update|publish|dlx)$/.test(verb)
  return short ? { name: verb, rest: after, bare: true } : null
}
