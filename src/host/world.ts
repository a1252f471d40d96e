import { readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { RemnantError, codeOf } from '../base/errors.ts'
import type { Config } from '../model/config.ts'
import type { World } from '../model/probe.ts'
import type { Files } from './files.ts'
import type { Env, Git, Repository } from './git.ts'
import type { Processes } from './processes.ts'
import { blobsOf } from './world/blobs.ts'
import { openInterfaces } from './world/interfaces.ts'
import { machine } from './world/machine.ts'
import { readOutside } from './world/outside.ts'
import { entriesOf, ignoredIn, mentionedIn } from './world/lying.ts'
import { isModuleOutside } from './world/modules.ts'
import { type Located, isWithin, locate, realOf } from './world/paths.ts'
import { openPrograms } from './world/programs.ts'
import { rootCommit } from './world/root.ts'
import { scan, under } from './world/tree.ts'
import { openVersions } from './world/versions.ts'

export interface Surroundings {
  readonly repository: Repository
  readonly git: Git
  readonly files: Files
  readonly processes: Processes
  readonly env: Env
  readonly config: Config
}

/**
 * This machine and this work tree, read at most once each: a world is one moment. Nothing of the repository
 * is run but an approved command that reads an interface.
 * Throws `missing` for a bare repository, which has no work tree.
 */
export function openWorld({ repository, git, files, processes, env, config }: Surroundings): World {
  if (repository.workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree' })
  const top = realpathSync.native(repository.workTree)
  const closed = [repository.gitDir, repository.commonDir].flatMap((folder) => realOf(folder) ?? []).filter((folder) => isWithin(top, folder))
  const at = (path: string): Located | null => locate(path, top, closed)
  const configuration = once(() => readConfiguration(git, top))
  const scanned = once(async () => scan(git, top, (await configuration()).get('core.filemode') !== 'false'))
  const blobs = batched((paths: readonly string[]) => blobsOf(paths, git, top))
  const blob = async (path: string): Promise<string | null> => {
    const found = at(path)
    if (found === null || !found.stat.isFile()) return null
    const blob = (await blobs(relative(top, found.real).split(sep).join('/'))) ?? null
    if (blob === null) throw new RemnantError('malformed', `"${path}" can't be read`)
    return blob
  }
  const programs = once(async () =>
    openPrograms({
      top,
      own: [top, ...(basename(repository.commonDir) === '.git' ? [dirname(repository.commonDir)] : [])],
      env,
      processes,
      cache: openVersions(join(repository.commonDir, 'remnant', 'cache', 'tools.json'), files),
      blob,
    }),
  )
  const root = once(() => rootCommit(repository, git, files, config.repository_root))
  return {
    ...machine(),
    env: (name) => env[name],
    stat: async (path) => {
      const found = at(path)
      if (found === null) return null
      const { stat, changed } = found
      return {
        kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
        size: stat.size,
        changed,
        get moved() {
          return found.moved
        },
        executable: stat.isFile() && (stat.mode & 0o111) !== 0,
        mode: (stat.mode >> 6) & 7,
      }
    },
    entries: async (path) => {
      const found = at(path)
      return found?.stat.isDirectory() ? entriesOf(found.real) : null
    },
    ignored: once(() => ignoredIn(git, top)),
    mentioned: (words) => mentionedIn(words, git, top),
    real: async (path) => {
      const found = at(path)
      return found === null ? null : relative(top, found.real).split(sep).join('/') || '.'
    },
    read: async (path) => {
      const found = at(path)
      return found?.stat.isFile() ? files.read(found.real) : null
    },
    blob,
    tree: async (path) => {
      const found = at(path)
      return found?.stat.isDirectory() ? under(relative(top, found.real).split(sep).join('/') || '.', await scanned(), top) : null
    },
    program: async (name, folder) => (await programs()).find(name, folder),
    version: async (program) => (await programs()).version(program),
    rootCommit: root,
    gitConfig: async (name) => (await configuration()).get(settingName(name)) ?? null,
    pushUrls: once(() => readPushUrls(git, top)),
    homeFile: async (name) => readHome(name, env.HOME ?? homedir()),
    outside: async (path) => readOutside(path, top, env.HOME ?? homedir(), closed),
    moduleOutside: async (name) => isModuleOutside(name, top, env),
    interfaceSays: openInterfaces({ repository, files, processes, env, config, top, rootCommit: root }),
    envValues: config.env_values ?? [],
  }
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}

/** Questions of one moment become one batch; each question is asked once. */
function batched<T>(answer: (questions: readonly string[]) => Promise<ReadonlyMap<string, T>>): (question: string) => Promise<T | undefined> {
  const asked = new Map<string, Promise<T | undefined>>()
  let open: { questions: string[]; answers: Promise<ReadonlyMap<string, T>> } | null = null
  const ask = (question: string): Promise<ReadonlyMap<string, T>> => {
    if (open !== null) {
      open.questions.push(question)
      return open.answers
    }
    const questions = [question]
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      open = null
      return answer(questions)
    })
    open = { questions, answers }
    return answers
  }
  return (question) => {
    const known = asked.get(question) ?? ask(question).then((answers) => answers.get(question))
    asked.set(question, known)
    return known
  }
}

/** All settings that git sees here; section and last name in lower case, the last value of each counts. */
async function readConfiguration(git: Git, top: string): Promise<ReadonlyMap<string, string>> {
  const lines = Buffer.from(await git.run(['config', '--list', '-z'], { cwd: top })).toString('utf8').split('\0')
  return new Map(
    lines.filter((line) => line !== '').map((line) => {
      const end = line.indexOf('\n')
      return end === -1 ? [line, 'true'] : [line.slice(0, end), line.slice(end + 1)]
    }),
  )
}

/** `section.SubSection.name` as git lists it. */
const settingName = (name: string): string => name.replace(/^[^.]+|[^.]+$/g, (part) => part.toLowerCase())

async function readPushUrls(git: Git, top: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const remotes = new Map<string, string[]>()
  for (const line of Buffer.from(await git.run(['remote', '-v'], { cwd: top })).toString('utf8').split('\n')) {
    const [, name, url] = /^([^\t]+)\t(.*) \(push\)$/.exec(line) ?? []
    if (name !== undefined && url !== undefined) remotes.set(name, [...(remotes.get(name) ?? []), url])
  }
  return remotes
}

function readHome(name: string, home: string): Uint8Array | null {
  try {
    return basename(name) === name && name !== '..' ? readFileSync(join(home, name)) : null
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'EISDIR') return null
    throw new RemnantError('malformed', `"${name}" in the home folder can't be read`, { cause })
  }
}
