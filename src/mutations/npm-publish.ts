import { decodeUtf8, parseJson } from '../base/canonical.ts'
import { objectOf, wordOf } from '../base/json.ts'
import { table } from '../base/table.ts'
import { joinPath } from '../model/key.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Identity, type Mutation, targetOf } from '../model/mutation.ts'
import { publicUrl, isLoopback } from '../model/place.ts'
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
    const steered = argv.some((arg) => STEERS.test(arg)) || env.some(([name]) => /^npm_config_(?!registry$)/i.test(name))
    const path = joinPath(folder, subject)
    return steered || more.length > 0 || path === null || /\.t(?:ar\.)?gz$|:/.test(subject) || (await isSetAside(argv, folder, world)) ? null : packageIn(path, registryNamed({ argv, env }), folder, world)
  },
  confirms({ argv, env }, output) {
    if (!publishes(argv) || env.some(([name]) => /^npm_config_dry_run$/i.test(name))) return null
    const lines = output.split('\n')
    const made = lines.flatMap((line) => {
      const found = PUBLISHED.exec(line.trim())
      return found === null ? [] : [{ name: found[1] as string, version: found[2] as string }]
    })
    const [first] = made
    if (lines.some((line) => /^npm notice Publishing to \S+ with .*\(dry-run\)\s*$/.test(line))) return 'not-done'
    // Several packages at once have several targets, and one claim has one: nothing is said of them.
    if (first === undefined || made.length !== 1 || lines.some((line) => /^npm (?:error|ERR!) /.test(line))) return null
    const identifier = `${first.name}@${first.version}`
    const named = registryNamed({ argv, env })
    // The output names a registry, but not whether it was configured or the default, and the target's value says which.
    const scoped = argv.some((arg) => SCOPED.test(arg))
    if (named === null && !scoped) return { target: { kind: 'npm', id: first.name }, targetValue: null, identifier, state_hash: null }
    // A registry that is set for a scope comes before the one that the call names: npm says where it went, others don't.
    const told = lines.flatMap((line) => /^npm notice Publishing to (\S{1,500}) with /.exec(line.trim())?.[1] ?? []).at(-1)
    const target = told === undefined && (scoped || first.name.startsWith('@')) ? null : packageAt(told ?? named ?? '', first.name)
    return target === null ? null : { target, targetValue: target.id, identifier, state_hash: null }
  },
} satisfies Mutation

/** The registry that a call names for itself, as it is typed; null: it takes the configured one. */
function registryNamed({ argv, env }: Pick<CanonicalCommand, 'argv' | 'env'>): string | null {
  const given = argv.flatMap((arg, i) => (REGISTRY.test(arg) ? [arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : (argv[i + 1] ?? '')] : []))
  return given.at(-1) ?? env.find(([name]) => /^npm_config_registry$/i.test(name))?.[1] ?? null
}

/** A package at a registry by its URL. null: it is none that can be told, or one of this machine alone. */
function packageAt(registry: string, name: string): Target | null {
  const url = /^https?:\/\//.test(registry) ? publicUrl(registry) : null
  return url === null || isLoopback(url.host) ? null : targetOf('npm', `${url.place.replace(/\/+$/, '')} ${name}`)
}

const SCOPED = /^--@[^:]+:registry(?:=|$)/
const REGISTRY = /^--reg(?:i(?:s(?:t(?:r(?:y)?)?)?)?)?(?:=|$)/

/** npm, pnpm, Yarn and Bun; neither a dry run nor a question for help. */
function publishes(argv: readonly string[]): boolean {
  const name = /^(?:\/\S*\/)?(npm|pnpm|yarn|bun)(?:\.cmd|\.exe)?$/.exec(argv[0] ?? '')?.[1]
  if (name === undefined || argv.some((arg) => /^(?:--dry-run(?:=true)?|--help|-h)$/.test(arg) || (name === 'yarn' && arg === '-n'))) return false
  const [verb = '', second] = wordsOf(argv)
  return verb === 'publish' || (name === 'npm' && /^pu(?:b|bl|bli|blis)?$/.test(verb)) || (name === 'yarn' && verb === 'npm' && second === 'publish')
}

const wordsOf = (argv: readonly string[]): string[] => argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? '') && !/^--(?:reg[a-z]*|@[^:]+:registry)$/.test(all[i - 1] ?? ''))

/** Whether a setting says that nothing is sent, or the tool has settings of its own that may name another registry than npm's. */
async function isSetAside([program = '', ...rest]: readonly string[], folder: string, world: World): Promise<boolean> {
  const given = (name: string): string | undefined => world.env(name) ?? world.env(name.toUpperCase())
  if (![undefined, '', 'false'].includes(given('npm_config_dry_run'))) return true
  const tool = /(?:yarn|pnpm|bun)(?=\.|$)/.exec(program)?.[0]
  if (tool === 'yarn' && ['YARN_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'YARN_NPM_PUBLISH_REGISTRY'].some((name) => world.env(name))) return true
  if (tool === 'bun' && world.env('BUN_CONFIG_REGISTRY')) return true
  const own = tool === undefined ? [] : OWN_SETTINGS[tool] ?? []
  const read = (name: string): Promise<string[]> => settingsIn(name, folder, world)
  const [npmrc, others] = await Promise.all([read('.npmrc'), Promise.all(own.map(read))])
  // Yarn since its second version does not look where npm does.
  const apart = tool === 'yarn' && wordsOf([program, ...rest])[0] === 'npm'
  if (apart && (given('npm_config_registry') !== undefined || npmrc.some((text) => /registry[ \t]*=/.test(text)))) return true
  return npmrc.some((text) => DRY.test(text)) || others.flat().some((text) => /registr/i.test(text))
}

/** A file of settings, in the folder, at the top and at home. */
async function settingsIn(name: string, folder: string, world: World): Promise<string[]> {
  const places = [...new Set([folder === '.' ? name : `${folder}/${name}`, name])].map((path) => world.read(path))
  return (await Promise.all([...places, world.homeFile(name)])).map((bytes) => Buffer.from(bytes ?? []).toString('utf8'))
}

const OWN_SETTINGS: Readonly<Record<string, readonly string[]>> = table({ yarn: ['.yarnrc', '.yarnrc.yml'], pnpm: ['pnpm-workspace.yaml'], bun: ['bunfig.toml', '.bunfig.toml'] })
const DRY = /^[ \t]*dry-run[ \t]*(?:$|=[ \t]*(?!["']?false\b))/m

/** Options by which another package, version or registry is meant than the one of this folder. */
const STEERS = /^(?:--@[^:]+:registry|-w|--workspaces?|--filter|-F|-r|--recursive|--prefix|-C|--dir|--cwd|--userconfig|--(?:new-version|major|minor|patch|pre[a-z]+))(?:=|$)/

/** Name and version as the folder's own package.json says them; null: it says none, may not be published, or may go elsewhere than the call names. */
async function packageIn(path: string, registry: string | null, folder: string, world: World): Promise<Identity | null> {
  const bytes = await world.read(path === '.' ? 'package.json' : `${path}/package.json`)
  const { name, version, private: isPrivate, publishConfig } = objectOf(bytes === null ? null : jsonIn(bytes))
  const said = PUBLISHED.exec(`+ ${wordOf(name) ?? ''}@${wordOf(version) ?? ''}`)
  if (said === null || isPrivate === true) return null
  const [id, identifier] = [said[1] as string, `${said[1]}@${said[2]}`]
  if (registry === null) return { target: { kind: 'npm', id }, identifier }
  const scope = `${id.slice(0, id.indexOf('/'))}:registry`
  const scoped = id.startsWith('@') && (await settingsIn('.npmrc', folder, world)).some((text) => text.includes(scope))
  const target = scoped || Object.keys(objectOf(publishConfig)).some((setting) => /registry$/.test(setting)) ? null : packageAt(registry, id)
  return target === null ? null : { target, identifier }
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(bytes))
  } catch {
    return null
  }
}

const VALUES = new Set(['--tag', '--access', '--otp', '-w', '--workspace', '--filter', '-F', '--prefix', '-C', '--dir', '--cwd', '--userconfig', '--loglevel'])
const PUBLISHED = /^\+ ((?:@[\w.~-]{1,100}\/)?[\w.~-]{1,214})@(\d+\.\d+\.\d+[\w.+-]{0,100})$/
