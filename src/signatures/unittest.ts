import { closing, failed, lasting, unfound } from '../model/ending.ts'
import { restsOnInstalled } from '../model/imports.ts'
import { type Ending, type Toolchain, keysIn, namedModule, namedPaths, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'unittest',
  why: 'unittest rules off each failed test under its name, the traceback last, and closes with Ran N tests and OK or FAILED.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'unittest') return null
    const idle = args.includes('--help') || args.includes('-h')
    return { verifies: !idle, readsSources: true, delegates: false, keys: [...new Set([...programKeys(command), ...namedTests(command.folder, args)])] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 40)
    const at = lines.findLastIndex((line) => RAN.test(line))
    const ran = Number(RAN.exec(lines[at] ?? '')?.[1] ?? 0)
    const verdict = lines[at + 1] ?? ''
    if (at === -1) return null
    if (/^FAILED \((?:failures|errors|unexpected successes)=/.test(verdict)) return { passed: false }
    const once = output.split('\n').filter((line) => RAN.test(line)).length === 1
    const skipped = Number(/\bskipped=(\d+)/.exec(verdict)?.[1] ?? 0)
    return once && /^OK(?: \([\w =,]+\))?$/.test(verdict) && ran > skipped ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const start = /^ImportError: Start directory is not importable: '([^']{1,300})'$/m.exec(ending.output)
    const folder = start === null ? [] : keysIn('absent', ending.command.folder, [start[1] as string])
    if (start !== null && folder.length > 0) return unfound(ending, 'path-missing', [start[0]], folder)
    const tests = failedTests(lines)
    const absent = tests.map((test) => absentModule(ending, test))
    if (tests.length > 0 && absent.every((keys) => keys.length > 0)) return unfound(ending, 'path-missing', tests.flat(), absent.flat())
    if (tests.length > 0 && tests.every((test) => restsOnInstalled(test[1] ?? ''))) return failed(ending, null, tests.flat())
    const red = lasting(tests)
    return red === 'transient' ? red : failed(ending, 'red', red)
  },
} satisfies Toolchain

/** What is to be there that its words name: modules and files of tests, or the folder where they are looked for. */
function namedTests(folder: string, args: readonly string[]) {
  if (args[0] !== 'discover') return args.flatMap((arg, i) => (arg.startsWith('-') || args[i - 1] === '-k' ? [] : arg.endsWith('.py') ? namedPaths(folder, [arg]) : namedModule(folder, arg)))
  const [operand] = args.slice(1).filter((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i] ?? ''))
  return namedPaths(folder, [optionOf(args, ['-s', '--start-directory']) ?? operand ?? '', optionOf(args, ['-t', '--top-level-directory']) ?? ''])
}

const VALUES = new Set(['-s', '--start-directory', '-p', '--pattern', '-t', '--top-level-directory', '-k'])
const RAN = /^Ran (\d+) tests? in \d+(?:\.\d+)?s$/

/** `FAIL: test_a (module.Class.test_a)` with the exception that ends its traceback, and where two values first differ. */
function failedTests(lines: readonly string[]): string[][] {
  const found: string[][] = []
  for (const [i, line] of lines.entries()) {
    if (!/^(?:FAIL|ERROR|UNEXPECTED SUCCESS): \S.{0,400}$/.test(line) || !/^={20,}$/.test(lines[i - 1] ?? '')) continue
    const rest = lines.slice(i + 1, i + 402)
    const from = rest.findIndex((one) => /^-{20,}$/.test(one))
    const end = rest.findIndex((one, at) => at > from && /^(?:={20,}|-{20,})$/.test(one))
    const block = from === -1 || line.startsWith('U') ? [] : rest.slice(from + 1, end === -1 ? undefined : end)
    found.push([line, ...thrownIn(block)])
  }
  return found.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}

/** The first line in the margin behind the last frame, whatever the exception is called. */
function thrownIn(block: readonly string[]): string[] {
  const frame = block.findLastIndex((line) => /^ {2}File ".{1,400}", line \d+/.test(line))
  const at = block.findIndex((line, i) => i > frame && /^\S/.test(line))
  if (at === -1) return []
  const differs = block.slice(at + 1, at + 40).filter((line) => /^(?:First differing element|[-+] )/.test(line))
  return [block[at] as string, ...differs.slice(0, 3)]
}

/** A module that the command itself names, and that is no file there. */
function absentModule({ command }: Ending, [head = '', thrown = '']: readonly string[]) {
  const name = /^ERROR: \S+ \(unittest\.loader\._FailedTest/.test(head) ? /^ModuleNotFoundError: No module named '([\w.]{1,200})'$/.exec(thrown)?.[1] : undefined
  if (name === undefined || !programOf(command).args.some((arg) => arg === name || arg.startsWith(`${name}.`))) return []
  const path = name.replaceAll('.', '/')
  return keysIn('absent', command.folder, [`${path}.py`, `${path}/__init__.py`])
}
