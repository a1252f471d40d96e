import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'prettier',
  why: 'Prettier warns of each file that it would write otherwise, tells files that it can not read as errors, and closes in a sentence.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'prettier') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, ['package.json', ...CONFIGS, '.editorconfig']),
      ...keysIn('file', folder, ['.prettierignore', ...(config === null ? [] : [config])]),
      'lock:npm/prettier',
      ...namedFiles(folder, args),
    ]
    const checks = hasOption(args, ['--check', '-c', '--list-different', '-l']) && !hasOption(args, ['--write', '-w', '--help', '-h'])
    return { verifies: checks, readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 5)
    if (lines.some((line) => FOUND.test(line) || STOPPED.test(line))) return { passed: false }
    return /^All matched files use Prettier code style!$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const closed = lines.some((line) => FOUND.test(line))
    if (!closed && programOf(ending.command).program !== 'prettier' && !lines.some((line) => STOPPED.test(line))) return null
    const errors = lines.flatMap((line) => /^\[error\] (\S.{0,400}?)(?: \(\d+:\d+\))?$/.exec(line)?.[1] ?? []).filter((line) => !/^(?:\d+ \||>|\|)/.test(line.trim()))
    const unformatted = closed ? lines.flatMap((line) => /^\[warn\] (\S.{0,300})$/.exec(line)?.[1] ?? []).filter((line) => !/^(?:Code style issues|Ignored unknown)/.test(line)) : []
    return failed(ending, 'red', [...errors, ...unformatted.map((file) => `not formatted: ${file}`)])
  },
} satisfies Toolchain

const CONFIGS = ['.prettierrc', ...['json', 'yaml', 'yml', 'js', 'cjs', 'mjs', 'ts', 'toml'].map((ending) => `.prettierrc.${ending}`), ...['js', 'cjs', 'mjs', 'ts'].map((ending) => `prettier.config.${ending}`)]
const FOUND = /^\[warn\] Code style issues (?:found in|in) /
const STOPPED = /^Error occurred when checking code style in /
