import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Arguments, Host } from '../src/command.ts'
import { type Files, openFiles } from '../src/host/files.ts'
import { type Git, type Repository, openGit, openRepository } from '../src/host/git.ts'
import type { Store } from '../src/model/store.ts'
import type { Sets } from '../src/model/sets.ts'
import { openStore } from '../src/store.ts'
import { prepared } from './prepared.ts'

export type Layout = 'plain' | 'worktree' | 'bare' | 'separate' | 'submodule' | 'sha256' | 'sha256-worktree' | 'reftable' | 'reftable-worktree'

export interface StageOptions {
  readonly layout?: Layout
  /** Files of the first commit; a README.md unless said otherwise. */
  readonly files?: Readonly<Record<string, string>>
  readonly sets?: Partial<Sets>
  /** A repository that is copied as it lies, in place of all of that. */
  readonly copied?: string
  /** Anything of the host that a test wants otherwise. */
  readonly host?: Partial<Host>
}

export interface Stage {
  /** Where the verb runs: the work tree's top, or the bare repository. */
  readonly dir: string
  /** The folder around all of it, removed with the stage. */
  readonly base: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly files: Files
  readonly host: Host
  readonly repository: Repository
  readonly store: Store
  /** What `host.warn` was given. */
  readonly warned: readonly string[]
  git(...args: readonly string[]): string
  write(path: string, text: string): void
  dispose(): void
}

/**
 * A real repository in a temporary folder, and a host that lives in it. It is removed when the test that made it ends;
 * one that was made outside a test is removed by `dispose`.
 */
export function stage(options: StageOptions = {}): Stage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'remnant-stage-')))
  const dispose = (): void => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  try {
    onTestFinished(dispose)
  } catch {
    // Made outside a test.
  }
  const dir = options.copied !== undefined ? copyOf(options.copied, join(base, 'repository')) : laidOut(options.layout ?? 'plain', base, options.files ?? { 'README.md': 'A project.\n' })
  const repository = openRepository(dir, ENV)
  const git = openGit(repository, ENV)
  const files = openFiles()
  const store = openStore({ repository, git: async () => git, files, disk: QUICK })
  const warned: string[] = []
  return { dir, base, env: ENV, files, repository, store, warned, dispose, host: hostIn(dir, { files, git, repository, store, warned, options }), git: (...args) => gitIn(dir, ...args), write: (path, text) => put(join(dir, path), text) }
}

/** The parsed arguments of a verb: options and positionals by name. */
export function given(values: Readonly<Record<string, boolean | string | number | readonly string[]>> = {}, rest: readonly string[] = []): Arguments {
  const one = (name: string): unknown => values[name]
  return {
    flag: (name) => one(name) === true,
    text: (name) => (typeof one(name) === 'string' ? (one(name) as string) : undefined),
    number: (name) => (typeof one(name) === 'number' ? (one(name) as number) : undefined),
    list: (name) => (Array.isArray(one(name)) ? (one(name) as string[]) : typeof one(name) === 'string' ? [one(name) as string] : []),
    rest,
  }
}

/** This process's environment without git's variables, with an identity and a clock of its own. */
export const ENV: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_AUTHOR_DATE: '2026-06-01T10:00:00Z',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_COMMITTER_DATE: '2026-06-01T10:00:00Z',
}

export const gitIn = (dir: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: dir, env: ENV as NodeJS.ProcessEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Waits for no disk: these repositories need not outlive a power cut. */
export const QUICK = { ...fs, fsyncSync: () => {} }

const NO_SETS: Sets = { formats: [], rules: [], toolchains: [], ephemera: [], mutations: [], probes: [] }

function hostIn(
  dir: string,
  { files, git, repository, store, warned, options }: { files: Files; git: Git; repository: Repository; store: Store; warned: string[]; options: StageOptions },
): Host {
  const unset = (name: string) => (): never => {
    throw new Error(`this stage has no ${name}`)
  }
  return {
    cwd: dir,
    env: ENV,
    installation: dirname(import.meta.dirname),
    sets: async () => ({ ...NO_SETS, ...options.sets }),
    files,
    processes: { collect: unset('processes'), through: unset('processes') },
    stdin: Readable.from([]),
    interactive: false,
    now: () => new Date('2026-06-01T12:00:00Z'),
    progress: () => {},
    warn: (line) => void warned.push(line),
    repository: async () => repository,
    git: async () => git,
    config: async () => ({ schema: 'git-remnant/config/1' }),
    store: async () => store,
    world: unset('world'),
    ...options.host,
  }
}

const MADE_WITH = { worktree: [], 'sha256-worktree': ['--object-format=sha256'], 'reftable-worktree': ['--ref-format=reftable'] }

/** Whether the user's git can keep refs in a table (2.45 or later). */
export const hasReftable = spawnSync('git', ['init', '-h'], { encoding: 'utf8' }).stdout.includes('--ref-format')

function laidOut(layout: Layout, base: string, files: Readonly<Record<string, string>>): string {
  const at = (name: string): string => join(base, name)
  const init = (name: string, ...more: string[]): void => void gitIn(base, 'init', '-q', '-b', 'main', ...more, name)
  const filled = (dir: string): string => {
    for (const [path, text] of Object.entries(files)) put(join(dir, path), text)
    gitIn(dir, 'add', '-A')
    gitIn(dir, 'commit', '-q', '--allow-empty', '-m', 'start')
    return dir
  }
  const committed = (name: string, ...more: string[]): string =>
    prepared(JSON.stringify(['stage', files, more]), at(name), () => {
      init(name, ...more)
      filled(at(name))
    })
  switch (layout) {
    case 'plain':
      return committed('repository')
    case 'bare':
      return prepared('bare', at('repository.git'), () => init('repository.git', '--bare'))
    case 'sha256':
      return committed('repository', '--object-format=sha256')
    case 'reftable':
      return committed('repository', '--ref-format=reftable')
    case 'separate':
      init('work', `--separate-git-dir=${at('elsewhere')}`)
      return filled(at('work'))
    case 'worktree':
    case 'sha256-worktree':
    case 'reftable-worktree':
      gitIn(committed('main', ...MADE_WITH[layout]), 'worktree', 'add', '-q', '-b', 'other', at('linked'))
      return at('linked')
    case 'submodule': {
      init('above')
      gitIn(at('above'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', committed('source'), 'below')
      return at('above/below')
    }
  }
}

function copyOf(repository: string, to: string): string {
  cpSync(repository, to, { recursive: true })
  return to
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
