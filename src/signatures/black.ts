import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'black',
  why: 'Black names each file that it would format otherwise, and closes with how many there are.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'black') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const config = optionOf(args, ['--config'])
    const keys = [...programKeys(command), ...upwards(folder, ['pyproject.toml']), ...(config === null ? [] : keysIn('file', folder, [config])), ...namedFiles(folder, args)]
    const checks = hasOption(args, ['--check'])
    return { verifies: checks && !hasOption(args, ['-h', '--help']), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const last = closing(output, 1)[0] ?? ''
    if (/^\d+ files? (?:would be reformatted|would fail to reformat)\b|, \d+ files? would fail to reformat\.$/.test(last)) return { passed: false }
    return /^\d+ files? would be left unchanged\.$/.test(last) ? { passed: true } : null
  },
  failure(ending) {
    return failed(ending, 'red', ending.output.split('\n').filter((line) => /^would reformat \S|^error: cannot format \S/.test(line)).sort())
  },
} satisfies Toolchain
