import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, namedPaths, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'mix',
  why: 'Mix runs ExUnit, which closes with how many tests there were and how many failed, and numbers each that did.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'mix') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const [task = '', ...rest] = args
    const keys = [...programKeys(command), ...upwards(folder, ['mix.exs', 'mix.lock', ...(task === 'format' ? ['.formatter.exs'] : []), ...(task === 'credo' ? ['.credo.exs'] : [])]), ...namedPaths(folder, rest.map((arg) => arg.replace(/:\d+$/, '')), VALUES)]
    const checks = /^(?:test|compile|credo|dialyzer)$/.test(task) || (task === 'format' && hasOption(rest, ['--check-formatted']))
    return { verifies: checks && !hasOption(rest, IDLE) && !args.includes(','), readsSources: checks || task === 'run', delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 40)
    const found = lines.flatMap((line) => COUNTS.exec(line) ?? [])
    // An umbrella has one closing line for each of its projects.
    if (output.split('\n').filter((line) => COUNTS.test(line)).length !== 1 || found.length === 0) return null
    if (found[2] !== '0' || lines.some((line) => COVERAGE.test(line))) return { passed: false }
    return found[1] === '0' || lines.some((line) => /^\*\* \(|^==> /.test(line)) ? null : { passed: true }
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const tests = lines.flatMap((line, i) => {
      const title = /^ {2}\d+\) (\S.{0,400})$/.exec(line)?.[1]
      if (title === undefined) return []
      const said = lines.slice(i + 2, i + 8).filter((one) => /^ {5}\S/.test(one) && !/^ {5}(?:code|stacktrace):/.test(one)).slice(0, 1)
      return [[title, ...said.map((one) => one.trim())]]
    })
    const red = lasting(tests)
    if (red === 'transient') return red
    return failed(ending, 'red', [...red, ...lines.filter((line) => /^\*\* \(|^ *error: \S/.test(line) || COVERAGE.test(line))])
  },
} satisfies Toolchain

const VALUES = new Set(['--only', '--exclude', '--include', '--seed', '--max-failures', '--partitions', '--formatter'])
const IDLE = ['--stale', '--failed', '--listen-on-stdin', '-h', '--help']
const COUNTS = /^(?:\d+ (?:doctests?|properties|property), )*(\d+) tests?, (\d+) failures?(?:, \d+ (?:excluded|skipped|invalid))*$/
const COVERAGE = /^Coverage test failed, threshold not met/
