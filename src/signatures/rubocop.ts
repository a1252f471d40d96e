import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'rubocop',
  why: 'RuboCop gives each offense its file, its place and its cop, and closes with how many files it looked at.',
  knows(command) {
    const found = programOf(command)
    const bundled = found.program === 'bundle' && found.args[0] === 'exec'
    const program = bundled ? (found.args[1] ?? '') : found.program
    if (!/^(?:bin\/)?rubocop$/.test(program)) return null
    const args = bundled ? found.args.slice(2) : found.args
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const config = optionOf(args, ['-c', '--config'])
    const keys = [...programKeys(command), ...upwards(folder, ['.rubocop.yml', 'Gemfile.lock']), ...(config === null ? [] : keysIn('file', folder, [config])), ...namedFiles(folder, args)]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 3)
    const counts = lines.flatMap((line) => COUNTS.exec(line)?.[1] ?? [])
    return counts.length !== 1 ? null : counts[0] !== 'no' ? { passed: false } : COUNTS.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    return failed(ending, 'red', lines.flatMap((line) => { const found = OFFENSE.exec(line); return found === null ? [] : [`${found[1]}: ${found[2]}`] }).sort())
  },
} satisfies Toolchain

const IDLE = ['-a', '-A', '--autocorrect', '--autocorrect-all', '--auto-correct', '-x', '--auto-gen-config', '--regenerate-todo', '-h', '--help', '-L', '--list-target-files', '--show-cops']
const COUNTS = /^[1-9]\d* files? inspected, (no|\d+) offenses? detected(?:, .*)?$/
const OFFENSE = /^(\S.{0,300}?):\d+:\d+: [CREFW]: (?:\[Correct(?:ed|able)\] )?(\S.{0,400})$/
