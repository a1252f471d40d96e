import { closing, failed, lasting, unfound } from '../model/ending.ts'
import { type Toolchain, namedFiles, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'go',
  why: 'go test ends each package with ok or FAIL, and names the failed test and the line that says why.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'go') return null
    const { folder } = command
    const [verb = '', ...rest] = args
    if (verb === 'version' && rest.length === 0) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const keys = [...programKeys(command), ...upwards(folder, ['go.mod', 'go.sum', 'go.work']), ...namedFiles(folder, args.filter((arg) => arg.endsWith('.go')))]
    const checks = /^(?:test|build|vet)$/.test(verb) || (verb === 'mod' && rest[0] === 'verify')
    const idle = rest.some((arg) => /^--?(?:h|help|n|list|update|c)(?:=|$)/.test(arg))
    return { verifies: checks && !idle, readsSources: checks || verb === 'run' || verb === 'generate', delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 40)
    const last = lines.at(-1) ?? ''
    if (last === 'FAIL' || /^FAIL\t\S/.test(last)) return { passed: false }
    if (!PACKAGE.test(last)) return null
    const all = output.split('\n')
    if (all.some((line) => /^FAIL(?:\t|$)|^\s*--- FAIL: /.test(line))) return null
    return all.some((line) => /^ok {2}\t/.test(line) && !/\[no tests to run\]$/.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const { folder } = ending.command
    const lines = ending.output.split('\n')
    const module = lines.find((line) => /^go: (?:go\.mod file not found|cannot find main module)/.test(line))
    if (module !== undefined) return unfound(ending, 'path-missing', [module], upwards(folder, ['go.mod'], 'absent'))
    const missing = lines.filter((line) => MISSING.test(line)).map((line) => line.replace(/^\S+:\d+:\d+: /, '').replace(/; to add it:?$/, ''))
    if (missing.length > 0) return failed(ending, 'dependency', missing, upwards(folder, ['go.mod', 'go.sum']))
    const tests = failedTests(lines)
    const red = lasting(tests)
    if (red === 'transient') return red
    const own = tests.length > 0 || lines.some((line) => /^# \S|^FAIL\t|^FAIL$|^exit status \d+$|^vet: /.test(line))
    const compile = own ? lines.flatMap((line) => /^(?:vet: )?(\.{0,2}[\w./-]{1,200}\.go:\d+:\d+: \S.{0,400})$/.exec(line)?.[1] ?? []) : []
    const panics = own ? lines.filter((line) => /^panic: \S/.test(line)) : []
    const broken = lines.flatMap((line) => /^FAIL\t(\S+ \[(?:build|setup) failed\])$/.exec(line)?.[1] ?? [])
    return failed(ending, 'red', [...red, ...compile, ...panics, ...broken])
  },
} satisfies Toolchain

const MISSING =
  /^(?:\S+:\d+:\d+: |go: )?(?:no required module provides package |(?:\S+: )?missing go\.sum entry|updates to go\.(?:mod|sum) needed|cannot find module providing package )/
const PACKAGE = /^(?:ok {2}\t\S|\?\s{3}\t\S.*\[no test files\])/

/** `--- FAIL: TestX` with the first lines of its log; a parent of failed subtests says nothing of its own. */
function failedTests(lines: readonly string[]): string[][] {
  return lines.flatMap((line, i) => {
    const found = /^(\s*)--- FAIL: (\S{1,300})/.exec(line)
    if (found === null) return []
    const [, indent = '', name = ''] = found
    const end = lines.slice(i + 1, i + 30).findIndex((one) => !one.startsWith(`${indent} `))
    const block = lines.slice(i + 1, i + 1 + (end === -1 ? 30 : end))
    if (block.some((one) => /^\s*--- FAIL: /.test(one))) return []
    const said = (block.length > 0 ? block : lines.slice(Math.max(0, i - 30), i)).filter((one) => /^\s+\S+\.go:\d+: \S/.test(one))
    return [[`--- FAIL: ${name}`, ...said.slice(0, 2)]]
  })
}
