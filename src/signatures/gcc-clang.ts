import { absentPath, closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, namedFiles, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'gcc-clang',
  why: 'C and C++ compilers say file, place and error in one line; the linker says which name it can not find, and who asks for it.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!COMPILERS.test(program)) return null
    if (asksVersion(args) || (args.length === 1 && /^-(?:v|dumpversion|dumpmachine)$/.test(args[0] ?? '')))
      return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const reads = args.some((arg) => SOURCE.test(arg) || /\.[oa]$/.test(arg))
    return {
      verifies: reads && !hasOption(args, ['--help', '-E', '-M', '-MM', '-###']),
      readsSources: reads,
      delegates: false,
      keys: [...new Set([...programKeys(command), ...namedFiles(command.folder, args)])],
    }
  },
  summary: (output) => (closing(output, 5).some((line) => STOPPED.test(line)) ? { passed: false } : null),
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 2000)
    const own = COMPILERS.test(programOf(ending.command).program)
    const input = lines.map((line) => INPUT.exec(line)).find((one) => one !== null)
    const absent = input === undefined ? [] : absentPath(ending, input[1] ?? input[2] ?? '')
    if (input !== undefined && absent.length > 0) return failed(ending, 'path-missing', [input[0]], absent)
    const misuse = lines.find((line) => /^\S{1,100}: (?:fatal )?error: (?:no input files|cannot specify )/.test(line))
    if (own && misuse !== undefined) return failed(ending, 'usage', [misuse.replace(/^\S*\//, '')], programKeys(ending.command))
    const errors = [...compiled(lines), ...linked(lines)]
    return failed(ending, errors.length > 0 && errors.every(({ installed }) => installed) ? null : 'red', [...new Set(errors.map(({ line }) => line))])
  },
} satisfies Toolchain

const COMPILERS = /^(?:[\w.]{1,30}-){0,4}(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d[\d.]*)?$/
const ENDINGS = '(?:c|cc|cpp|cxx|c\\+\\+|C|h|hh|hpp|hxx|inl|ipp|m|mm|s|S|cu|y|l)'
const SOURCE = new RegExp(`\\.${ENDINGS}$`)
const INPUT = /^\S{1,100}: (?:fatal )?error: (?:([^\s:]{1,300}): No such file or directory|no such file or directory: '([^']{1,300})')$/
const STOPPED = /^\d+ (?:warnings? and \d+ )?errors? generated\.$|^compilation terminated\.$|^collect2: error: |^cc1(?:plus|obj)?: (?:all|some) warnings being treated as errors$|^clang(?:\+\+)?: error: linker command failed/

/** One error, and whether it rests on what is installed, which no key can see. */
interface Told {
  readonly line: string
  readonly installed: boolean
}

const ERROR = new RegExp(`^([^\\s:][^:]{0,300}\\.${ENDINGS})(?::\\d+){1,2}: (?:fatal )?error: (\\S.{0,600})$`)

/** `a.c: error: …`. A header in angle brackets belongs to the system, unless the source that is shown says otherwise. */
const compiled = (lines: readonly string[]): Told[] =>
  lines.flatMap((line, i) => {
    const found = ERROR.exec(line)
    if (found === null) return []
    const header = /: No such file or directory$|^'.{1,300}' file not found/.test(found[2] as string)
    return [{ line: `${found[1]}: error: ${found[2]}`, installed: header && lines.slice(i + 1, i + 3).some((one) => /# *include *</.test(one)) }]
  })

/** Objects have made-up names and offsets; the source, and the name that is sought, have not. */
function linked(lines: readonly string[]): Told[] {
  return lines.flatMap((line): Told[] => {
    const library = /^(?:\S*ld(?:\.\w+)?|ld\.lld): (?:error: |fatal error: )?((?:cannot find|unable to find library|library not found for) -l\S+)/.exec(line)?.[1]
    if (library !== undefined) return [{ line: `ld: ${library.replace(/:$/, '')}`, installed: true }]
    const name = /(undefined reference to .{1,300}|multiple definition of [^;]{1,300})/.exec(line)
    if (name !== null && /^(?:\S*ld(?:\.\w+)?: )?\S{0,400} ?(?:undefined|multiple)/.test(line)) {
      const file = new RegExp(`([^\\s:]{1,300}\\.${ENDINGS}):`).exec(line.slice(0, name.index).replace(/\/\S*\.o:/g, ''))?.[1]
      return [{ line: `${file === undefined ? 'ld' : file}: ${name[1]}`, installed: false }]
    }
    const symbol = /^(?:\S*ld(?:64)?\.lld: error: ((?:undefined|duplicate) symbol: .{1,300})|\s+("[^"]{1,300}", referenced from:))$/.exec(line)
    return symbol === null ? [] : [{ line: `ld: ${symbol[1] ?? symbol[2]}`, installed: false }]
  })
}
