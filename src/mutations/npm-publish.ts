import { decodeUtf8, parseJson } from '../base/canonical.ts'
import { objectOf, wordOf } from '../base/json.ts'
import { joinPath } from '../model/key.ts'
import type { Identity, Mutation } from '../model/mutation.ts'
import type { World } from '../model/probe.ts'

export default {
  id: 'npm-publish',
  why: 'A published version can never be published again, and a registry keeps what it was given.',
  names: ['npm publish'],
  intends({ argv, env }) {
    return publishes(argv) && !env.some(([name, value]) => /^npm_config_dry_run$/i.test(name) && value !== 'false') ? { repeat: 'harmful', target: null, identifier: null } : null
  },
  async identify({ argv, env, folder }, world) {
    const words = argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))
    const [subject = '.', ...more] = words.slice(words.indexOf('publish') + 1)
    const steered = argv.some((arg) => STEERS.test(arg)) || env.some(([name]) => /^npm_config_/i.test(name))
    const path = joinPath(folder, subject)
    return steered || more.length > 0 || path === null || /\.t(?:ar\.)?gz$|:/.test(subject) ? null : packageIn(path, world)
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
  const words = argv.slice(1).filter((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))
  return words[0] === 'publish' || (name === 'yarn' && words[0] === 'npm' && words[1] === 'publish')
}

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
