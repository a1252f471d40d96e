import { absentPath, closing, failed, isPassing, lasting, npmPackage, packageKeys } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'vitest',
  why: 'Vitest closes with counts of files and tests, of errors outside any test too, and heads each failed test with FAIL.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'vitest') return null
    const { folder } = command
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config', '-c'])
    const keys = [
      ...programKeys(command),
      ...keysIn('file', folder, ['package.json', ...CONFIGS, ...(config === null ? [] : [config])]),
      'lock:npm/vitest',
      ...namedFiles(folder, args),
    ]
    const idle = hasOption(args, IDLE) || /^(?:watch|dev|list|init|bench)$/.test(args[0] ?? '')
    return { verifies: !idle, readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 40)
    const at = lines.findLastIndex((line) => TESTS.test(line))
    if (at === -1 || !lines.slice(at).some((line) => /^\s+Duration {2}/.test(line))) return null
    const [files = '', tests = ''] = [lines[at - 1], lines[at]]
    if (/ [1-9]\d* failed/.test(files) || / [1-9]\d* failed/.test(tests)) return { passed: false }
    if (lines.slice(at).some((line) => /^\s*(?:Type )?Errors {2}[1-9]/.test(line)) || lines.some((line) => THRESHOLD.test(line))) return { passed: false }
    const once = output.split('\n').filter((line) => TESTS.test(line)).length === 1
    return once && /^\s+Test Files .* [1-9]\d* passed/.test(files) && / [1-9]\d* passed/.test(tests) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const { folder } = ending.command
    const config = /^failed to load config from (.{1,300})$/m.exec(ending.output)?.[1]
    const absent = config !== undefined && lines.some((line) => /Cannot resolve entry module|Could not resolve/.test(line)) ? absentPath(ending, config) : []
    if (absent.length > 0) return failed(ending, 'path-missing', ['failed to load config', ...lines.filter((line) => /Cannot resolve entry module/.test(line))], absent)
    const dependency = lines.flatMap((line) => /^\s*MISSING DEPENDENCY {2}Cannot find (?:dependency|package) '([^']{1,200})'/.exec(line)?.[1] ?? [])
    if (dependency.length > 0)
      return failed(ending, 'dependency', lines.filter((line) => /^\s*MISSING DEPENDENCY/.test(line)), dependency.flatMap((name) => packageKeys(folder, name)))
    const tests = failedTests(lines)
    const missing = tests.map((test) => missingPackage(test.at(-1) ?? ''))
    const keys = missing.flatMap((name) => (name === null ? [] : packageKeys(folder, name)))
    if (tests.length > 0 && missing.every((name) => name !== null)) return failed(ending, 'dependency', tests.map((test) => (test.at(-1) ?? '').replace(/ imported from .*$/, '')), keys)
    const red = lasting(tests)
    const outside = unhandled(lines)
    if (red === 'transient' || (tests.length === 0 && outside.some(isPassing))) return 'transient'
    return failed(ending, 'red', [...red, ...outside, ...lines.filter((line) => THRESHOLD.test(line) || /^No test files found, exiting with code 1/.test(line))], keys)
  },
} satisfies Toolchain

const CONFIGS = ['vitest.config', 'vite.config'].flatMap((name) => ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.${ending}`))
const IDLE = ['--watch', '-w', '--ui', '-u', '--update', '--help', '-h', '--version', '-v', '--mergeReports', '--clearCache']
const TESTS = /^\s+Tests {2}(?:\d+ |no tests)/
const THRESHOLD = /^ERROR: Coverage for \w+ \(/

/** Each failed test or file with its error's first line, sorted: the order of files is no part of the fault. */
function failedTests(lines: readonly string[]): string[][] {
  const tests = new Map<string, string[]>()
  let names: string[] = []
  for (const line of lines) {
    const name = /^ FAIL {2}(\S.{0,400})$/.exec(line)?.[1]
    if (name !== undefined) names.push(name)
    else if (names.length > 0 && line.trim() !== '') {
      for (const one of names) if (!tests.has(one)) tests.set(one, [`FAIL ${one}`, line])
      names = []
    }
  }
  return [...tests.values()].sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}

/** Errors outside any test: each section's first line. */
const unhandled = (lines: readonly string[]): string[] =>
  lines.flatMap((line, i) => (/^⎯+ (?:Uncaught Exception|Unhandled (?:Rejection|Error)|Startup Error|Typecheck Error) ⎯+$/.test(line) ? [lines[i + 1] ?? ''] : []))

function missingPackage(line: string): string | null {
  const name = /^(?:Error: )?(?:Cannot find (?:package|module) '([^']{1,200})'|Failed to resolve import "([^"]{1,200})")/.exec(line)
  return npmPackage(name?.[1] ?? name?.[2] ?? '.')
}
