import { type Stats, accessSync, constants, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, parse, relative, sep } from 'node:path'
import { blobId } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Program } from '../../model/probe.ts'
import type { Env } from '../git.ts'
import type { Processes } from '../processes.ts'
import { headOf } from './head.ts'
import { changedAt, isWithin, locate, lstatOf, realOrNull, stepsOf } from './paths.ts'
import { packageVersion, pinnedVersion, pythonVersion } from './installed.ts'
import type { VersionCache } from './versions.ts'

const VERSION_LIMIT_MS = 2000
const VERSION_OUTPUT = 4000
/** Read from their own package.json: they take half a second to say it, and corepack's stand-ins may download to do so. */
const PACKAGE_MANAGERS = new Set(['npm', 'npx', 'yarn', 'yarnpkg', 'pnpm', 'pnpx', 'corepack'])
/** Programs that know no `--version`. */
const ASKED_OTHERWISE: ReadonlyMap<string, readonly string[]> = new Map([
  ['go', ['version']],
  ['ssh', ['-V']],
])
/** A program asks for its version with this of our environment; a loader's or a tool's own switches (NODE_OPTIONS, GIT_*) stay out. */
const KEPT_ENV = /^(?:HOME|USER|LOGNAME|USERPROFILE|SystemRoot|PATHEXT|TMPDIR|TMP|TEMP|XDG_\w+|(?:JAVA|CARGO|RUSTUP|PYENV|RBENV|NVM|VOLTA|ASDF_DATA|MISE_DATA)_(?:HOME|ROOT|DIR))$/

interface Surroundings {
  readonly top: string
  /** Folders whose programs are the repository's: this work tree, and the main one. */
  readonly own: readonly string[]
  readonly env: Env
  readonly processes: Processes
  readonly cache: VersionCache
  /** Git's blob id of a file in the work tree. */
  readonly blob: (path: string) => Promise<string | null>
}

export interface Programs {
  find(name: string, folder: string): Program | null
  version(program: Program): Promise<string | null>
}

/** Finds programs as a shell in the work tree would, and tells their versions without running anything of the repository. */
export function openPrograms(around: Surroundings): Programs {
  const folders = pathFolders(around)
  const asked = new Map<string, Promise<string | null>>()
  return {
    find: (name, folder) => (name.includes('/') ? ownFile(name, around) : find(name, folder, folders, around)),
    version(program) {
      const known = asked.get(program.found) ?? versionOf(program, folders, around)
      asked.set(program.found, known)
      return known
    },
  }
}

/** A folder of PATH. Relative entries mean another folder each time, and count for nothing. */
interface PathFolder {
  readonly path: string
  /** Links followed, when it is asked for: most folders hold no program that is looked for. null: there is no such folder. */
  readonly real: string | null
  /** It is the repository's, so that nothing in it is run. */
  readonly own: boolean
}

function pathFolders({ env, own }: Surroundings): readonly PathFolder[] {
  return (env.PATH ?? '').split(delimiter).filter(isAbsolute).map((path) => {
    let real: string | null | undefined
    return {
      path,
      get real() {
        return (real ??= realOrNull(path))
      },
      get own() {
        const folder = this.real
        return folder !== null && own.some((one) => isWithin(one, folder))
      },
    }
  })
}

function find(name: string, folder: string, path: readonly PathFolder[], around: Surroundings): Program | null {
  if (name === '' || name === '.' || name === '..') throw new RemnantError('malformed', 'key names no program')
  const steps = stepsOf(folder)
  for (let n = steps.length; n >= 0; n--) {
    const found = programAt(join(around.top, ...steps.slice(0, n), 'node_modules', '.bin', name), true, around)
    if (found !== null) return found
  }
  for (const place of path) {
    const found = join(place.path, name)
    const program = statOf(found) === undefined ? null : programAt(found, place.own, around)
    if (program !== null) return program
  }
  return null
}

/** A file of the work tree; that it is a link out of it changes nothing: it is not run from here. */
function ownFile(path: string, around: Surroundings): Program | null {
  const steps = stepsOf(path)
  const folder = locate(steps.slice(0, -1).join('/') || '.', around.top)
  return folder === null ? null : programAt(join(folder.real, steps.at(-1) ?? ''), true, around, true)
}

function programAt(found: string, own: boolean, around: Surroundings, anyMode = false): Program | null {
  // Most places hold no such file, and a stat says so without an exception.
  const stat = statOf(found)
  const path = stat?.isFile() ? realOrNull(found) : null
  if (stat === undefined || path === null || !(anyMode || isExecutable(path))) return null
  const link = lstatOf(found)
  const changed = Math.max(changedAt(stat), link === undefined ? 0 : changedAt(link))
  return { found, path, own: own || around.own.some((folder) => isWithin(folder, path)), size: stat.size, changed, inode: stat.ino }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

async function versionOf(program: Program, path: readonly PathFolder[], around: Surroundings): Promise<string | null> {
  const name = basename(program.found)
  if (program.own) return ownVersion(program, path, around)
  if (PACKAGE_MANAGERS.has(name)) {
    const read = packageVersion(program, parse(program.path).root)
    if (read !== null) return read.package === 'corepack' && name !== 'corepack' ? pinnedVersion(name, around.top) : read.version
  }
  if (program.path === ownPath()) return process.version
  const cached = around.cache.get(program)
  if (cached !== null) return cached
  const says = await ask(program, name, path, around)
  if (says !== null && isSteady(program, name)) around.cache.set(program, says)
  return says
}

/**
 * What a program of the repository says of its version, without running it: that would be the repository's code.
 * Its package says it, or the Python distribution that made it; else the file itself is its version.
 */
async function ownVersion(program: Program, path: readonly PathFolder[], around: Surroundings): Promise<string | null> {
  const { top } = around
  const read = packageVersion(program, isWithin(top, program.path) ? top : parse(program.path).root) ?? pythonVersion(program)
  if (read !== null) return read.version
  const system = path.find(({ real, own }) => !own && dirname(program.path) === real)
  if (system !== undefined) return versionOf({ ...program, found: program.path, own: false }, path, around)
  const blob = isWithin(top, program.path) ? await around.blob(relative(top, program.path).split(sep).join('/')) : null
  return `file ${blob ?? blobId(readFileSync(program.path))}`
}

/** Runs `PROGRAM --version` where no project can steer it: at the root, with little environment, and none of the repository's folders on PATH. */
async function ask(program: Program, name: string, path: readonly PathFolder[], { env, own, processes }: Surroundings): Promise<string | null> {
  const kept = Object.entries(env).filter(([key, value]) => KEPT_ENV.test(key) && value !== undefined && !own.some((folder) => value.includes(folder)))
  const trusted = path.filter((folder) => folder.real !== null && !folder.own).map((folder) => folder.path)
  const { status, signal, timedOut, stdout, output } = await processes.collect([program.found, ...(ASKED_OTHERWISE.get(name) ?? ['--version'])], {
    cwd: parse(program.found).root,
    env: { ...Object.fromEntries(kept), PATH: trusted.join(delimiter), LC_ALL: 'C' },
    timeout: VERSION_LIMIT_MS,
    limit: 64 * 1024,
  })
  if (timedOut || signal !== null || status === 126 || status === 127) return null
  const says = `${stdout.slice(0, VERSION_OUTPUT)}\n${output.slice(0, VERSION_OUTPUT)}`.trim()
  // A complaint about the question is no answer to it.
  return says === '' || (status !== 0 && !/\d\.\d/.test(says)) ? `file ${blobId(readFileSync(program.path))}` : says
}

/**
 * Whether the program's own file decides its version. A shell script hands over to others; so does a binary that goes by many names
 * (rustup, mise, volta): what stands behind them changes while they stay.
 */
function isSteady({ path }: Program, name: string): boolean {
  if (!basename(path).toLowerCase().includes(name.toLowerCase())) return false
  return !/^#![^\n]*\b(?:ba|da|k|z|a)?sh\b/.test(headOf(path, 120))
}

const ownPath = (): string | null => realOrNull(process.execPath)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
