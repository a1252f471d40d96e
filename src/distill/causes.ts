import { canonical } from '../base/canonical.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { Key, ROOT_LOCKFILES, STRUCTURAL, splitKey } from '../model/key.ts'
import { withoutCaches } from '../model/temporary-caches.ts'
import { type Invocation, namedPaths, programOf, toolKey } from '../model/toolchain.ts'
import type { Evidence } from './evidence.ts'

/** On what it rests that a command passed or failed at this tree. */
export function restsOn(run: Evidence): readonly Key[] {
  if (run.traced) return keysOf(run)
  const sources = sourcesOf(run.receipt.command)
  return [...inferred(run).filter((key) => key !== SOURCES || sources === SOURCES), sources]
}

/** What a run was seen to depend on, where it was traced; else what its command lets one infer. */
export const keysOf = (run: Evidence): readonly Key[] => (run.traced ? Object.keys(run.seen).filter((key) => !STRUCTURAL.includes(key)) : inferred(run))

/** A verifying command's own keys; where nothing is known of a command, all that could decide it. */
export function inferred({ invocation, receipt: { command } }: Evidence): readonly Key[] {
  if (invocation !== null && invocation.keys.length > 0) return [...invocation.keys, ...besides(invocation, command)]
  const { program } = programOf(command)
  return ['tree:.', ...(program.includes('/') ? [] : [toolKey(command.folder, program)]), ...ROOT_LOCKFILES.map((name): Key => `file:${name}`)]
}

/** That what a check's own words name is there, where its toolchain did not say so of it. What hands over may make what it names. */
function besides({ verifies, delegates, keys }: Invocation, command: CanonicalCommand): readonly Key[] {
  if (!verifies || delegates) return []
  const { args } = programOf(command)
  const operands = args.filter((arg, i) => arg.includes('/') && !arg.includes('...') && !(args[i - 1] ?? '').startsWith('-'))
  return namedPaths(command.folder, operands).filter((key) => !keys.includes(key) && !keys.includes(`file:${splitKey(key).argument}`))
}

/** What a command may read: what following it shows that it can reach; where no key can name it, every source. */
export function sourcesOf(command: CanonicalCommand): Key {
  const { folder, env, argv, where, privilege } = withoutCaches(command)
  const words = env.length === 0 ? argv : ['env', ...env.map(([name, value]) => `${name}=${value}`), ...argv]
  const key = `reads:${canonical([folder, ...words])}`
  return where === 'here' && privilege === 'user' && Key.safeParse(key).success ? key : SOURCES
}

/** Every source of the repository. */
export const SOURCES: Key = 'tree:.'
