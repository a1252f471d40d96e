import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { disk } from './memory.ts'
import { prepared } from './prepared.ts'
import { answered, isReady } from './ready.ts'

const top = fileURLToPath(new URL('..', import.meta.url))

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CloneOptions {
  /** Lines for the user's own (global) git configuration. */
  readonly config?: string
  /** The package is a copy of its own, which a test may move away; slower. */
  readonly movable?: boolean
  /** Each verb is a process of its own, started by git, as for a user; slower. Where the process itself is what is tested. */
  readonly fresh?: boolean
  /** It lies on the disk, whatever holds the temporary files: among devices nothing is a file that somebody wrote. */
  readonly onDisk?: boolean
}

/** A user's machine in a temporary folder: a home, the built git-remnant on PATH, and a repository with one commit. */
export interface Clone {
  readonly base: string
  readonly dir: string
  /** The package's folder. */
  readonly installation: string
  /** Runs a program in the work tree (or a folder of the base). `input`: its standard input. */
  run(argv: readonly string[], options?: { readonly cwd?: string; readonly input?: string; readonly env?: Readonly<Record<string, string>> }): Ran
  /** Git; its output. Throws where git fails. */
  git(...args: readonly string[]): string
  /** `git remnant …`, through git itself or as it would answer so. */
  remnant(...args: readonly string[]): Ran
  remnantIn(cwd: string, ...args: readonly string[]): Ran
  write(path: string, text: string, mode?: number): string
  read(path: string): string | null
}

export function clone(options: CloneOptions = {}): Clone {
  const base = realpathSync(mkdtempSync(join(options.onDisk ? disk() : tmpdir(), "remnant's clone-")))
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const dir = join(base, 'work')
  const installation = options.movable ? join(base, 'package') : realpathSync(top)
  if (options.movable) for (const part of ['dist', 'hooks']) cpSync(join(top, part), join(installation, part), { recursive: true })
  for (const folder of ['home', 'bin']) mkdirSync(join(base, folder))
  symlinkSync(join(installation, 'dist/git-remnant.cjs'), join(base, 'bin/git-remnant'))
  chmodSync(join(installation, 'dist/git-remnant.cjs'), 0o755)
  writeFileSync(join(base, 'home/.gitconfig'), `[user]\n\tname = A User\n\temail = user@example.com\n[init]\n\tdefaultBranch = main\n${options.config ?? ''}`)
  // A test is the same however it was started: what npm sets for its scripts says nothing of a user's machine.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  const env = {
    ...inherited,
    HOME: join(base, 'home'),
    XDG_CONFIG_HOME: join(base, 'home/.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    PATH: `${join(base, 'bin')}${delimiter}${process.env.PATH}`,
  }
  const run: Clone['run'] = ([program = '', ...args], { cwd = dir, input = '', env: more = {} } = {}) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, input, env: { ...env, ...more }, encoding: 'utf8' })
    if (error && status === null && stdout === null) throw error
    return { status, stdout, stderr }
  }
  const git: Clone['git'] = (...args) => {
    const { status, stdout, stderr } = run(['git', ...args])
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const remnantIn: Clone['remnantIn'] = (cwd, ...args) => (!options.movable && !options.fresh && isReady(args) ? answered(args, { cwd, env }) : run(['git', 'remnant', ...args], { cwd }))
  const at = (path: string): string => join(dir, path)
  const made: Clone = {
    base,
    dir,
    installation,
    run,
    git,
    remnant: (...args) => remnantIn(dir, ...args),
    remnantIn,
    write: (path, text, mode) => {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), text)
      if (mode !== undefined) chmodSync(at(path), mode)
      return at(path)
    },
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : null),
  }
  prepared(JSON.stringify(['clone', options.config]), dir, () => {
    made.write('README.md', 'A project.\n')
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
  })
  return made
}

/** Leaves something to seal: an unsealed journal of a command that passed. */
export const work = ({ remnant }: Clone, what = '0'): Ran => remnant('run', '--', 'node', '-e', what)

/** Digests of the remnants that have refs. */
export const remnantsOf = ({ git }: Clone): string[] =>
  git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/remnants')
    .split('\n')
    .filter((name) => name !== '')
