import { failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedPaths, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'pyflakes',
  why: 'pyflakes and flake8 give each finding one line with its file and place, and say nothing where there is none.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'pyflakes' && program !== 'flake8') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config'])
    const configs = program === 'pyflakes' ? [] : config === null ? ['.flake8', 'setup.cfg', 'tox.ini'] : [config]
    const keys = [...programKeys(command), ...keysIn('file', folder, configs), ...namedPaths(folder, args, VALUES)]
    return { verifies: (program === 'flake8' || args.length > 0) && !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  diagnoses: true,
  still: true,
  summary: () => null,
  failure(ending) {
    const found = ending.output.split('\n').flatMap((line) => {
      const one = /^([^\s:][^:]{0,300}\.pyi?):\d+(?::\d+)?:? (\S.{0,400})$/.exec(line)
      return one === null ? [] : [`${one[1]}: ${one[2]}`]
    })
    return failed(ending, 'red', found.sort())
  },
} satisfies Toolchain

const VALUES = new Set(['--config', '--select', '--ignore', '--extend-ignore', '--extend-select', '--exclude', '--extend-exclude', '--max-line-length', '--max-complexity', '--format', '--filename', '--per-file-ignores', '-j', '--jobs'])
const IDLE = ['--exit-zero', '--statistics', '--count', '-q', '--quiet', '--help', '-h', '--bug-report', '-', '-o', '--output-file']
