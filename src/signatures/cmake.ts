import { absentPath, closing, failed, telling, unfound } from '../model/ending.ts'
import { type Ending, type Failure, type Toolchain, asksVersion, hasOption, keysIn, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'cmake',
  why: 'CMake heads each fault with CMake Error and its file; CTest closes with the share that passed and a list of what FAILED.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'cmake' && program !== 'ctest') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const builds = program === 'cmake' && args.includes('--build')
    const source = optionOf(args, ['-S']) ?? '.'
    const keys = [...programKeys(command), ...keysIn('file', folder, [`${source}/CMakeLists.txt`, `${source}/CMakePresets.json`])]
    const tests = program === 'ctest' && !hasOption(args, ['-N', '--show-only', '--print-labels', '--help', '-h'])
    return { verifies: tests || builds, readsSources: true, delegates: builds, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 60)
    const at = lines.findLastIndex((line) => RATE.test(line))
    if (at === -1) return lines.some((line) => CONFIGURED.test(line)) ? { passed: false } : null
    const [, failing = '', all = ''] = RATE.exec(lines[at] as string) ?? []
    const rest = lines.slice(at + 1)
    if (failing !== '0' || rest.some((line) => /^Errors while running CTest/.test(line))) return { passed: false }
    const once = output.split('\n').filter((line) => RATE.test(line)).length === 1
    return once && Number(all) > 0 && rest.some((line) => /^Total Test time \(real\) = /.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 2000)
    return unstarted(ending, lines) ?? configured(ending, lines) ?? tested(ending, lines)
  },
} satisfies Toolchain

const RATE = /^\d+% tests passed, (\d+) tests? failed out of (\d+)$/
const CONFIGURED = /^-- Configuring incomplete, errors occurred!$|^CMake Generate step failed\./

function unstarted(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const { command } = ending
  const folder = lines
    .map((line) => /^(?:CMake Error: The source directory "([^"]{1,300})" does not exist\.|Error: (\S{1,300}) is not a directory|Failed to change working directory to "([^"]{1,300})" ?: No such file or directory)/.exec(line))
    .find((one) => one !== null)
  const absent = folder === undefined ? [] : absentPath(ending, folder[1] ?? folder[2] ?? folder[3] ?? '')
  if (folder !== undefined && absent.length > 0) return unfound(ending, 'path-missing', [folder[0]], absent)
  const misuse = lines.map((line) => /^CMake Error: (?:Unknown argument (\S{1,100})|Could not create named generator (.{1,100}))$/.exec(line)).find((one) => one !== null)
  if (misuse !== undefined && command.argv.some((arg) => arg.includes((misuse[1] ?? misuse[2]) as string))) return failed(ending, 'usage', [misuse[0]], programKeys(command))
  return null
}

/** `CMake Error at CMakeLists.txt (find_package): …` with the words of its first paragraphs. */
function configured(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const errors = lines.flatMap((line, i) => {
    const found = /^CMake Error(?: at (.{1,300}?):\d+( \(\w{1,100}\))?)?:(?: (.{1,400}))?$/.exec(line)
    if (found === null) return []
    const rest = lines.slice(i + 1, i + 31)
    const end = rest.findIndex((one, at) => /^\S/.test(one) || (one === '' && rest[at + 1] === ''))
    const said = rest.slice(0, end === -1 ? 30 : end).map((one) => one.trim()).filter((one) => one !== '' && !/^Tried extensions /.test(one))
    return [{ head: `CMake Error${found[1] === undefined ? '' : ` at ${found[1]}${found[2] ?? ''}`}: ${found[3] ?? ''}`, said: said.join(' ') }]
  })
  const told = errors.map(({ head, said }) => `${head}${said}`.slice(0, 300))
  if (told.length === 0) return null
  const version = errors.filter(({ said }) => /^CMake \S+ or higher is required\./.test(said))
  if (version.length === errors.length) return failed(ending, 'dependency', told.map((line) => line.replace(/ You are running version .*$/, '')), programKeys(ending.command))
  // A package or a compiler that CMake looks for on the machine shows in no key.
  const installed = errors.every(({ said }) => /package configuration file provided by|Could NOT find |No CMAKE_\w+_COMPILER could be found/.test(said))
  return failed(ending, installed ? null : 'red', told)
}

/** Each failed test with what it printed, where that was shown. */
function tested(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const from = lines.findLastIndex((line) => line === 'The following tests FAILED:')
  if (from === -1) return null
  const tests = lines.slice(from + 1, from + 101).flatMap((line) => {
    const found = /^\s+\d+ - (.{1,200}) \(((?:Exit code )?[\w* ]{1,60})\)(?:\s+\S.*)?$/.exec(line)
    return found === null ? [] : [{ name: found[1] as string, how: found[2] as string }]
  })
  const lasting = tests.filter(({ how }) => how !== 'Timeout')
  if (tests.length > 0 && lasting.length === 0) return 'transient'
  const told = lasting.flatMap(({ name, how }) => [`test ${name} (${how})`, ...printedBy(name, lines)])
  return failed(ending, 'red', told)
}

function printedBy(name: string, lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^ *\d+\/\d+ Test +#\d+: /.test(line) && line.includes(`: ${name} `))
  if (at === -1) return []
  const rest = lines.slice(at + 1, at + 201)
  const end = rest.findIndex((line) => /^ +Start +\d+: |^ *\d+\/\d+ Test +#|^\d+% tests passed/.test(line))
  const block = rest.slice(0, end === -1 ? undefined : end).join('\n')
  return block.trim() === '' ? [] : telling(block).slice(0, 2)
}
