import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'swift',
  why: 'swift test closes each of its two kinds of tests with whether they passed, and swift build and xcodebuild say how they ended.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'swift' && program !== 'xcodebuild') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const { folder } = command
    const keys = [...programKeys(command), ...(program === 'swift' ? upwards(folder, ['Package.swift', 'Package.resolved']) : [])]
    const checks = program === 'swift' ? /^(?:test|build)$/.test(args[0] ?? '') : args.some((arg) => /^(?:test|build|build-for-testing|analyze)$/.test(arg)) && !args.some((arg) => /^(?:clean|install|archive|-list|-showsdks|-showBuildSettings|-version)$/.test(arg))
    return { verifies: checks && !hasOption(args, IDLE), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 60)
    const all = output.split('\n')
    if (all.some((line) => FAILED.test(line))) return { passed: false }
    if (lines.some((line) => /^\*\* (?:TEST|BUILD|ANALYZE) SUCCEEDED \*\*/.test(line))) return { passed: true }
    const old = lines.findIndex((line) => /^Test Suite '(?:All|Selected) tests' passed at /.test(line))
    const ran = lines.flatMap((line) => /Test run with (\d+) tests?(?: in \d+ suites?)? passed after /.exec(line)?.[1] ?? [])
    const counted = /^\s*Executed (\d+) tests?, with (?:\d+ tests? skipped and )?0 failures /.exec(lines[old + 1] ?? '')?.[1]
    // One kind's lines say nothing of the other's: what comes first may stand above what is shown.
    if (old !== -1 && counted !== undefined) return Number(counted) + Number(ran[0] ?? 0) > 0 ? { passed: true } : null
    return old === -1 && ran.length === 0 && /^Build complete! \(.{1,20}\)$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const tests = lines.flatMap((line) => {
      const old = /^\S.{0,300}\.swift:\d+: error: (\S{1,200} : .{1,400})$/.exec(line)?.[1]
      const found = old ?? /^\W{0,3}✘ Test (\S.{0,200}? recorded an issue) at \S+:\d+:\d+(: .{0,300})?$/.exec(line)?.slice(1, 3).join('')
      return found === undefined ? [] : [[found]]
    })
    const red = lasting(tests)
    if (red === 'transient') return red
    const errors = lines.flatMap((line) => /^\S.{0,300}\.swift:\d+:\d+: (error: \S.{0,400})$/.exec(line)?.[1] ?? [])
    return failed(ending, 'red', [...new Set([...errors, ...red])])
  },
} satisfies Toolchain

const IDLE = ['--list-tests', '-l', '--help', '-h', '-dry-run', '--skip-build-tests', 'list']
const FAILED = /^(?:\*\* (?:TEST|BUILD|ANALYZE) FAILED \*\*|Test Suite '(?:All|Selected) tests' failed at |.{0,4}Test run with \d+ tests?(?: in \d+ suites?)? failed after |error: fatalError$|error: Exited with )/
