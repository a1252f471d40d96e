import { table } from '../base/table.ts'
import { CanonicalCommand, commandKey, commandText } from './command.ts'
import { programOf } from './toolchain/program.ts'

/** A folder of the moment in which a tool keeps its cache, or what it builds, decides how long it takes, and not what it checks. */
const CACHES = /(?:^|_)CACHE(?:_?(?:DIR|HOME|PATH|ROOT|FOLDER))?$|^(?:npm_config_cache|GOCACHE|GOTMPDIR|TMPDIR|CARGO_TARGET_DIR)$/
const IN_TEMPORARY = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders)\//

/** Options that say the same, by program. Of any other program an option may say what it is to check. */
const OPTIONS: Readonly<Record<string, RegExp>> = table({
  ruff: /^--cache-dir$/,
  mypy: /^--cache-dir$/,
  dmypy: /^--cache-dir$/,
  pip: /^--cache-dir$/,
  pip3: /^--cache-dir$/,
  eslint: /^--cache-location$/,
  prettier: /^--cache-location$/,
  stylelint: /^--cache-location$/,
  jest: /^--cacheDirectory$/,
  cargo: /^--target-dir$/,
  npm: /^--cache$/,
  yarn: /^--cache-folder$/,
})

/** How a check is to be run by somebody else: without the temporary caches of whoever ran it. Its receipt keeps the command as it was. */
export function withoutCaches(command: CanonicalCommand): CanonicalCommand {
  const env = command.env.filter(([name, value]) => !(CACHES.test(name) && IN_TEMPORARY.test(value)))
  const argv = command.argv.some((word) => word.includes('/tmp/') || word.includes('/var/folders/')) ? withoutOptions(command.argv) : command.argv
  return env.length === command.env.length && argv.length === command.argv.length ? command : { ...command, env, argv }
}

function withoutOptions(argv: readonly string[]): string[] {
  const { program } = programOf({ argv: [...argv] })
  const option = OPTIONS[program]
  const kept: string[] = []
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  for (let i = 0; i < argv.length; i++) {
    const [word = '', next = ''] = argv.slice(i)
    const [name = '', value] = /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]
    const own = option?.test(name) === true || (program === 'pytest' && /^(?:-o|--override-ini)$/.test(name))
    const said = (value ?? next).replace(program === 'pytest' ? /^cache_dir=/ : /^$/, '')
    const isCache = own && i > 0 && i < end && IN_TEMPORARY.test(said) && (program !== 'pytest' || (value ?? next).startsWith('cache_dir='))
    if (!isCache) kept.push(word)
    else if (value === undefined) i += 1
  }
  return kept
}

/** The key under which runs of one command meet, wherever they kept their temporary caches. */
export const sameKey = (command: CanonicalCommand): string => commandKey(withoutCaches(command))

/** The same as a canonical text. */
export const sameText = (command: CanonicalCommand): string => commandText(withoutCaches(command))

/** The same, of the canonical text of a command; of what is none, as it stands. */
export function sameTextOf(text: string): string {
  if (!text.includes('/tmp/') && !text.includes('/var/folders/')) return text
  const command = CanonicalCommand.safeParse(JSON.parse(text))
  return command.success ? sameText(command.data) : text
}
