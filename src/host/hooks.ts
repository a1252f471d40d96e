import { accessSync, constants, lstatSync, realpathSync, rmdirSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path'
import type { Files } from './files.ts'
import type { Git, Repository } from './git.ts'
import {
  HOOK_NAMES,
  type HookName,
  blockIn,
  blockOf,
  handLineOf,
  interpreterOf,
  newHook,
  programOf,
  withBlock,
  withoutBlock,
} from './hooks/text.ts'
import type { Processes } from './processes.ts'

/** Where git reads hooks from here. */
export interface HookFolder {
  readonly path: string
  /** Why nothing is written there (`is tracked`); null: the folder is this clone's own. */
  readonly foreign: string | null
  /** The folder in which husky keeps what people write; null: no husky. */
  readonly husky: string | null
}

/** What became of one hook at `init`. */
export interface Installed {
  readonly name: HookName
  /** The file that git runs, or where the line is to be added. */
  readonly path: string
  readonly state: 'installed' | 'updated' | 'unchanged' | 'by hand'
  /** Why nothing was changed. */
  readonly reason: string | null
  /** The one line to add by hand, or (`foreign`: the hook is no shell script) the program to start from it. */
  readonly line: string | null
  readonly foreign?: boolean
}

/** Whether git would come to our hook here, and what shows or prevents it. */
export interface Reach {
  readonly name: HookName
  readonly ok: boolean
  readonly note: string
  readonly hint: string | null
}

/** Asks the user's git, which knows its own, the global and the system's configuration. */
export async function hookFolder(git: Git): Promise<HookFolder> {
  const { commonDir, workTree } = git.repository
  const top = workTree ?? commonDir
  const path = resolve(top, Buffer.from(await git.run(['rev-parse', '--git-path', 'hooks'])).toString('utf8').trim())
  const [scope, value] = (await answer(git, ['config', '--show-scope', '--get', 'core.hooksPath'])).split('\t')
  if (value === undefined) return { path, foreign: null, husky: null }
  const set = `hooks are read from "${value}" (core.hooksPath)`
  const husky = basename(path) === '.husky' ? path : basename(dirname(path)) === '.husky' ? dirname(path) : null
  if (husky !== null) return { path, foreign: 'husky runs the hooks here', husky }
  if (scope !== 'local' && scope !== 'worktree') return { path, foreign: `${set}, which more repositories share`, husky }
  if (isWithin(commonDir, path)) return { path, foreign: null, husky }
  if (!isWithin(top, path)) return { path, foreign: `${set}, outside this repository`, husky }
  const tracked = await answer(git, ['ls-files', '--', relative(top, path)])
  return { path, foreign: tracked === '' ? null : `${set}, which is tracked`, husky }
}

/** Installs one hook so that it really runs, or says why it was left alone. A second time changes nothing. */
export function installHook(name: HookName, folder: HookFolder, installation: string, files: Files): Installed {
  const path = join(folder.path, name)
  const byHand = (reason: string, at = path): Installed => {
    const foreign = at === path && interpreterOf(textOf(files, path))?.shell === false
    return { name, path: at, state: 'by hand', reason, line: foreign ? programOf(name, installation) : handLineOf(name, installation), foreign }
  }
  if (folder.foreign !== null) return byHand(folder.foreign, folder.husky === null ? path : join(folder.husky, name))
  const block = blockOf(name, oneByte(installation))
  const kind = kindOf(path)
  if (kind === null) {
    files.write(path, latin1(newHook(block, kindOf(folder.path) === null)), 0o755)
    return { name, path, state: 'installed', reason: null, line: null }
  }
  if (kind !== 'file') return byHand('the hook is a link to elsewhere')
  const hook = textOf(files, path)
  const found = blockIn(hook)
  if (found?.block === block) return { name, path, state: 'unchanged', reason: null, line: null }
  const reason = found === null ? whyNot(path, hook) : null
  if (reason !== null) return byHand(reason)
  files.write(path, latin1(withBlock(hook, block)), modeOf(path))
  return { name, path, state: found === null ? 'installed' : 'updated', reason: null, line: null }
}

/** Takes our blocks out of the hooks, which are then byte for byte as before; what `init` made goes. The hooks that had one. */
export function uninstallHooks(folder: string, files: Files): HookName[] {
  const undone = HOOK_NAMES.flatMap((name) => {
    const path = join(folder, name)
    const hook = kindOf(path) === 'file' ? textOf(files, path) : ''
    return blockIn(hook) === null ? [] : [{ name, path, ...withoutBlock(hook) }]
  })
  for (const { path, text } of undone) {
    if (text === null) files.remove(path)
    else files.write(path, latin1(text), modeOf(path))
  }
  if (undone.some((one) => one.folder)) removeEmpty(folder)
  return undone.map(({ name }) => name)
}

/**
 * Proves that git would come to our hook. Of the hook's own text only our block is run, with a mark that makes our program answer
 * and end: a person's code is never started for this.
 */
export async function reachOf(name: HookName, folder: HookFolder, installation: string, world: ReachWorld): Promise<Reach> {
  const path = join(folder.path, name)
  const kind = kindOf(path)
  const hook = kind === null ? '' : textOf(world.files, path)
  const no = (note: string, hint: string): Reach => ({ name, ok: false, note: `not reachable: ${note}`, hint })
  const yes = (note: string): Reach => ({ name, ok: true, note: `reachable: ${note}`, hint: null })
  if (!onPath('git-remnant', world.env)) return no('there is no git-remnant on PATH', 'put the folder of the program "git-remnant" on PATH')
  const found = blockIn(hook)
  const obstacle = folder.foreign ?? (kind === null ? null : whyNot(path, hook))
  if (obstacle !== null || (found === null && kind !== null)) {
    const at = folder.husky === null ? path : join(folder.husky, name)
    const hint = obstacle === null ? 'git remnant init' : whatToAdd(name, at, installation, interpreterOf(hook)?.shell === false)
    const place = isExecutable(path) ? places(name, folder, world.workTree).find((file) => names(textOf(world.files, file), name, installation)) : undefined
    if (place === undefined) return no(obstacle ?? `our block is not in ${path}`, hint)
    if (!(await answers([programOf(name, installation)]))) return no(`${programOf(name, installation)} does not run`, 'git remnant init')
    return yes(`its line stands in ${place}; what comes before it there was not run`)
  }
  if (found === null) return no(`there is no ${path}`, 'git remnant init')
  if (!found.first) return no(`our block in ${path} is not the first thing in it`, 'move it right behind the first line')
  const own = names(found.block, name, installation)
  const reached = await answers([...(interpreterOf(hook)?.argv ?? []), '-c', `exec </dev/null\n${asTyped(found.block)}\n`, name])
  if (reached) return yes(own ? `${path} comes to it` : `${path} comes to it in another package than this one`)
  return no(own ? `${path} does not come to ${programOf(name, installation)}` : `${path} names a package that is gone`, 'git remnant init')

  async function answers(argv: readonly string[]): Promise<boolean> {
    return (await world.run(argv)).includes(`git-remnant ${name}`)
  }
}

const names = (text: string, name: HookName, installation: string): boolean =>
  text.includes(oneByte(programOf(name, installation)).replaceAll("'", `'\\''`))

export interface ReachWorld {
  readonly files: Files
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workTree: string
  readonly commonDir: string
  /** Runs a program with the mark; its output. */
  run(argv: readonly string[]): Promise<string>
}

export const reachWorld = (repository: Repository, env: ReachWorld['env'], files: Files, processes: Processes): ReachWorld => {
  const workTree = repository.workTree ?? repository.commonDir
  return {
    files,
    env,
    workTree,
    commonDir: repository.commonDir,
    run: async (argv) =>
      (await processes.collect(argv, { cwd: workTree, env: { ...env, REMNANT_PROBE: '1' }, timeout: PROBE_LIMIT_MS, limit: 4096 })).stdout,
  }
}

const PROBE_LIMIT_MS = 10_000

/** Files in which a line added by hand may stand. */
const places = (name: HookName, folder: HookFolder, workTree: string): string[] => [
  ...(folder.husky === null ? [] : [join(folder.husky, name)]),
  join(folder.path, name),
  ...['lefthook.yml', '.lefthook.yml', 'lefthook-local.yml', '.lefthook-local.yml', '.pre-commit-config.yaml'].map((file) => join(workTree, file)),
]

/** What a person has to add where we don't: a line of shell, or a call out of another language. */
export const whatToAdd = (name: HookName, at: string, installation: string, foreign: boolean): string =>
  foreign
    ? `let ${at} start ${programOf(name, installation)} with its own arguments${name === 'pre-push' ? ' and standard input, and end with 1 where that does' : ''}`
    : `add this line to ${at}: ${handLineOf(name, installation)}`

/** Why a hook that somebody else wrote is left alone, or null. */
function whyNot(path: string, hook: string): string | null {
  if (kindOf(path) !== 'file') return 'the hook is a link to elsewhere'
  if (/\blefthook\b/i.test(hook)) return 'lefthook writes this hook'
  if (/\bpre-commit\.com\b|\bpre_commit\b/.test(hook)) return 'pre-commit writes this hook'
  const interpreter = interpreterOf(hook)
  if (interpreter === null) return 'the hook does not say what runs it'
  if (!interpreter.shell) return 'the hook is not a shell script'
  if (!isExecutable(path)) return 'the hook is switched off: it is not executable'
  return null
}

async function answer(git: Git, args: readonly string[]): Promise<string> {
  const { stdout } = await git.try(args)
  return Buffer.from(stdout).toString('utf8').replace(/\n$/, '')
}

/** Whether a program is found on PATH. */
export function onPath(program: string, env: ReachWorld['env']): boolean {
  const ends = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  return (env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && ends.some((end) => isExecutable(join(folder, program + end))))
}

function kindOf(path: string): 'file' | 'folder' | 'other' | null {
  try {
    const stat = lstatSync(path)
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
  } catch {
    return null
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777

function isWithin(folder: string, path: string): boolean {
  const way = relative(real(folder), real(path))
  return way !== '..' && !way.startsWith('../') && !way.startsWith('/')
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** One character a byte, so that a hook in any encoding comes back as it was. */
const textOf = (files: Files, path: string): string => Buffer.from(files.read(path) ?? []).toString('latin1')
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const oneByte = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const asTyped = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody put something into it.
  }
}
