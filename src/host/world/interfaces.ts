import { plainLines } from '../../base/plain.ts'
import { commandOf } from '../../model/command.ts'
import type { Config } from '../../model/config.ts'
import type { World } from '../../model/probe.ts'
import { openApprovals } from '../trust/approvals.ts'
import { trackedConfig } from '../config.ts'
import { type Env, type Repository, withoutGit } from '../git.ts'
import type { Files } from '../files.ts'
import type { Processes } from '../processes.ts'

interface Surroundings {
  readonly repository: Repository
  readonly files: Files
  readonly processes: Processes
  readonly env: Env
  /** What counts here: the interfaces of a tracked file that nobody accepted are not in it. */
  readonly config: Config
  readonly top: string
  rootCommit(): Promise<string>
}

const LIMIT_MS = 2000
const MOST_OUTPUT = 64 * 1024
/** In characters, of the line that counts. */
const MOST_SAID = 4096

/**
 * Asks the command that configuration declares for an interface, in the top of the work tree. It is run only where somebody
 * accepted that configuration in this clone, or approved that very command; each is asked once.
 */
export function openInterfaces(around: Surroundings): World['interfaceSays'] {
  const asked = new Map<string, ReturnType<World['interfaceSays']>>()
  return (name) => {
    const known = asked.get(name) ?? ask(name, around)
    asked.set(name, known)
    return known
  }
}

async function ask(name: string, around: Surroundings): ReturnType<World['interfaceSays']> {
  const argv = await approvedFor(name, around)
  if (!Array.isArray(argv)) return argv as { unreadable: string }
  const { processes, env, top } = around
  const { status, signal, timedOut, stdout, cut } = await processes.collect(argv, { cwd: top, env: { ...withoutGit(env), PWD: top }, timeout: LIMIT_MS, limit: MOST_OUTPUT })
  if (timedOut) return { unreadable: `its command took over ${LIMIT_MS / 1000} s` }
  if (status === 127) return { unreadable: 'the program of its command is missing' }
  if (signal !== null || status !== 0) return { unreadable: signal !== null ? 'its command was stopped by a signal' : `its command ended with status ${status}` }
  return cut ? { unreadable: 'its command prints too much' } : firstLine(stdout)
}

/** The first line with anything on it: what follows may be of the moment. */
function firstLine(stdout: string): { readonly says: string } | { readonly unreadable: string } {
  const line = plainLines(stdout).split('\n').map((each) => each.trim()).find((each) => each !== '')
  if (line === undefined) return { unreadable: 'its command printed nothing' }
  if (line.length > MOST_SAID || /[\p{Cc}\ufffd]/u.test(line)) return { unreadable: 'its command printed no line of text' }
  return { says: line }
}

async function approvedFor(name: string, { repository, files, config, rootCommit }: Surroundings): Promise<readonly string[] | { readonly unreadable: string }> {
  const accepted = commandIn(config, name)
  if (accepted !== null) return accepted
  const tracked = commandIn(trackedConfig(repository, files)?.config ?? {}, name)
  if (tracked === null) return { unreadable: 'no configuration declares how to read it' }
  const root = await rootCommit().catch(() => null)
  if (root !== null && openApprovals(repository, files, root).isApproved(commandOf(tracked))) return tracked
  return { unreadable: 'its command is not approved in this clone: read it, then "git remnant allow config"' }
}

const commandIn = ({ interfaces = {} }: Config, name: string): readonly string[] | null => (Object.hasOwn(interfaces, name) ? (interfaces[name]?.command ?? null) : null)
