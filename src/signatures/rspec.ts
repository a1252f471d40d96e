import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, namedPaths, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'rspec',
  why: 'RSpec closes with how many examples there were and how many failed, and names each that did.',
  knows(command) {
    const found = programOf(command)
    const bundled = found.program === 'bundle' && found.args[0] === 'exec'
    const program = bundled ? (found.args[1] ?? '') : found.program
    if (!/^(?:\.\/)?(?:bin\/)?rspec$/.test(program)) return null
    const args = bundled ? found.args.slice(2) : found.args
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const keys = [...programKeys(command), ...upwards(folder, ['.rspec', 'Gemfile.lock']), ...namedPaths(folder, args.map((arg) => arg.replace(/:\d+(?::\d+)*$/, '')), VALUES)]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 40)
    const found = lines.flatMap((line) => COUNTS.exec(line) ?? [])
    if (output.split('\n').filter((line) => COUNTS.test(line)).length !== 1 || found.length === 0) return null
    if (found[2] !== '0' || found[3] !== undefined || lines.some((line) => COVERAGE.test(line))) return { passed: false }
    return found[1] === '0' ? null : { passed: true }
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const tests = lines.flatMap((line, i) => {
      const title = /^ {2}\d+\) (\S.{0,400})$/.exec(line)?.[1]
      if (title === undefined) return []
      const said = lines.slice(i + 1, i + 12).filter((one) => /^ {5}(?:Failure\/Error: |  \S)/.test(one)).slice(0, 3)
      return [[title, ...said.map((one) => one.trim())]]
    })
    const red = lasting(tests)
    return red === 'transient' ? red : failed(ending, 'red', [...red, ...lines.filter((line) => COVERAGE.test(line)), ...lines.filter((line) => /^An error occurred while loading \S/.test(line))])
  },
} satisfies Toolchain

const VALUES = new Set(['-e', '--example', '-f', '--format', '-o', '--out', '-t', '--tag', '-r', '--require', '-I', '-P', '--pattern', '--seed', '--order', '-O', '--options'])
const IDLE = ['--dry-run', '--init', '-h', '--help', '--only-failures', '--bisect']
const COUNTS = /^(\d+) examples?, (\d+) failures?(?:, \d+ pending)?(, [1-9]\d* errors? occurred outside of examples)?$/
const COVERAGE = /is below the expected minimum coverage|^SimpleCov failed with exit/
