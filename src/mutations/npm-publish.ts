import type { Mutation } from '../model/mutation.ts'

export default {
  id: 'npm-publish',
  why: 'A published version can never be published again, and a registry keeps what it was given.',
  intends({ argv, env }) {
    return publishes(argv) && !env.some(([name, value]) => /^npm_config_dry_run$/i.test(name) && value !== 'false') ? { repeat: 'harmful', target: null, identifier: null } : null
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

const VALUES = new Set(['--tag', '--access', '--registry', '--otp', '-w', '--workspace', '--filter', '-F', '--prefix', '-C', '--dir', '--cwd', '--userconfig', '--loglevel'])
const PUBLISHED = /^\+ ((?:@[\w.~-]{1,100}\/)?[\w.~-]{1,214})@(\d+\.\d+\.\d+[\w.+-]{0,100})$/
