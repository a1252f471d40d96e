import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'phpstan',
  why: 'PHPStan lists findings under their file, and closes in a box that says OK or how many errors there are.',
  knows(command) {
    const { program, args: words } = programOf(command)
    const inPhp = /^php[\d.]*$/.test(program) ? words.findIndex((arg, i) => !arg.startsWith('-') && words[i - 1] !== '-d') : -1
    if (!PROGRAM.test(inPhp === -1 ? program : (words[inPhp] ?? ''))) return null
    const args = words.slice(inPhp + 1)
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const config = optionOf(args, ['-c', '--configuration'])
    const keys = [...programKeys(command), ...upwards(folder, CONFIGS), ...(config === null ? [] : keysIn('file', folder, [config])), ...namedFiles(folder, args)]
    const checks = /^(?:analy[sz]e|)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '')
    return { verifies: checks && !hasOption(args, IDLE), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 3)
    if (lines.some((line) => /^ *\[ERROR\] Found [1-9]\d* errors?\b/.test(line))) return { passed: false }
    return /^ *\[OK\] No errors *$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    if (!lines.some((line) => /^ *\[ERROR\] Found [1-9]\d* errors?\b/.test(line))) return null
    const found = lines.flatMap((line) => /^ +(?:Line +(\S+\.php)\b.*|:?\d+ {2,}(\S.{0,400}))$/.exec(line)?.slice(1, 3).filter((part) => part !== undefined) ?? [])
    return failed(ending, 'red', found)
  },
} satisfies Toolchain

const PROGRAM = /^(?:\.\/)?(?:vendor\/bin\/|bin\/)?phpstan(?:\.phar)?$/
const CONFIGS = ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon', 'composer.lock']
const IDLE = ['-b', '--generate-baseline', '--watch', '--pro', '-h', '--help', '--fix']
