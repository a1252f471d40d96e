import { absentPath, closing, failed, lasting, unfound } from '../model/ending.ts'
import { restsOnInstalled } from '../model/imports.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedPaths, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'pytest',
  why: 'pytest closes with one line of counts and a time, and lists each failed test with its error in a summary.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'pytest' && program !== 'py.test') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['-c', '--config-file'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, CONFIGS),
      ...(config === null ? [] : keysIn('file', folder, [config])),
      ...namedPaths(folder, args, VALUES),
    ]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 40)
    const counts = lines.map(countsIn).findLast((one) => one !== null) ?? null
    if (counts === null) return null
    if (counts.failed > 0 || lines.some((line) => COVERAGE.test(line))) return { passed: false }
    if (lines.some((line) => /^!{3,} (?:KeyboardInterrupt|Interrupted|_pytest\.outcomes\.Exit)/.test(line))) return null
    if (isShortSummary(lines)) return null
    const once = output.split('\n').filter((line) => countsIn(line) !== null).length === 1
    return once && counts.passed > 0 ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const absent = lines.map((line) => /^(?:collecting \.\.\. )?(ERROR: (?:file or directory not found: (.{1,300})|not found: .{1,300}))$/.exec(line)).find((one) => one !== null)
    if (absent !== undefined) {
      const keys = absentPath(ending, (absent[2] ?? '').replace(/::.*$/, ''))
      return keys.length > 0 ? unfound(ending, 'path-missing', [absent[1] as string], keys) : unfound(ending, 'red', [absent[1] as string])
    }
    const tests = summaryOf(lines)
    const thrown = lines.flatMap((line) => /^E {3,}(\S.{0,600})$/.exec(line)?.[1] ?? [])
    const imports = thrown.filter(restsOnInstalled)
    const errors = tests.filter(([line = '', said = / - (.*)$/.exec(line)?.[1]]) => line.startsWith('ERROR ') && (said === undefined || restsOnInstalled(said)))
    if (imports.length > 0 && errors.length === tests.length) return failed(ending, null, imports)
    const red = lasting(tests)
    if (red === 'transient') return red
    const named = red.length > 0 || countsIn(closing(ending.output, 1)[0] ?? '') === null ? [] : thrown.filter((line) => /^\w[\w.]*(?:Error|Exception|Failed)?: |^assert /.test(line))
    return failed(ending, 'red', [...red, ...named, ...lines.filter((line) => COVERAGE.test(line))])
  },
} satisfies Toolchain

const CONFIGS = ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'conftest.py']
const VALUES = new Set(['-c', '--config-file', '-k', '-m', '-n', '-p', '-o', '-r', '-W', '--rootdir', '--junitxml', '--junit-xml', '--maxfail', '--tb', '--durations', '--color', '--capture', '--log-level', '--ignore', '--deselect', '--basetemp', '--cov', '--cov-report', '--cov-config', '--dist', '--timeout'])
const IDLE = ['--collect-only', '--co', '--fixtures', '--markers', '--setup-plan', '--setup-only', '--snapshot-update', '--help', '-h', '-f', '--looponfail', '--cache-show', '--pdb']
const COVERAGE = /^(?:FAIL Required test coverage|ERROR: Coverage failure: )/

/** Only the end of the list of tests above the closing line is there: that a measure was not reached would stand above it. */
function isShortSummary(lines: readonly string[]): boolean {
  const at = lines.findLastIndex((line) => countsIn(line) !== null)
  return /^(?:SKIPPED|PASSED|XFAIL|XPASS|FAILED|ERROR|SUBSKIP(?:PED)?|SUBPASS(?:ED)?) ?\S/.test(lines[at - 1] ?? '') && !lines.some((line) => SHORT_SUMMARY.test(line))
}

const SHORT_SUMMARY = /^={3,} short test summary info ={3,}$/

/** The closing line (`=== 1 failed, 2 passed in 0.1s ===`, or without the rules), as counts. */
function countsIn(line: string): { passed: number; failed: number } | null {
  const found = /^(?:={2,} )?(\d+ [a-z]+(?:, \d+ [a-z]+){0,9}) in \d+(?:\.\d+)?s(?: \([\d:]+\))?(?: ={2,})?$/.exec(line.trim())?.[1]
  if (found === undefined) return null
  const count = (names: RegExp): number => found.split(', ').reduce((sum, one) => (names.test(one) ? sum + Number.parseInt(one, 10) : sum), 0)
  return { passed: count(/ (?:passed|xpassed|xfailed)$/), failed: count(/ (?:failed|errors?)$/) }
}

/**
 * Each test of the short summary, with what stands behind E in its own section: the summary cuts messages to the width
 * of a terminal. Sorted: the order of parallel workers is no part of the fault.
 */
function summaryOf(lines: readonly string[]): string[][] {
  const from = lines.findLastIndex((line) => SHORT_SUMMARY.test(line))
  if (from === -1) return []
  const sections = sectionsOf(lines.slice(0, from))
  const tests = lines.slice(from + 1).filter((line) => /^(?:FAILED|ERROR|SUBFAIL(?:ED)?) \S/.test(line))
  return tests
    .map((line) => {
      const [head = ''] = line.split(' - ', 1)
      const id = head.replace(/^\S+ /, '')
      const test = id.replace(/^.*?::/, '').replaceAll('::', '.')
      const at = sections.findIndex(({ name }) => name === test || name === `ERROR at setup of ${test}` || name === `ERROR at teardown of ${test}` || name === `ERROR collecting ${id}`)
      const said = at === -1 ? [] : (sections.splice(at, 1)[0]?.said ?? [])
      return said.length > 0 ? [head, said.join(' ')] : [line]
    })
    .sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1))
}

/** `____ test_a ____` and the lines under it that begin with E, without those that only say how to see more. */
function sectionsOf(lines: readonly string[]): { name: string; said: string[] }[] {
  const sections: { name: string; said: string[] }[] = []
  for (const line of lines) {
    const name = /^_{2,} (\S.{0,300}?) _{2,}$/.exec(line)?.[1]
    if (name !== undefined) sections.push({ name, said: [] })
    const said = /^E {3,}(\S.{0,600})$/.exec(line)?.[1]
    const section = sections.at(-1)
    if (said !== undefined && section !== undefined && section.said.length < 8 && !/^(?:Use -v|Omitting |\.{3} Full output|available fixtures: )/.test(said)) section.said.push(said)
  }
  return sections
}
