import { decodeUtf8, parseJson } from '../base/canonical.ts'
import { objectOf, wordOf } from '../base/json.ts'
import { joinPath } from '../model/key.ts'
import type { Identity, Mutation } from '../model/mutation.ts'
import type { World } from '../model/probe.ts'

export default {
  id: 'npm-publish',
  why: 'A published version can never be published again, and a registry keeps what it was given.',
  // npm takes any beginning of a command's name that is no other's.
  names: ['npm publish', 'npm publis', 'npm publi', 'npm publ', 'npm pub', 'npm pu'],
  // The same package goes to the same registry, whichever of them sends it.
  operation: 'npm publish',
  intends({ argv, env }) {
    return publishes(argv) && !env.some(([name, value]) => /^npm_config_dry_run$/i.test(name) && value !== 'false') ? { repeat: 'harmful', target: null, identifier: null } : null
  },
  async identify({ argv, env, folder }, world) {
    const words = wordsOf(argv)
    const [subject = '.', ...more] = words.slice(words[0] === 'npm' ? 2 : 1)
    const steered = argv.some((arg) => STEERS.test(arg)) || env.some(([name]) => /^npm_config_/i.test(name))
    const path = joinPath(folder, subject)
    return steered || more.length > 0 || path === null || /\.t(?:ar\.)?gz$|:/.test(subject) || (await isSetAside(argv, folder, world)) ? null : packageIn(path, world)
  },
  confirms({ argv, env }, output) {
    // A registry that is named for one call is not the one that the target's key reads.
    if (!publishes(argv) || argv.some((arg) => /^--registry\b/.test(arg)) || env.some(([name]) => /^npm_config_(?:registry|dry_run)$/i.test(name))) return null
    const lines = output.split('\n')
    const made = lines.flatMap((line) => {
      const found = PUBLISHED.exec(line.trim())
      return found === null ? [] : [{ name: found[1] as string, version: found[2] as string }]
    })
    const [first] = made
    if (lines.some((line) => /^npm notice Publishing to \S+ with .*\(dry-run\)\s*$/.test(line))) return 'not-done'
    // Several packages at once have several targets, and one claim has one: nothing is said of them.
    if (first === undefined || made.length !== 1 || lines.some((line) => /^npm (?:error|ERR!) /.test(line))) return null
    // The output names a registry, but not whether it was configured or the default, and the target's value says which.
    return {
      target: { kind: 'npm', id: first.name },
      targetValue: null,
      identifier: `${first.name}@${first.version}`,
      state_hash: null,
    }
  },
} satisfies Mutation

/** npm, pnpm, Yarn and Bun; neither a dry run nor a question for help. */
function publishes(argv: readonly string[]): boolean {
  const name = /^(?:\/\S*\/)?(npm|pnpm|yarn|bun)(?:\.cmd|\.exe)?$/.exec(argv[0] ?? '')?.[1]
  if (name === undefined || argv.some((arg) => /^(?:--dry-run(?:=true)?|--help|-h)$/.test(arg) || (name === 'yarn' && arg === '-n'))) return false
  const [verb = '', second] = wordsOf(argv)
  return verb === 'publish' || (name === 'npm' && /^pu(?:b|bl|bli|blis)?$/.test(verb)) || (name === 'yarn' && verb === 'npm' && second === 'publish')
}

const wordsOf = (argv: readonly string[]): string[] => argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))

/** Whether a setting says that nothing is sent, or the tool has settings of its own that may name another registry than npm's. */
async function isSetAside([program = '', ...rest]: readonly string[], folder: string, world: World): Promise<boolean> {
  const given = (name: string): string | undefined => world.env(name) ?? world.env(name.toUpperCase())
  if (![undefined, '', 'false'].includes(given('npm_config_dry_run'))) return true
  const tool = /(?:yarn|pnpm|bun)(?=\.|$)/.exec(program)?.[0]
  if (tool === 'yarn' && ['YARN_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'YARN_NPM_PUBLISH_REGISTRY'].some((name) => world.env(name))) return true
  if (tool === 'bun' && world.env('BUN_CONFIG_REGISTRY')) return true
  const own = tool === undefined ? [] : OWN_SETTINGS[tool] ?? []
  const read = async (name: string): Promise<string[]> => {
    const places = [...new Set([folder === '.' ? name : `${folder}/${name}`, name])].map((path) => world.read(path))
    return (await Promise.all([...places, world.homeFile(name)])).map((bytes) => Buffer.from(bytes ?? []).toString('utf8'))
  }
  const [npmrc, others] = await Promise.all([read('.npmrc'), Promise.all(own.map(read))])
  // Yarn since its second version does not look where npm does.
  const apart = tool === 'yarn' && wordsOf([program, ...rest])[0] === 'npm'
  if (apart && (given('npm_config_registry') !== undefined || npmrc.some((text) => /registry[ \t]*=/.test(text)))) return true
  return npmrc.some((text) => DRY.test(text)) || others.flat().some((text) => /registr/i.test(text))
}

const OWN_SETTINGS: Readonly<Record<string, readonly string[]>> = { yarn: ['.yarnrc', '.yarnrc.yml'], pnpm: ['pnpm-workspace.yaml'], bun: ['bunfig.toml', '.bunfig.toml'] }
const DRY = /^[ \t]*dry-run[ \t]*(?:$|=[ \t]*(?!["']?false\b))/m

/** Options by which another package, version or registry is meant than the one of this folder. */
const STEERS = /^(?:--registry|-w|--workspaces?|--filter|-F|-r|--recursive|--prefix|-C|--dir|--cwd|--userconfig|--(?:new-version|major|minor|patch|pre[a-z]+))(?:=|$)/

/** Name and version as the folder's own package.json says them; null: it says none, or may not be published. */
async function packageIn(folder: string, world: World): Promise<Identity | null> {
  const bytes = await world.read(folder === '.' ? 'package.json' : `${folder}/package.json`)
  const { name, version, private: isPrivate } = objectOf(bytes === null ? null : jsonIn(bytes))
  const said = PUBLISHED.exec(`+ ${wordOf(name) ?? ''}@${wordOf(version) ?? ''}`)
  return said === null || isPrivate === true ? null : { target: { kind: 'npm', id: said[1] as string }, identifier: `${said[1]}@${said[2]}` }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(bytes))
  } catch {
    return null
  }
}

const VALUES = new Set(['--tag', '--access', '--registry', '--otp', '-w', '--workspace', '--filter', '-F', '--prefix', '-C', '--dir', '--cwd', '--userconfig', '--loglevel'])
const PUBLISHED = /^\+ ((?:@[\w.~-]{1,100}\/)?[\w.~-]{1,214})@(\d+\.\d+\.\d+[\w.+-]{0,100})$/
