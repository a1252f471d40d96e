import { relative } from 'node:path'
import { RemnantError, codeOf } from '../base/errors.ts'
import { type Env, withoutGit } from './git/environment.ts'
import { type Repository, openRepository } from './git/repository.ts'

export { type Env, type Repository, openRepository, withoutGit }

/** The user's own git, started with an argument list, without inherited `GIT_*` variables of a hook. */
export interface Git {
  readonly repository: Repository
  /** Standard output of a git command that must succeed. Throws RemnantError with git's own first line. */
  run(args: readonly string[], options?: GitOptions): Promise<Uint8Array>
  /** Status and output, whatever they are. */
  try(args: readonly string[], options?: GitOptions): Promise<{ readonly status: number; readonly stdout: Uint8Array; readonly stderr: string }>
}

export interface GitOptions {
  readonly input?: string | Uint8Array
  readonly cwd?: string
  /** Set over what git is started with anyway. */
  readonly env?: Env
  /** Milliseconds, after which git and all that it started are ended; its status is then 124. */
  readonly timeout?: number
}

/** The user's git for a repository. Nothing is started before the first command; without a git on PATH that throws `missing`. */
export function openGit(repository: Repository, env: Env): Git {
  const home = repository.workTree ?? repository.gitDir
  const clean = { ...withoutGit(env), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
  const named = isFoundFrom(home, repository)
    ? clean
    : { ...clean, GIT_DIR: repository.gitDir, ...(repository.workTree === null ? {} : { GIT_WORK_TREE: repository.workTree }) }
  const attempt: Git['try'] = (args, options = {}) => {
    const cwd = options.cwd ?? home
    return start(args, cwd, { ...(isWithin(home, cwd) ? named : clean), ...options.env }, options)
  }
  return {
    repository,
    try: attempt,
    run: async (args, options) => {
      const { status, stdout, stderr } = await attempt(args, options)
      if (status === 0) return stdout
      throw new RemnantError('missing', `git ${args.find((arg) => !arg.startsWith('-')) ?? ''} failed: ${firstLine(stderr) || `status ${status}`}`)
    },
  }
}

/**
 * A short question to git that is waited for, where the answer is needed at once: it has the whole process wait, so it is for
 * what only git can read and what takes it milliseconds. Throws `missing` without a git on PATH.
 */
export function gitNow(gitDir: string, args: readonly string[]): { readonly status: number; readonly stdout: string; readonly stderr: string } {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const env = { ...withoutGit(process.env), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  const { status, stdout, stderr, error } = spawnSync('git', [`--git-dir=${gitDir}`, ...args], { cwd: gitDir, env, encoding: 'utf8', maxBuffer: MOST_ANSWERED, windowsHide: true })
  if (error !== undefined) throw new RemnantError('missing', codeOf(error) === 'ENOENT' ? 'no program "git" on PATH' : 'program "git" can\'t be started', { hint: 'install git', cause: error })
  return { status: status ?? 128, stdout, stderr }
}

/** Bytes; refs of a million remnants. */
const MOST_ANSWERED = 256 * 1024 * 1024

/** Whether git itself would find this repository from its work tree; else it must be told. */
function isFoundFrom(home: string, repository: Repository): boolean {
  try {
    const found = openRepository(home, {}, null)
    return found.gitDir === repository.gitDir && found.workTree === repository.workTree
  } catch {
    return false
  }
}

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !/^\.\.[/\\]|^[A-Za-z]:|^\//.test(way))
}

function start(args: readonly string[], cwd: string, env: Env, { input = '', timeout }: GitOptions): ReturnType<Git['try']> {
  return new Promise((resolve, reject) => {
    // Loaded when it is needed: most verbs start no git, and every hook would wait for it.
    const { spawn } = process.getBuiltinModule('node:child_process')
    // In a group of its own, all that git starts for a transport can be ended with it.
    const child = spawn('git', args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true, detached: timeout !== undefined })
    let isLate = false
    // Asked first, so that git takes its locks and half-made files away; then made to.
    const end = (): void => {
      endGroup(child.pid, isLate ? 'SIGKILL' : 'SIGTERM')
      if (!isLate) clock = setTimeout(end, TERM_GRACE_MS)
      isLate = true
    }
    let clock = timeout === undefined ? undefined : setTimeout(end, Math.max(0, timeout))
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', (cause) => {
      clearTimeout(clock)
      const absent = codeOf(cause) === 'ENOENT'
      reject(new RemnantError('missing', absent ? 'no program "git" on PATH' : 'program "git" can\'t be started', { hint: 'install git', cause }))
    })
    child.on('close', (code, signal) => {
      clearTimeout(clock)
      const status = isLate ? 124 : (code ?? (signal === null ? 1 : 128))
      resolve({ status, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') })
    })
    // Git may end before it has read all; its status says what that means.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

const TERM_GRACE_MS = 1000

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has just ended by itself.
  }
}

const firstLine = (text: string): string => (text.trimStart().split('\n')[0] as string).trim()
