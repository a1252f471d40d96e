import { absentPath, closing, failed, lasting, unfound } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, toolKey, upwards } from '../model/toolchain.ts'

export default {
  id: 'cargo',
  why: 'cargo ends each test binary with its result, and every compiler error with the place that it points to.',
  knows(command) {
    const { program, args: words } = programOf(command)
    if (program !== 'cargo') return null
    const { folder } = command
    const args = words[0]?.startsWith('+') ? words.slice(1) : words
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const at = args.findIndex((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? ''))
    const verb = args[at] ?? ''
    const rest = args.slice(at + 1)
    const manifest = optionOf(args, ['--manifest-path'])
    const keys = [
      ...programKeys(command),
      toolKey(folder, 'rustc'),
      ...upwards(folder, MANIFESTS),
      ...(manifest === null ? [] : keysIn('file', folder, [manifest])),
      ...namedFiles(folder, rest.filter((arg) => arg.endsWith('.rs'))),
    ]
    const checks = GATES.has(verb) || (verb === 'fmt' && hasOption(rest, ['--check'])) || (verb === 'nextest' && rest[0] === 'run')
    return {
      verifies: checks && !hasOption(rest, ['--fix', '--help', '-h', '--list', '--no-run', '--build-plan']),
      readsSources: checks || verb === 'run' || verb === 'r',
      delegates: false,
      keys: [...new Set(keys)],
    }
  },
  summary(output) {
    const lines = closing(output, 40)
    if (lines.some((line) => /^error: (?:could not compile|test failed, to rerun pass|\d+ targets? failed:|doctest failed)/.test(line))) return { passed: false }
    const all = output.split('\n')
    const results = all.flatMap((line) => RESULT.exec(line)?.slice(1, 4) ?? [])
    const last = lines.findLastIndex((line) => RESULT.test(line))
    if (last === -1) return /^ {4}Finished (?:`|\w+ \[).{0,100} target\(s\) in /.test(lines.at(-1) ?? '') ? { passed: true } : null
    if (results.some((word, i) => i % 3 === 0 && word === 'FAILED')) return { passed: false }
    const begun = all.filter((line) => /^running \d+ tests?$/.test(line)).length
    const passed = results.reduce((sum, word, i) => (i % 3 === 1 ? sum + Number(word) : sum), 0)
    const open = lines.slice(last + 1).some((line) => /^running \d+|^error\b|^ {5}Running /.test(line))
    return !open && begun <= results.length / 3 && passed > 0 ? { passed: true } : null
  },
  failure(ending) {
    const { folder } = ending.command
    const lines = ending.output.split('\n')
    const manifest = lines.find((line) => /^error: (?:could not find `Cargo\.toml` in|manifest path `.{1,300}` does not exist)/.test(line))
    if (manifest !== undefined) {
      const named = absentPath(ending, /^error: manifest path `(.{1,300})` does not exist/.exec(manifest)?.[1] ?? '')
      return unfound(ending, 'path-missing', [manifest], named.length > 0 ? named : upwards(folder, ['Cargo.toml'], 'absent'))
    }
    const unsatisfied = lines.filter((line) => UNSATISFIED.test(line))
    if (unsatisfied.length > 0 && !lines.some((line) => /offline mode/.test(line)))
      return failed(ending, 'dependency', unsatisfied, [...upwards(folder, ['Cargo.toml', 'Cargo.lock']), toolKey(folder, 'rustc')])
    const tests = panics(lines)
    const failures = tests.length > 0 ? lasting(tests) : lines.flatMap((line) => /^test (\S.{0,300}) \.\.\. FAILED$/.exec(line)?.[0] ?? [])
    if (failures === 'transient') return failures
    const unformatted = lines.flatMap((line) => /^(Diff in .{1,400}?)(?: at line \d+:|:\d+:)$/.exec(line)?.[1] ?? [])
    const own = programOf(ending.command).program === 'cargo' || lines.some((line) => AT_WORK.test(line))
    const told = [...errors(lines, own), ...failures, ...unformatted]
    return told.length === 0 ? null : failed(ending, 'red', told)
  },
} satisfies Toolchain

const MANIFESTS = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain', 'rust-toolchain.toml', '.cargo/config.toml']
const GATES = new Set(['test', 't', 'build', 'b', 'check', 'c', 'clippy', 'doc', 'd'])
const VALUES = new Set(['--manifest-path', '-C', '--config', '--color', '-Z'])
const UNSATISFIED =
  /^error: (?:no matching package |failed to select a version |package `.{1,200}` cannot be built because|rustc \S+ is not supported)|^ {2}\S+@\S+ requires rustc /
const RESULT = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; /

/** `error[E0308]: mismatched types --> src/lib.rs: expected …`: the message, the file, and what stands at the place itself. */
function errors(lines: readonly string[], own: boolean): string[] {
  return lines.flatMap((line, i) => {
    if (!/^error(?:\[E\d{4}\])?: \S/.test(line) || CLOSING.test(line)) return []
    const file = /^ *--> (.{1,300}):\d+:\d+$/.exec(lines[i + 1] ?? '')?.[1]
    if (file === undefined) return /^error\[/.test(line) || (own && OF_CARGO.test(line)) ? [line] : []
    const label = lines.slice(i + 2, i + 12).map((one) => /^ *\| [^^]*\^+(?:-+)? (\S.{0,200})$/.exec(one)?.[1]).find((one) => one !== undefined)
    return [`${line.slice(0, 200)} --> ${file}${label === undefined ? '' : `: ${label}`}`]
  })
}

/** What only closes a run, and what the fallback knows as misuse. */
const CLOSING =
  /^error: (?:could not compile|aborting due to|test failed, to|\d+ targets? failed|doctest failed|process didn't exit|unexpected argument|unrecognized sub|no such command|Found argument)/
const AT_WORK = /^ {1,12}(?:Compiling|Checking|Finished|Running|Updating|Blocking|Fresh) \S/
const OF_CARGO =
  /^error: (?:no (?:test|bin|example|bench|library) targets?|failed to parse manifest|linking with|linker `|failed to run custom build|the package |package ID|cannot |the lock file )/

/** `---- tests::a stdout ----` with the words of its panic. */
function panics(lines: readonly string[]): string[][] {
  return lines.flatMap((line, i) => {
    const name = /^---- (\S.{0,300}) stdout ----$/.exec(line)?.[1]
    if (name === undefined) return []
    const rest = lines.slice(i + 1, i + 101)
    const at = rest.findIndex((one) => /^thread '.{0,300}'(?: \(\d+\))? panicked at /.test(one))
    if (at === -1) return [[`test ${name} ... FAILED`]]
    const old = /panicked at '(.{0,300})', \S+:\d+:\d+$/.exec(rest[at] as string)?.[1]
    const end = rest.findIndex((one, n) => n > at && /^(?:\s*|stack backtrace:|note: .*|---- .*)$/.test(one))
    const said = old ?? rest.slice(at + 1, end === -1 ? at + 4 : Math.min(end, at + 5)).map((one) => one.trim()).join(' ')
    return [[`test ${name} ... FAILED`, said]]
  })
}
