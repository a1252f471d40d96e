import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, namedPaths, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'dart',
  why: 'dart test and flutter test close with All tests passed or Some tests failed, and their analysers with the number of issues.',
  knows(command) {
    const { program, args: words } = programOf(command)
    const managed = program === 'fvm' && /^(?:dart|flutter)$/.test(words[0] ?? '')
    if (!managed && program !== 'dart' && program !== 'flutter') return null
    const args = managed ? words.slice(1) : words
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const [verb = '', ...rest] = args
    const keys = [...programKeys(command), ...upwards(folder, ['pubspec.yaml', 'pubspec.lock', ...(verb === 'analyze' ? ['analysis_options.yaml'] : [])]), ...namedPaths(folder, rest, VALUES)]
    const checks = /^(?:test|analyze|compile)$/.test(verb) || (verb === 'build' && program !== 'dart') || (verb === 'format' && hasOption(rest, ['--set-exit-if-changed']))
    return { verifies: checks && !hasOption(rest, IDLE), readsSources: checks || verb === 'run', delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const last = closing(output, 1)[0]?.trim() ?? ''
    if (/^\d+:\d\d(?: \+\d+)?(?: ~\d+)? -[1-9]\d*: Some tests failed\.$|^[1-9]\d* issues? found\./.test(last)) return { passed: false }
    return /^\d+:\d\d \+[1-9]\d*(?: ~\d+)?: All tests passed!$|^No issues found!(?: \(ran in .*\))?$/.test(last) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const tests = [...new Set(lines.flatMap((line) => /^\d+:\d\d .{0,40}-\d+: (\S.{0,400}) \[E\]$/.exec(line.trim())?.[1] ?? []))]
    const red = lasting(tests.map((test) => [test]))
    if (red === 'transient') return red
    const issues = lines.flatMap((line) => { const found = /^ *error (?:•|-) (?:(\S.{0,200}?):\d+:\d+ - )?(\S.{0,400})$/.exec(line); return found === null ? [] : [`error: ${found[1] === undefined ? '' : `${found[1]}: `}${(found[2] as string).replace(/:\d+:\d+ (?=•)/, ' ')}`] })
    return failed(ending, 'red', [...red, ...issues.sort()])
  },
} satisfies Toolchain

const VALUES = new Set(['-n', '--name', '-N', '--plain-name', '-t', '--tags', '-x', '--exclude-tags', '-r', '--reporter', '-j', '--concurrency', '-p', '--platform', '-d', '--device-id', '--coverage-path', '--dart-define'])
const IDLE = ['--update-goldens', '-h', '--help', '--no-fatal-errors', '--watch']
