import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'cucumber',
  why: 'Behat and Cucumber close with how many scenarios and steps there were, and how many of them passed.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!PROGRAM.test(program)) return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['-c', '--config'])
    const keys = [...programKeys(command), ...upwards(folder, CONFIGS), ...(config === null ? [] : keysIn('file', folder, [config])), ...namedFiles(folder, args)]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 6)
    const found = lines.flatMap((line) => SCENARIOS.exec(line) ?? [])
    const once = output.split('\n').filter((line) => SCENARIOS.test(line)).length === 1
    if (!once || found.length === 0) return null
    const told = found[2] as string
    if (/\b[1-9]\d* (?:failed|undefined|ambiguous)\b/.test(told)) return { passed: false }
    return found[1] === /^(\d+) passed$/.exec(told)?.[1] && found[1] !== '0' && lines.some((line) => STEPS.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const from = lines.findIndex((line) => /^(?:--- Failed (?:scenarios|steps):|Failing Scenarios:|Failures:)$/.test(line))
    const red = lasting(from === -1 ? [] : lines.slice(from + 1).flatMap((line) => (SCENARIO.test(line) ? [[SCENARIO.exec(line)?.[1] as string]] : [])))
    return red === 'transient' ? red : failed(ending, 'red', [...red, ...(red.length > 0 ? lines.filter((line) => SCENARIOS.test(line)) : [])])
  },
} satisfies Toolchain

const PROGRAM = /^(?:\.\/)?(?:vendor\/bin\/|bin\/)?(?:behat|cucumber(?:-js)?)$/
const CONFIGS = ['behat.yml', 'behat.yml.dist', 'behat.yaml', 'behat.php', 'cucumber.yml', 'cucumber.js', 'cucumber.json', 'cucumber.mjs', 'cucumber.cjs']
const IDLE = ['--dry-run', '-d', '--help', '-h', '--init', '--append-snippets', '--definitions', '--story-syntax', '--format=usage']
const SCENARIOS = /^([1-9]\d*) scenarios? \((.{1,200})\)$/
const STEPS = /^[1-9]\d* steps? \((\d+) passed\)$/
/** The place of a scenario, without its line. */
const SCENARIO = /^ *(?:cucumber |\d+\) Scenario: )?((?:[\w.-]+\/)*[\w.-]+\.feature):\d+(?: #.*)?$/
