import { absentPath, closing, failed, isPassing, unfound } from '../model/ending.ts'
import { isInstalled, restsOnInstalled } from '../model/imports.ts'
import { type Ending, type Failure, type Toolchain, asksVersion, isGateName, keysIn, namedFiles, namedModule, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'python',
  why: 'Python ends a failing program with its traceback and the exception, at the start of a line.',
  knows(command) {
    const { program, args, runner } = programOf(command)
    const { folder } = command
    const keys = [...programKeys(command), ...namedFiles(folder, args)]
    if (PYTHON.test(program)) {
      if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys }
      const script = args.find((arg) => !arg.startsWith('-')) ?? ''
      if (!script.endsWith('.py')) return { verifies: false, readsSources: false, delegates: false, keys }
      const name = script.replace(/^.*\//, '').slice(0, -3)
      const tests = name === 'manage' ? args[args.indexOf(script) + 1] === 'test' : /^(?:tests?|checks?|verify|validate|lint|run[-_]tests?)$|^test_|_test$/.test(name)
      return { verifies: tests && !args.includes('--help'), readsSources: true, delegates: tests || /(?:^|\/)tests?\//.test(script), keys }
    }
    if (runner === null || !(PYTHON.test(runner) || isModule(command.argv, program)) || program === '' || OTHERS.test(program)) return null
    const verifies = /^(?:compileall|py_compile|doctest)$/.test(program) && !args.includes('--help') && !args.includes('-h')
    const named = verifies || !isGateName(program) ? [] : [...namedModule(folder, program), ...keysIn('exists', folder, [`${program.replaceAll('.', '/')}/__main__.py`])]
    return { verifies, readsSources: verifies || isGateName(program), delegates: false, keys: [...new Set([...keys, ...named])] }
  },
  summary: () => null,
  failure(ending) {
    const lines = ending.output.split('\n')
    const script = lines.map((line) => /^\S*python[\d.]*(?:\.exe)?: can't open file '([^']{1,400})': \[Errno 2\].*$/.exec(line)).find((one) => one !== null)
    if (script !== undefined) {
      const keys = absentPath(ending, script[1] as string)
      return unfound(ending, keys.length > 0 ? 'path-missing' : null, [script[0].replace(/^\S*\//, '')], keys)
    }
    // A module that python itself can't find rests on installed packages, which no key can see.
    const module = lines.find((line) => /^\S*python[\d.]*(?:\.exe)?: No module named [\w.]+$/.test(line))
    if (module !== undefined) return unfound(ending, null, [module.replace(/^\S*\//, '')])
    return uncaught(ending, lines)
  },
} satisfies Toolchain

const PYTHON = /^(?:python[\d.]*|py|pypy[\d.]*)$/
/** `python -m NAME`, whoever starts it: `uv run python -m compileall`. */
const isModule = (argv: readonly string[], name: string): boolean => argv.some((word, i) => word === '-m' && argv[i + 1] === name && PYTHON.test((argv[i - 1] ?? '').replace(/^.*[\\/]/, '')))

/** Modules that have a toolchain of their own. */
const OTHERS = /^(?:pytest|unittest|pip|mypy|pyflakes|flake8|pyright|black|ruff|build)$/

/** The exception that ended a program, if a traceback of it closes the output. */
function uncaught(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const frame = lines.findLastIndex((line) => FRAME.test(line))
  const at = lines.findIndex((line, i) => i > frame && /^\S/.test(line))
  const thrown = lines[at] ?? ''
  if (frame === -1 || !EXCEPTION.test(thrown) || !closing(ending.output, 3).includes(thrown)) return null
  if (isPassing(thrown)) return 'transient'
  if (restsOnInstalled(thrown)) return failed(ending, null, [thrown])
  if (/^PermissionError: /.test(thrown)) return failed(ending, 'denied', [thrown], ['privilege'])
  const path = /^FileNotFoundError: \[Errno 2\] No such file or directory: '([^'/~][^']{0,300})'$/.exec(thrown)?.[1]
  return failed(ending, 'red', [...ownFrame(lines, frame), thrown], path === undefined ? [] : keysIn('absent', ending.command.folder, [path]))
}

const FRAME = /^ {2}File "(.{1,400})", line \d+(, in .{1,200})?$/
const EXCEPTION = /^[A-Za-z_][\w.<>]{0,200}(?:: ?\S.*)?$/

/** The innermost place that is neither Python's own nor an installed package's: where the fault lies, without its line. */
function ownFrame(lines: readonly string[], last: number): string[] {
  for (let i = last; i >= Math.max(0, last - 200); i--) {
    const [, file, scope = ''] = FRAME.exec(lines[i] as string) ?? []
    if (file !== undefined && !file.startsWith('<') && !isInstalled(file)) return [`File "${file}"${scope}`]
    if (/^Traceback \(most recent call last\):$/.test(lines[i] as string)) return []
  }
  return []
}
