import { basename, dirname } from 'node:path'
import { realpathSync } from 'node:fs'
import { RemnantError } from '../../base/errors.ts'
import { objectOf } from '../../base/json.ts'
import type { Probe, World } from '../../model/probe.ts'
import absent from '../../probes/absent.ts'
import absentTool from '../../probes/absent-tool.ts'
import env from '../../probes/env.ts'
import exists from '../../probes/exists.ts'
import platform from '../../probes/platform.ts'
import privilege from '../../probes/privilege.ts'
import root from '../../probes/repository.ts'
import type { Files } from '../files.ts'
import type { Processes } from '../processes.ts'
import { type Env, type Repository, openGit } from '../git.ts'
import { type GuardConfig, guardConfig } from './config.ts'
import { headCommit } from '../witnessing/head.ts'
import { readCache } from '../world/cache.ts'
import { machine } from '../world/machine.ts'
import { isModuleOutside } from '../world/modules.ts'
import { openPrograms } from '../world/programs.ts'
import { openVersions } from '../world/versions.ts'

/** A world in which a look at a file or two is cheap, and all else is loaded when it is asked for. No program is started but git and, for its version, one outside the work tree. */
export interface Opened {
  readonly world: World
  /** Those that cost next to nothing; the others, once one of them is needed. */
  readonly cheap: readonly Probe[]
  all(): Promise<readonly Probe[]>
}

export function openReading(repository: Repository, environment: Env, files: Files, { guard: _, ...config }: GuardConfig = guardConfig(repository, files)): Opened {
  const top = realpathSync.native(repository.workTree as string)
  const whole = once(async () => (await import('../world.ts')).openWorld({ repository, git: openGit(repository, environment), files, processes: NO_PROGRAMS, env: environment, config }))
  const programs = once(() =>
    openPrograms({
      top,
      own: [top, ...(basename(repository.commonDir) === '.git' ? [dirname(repository.commonDir)] : [])],
      env: environment,
      processes: VERSIONS,
      cache: openVersions(`${repository.commonDir}/remnant/cache/tools.json`, files),
      blob: async (path) => (await whole()).blob(path),
    }),
  )
  const rootOf = async (): Promise<string> => {
    const head = repository.shallow ? null : headCommit(repository, files)
    const known = head === null ? undefined : objectOf(readCache(`${repository.commonDir}/remnant/cache/roots.json`, files))[head]
    return typeof known === 'string' ? known : (await whole()).rootCommit()
  }
  const here = machine()
  const world: World = {
    platform: here.platform,
    arch: here.arch,
    get libc() {
      return here.libc
    },
    get kernelRelease() {
      return here.kernelRelease
    },
    get distribution() {
      return here.distribution
    },
    isRoot: here.isRoot,
    get noNewPrivileges() {
      return here.noNewPrivileges
    },
    env: (name) => environment[name],
    stat: async (path) => (await whole()).stat(path),
    entries: async (path) => (await whole()).entries(path),
    ignored: async () => (await whole()).ignored(),
    mentioned: async (words) => (await whole()).mentioned(words),
    read: async (path) => (await whole()).read(path),
    real: async (path) => (await whole()).real(path),
    interfaceSays: async (name) => (await whole()).interfaceSays(name),
    blob: async (path) => (await whole()).blob(path),
    tree: async (path) => (await whole()).tree(path),
    program: async (name, folder) => programs().find(name, folder),
    version: async (program) => programs().version(program),
    rootCommit: rootOf,
    gitConfig: async (name) => (await whole()).gitConfig(name),
    pushUrls: async () => (await whole()).pushUrls(),
    homeFile: async (name) => (await whole()).homeFile(name),
    outside: async (path) => (await whole()).outside(path),
    moduleOutside: async (name) => isModuleOutside(name, top, environment),
    envValues: config.env_values ?? [],
  }
  return { world, cheap: [absent, absentTool, env, exists, platform, privilege, root], all: async () => (await import('../../probes.ts')).probes }
}

const refused = async (): Promise<never> => {
  throw new RemnantError('refused', 'the guard starts no program')
}
const NO_PROGRAMS: Processes = { collect: refused, through: refused }

/** A program behind which another stands (a version manager's) tells no version by its file: it is asked, as it is for a seal. */
const VERSIONS: Processes = {
  collect: async (argv, options) => (await import('../processes.ts')).openProcesses().collect(argv, options),
  through: refused,
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
