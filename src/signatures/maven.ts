import { absentPath, closing, failed, lasting, unfound } from '../model/ending.ts'
import { type Ending, type Failure, type Toolchain, asksVersion, hasOption, isGateName, keysIn, optionOf, programKeys, programOf, toolKey, upwards } from '../model/toolchain.ts'

export default {
  id: 'maven',
  why: 'Maven marks what went wrong with [ERROR], names the goal that failed, and closes with BUILD SUCCESS or BUILD FAILURE.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!/^(?:mvnd?|(?:[\w./-]{0,300}\/)?mvnw)$/.test(program)) return null
    const { folder } = command
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const goals = args.filter((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? ''))
    const pom = optionOf(args, ['-f', '--file'])
    const keys = [
      ...programKeys(command),
      toolKey(folder, 'java'),
      ...(pom === null ? upwards(folder, ['pom.xml']) : keysIn('file', folder, [pom.endsWith('.xml') ? pom : `${pom}/pom.xml`])),
      ...upwards(folder, ['.mvn/maven.config', '.mvn/extensions.xml', '.mvn/wrapper/maven-wrapper.properties']),
    ]
    const gates = goals.some((goal) => PHASES.test(goal) || isGateGoal(goal))
    const others = goals.some((goal) => goal !== 'clean' && !PHASES.test(goal) && !isGateGoal(goal))
    return { verifies: gates && !others && !hasOption(args, ['--help', '-h', '-DskipTests', '-Dmaven.test.skip', '-Dmaven.test.failure.ignore', '-fn']), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closing(output, 60)
    const at = lines.findLastIndex((line) => /^\[INFO\] BUILD (?:SUCCESS|FAILURE)$/.test(line))
    if (at === -1) return null
    if (lines[at] === '[INFO] BUILD FAILURE') return { passed: false }
    const whole = lines.slice(at + 1).some((line) => /^\[INFO\] Finished at: /.test(line)) && !lines.slice(at + 1).some((line) => /^\[ERROR\]/.test(line))
    const ignored = output.split('\n').some((line) => /^\[(?:ERROR|WARNING)\] (?:Tests run: \d+, Failures: (?:[1-9]|0, Errors: [1-9])|There are test failures)/.test(line))
    return whole && !ignored ? { passed: true } : null
  },
  failure(ending) {
    const errors = ending.output.split('\n').flatMap((line) => /^(?:\[ERROR\] |Unable to parse command line options: )(.{1,3000})$/.exec(line)?.[1] ?? [])
    if (!errors.some((line) => / -> \[Help \d+\]$|^Unrecognized option: |^-> \[Help/.test(line))) return null
    return unstarted(ending, errors) ?? unresolved(ending, errors) ?? broken(ending, errors)
  },
} satisfies Toolchain

const VALUES = new Set(['-f', '--file', '-pl', '--projects', '-P', '--activate-profiles', '-rf', '--resume-from', '-T', '--threads', '-s', '--settings', '-gs', '-D', '--define', '-l', '--log-file', '-t', '--toolchains'])
const PHASES = /^(?:validate|compile|test-compile|test|prepare-package|package|integration-test|verify|install)$/
const isGateGoal = (goal: string): boolean => goal.includes(':') && isGateName(goal.split(':').at(-1) ?? '')

/** The command line, or where the project is described. */
function unstarted(ending: Ending, errors: readonly string[]): Failure | 'transient' | null {
  const { command } = ending
  const { args } = programOf(command)
  const misuse = errors.map((line) => /^(?:Unknown lifecycle phase "([^"]{1,100})"|Could not find goal '([^']{1,100})' in plugin \S{1,200}|Unrecognized option: (\S{1,100}))/.exec(line)).find((one) => one !== null)
  const word = misuse?.[1] ?? misuse?.[2] ?? misuse?.[3]
  if (misuse !== undefined && word !== undefined && args.some((arg) => arg === word || arg.endsWith(`:${word}`))) return failed(ending, 'usage', [misuse[0]], programKeys(command))
  const goals = errors.find((line) => /^No goals have been specified for this build\./.test(line))
  if (goals !== undefined) return failed(ending, 'usage', ['No goals have been specified for this build.'], programKeys(command))
  if (errors.some((line) => /^The goal you specified requires a project to execute but there is no POM/.test(line)))
    return unfound(ending, 'path-missing', ['there is no POM in this directory'], keysIn('absent', command.folder, ['pom.xml']))
  const pom = errors.map((line) => /^ {0,8}Non-readable POM (.{1,300}?): .{1,300}\(No such file or directory\)/.exec(line)?.[1]).find((one) => one !== undefined)
  const absent = pom === undefined ? [] : absentPath(ending, pom)
  return absent.length > 0 ? failed(ending, 'path-missing', ['Non-readable POM (No such file or directory)'], absent) : null
}

/** Artifacts that no repository has. Where none could be asked, nothing is known of them. */
function unresolved(ending: Ending, errors: readonly string[]): Failure | 'transient' | null {
  if (errors.some((line) => /artifact|resolve/.test(line) && /Could not transfer artifact|Connect to \S+ .{0,200}failed|Connection (?:refused|reset|timed out)|Unknown host |status code: (?:429|5\d\d)/.test(line))) return 'transient'
  const offline = errors.flatMap((line) => /in offline mode and the artifact (\S{1,300}) has not been downloaded/.exec(line)?.[1] ?? [])
  if (offline.length > 0) return failed(ending, null, offline.map((artifact) => `in offline mode, and the artifact ${artifact} has not been downloaded`))
  const missing = errors.flatMap((line) => [
    ...[...line.matchAll(/\b(?:Could not find artifact|Failure to find) (\S{3,300}) in /g)].map((found) => `Could not find artifact ${found[1]}`),
    ...(/^No plugin found for prefix '[^']{1,100}'/.exec(line)?.slice(0, 1) ?? []),
  ])
  const { folder } = ending.command
  return missing.length === 0 ? null : failed(ending, 'dependency', missing, [...programKeys(ending.command), ...upwards(folder, ['pom.xml'])])
}

function broken(ending: Ending, errors: readonly string[]): Failure | 'transient' | null {
  const red = lasting(failedTests(ending.output.split('\n')))
  if (red === 'transient') return red
  const said = [...compiled(ending.output.split('\n')), ...red]
  const goal = errors.flatMap((line) => /^(Failed to execute goal \S{1,200}.*?)(?: -> \[Help \d+\])?$/.exec(line)?.[1] ?? [])
  const model = errors.filter((line) => /^ {0,8}(?:Malformed POM|Non-(?:readable|parseable) POM|'[\w.()]{1,100}' .{1,200} is missing|Unresolveable build extension)/.test(line))
  return failed(ending, 'red', said.length > 0 ? said : [...goal, ...model].map((line) => line.replace(/, parser stopped on .*$/, '')))
}

/** `A.java: cannot find symbol: variable c` */
const compiled = (lines: readonly string[]): string[] =>
  lines.flatMap((line, i) => {
    const found = /^\[ERROR\] (\S.{0,400}\.(?:java|kt|scala|groovy)): ?[[(]\d+(?:, ?\d+)?[\])] (\S.{0,400})$/.exec(line)
    if (found === null) return []
    const symbol = lines.slice(i + 1, i + 3).map((one) => /^(?:\[ERROR\])? {1,4}symbol *: +(\S.{0,200})$/.exec(one)?.[1]).find((one) => one !== undefined)
    return [`${found[1]}: ${found[2]}${symbol === undefined ? '' : `: ${symbol.replace(/ +/g, ' ')}`}`]
  })

/** Each failed test with its exception; where only the closing list is left, as that tells it. Sorted. */
function failedTests(lines: readonly string[]): string[][] {
  const tests = lines.flatMap((line, i) => {
    const name = /^(?:\[ERROR\] )?(?!\[ERROR\]|Tests run)(\S.{0,300}?) {1,2}(?:-- )?Time elapsed: [\d.,]+ s(?:ec)? {1,2}<<< (?:FAILURE|ERROR)!/.exec(line)?.[1]
    return name === undefined ? [] : [[name, lines[i + 1] ?? '']]
  })
  const told = tests.length > 0 ? tests : listed(lines)
  return told.sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1))
}

function listed(lines: readonly string[]): string[][] {
  const from = lines.findIndex((line) => /^\[ERROR\] (?:Failures|Errors): ?$/.test(line))
  if (from === -1) return []
  return lines.slice(from + 1, from + 100).flatMap((line) => {
    const found = /^\[ERROR\] {3}([\w.$]{1,200})(?::\d+)?((?:->[\w.$:]{1,200})*)( \S.{0,400})?$/.exec(line)
    return found === null ? [] : [[`${found[1]}${found[3] ?? ''}`]]
  })
}
