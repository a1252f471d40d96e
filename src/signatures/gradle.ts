import { closing, failed, lasting, unfound } from '../model/ending.ts'
import { type Ending, type Failure, type Toolchain, asksVersion, hasOption, isGateName, keysIn, programKeys, programOf, toolKey, upwards } from '../model/toolchain.ts'

export default {
  id: 'gradle',
  why: 'Gradle says what went wrong under a heading of that name, names failed tests as Class > test FAILED, and closes with BUILD.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!/^(?:gradle|(?:[\w./-]{0,300}\/)?gradlew)$/.test(program)) return null
    const { folder } = command
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const tasks = args.filter((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? '')).map((task) => task.split(':').at(-1) ?? '')
    const gates = tasks.filter((task) => task !== 'clean')
    return {
      verifies: gates.length > 0 && gates.every((task) => isGateName(task) || /^(?:assemble|detekt$|compile)/.test(task)) && !hasOption(args, IDLE),
      readsSources: true,
      delegates: false,
      keys: [...new Set([...programKeys(command), toolKey(folder, 'java'), ...upwards(folder, FILES)])],
    }
  },
  summary(output) {
    const lines = closing(output, 40)
    if (lines.some((line) => /^BUILD FAILED(?: in |$)|^FAILURE: Build (?:failed with|completed with)/.test(line))) return { passed: false }
    const at = lines.findLastIndex((line) => /^BUILD SUCCESSFUL in \S/.test(line))
    if (at === -1) return null
    return lines.slice(at + 1).every((line) => /^\d+ actionable tasks?: |^Configuration cache entry |^Publishing build scan|^https:\/\//.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 3000)
    if (/^Error: Could not find or load main class org\.gradle\.wrapper\.GradleWrapperMain/m.test(ending.output))
      return failed(ending, 'path-missing', ['Could not find or load main class org.gradle.wrapper.GradleWrapperMain'], keysIn('absent', ending.command.folder, ['gradle/wrapper/gradle-wrapper.jar']))
    const wrong = whatWentWrong(lines)
    if (wrong.length === 0) return null
    return misused(ending, wrong) ?? unresolved(ending, wrong) ?? broken(ending, lines, wrong)
  },
} satisfies Toolchain

const FILES = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradle.properties', 'gradle/libs.versions.toml', 'gradle/wrapper/gradle-wrapper.properties']
const VALUES = new Set(['-p', '--project-dir', '-b', '--build-file', '--tests', '-x', '--exclude-task', '-I', '--init-script', '-g', '--gradle-user-home', '--console', '--warning-mode', '--max-workers', '-D', '-P'])
const IDLE = ['--dry-run', '-m', '--continuous', '-t', '--help', '-h', '-?', '--continue-on-failure', '--write-locks', '--update-locks']

/** The lines under each `* What went wrong:`. */
function whatWentWrong(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    if (line !== '* What went wrong:') return []
    const rest = lines.slice(i + 1, i + 41)
    const end = rest.findIndex((one) => /^\* \S|^={10,}$|^BUILD FAILED/.test(one))
    return rest.slice(0, end === -1 ? undefined : end).filter((one) => one.trim() !== '')
  })
}

function misused(ending: Ending, wrong: readonly string[]): Failure | 'transient' | null {
  const { command } = ending
  const words = programOf(command).args.flatMap((arg) => [arg.split('=', 1)[0] as string, ...arg.split(':')])
  const found = wrong.map((line) => /^(?:> )?(?:Task '([^']{1,100})' (?:not found|is ambiguous) in|Unknown command-line option '([^']{1,100})'|Cannot locate tasks that match '([^']{1,100})')/.exec(line)).find((one) => one !== null)
  const word = found?.[1] ?? found?.[2] ?? found?.[3]
  if (found !== undefined && word !== undefined && (words.includes(word) || words.includes(word.split(':').at(-1) as string)))
    return unfound(ending, 'usage', [found.input.slice(0, 200)], [...programKeys(command), ...upwards(command.folder, FILES.slice(0, 4))])
  const none = wrong.find((line) => /^Directory '.{1,300}' does not contain a Gradle build\.$/.test(line))
  return none === undefined ? null : unfound(ending, 'path-missing', ['the directory does not contain a Gradle build'], upwards(command.folder, FILES.slice(0, 4), 'absent'))
}

/** Modules that no repository has. Where none could be asked, nothing is known of them. */
function unresolved(ending: Ending, wrong: readonly string[]): Failure | 'transient' | null {
  if (wrong.some((line) => /^\s*> (?:Could not (?:GET|HEAD) '|No such host|Connect to .{1,300} failed|Connection (?:refused|reset|timed out)|Read timed out|Remote host terminated)/.test(line))) return 'transient'
  if (wrong.some((line) => /available for offline mode/.test(line))) return failed(ending, null, wrong.filter((line) => /available for offline mode/.test(line)))
  const missing = wrong.flatMap((line) => /^\s*(?:> )?(Could not find (?!method|property)[\w.-]{1,200}:[\w.:${}-]{1,200})/.exec(line)?.[1]?.replace(/\.$/, '') ?? [])
  const plugin = wrong.flatMap((line) => /^(Plugin \[id: '[^']{1,200}'[^\]]{0,200}\] was not found)/.exec(line)?.[1] ?? [])
  const { command } = ending
  return missing.length + plugin.length === 0 ? null : failed(ending, 'dependency', [...missing, ...plugin], [...programKeys(command), ...upwards(command.folder, FILES)])
}

function broken(ending: Ending, lines: readonly string[], wrong: readonly string[]): Failure | 'transient' | null {
  const red = lasting(failedTests(lines))
  if (red === 'transient') return red
  const said = wrong.map((line) => line.trim().replace(/ (?:See|Run with) (?:the report at|--info).*$/, '').replace(/^> (?=> )/, ''))
  return failed(ending, 'red', [...compiled(lines), ...red, ...said.slice(0, 4)])
}

/** `A.java: error: cannot find symbol: variable c`, as javac and kotlinc put it. */
const compiled = (lines: readonly string[]): string[] =>
  lines.flatMap((line, i) => {
    const java = /^(\S.{0,400}\.(?:java|groovy|scala)):\d+: (error: \S.{0,400})$/.exec(line)
    const symbol = lines.slice(i + 1, i + 6).map((one) => /^ {2}symbol: +(\S.{0,200})$/.exec(one)?.[1]).find((one) => one !== undefined)
    if (java !== null) return [`${java[1]}: ${java[2]}${symbol !== undefined && /cannot find symbol/.test(java[2] as string) ? `: ${symbol.replace(/ +/g, ' ')}` : ''}`]
    const kotlin = /^e: (?:file:\/\/)?(\S.{0,400}\.kts?)(?::\d+:\d+:?|: \(\d+, ?\d+\):) (\S.{0,400})$/.exec(line)
    return kotlin === null ? [] : [`${kotlin[1]}: error: ${kotlin[2]}`]
  })

/** `Class > test FAILED` with the exception under it. Sorted. */
function failedTests(lines: readonly string[]): string[][] {
  const tests = lines.flatMap((line, i) => {
    const name = /^(\S.{0,200} > .{1,300}) FAILED$/.exec(line)?.[1]
    if (name === undefined || line.startsWith('> Task')) return []
    const thrown = /^ {4}(\S.{0,600})$/.exec(lines[i + 1] ?? '')?.[1]
    return [[`${name} FAILED`, ...(thrown === undefined ? [] : [thrown])]]
  })
  return tests.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}
