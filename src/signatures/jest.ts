import { absentPath, closing, failed, lasting, npmPackage, packageKeys } from '../model/ending.ts'
import { type Ending, type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'jest',
  why: 'Jest closes with counts of suites and tests, and heads each failed test with its full name.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'jest') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config', '-c'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, ['package.json', ...CONFIGS]),
      ...(config === null ? [] : keysIn('file', folder, [config])),
      'lock:npm/jest',
      ...namedFiles(folder, args),
    ]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 40)
    const at = lines.findLastIndex((line) => TESTS.test(line))
    if (at === -1 || !lines.slice(at).some((line) => /^Time: /.test(line))) return null
    const suites = lines.slice(0, at).findLast((line) => /^Test Suites: /.test(line)) ?? ''
    const tests = lines[at] as string
    if (/\b[1-9]\d* failed/.test(suites) || /\b[1-9]\d* failed/.test(tests)) return { passed: false }
    if (lines.some((line) => THRESHOLD.test(line))) return { passed: false }
    // Its word on coverage stands right above the counts: where nothing stands there, it may have been cut off.
    const above = lines.slice(0, Math.max(0, lines.findLastIndex((line) => /^Test Suites: /.test(line)))).findLast((line) => line.trim() !== '' && !/^(?: › |Snapshot Summary$)/.test(line))
    if (above === undefined || lines.some((line) => /^Jest: /.test(line))) return null
    const once = output.split('\n').filter((line) => TESTS.test(line)).length === 1
    return once && /\b[1-9]\d* passed/.test(suites) && /\b[1-9]\d* passed/.test(tests) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const tests = failedTests(lines)
    const missing = tests.flatMap((test) => test.slice(1).flatMap((line) => missingPackage(line) ?? []))
    const keys = missing.flatMap((name) => packageKeys(ending.command.folder, name))
    if (tests.length > 0 && missing.length >= tests.length) return failed(ending, 'dependency', tests.flatMap((test) => test.slice(1, 2)), keys)
    const config = lines.find((line) => /^\s*(?:Can't find a root directory while resolving a config file path|Could not find a config file based on provided values)/.test(line))
    if (config !== undefined) return failed(ending, 'path-missing', [config], absentConfig(ending, lines))
    const red = lasting(tests.filter(([name]) => name !== '● Unrecognized CLI Parameter:'))
    if (red === 'transient') return red
    return failed(ending, 'red', [...red, ...lines.filter((line) => THRESHOLD.test(line) || /^No tests found, exiting with code 1/.test(line))], keys)
  },
} satisfies Toolchain

const CONFIGS = ['js', 'ts', 'mjs', 'cjs', 'json'].map((ending) => `jest.config.${ending}`)
const IDLE = ['--watch', '--watchAll', '-u', '--updateSnapshot', '--listTests', '--showConfig', '--init', '--help', '-h', '--version', '--clearCache']
const TESTS = /^Tests: .*\b\d+ total$/
const THRESHOLD = /^Jest: .{0,300}coverage threshold .{0,100}not met/

/** Each failed test as its heading and the words that follow, sorted: the order of files is no part of the fault. */
function failedTests(lines: readonly string[]): string[][] {
  const tests = new Map<string, string[]>()
  for (const [i, line] of lines.entries()) {
    const name = /^ {0,2}● (.{1,400})$/.exec(line)?.[1]
    if (name === undefined || /^(?:Console|.* › Console)$/.test(name)) continue
    const rest = lines.slice(i + 1, i + 12)
    const from = rest.findIndex((one) => one.trim() !== '')
    const said = from === -1 ? [] : [rest[from] as string, ...rest.slice(from + 1).filter((one) => /^\s+(?:Expected|Received)\b[^:]{0,60}: /.test(one)).slice(0, 2)]
    if (!tests.has(name)) tests.set(name, [`● ${name}`, ...said])
  }
  return [...tests.values()].sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}

function missingPackage(line: string): string | null {
  const preset = /^\s*(?:Preset|Test environment|Module) ([@\w./-]{1,200}) (?:cannot be|in the \w+ option was not|not) found\b/.exec(line)?.[1]
  const imported = /^\s*(?:Error: )?Cannot find (?:module|package) '([^']{1,200})'/.exec(line)?.[1]
  return npmPackage(preset ?? imported ?? '.')
}

function absentConfig(ending: Ending, lines: readonly string[]) {
  const named = lines.map((line) => /^(?:Provided path to resolve|path): "?([^"]{1,300})"?$/.exec(line.trim())?.[1]).find((path) => path !== undefined)
  const path = named === undefined ? [] : absentPath(ending, named)
  return path.length > 0 ? path : upwards(ending.command.folder, ['package.json', ...CONFIGS], 'absent')
}
