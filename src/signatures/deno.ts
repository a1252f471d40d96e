import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, namedPaths, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'deno',
  why: 'deno test closes with ok or FAILED and its counts, and its checks with the number of files or problems.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'deno') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const [verb = '', ...rest] = args
    if (!/^(?:test|check|lint|fmt)$/.test(verb)) return null
    const keys = [...programKeys(command), ...upwards(folder, ['deno.json', 'deno.jsonc', 'deno.lock']), ...namedPaths(folder, rest)]
    const checks = verb !== 'fmt' || hasOption(rest, ['--check'])
    return { verifies: checks && !hasOption(rest, IDLE), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 3)
    if (lines.some((line) => /^(?:FAILED \| |error: Test failed$|error: Found \d+ not formatted files?|Found [1-9]\d* problems?)/.test(line))) return { passed: false }
    return /^ok \| [1-9]\d* passed(?: \([^)]{1,60}\))? \| 0 failed(?: \| .{1,80})? \(.{1,20}\)$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const from = lines.findLastIndex((line) => line.trim() === 'FAILURES')
    const tests = from === -1 ? [] : lines.slice(from + 1).flatMap((line) => /^(\S.{0,300}) => (\S{1,300}?):\d+:\d+$/.exec(line)?.slice(1, 3).join(' => ') ?? [])
    const red = lasting(tests.map((test) => [test]))
    if (red === 'transient') return red
    const errors = lines.filter((line) => /^(?:error: )?(?:TS\d+ \[ERROR\]: |error: \w[\w-]*\[|error\[[\w-]+\]: )/.test(line))
    return failed(ending, 'red', [...red, ...errors])
  },
} satisfies Toolchain

const IDLE = ['--watch', '--no-run', '--fix', '-h', '--help', '--permit-no-files']
