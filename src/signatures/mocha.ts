import { absentPath, closing, failed, lasting, npmPackage, packageKeys, unfound } from '../model/ending.ts'
import { type Ending, type Failure, type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'mocha',
  why: 'Mocha closes with how many passed and failed, then tells each failed test by its number, its titles and its error.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'mocha' && program !== '_mocha') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, ['package.json', ...CONFIGS]),
      ...(config === null ? [] : keysIn('file', folder, [config])),
      'lock:npm/mocha',
      ...namedFiles(folder, args),
    ]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 400)
    const at = lines.findLastIndex((line) => PASSING.test(line))
    if (at === -1) return null
    const rest = lines.slice(at + 1)
    if (rest.slice(0, 2).some((line) => FAILING.test(line)) || rest.some((line) => THRESHOLD.test(line))) return { passed: false }
    const passed = Number(PASSING.exec(lines[at] as string)?.[1])
    const once = output.split('\n').filter((line) => PASSING.test(line)).length === 1
    const last = rest.every((line, i) => (i === 0 && PENDING.test(line)) || COVERAGE.test(line))
    return once && last && passed > 0 ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const before = unstarted(ending, lines)
    if (before !== null) return before
    const red = lasting(failedTests(lines))
    if (red === 'transient') return red
    return failed(ending, 'red', [...red, ...(red.length > 0 ? [] : lines.filter((line) => THRESHOLD.test(line)))])
  },
} satisfies Toolchain

const CONFIGS = ['js', 'cjs', 'mjs', 'json', 'jsonc', 'yaml', 'yml'].map((ending) => `.mocharc.${ending}`)
const IDLE = ['--watch', '-w', '--dry-run', '--list-files', '--list-reporters', '--list-interfaces', '--help', '-h', '--version']
const PASSING = /^ {2}(\d+) passing \(\d+(?:ms|s|m|h|d)\)$/
const PENDING = /^ {2}\d+ pending$/
const FAILING = /^ {2}[1-9]\d* failing$/
const COVERAGE = /\||^-{3,}|^={3,}|^(?:Statements|Branches|Functions|Lines) {1,4}: /
const THRESHOLD = /^ERROR: Coverage for \w+ \(/

/** What kept a run from starting: a module, a test file or a configuration that is not there, or an error while the files were read. */
function unstarted(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const { folder } = ending.command
  const none = lines.map((line) => /^\s*(?:Error: )?No test files found(?:: "(.{1,300})")?$/.exec(line)).find((one) => one !== null)
  if (none !== undefined) {
    const keys = absentPath(ending, none[1] ?? '')
    return unfound(ending, keys.length > 0 ? 'path-missing' : 'red', [none[0]], keys)
  }
  const config = lines.map((line) => /^Error: Unable to read\/parse (.{1,300}?): Error: ENOENT\b/.exec(line)).find((one) => one !== null)
  const absent = config === undefined ? [] : absentPath(ending, config[1] as string)
  if (config !== undefined && absent.length > 0) return failed(ending, 'path-missing', [config[0]], absent)
  const at = lines.findIndex((line) => STOPPED.test(line))
  if (at === -1) return null
  const said = STOPPED.exec(lines[at] as string)?.[1] ?? ''
  const plugin = /^\w*Error: Could not load (?:reporter|ui) "([^"]{1,200})"/.exec(said)?.[1]
  const module = plugin ?? /^Error(?: \[\w+\])?: Cannot find (?:module|package) '([^']{1,200})'/.exec(said)?.[1]
  const name = npmPackage(module ?? '.')
  if (name !== null) return failed(ending, 'dependency', [said.replace(/ imported from .*$/, '')], packageKeys(folder, name))
  const rest = lines.slice(at + 1, at + 12)
  const asked = rest.find((line) => /^- \S/.test(line))
  const thrown = /Error/.test(said) ? undefined : rest.find((line) => /^\w*Error(?: \[\w+\])?: \S/.test(line))
  return failed(ending, 'red', [said, ...(thrown === undefined ? [] : [thrown]), ...(module !== undefined && asked !== undefined ? [asked] : [])])
}

const STOPPED = /^\s*(?:Exception during run: (?=\S)|✖ ERROR: (?=\w*Error\b))(.{1,600})$/

/** Behind the number of those that failed: titles, the last of which ends with a colon, then the error, then its stack. Sorted. */
function failedTests(lines: readonly string[]): string[][] {
  const from = lines.findLastIndex((line) => FAILING.test(line))
  if (from === -1) return []
  const tests: string[][] = []
  const tail = lines.slice(from + 1)
  for (const [i, line] of tail.entries()) {
    const first = /^ {2}\d+\) (.{1,400})$/.exec(line)?.[1]
    if (first === undefined) continue
    const end = tail.slice(i, i + 12).findIndex((one) => /:$/.test(one))
    if (end === -1) continue
    const titles = [first, ...tail.slice(i + 1, i + end + 1)].map((one) => one.trim())
    const block = tail.slice(i + end + 1, i + end + 60)
    const next = block.findIndex((one) => /^ {2}\d+\) /.test(one))
    tests.push([`${titles.join(' › ').replace(/:$/, '')}${placeIn(block.slice(0, next === -1 ? undefined : next))}`, saidIn(block)])
  }
  return tests.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}

/** The file of the first frame that is neither Node's own nor an installed package's: tests of one name stand in many. */
function placeIn(block: readonly string[]): string {
  const file = block.map((line) => /^\s+at (?:.{1,200} \()?(?:file:\/\/)?((?!node:)[^()\s]{1,300}\.[cm]?[jt]sx?):\d+:\d+\)?$/.exec(line)?.[1]).find((path) => path !== undefined && !path.includes('node_modules'))
  return file === undefined ? '' : ` (${file})`
}

function saidIn(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^\s+at \S|^ {2}\d+\) |^\s+\+ expected - actual$/.test(line))
  const said = lines.slice(0, end === -1 ? 4 : end).map((line) => line.trim()).filter((line) => line !== '')
  return said.slice(0, 12).join(' ').replace(/ \((?:\/|[A-Za-z]:[\\/])[^)]{1,300}\)$/, '')
}
