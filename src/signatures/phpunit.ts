import type { CanonicalCommand } from '../model/command.ts'
import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'phpunit',
  why: 'PHPUnit and Pest number what failed, each with its class and its message, and close with how many tests there were.',
  knows(command) {
    const args = argumentsOf(command)
    if (args === null) return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['-c', '--configuration'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, ['phpunit.xml', 'phpunit.xml.dist', 'composer.lock']),
      ...(config === null ? [] : keysIn('file', folder, [config])),
      ...namedFiles(folder, args),
    ]
    return { verifies: !hasOption(args, IDLE) && !args.some((arg) => arg.startsWith('--list-')), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 4)
    if (lines.some((line) => FAILED.test(line))) return { passed: false }
    const once = output.split('\n').filter((line) => PASSED.test(line)).length === 1
    return once && lines.some((line) => PASSED.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const red = lasting(lines.flatMap((line, i) => {
      const title = /^\d+\) (\S.{0,400})$/.exec(line)?.[1] ?? /^ +FAILED +(\S.{0,400})$/.exec(line)?.[1]
      return title === undefined ? [] : [[[title, lines.slice(i + 1).find((next) => next.trim() !== '')?.trim() ?? ''].filter((part) => part !== '').join(': ')]]
    }))
    return red === 'transient' ? red : failed(ending, 'red', red)
  },
} satisfies Toolchain

/** The words behind `phpunit`, started by itself or by `php`. */
function argumentsOf(command: CanonicalCommand): readonly string[] | null {
  const { program, args } = programOf(command)
  if (PROGRAM.test(program)) return args
  const at = /^php[\d.]*$/.test(program) ? args.findIndex((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-d') : -1
  return at !== -1 && PROGRAM.test(args[at] as string) ? args.slice(at + 1) : null
}

const PROGRAM = /^(?:\.\/)?(?:vendor\/bin\/|bin\/)?(?:phpunit|simple-phpunit|pest|paratest)(?:\.phar)?$/
const IDLE = ['--help', '-h', '--generate-configuration', '--migrate-configuration', '--generate-baseline', '--watch', '--update-snapshots']
const PASSED = /^(?:OK \([1-9]\d* tests?, \d+ assertions?\)| {2}Tests: {4}(?:\d+ (?:skipped|todos?|deprecated|warnings?|risky|incomplete|notices?), )*[1-9]\d* passed \(\d+ assertions?\))$/
const FAILED = /^(?:(?:FAILURES|ERRORS)!|No tests executed!|Tests: \d+, Assertions: \d+,.* (?:Errors|Failures): [1-9].*| {2}Tests: {4}[1-9]\d* failed\b.*)$/
