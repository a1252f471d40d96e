import { closing, failed, npmPackage, packageKeys } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'eslint',
  why: 'ESLint lists problems under the file that has them, each with the rule that found it, and closes with their number.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'eslint') return null
    const { folder } = command
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config', '-c'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, ['package.json', ...CONFIGS, ...LEGACY_CONFIGS]),
      ...(config === null ? [] : keysIn('file', folder, [config])),
      'lock:npm/eslint',
      ...namedFiles(folder, args),
    ]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 40)
    if (lines.some((line) => /^ESLint found too many warnings\b/.test(line))) return { passed: false }
    const found = lines.map((line) => PROBLEMS.exec(line)).findLast((one) => one !== null)
    if (found === undefined) return null
    return { passed: found[1] === '0' }
  },
  failure(ending) {
    const { folder } = ending.command
    const lines = ending.output.split('\n')
    const plugin = lines.map((line) => PLUGIN.exec(line) ?? MODULE.exec(line)).find((one) => one !== null)
    const heading = lines.some((line) => /^Oops! Something went wrong!|^ESLint: \d/.test(line))
    if (plugin !== undefined && heading) {
      const name = npmPackage(/the config /.test(plugin[0]) && !/^(?:@|eslint-config-)/.test(plugin[1] as string) ? `eslint-config-${plugin[1]}` : (plugin[1] as string))
      if (name !== null) return failed(ending, 'dependency', [plugin[0]], packageKeys(folder, name))
    }
    const config = lines.find((line) => /^ESLint couldn't find (?:an eslint\.config\.|a configuration file)/.test(line))
    if (config !== undefined) return failed(ending, 'path-missing', [config], upwards(folder, /an eslint\.config/.test(config) ? CONFIGS : [...CONFIGS, ...LEGACY_CONFIGS], 'absent'))
    const unmatched = lines.find((line) => /^No files matching the pattern "[^"]{1,300}" were found\.$/.test(line))
    const told = [...problems(lines), ...(unmatched === undefined ? [] : [unmatched]), ...lines.filter((line) => /^ESLint found too many warnings\b/.test(line))]
    return told.length === 0 ? null : failed(ending, 'red', told)
  },
} satisfies Toolchain

const CONFIGS = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((ending) => `eslint.config.${ending}`)
const LEGACY_CONFIGS = ['', '.json', '.js', '.cjs', '.yml', '.yaml'].map((ending) => `.eslintrc${ending}`)
const IDLE = ['--fix', '--init', '--print-config', '--inspect-config', '--env-info', '--help', '-h', '--suppress-all', '--prune-suppressions', '--pass-on-no-patterns']
const PLUGIN = /^ESLint couldn't find the (?:plugin|config|parser) "([^"]{1,200})"/
const MODULE = /^(?:Error(?: \[\w+\])?: )?Cannot find (?:package|module) '([^']{1,200})'/
const PROBLEMS = /^✖ \d+ problems? \((\d+) errors?, \d+ warnings?\)$/

/** `FILE: error message rule`, from the default format (a file, then its problems); only errors fail a run. */
function problems(lines: readonly string[]): string[] {
  if (!lines.some((line) => PROBLEMS.test(line))) return []
  const told = new Set<string>()
  let file = ''
  for (const line of lines) {
    const problem = /^ {2,}\d+:\d+ {2,}error {2,}(\S.{0,600})$/.exec(line)
    if (problem !== null && file !== '') told.add(`${file}: error ${problem[1]}`)
    else if (/^(?:\/|[A-Za-z]:\\)\S/.test(line)) file = line.trim()
  }
  return [...told].sort()
}
