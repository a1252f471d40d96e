import { absentPath, closing, failed, lasting, npmPackage, packageKeys, unfound } from '../model/ending.ts'
import { type Toolchain, hasOption, namedFiles, namedPaths, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'node-test',
  why: "Node's own test runner closes with eight counters, as TAP comments or with ℹ, and says of each failed test why.",
  knows(command) {
    const { program, args } = programOf(command)
    if (!/^(?:node|tsx)$/.test(program) || !args.includes('--test')) return null
    return {
      verifies: !hasOption(args, ['--watch', '--test-update-snapshots', '--inspect', '--inspect-brk']),
      readsSources: true,
      delegates: false,
      keys: [...new Set([...programKeys(command), ...namedFiles(command.folder, loaded(args)), ...namedPaths(command.folder, args, VALUES)])],
    }
  },
  summary(output) {
    const lines = output.split('\n')
    const at = lines.findLastIndex((line) => /^(?:#|ℹ) fail \d+$/.test(line))
    if (at === -1) return null
    const count = (name: string): number => Number(lines.slice(Math.max(0, at - 4), at + 6).find((line) => line.slice(2).startsWith(`${name} `))?.slice(name.length + 3) ?? Number.NaN)
    const [tests, pass, fail, cancelled] = ['tests', 'pass', 'fail', 'cancelled'].map(count) as [number, number, number, number]
    const last = closing(output, 40).includes(lines[at] as string) && lines.slice(at).join('\n').trim().split('\n').length <= 40
    const told = lines.slice(at).some((line) => line === '✖ failing tests:')
    if (Number.isNaN(cancelled) || Number.isNaN(fail) || !(last || told)) return null
    if (fail > 0 || cancelled > 0 || lines.slice(at).some((line) => THRESHOLD.test(line))) return { passed: false }
    const once = lines.filter((line) => /^(?:#|ℹ) fail \d+$/.test(line)).length === 1
    return once && last && pass > 0 && tests > 0 && !Number.isNaN(count('duration_ms')) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const notFound = /^Could not find '([^']{1,300})'$/m.exec(ending.output)?.[1]
    const absent = notFound === undefined ? [] : absentPath(ending, notFound)
    if (absent.length > 0) return unfound(ending, 'path-missing', absent.map((key) => `Could not find '${key.slice('absent:'.length)}'`), absent)
    const tests = [...tapFailures(lines), ...specFailures(lines)]
    if (tests.length === 0) return null
    const thrown = lines.flatMap((line) => /^(?:# )?(\w*Error(?: \[\w+\])?: .{1,400})$/.exec(line)?.[1] ?? [])
    const missing = thrown.map((line) => npmPackage(/Cannot find (?:module|package) '([^']{1,200})'/.exec(line)?.[1] ?? '.'))
    const keys = missing.flatMap((name) => (name === null ? [] : packageKeys(ending.command.folder, name)))
    const whole = tests.filter((test) => test.at(-1) === 'test failed')
    if (whole.length === tests.length && missing.length > 0 && missing.every((name) => name !== null))
      return failed(ending, 'dependency', thrown.map((line) => line.replace(/ imported from .*$/, '')), keys)
    const red = lasting(tests)
    return red === 'transient' ? red : failed(ending, 'red', [...red, ...(whole.length > 0 ? thrown : [])], keys)
  },
} satisfies Toolchain

const THRESHOLD = /^(?:#|ℹ) Error: [\d.]{1,20}% \w{1,20} coverage does not meet threshold of /
const LOADS = ['-r', '--require', '--import', '--loader', '--experimental-loader', '--env-file', '--test-reporter']
const VALUES = new Set([...LOADS, '-C', '--conditions', '--test-name-pattern', '--test-skip-pattern', '--test-reporter-destination', '--test-concurrency', '--test-timeout', '--test-shard'])

/** What is read before any test, and says how they run. */
const loaded = (args: readonly string[]): string[] => args.flatMap((arg, i) => (LOADS.includes(args[i - 1] ?? '') ? [arg] : LOADS.some((name) => arg.startsWith(`${name}=`)) ? [arg] : []))

/** More than any report of ours holds; a run that fails this often is told by its first. */
const MOST_FAILURES = 100

/** `not ok 2 - name`, with the error of the block that follows. Parents of failed tests say nothing of their own. */
function tapFailures(lines: readonly string[]): string[][] {
  const heads = lines.flatMap((line, i) => (/^\s*not ok \d+ - ./.test(line) && lines[i + 1]?.trim() === '---' ? [i] : []))
  return heads.slice(0, MOST_FAILURES).flatMap((i) => {
    const name = /^\s*not ok \d+ - (.{1,400})/.exec(lines[i] as string)?.[1] ?? ''
    if (/ # (?:TODO|SKIP)\b/i.test(name)) return []
    const end = lines.slice(i, i + 200).findIndex((one) => one.trim() === '...')
    const block = lines.slice(i + 2, end === -1 ? i + 60 : i + end)
    if (block.some((one) => /failureType: 'subtestsFailed'/.test(one))) return []
    const value = (field: string): string => block.map((one) => new RegExp(`^\\s*${field}: (['"\`])(.*)\\1$`).exec(one)?.[2]).find((one) => one !== undefined) ?? ''
    const from = block.findIndex((one) => /^\s*error: \|-$/.test(one))
    const to = block.findIndex((one, at) => at > from && /^\s*(?:code|name|stack|expected): /.test(one))
    const message = from === -1 ? value('error') : block.slice(from + 1, to === -1 ? from + 6 : to).map((one) => one.trim()).filter(Boolean).join(' ')
    const kind = value('name')
    const code = /^ERR_(?!TEST_FAILURE)/.test(value('code')) ? ` [${value('code')}]` : ''
    const title = [...parentsOf(i, lines), name].join(' > ')
    return [[`✖ ${title}${placed(value('location'))}`, kind === '' ? message : `${kind}${code}: ${message}`]]
  })
}

/** The titles that a test stands under: of the subtests begun before it, those less indented. */
function parentsOf(at: number, lines: readonly string[]): string[] {
  const parents: string[] = []
  let indent = (lines[at] as string).search(/\S/)
  for (let i = at - 1; i >= Math.max(0, at - 2000) && indent > 0; i--) {
    const [, space = '', title = ''] = /^( *)# Subtest: (.{1,400})$/.exec(lines[i] as string) ?? []
    if (title === '' || space.length >= indent) continue
    indent = space.length
    parents.unshift(title)
  }
  return parents
}

/** Its file: tests of one name stand in many. */
const placed = (location: string): string => {
  const file = /^(.{1,400}?):\d+:\d+$/.exec(location)?.[1]
  return file === undefined ? '' : ` (${file})`
}

/** Behind `✖ failing tests:` each failed test comes once more, with its error. */
function specFailures(lines: readonly string[]): string[][] {
  const from = lines.lastIndexOf('✖ failing tests:')
  if (from === -1) return []
  const tail = lines.slice(from + 1)
  return tail.flatMap((line, i) => {
    const name = /^✖ (.{1,400}?)(?: \([\d.]+ms\))?$/.exec(line)?.[1]
    if (name === undefined) return []
    const said: string[] = []
    for (const one of tail.slice(i + 1, i + 20)) {
      if (/^\s+at |^(?:✖|test at) /.test(one) || (one.trim() === '' && said.length > 3)) break
      if (one.trim() !== '') said.push(one.trim())
    }
    const at = /^test at (\S.{1,400})$/.exec(tail[i - 1] ?? '')?.[1] ?? ''
    return [[`✖ ${name}${placed(at)}`, said.join(' ').replace(/^(\w+) \[Error\]: /, '$1: ').replace(/^'(.*)'$/, '$1')]]
  })
}
