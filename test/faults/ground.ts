import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

export interface Ran {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export type Env = Readonly<Record<string, string>>

/**
 * A user's machine that can be put back as it was: a home, the built program on PATH, a repository `work` with a remote `remote.git`,
 * and whatever `keep` then keeps.
 */
export interface Ground {
  readonly dir: string
  readonly base: string
  run(argv: readonly string[], env?: Env, cwd?: string): Ran
  /** `git remnant …`, by Node alone. */
  remnant(args: readonly string[], env?: Env): Ran
  argvOf(args: readonly string[]): string[]
  readonly env: Env
  git(...args: readonly string[]): string
  write(path: string, text: string): void
  /** What is here now is what `back` brings again. */
  keep(): void
  back(): void
  dispose(): void
}

/** `home`: the package's folder. */
export function ground(home: string): Ground {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'remnant-faults-')))
  const base = join(top, 'now')
  const dir = join(base, 'work')
  for (const folder of ['home', 'bin', 'work']) mkdirSync(join(base, folder), { recursive: true })
  const program = join(home, 'dist/git-remnant.cjs')
  symlinkSync(program, join(base, 'bin/git-remnant'))
  writeFileSync(join(base, 'home/.gitconfig'), '[user]\n\tname = A User\n\temail = user@example.com\n[init]\n\tdefaultBranch = main\n[core]\n\tfsync = none\n')
  const env: Env = {
    ...(Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:GIT_|NODE_|REMNANT)/.test(name))) as Env),
    HOME: join(base, 'home'),
    XDG_CONFIG_HOME: join(base, 'home/.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    PATH: `${join(base, 'bin')}${delimiter}${process.env.PATH}`,
  }
  const run: Ground['run'] = ([name = '', ...args], more = {}, cwd = dir) => {
    const { status, signal, stdout, stderr } = spawnSync(name, args, { cwd, env: { ...env, ...more }, encoding: 'utf8', input: '', timeout: 60_000, maxBuffer: 1 << 28 })
    return { status, signal, stdout: stdout ?? '', stderr: stderr ?? '' }
  }
  const argvOf = (args: readonly string[]): string[] => [process.execPath, program, ...args]
  const git: Ground['git'] = (...args) => {
    const { status, stdout, stderr } = run(['git', ...args])
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const copy = (from: string, to: string): void => {
    rmSync(to, { recursive: true, force: true })
    const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  run(['git', 'init', '-q', '--bare', 'remote.git'], {}, base)
  git('init', '-q')
  const made: Ground = {
    dir,
    base,
    run,
    git,
    env,
    argvOf,
    remnant: (args, more) => run(argvOf(args), more),
    write: (path, text) => {
      mkdirSync(dirname(join(dir, path)), { recursive: true })
      writeFileSync(join(dir, path), text)
    },
    keep: () => copy(base, join(top, 'kept')),
    back: () => copy(join(top, 'kept'), base),
    dispose: () => rmSync(top, { recursive: true, force: true }),
  }
  made.write('README.md', 'A project.\n')
  made.write('package.json', '{"name":"p","scripts":{"test":"node --test"}}\n')
  made.write('check.mjs', 'process.exit(0)\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('remote', 'add', 'origin', '../remote.git')
  git('push', '-q', 'origin', 'main')
  return made
}

/** Content of each remnant that git has in a repository, by its ref; `damaged` where it can't be had, or is not what the name says. */
export function remnantsIn({ run }: Ground, cwd?: string): Map<string, string> {
  const { stdout } = run(['git', 'for-each-ref', '--format=%(refname)', 'refs/remnants'], {}, cwd)
  return new Map(
    stdout.split('\n').flatMap((ref): [string, string][] => {
      const digest = /^refs\/remnants\/([0-9a-f]{64})$/.exec(ref)?.[1]
      if (digest === undefined) return ref === '' ? [] : [[ref, 'other']]
      const blob = run(['git', 'cat-file', 'blob', `${ref}:.remnants/${digest.slice(0, 2)}/${digest}.json`], {}, cwd)
      return [[ref, blob.status === 0 && createHash('sha256').update(blob.stdout).digest('hex') === digest ? blob.stdout : 'damaged']]
    }),
  )
}

/** All that a verb should leave behind, in a form that does not depend on times, process ids, or on how often something was noted. */
export function stateOf(at: Ground): Record<string, string> {
  const state: Record<string, string> = {}
  const take = (folder: string, name: string, text: (text: string) => string = (same) => same): void => {
    const path = join(folder, name)
    if (!existsSync(path) || !lstatSync(path).isFile()) return
    state[path.slice(at.base.length)] = text(readFileSync(path, 'latin1'))
  }
  const sorted = (text: string): string => [...new Set(text.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line)))].sort().join('\n')
  const git = join(at.dir, '.git')
  const local = join(git, 'remnant')
  for (const [ref, text] of remnantsIn(at)) state[ref] = text
  for (const [ref, text] of remnantsIn(at, join(at.base, 'remote.git'))) state[`remote ${ref}`] = text
  for (const name of namesIn(join(git, 'hooks'))) take(join(git, 'hooks'), name)
  take(join(git, 'info'), 'exclude')
  for (const name of ['config.json', 'agents.json', 'signers']) take(local, name)
  for (const name of ['own', 'reported']) take(local, name, sorted)
  take(local, 'approvals', (text) => [...new Map([...text.matchAll(/^\w+ \w+ ([0-9a-f]{64})$/gm)].map(([line, id]) => [id, line]))].map(([, line]) => line).sort().join('\n'))
  for (const name of namesIn(join(local, 'tombstones'))) state[`tombstone ${name}`] = String(namesIn(join(local, 'tombstones', name)).length > 0)
  for (const name of namesIn(join(local, 'journals'))) if (name.endsWith('.jsonl')) state[`journal ${name.replace(/\.\d+\.taken/, '')}`] = 'open'
  take(join(at.dir, '.claude'), 'settings.local.json')
  for (const folder of namesIn(join(at.dir, '.remnants')))
    for (const name of namesIn(join(at.dir, '.remnants', folder))) if (!name.startsWith('.')) take(join(at.dir, '.remnants', folder), name)
  return state
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
