import type { CanonicalCommand } from '../model/command.ts'
import { closing, failed, telling, unfound } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, isGateName, keysIn, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'mise',
  why: 'mise runs what its config calls a task and marks the lines of each; the words that fail are those of the tool behind it, then its own.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'mise') return null
    if (asksVersion(args) || (args.length === 1 && args[0] === '-V')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const task = taskIn(args)
    if (task === null) return { verifies: false, readsSources: false, delegates: false, keys: keysOf(command) }
    const idle = hasOption(args, ['--dry-run', '-n', '--help', '-h']) || args.includes(':::')
    return { verifies: !idle && isGateName(task), readsSources: true, delegates: true, keys: keysOf(command) }
  },
  summary: (output) => (/^\[[^\]\n]{1,100}\] ERROR task failed$/.test(closing(output, 1)[0] ?? '') ? { passed: false } : null),
  own({ command, output }) {
    const task = taskIn(programOf(command).args)
    const lines = output.trimEnd().split('\n')
    const begun = lines.findLastIndex((line) => line.startsWith(`[${task}] $ `))
    return task !== null && begun !== -1 && lines.at(-1) === `[${task}] ERROR task failed` ? lines.slice(begun).join('\n') : null
  },
  failure(ending) {
    const { command, output } = ending
    const task = taskIn(programOf(command).args)
    const lines = output.split('\n')
    const unknown = lines.find((line) => /^mise ERROR no tasks? (?:`[^`]{1,100}`|\S{1,100}) (?:found|defined)/.test(line))
    if (unknown !== undefined && task !== null && unknown.includes(task)) return unfound(ending, 'usage', [unknown], keysOf(command))
    const refused = lines.map((line) => REFUSED.exec(line)).find((found) => found !== null)
    if (refused != null && lines.filter((line) => /^\[[^\]\n]{1,100}\] \$ /.test(line)).length === 1 && passedOn(command).includes(refused[1] as string)) return failed(ending, 'usage', [refused[0]], [...keysOf(command), ...upwards(command.folder, ['mise.lock'])])
    const stopped = lines.find((line) => /^\[[^\]\n]{1,100}\] ERROR task failed$/.test(line))
    if (stopped === undefined) return null
    const own = lines.slice(0, lines.indexOf(stopped)).filter((line) => !/^\[[^\]\n]{1,100}\] (?:\$ |Finished in )/.test(line))
    return failed(ending, 'red', [...telling(own.join('\n')), stopped])
  },
} satisfies Toolchain

/** Clap's words for an argument that a program does not take. */
const REFUSED = /^error: (?:unexpected argument|unrecognized subcommand) '([^'\n]{1,100})' found$/

/** What stands behind the task's name goes to its last program. */
const passedOn = (command: CanonicalCommand): readonly string[] => {
  const { args } = programOf(command)
  const task = taskIn(args)
  return task === null ? [] : args.slice(args.indexOf(task) + 1)
}

/** The task that is run; null: none is. Without `run` a first word that is no verb of mise is one too, which no list of verbs could tell. */
function taskIn(args: readonly string[]): string | null {
  const words = args.filter((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? ''))
  return /^(?:run|r)$/.test(words[0] ?? '') ? (words[1] ?? null) : null
}

const keysOf = (command: CanonicalCommand) => [...programKeys(command), ...upwards(command.folder, CONFIGS), ...keysIn('tree', command.folder, TASKS)]

const CONFIGS = ['mise.toml', '.mise.toml', 'mise.local.toml', '.mise/config.toml', '.config/mise.toml']
const TASKS = ['mise-tasks', '.mise/tasks']
const VALUES = new Set(['-C', '--cd', '-j', '--jobs', '-o', '--output', '-E', '--env', '-t', '--tool', '--timeout'])
