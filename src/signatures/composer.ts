import type { CanonicalCommand } from '../model/command.ts'
import { failed, telling } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, isGateName, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'composer',
  why: 'Composer runs what composer.json calls a script; the words that fail are those of the tool behind it, then its own, of the script and its status.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!/^composer(?:\.phar)?$/.test(program)) return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const keys = [...new Set([...programKeys(command), ...upwards(command.folder, ['composer.json'])])]
    const script = scriptIn(args)
    if (script === null) return { verifies: false, readsSources: false, delegates: false, keys: [...keys, ...upwards(command.folder, ['composer.lock'])] }
    return { verifies: isGateName(script) && !hasOption(args, ['--help', '-h', '--list', '-l', '--dry-run', '--fix']), readsSources: true, delegates: true, keys }
  },
  summary: () => null,
  failure(ending) {
    const { command, output } = ending
    const unknown = output.split('\n').map((line) => UNKNOWN.map((shape) => shape.exec(line.trim())).find((found) => found !== null)).find((found) => found != null)
    if (unknown != null && command.argv.includes(unknown[1] as string)) return failed(ending, 'usage', [unknown[0]], [...programKeys(command), ...upwards(command.folder, ['composer.json'])])
    return scriptOf(command) === null ? null : failed(ending, 'red', telling(output.split('\n').filter((line) => !line.startsWith('> ')).join('\n')))
  },
} satisfies Toolchain

const UNKNOWN = [/^Command "([\w:.-]{1,100})" is not defined\./, /^Script "([\w:.-]{1,100})" is not defined in this package\.?$/]

const scriptOf = (command: CanonicalCommand): string | null => {
  const { program, args } = programOf(command)
  return /^composer(?:\.phar)?$/.test(program) ? scriptIn(args) : null
}

/** The script that is run, behind `run` or by its own name; null: a command of Composer's. */
function scriptIn(args: readonly string[]): string | null {
  const words = args.filter((arg, i) => !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? ''))
  const [verb = '', name = ''] = words
  if (/^run(?:-script)?$/.test(verb)) return name === '' ? null : name
  return verb === '' || OWN.test(verb) ? null : verb
}

const VALUES = new Set(['-d', '--working-dir', '--timeout'])
const OWN =
  /^(?:about|archive|audit|browse|bump|check-platform-reqs|clear-?cache|cc|completion|config|create-project|depends|why|diagnose|dump-?autoload|exec|fund|global|help|home|i|info|init|install|licenses|list|outdated|prohibits|why-not|r|reinstall|remove|require|rm|search|self-?update|show|status|suggests|u|update|upgrade|validate)$/
