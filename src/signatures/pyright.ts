import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'pyright',
  why: 'Pyright gives each finding its file, its place and its rule, and closes with how many errors there are.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!/^(?:based)?pyright$/.test(program)) return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const config = optionOf(args, ['-p', '--project'])
    const keys = [...programKeys(command), ...upwards(folder, ['pyrightconfig.json', 'pyproject.toml']), ...(config === null ? [] : keysIn('file', folder, [config])), ...namedFiles(folder, args)]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const counts = COUNTS.exec(closing(output, 1)[0] ?? '')
    return counts === null ? null : counts[1] !== '0' ? { passed: false } : counts[2] === '0' ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    if (!lines.some((line) => COUNTS.test(line))) return null
    return failed(ending, 'red', lines.flatMap((line) => { const found = ERROR.exec(line); return found === null ? [] : [`${found[1]}: ${found[2]}`] }).sort())
  },
} satisfies Toolchain

const IDLE = ['-w', '--watch', '--createstub', '--verifytypes', '--stats', '-h', '--help', '--writebaseline']
/** Warnings fail a run that is told so, and another one not. */
const COUNTS = /^(\d+) errors?, (\d+) warnings?, \d+ (?:informations?|notes?) ?$/
const ERROR = /^ *(\S.{0,300}?):\d+:\d+ - error: (\S.{0,400})$/
