import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'golangci-lint',
  why: 'golangci-lint gives each finding its file, its place and its linter, and closes with how many issues there are.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'golangci-lint') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const config = optionOf(args, ['-c', '--config'])
    const keys = [...programKeys(command), ...upwards(folder, CONFIGS), ...(config === null ? [] : keysIn('file', folder, [config]))]
    const checks = args[0] === 'run' || (args[0] === 'config' && args[1] === 'verify')
    return { verifies: checks && !hasOption(args, ['--fix', '--issues-exit-code', '-h', '--help']), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 40)
    if (lines.some((line) => /^[1-9]\d* issues?:$/.test(line))) return { passed: false }
    return lines.at(-1) === '0 issues.' ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    return failed(ending, 'red', lines.flatMap((line) => { const found = ISSUE.exec(line); return found === null ? [] : [`${found[1]}: ${found[2]}`] }).sort())
  },
} satisfies Toolchain

const CONFIGS = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json', 'go.mod']
const ISSUE = /^(\S.{0,300}\.go):\d+(?::\d+)?: (\S.{0,400} \([\w-]{1,40}\))$/
