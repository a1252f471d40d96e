import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openFiles } from '../../src/host/files.ts'
import { openGit, openRepository } from '../../src/host/git.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { openWorld } from '../../src/host/world.ts'
import type { Config } from '../../src/model/config.ts'
import type { Reading } from '../../src/model/key.ts'
import type { Probe, World } from '../../src/model/probe.ts'
import { disk } from '../memory.ts'
import { prepared } from '../prepared.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A folder for one test, links followed, gone after it; on the disk, since no probe reads what lies among devices. */
export function folder(): string {
  const path = realpathSync(mkdtempSync(join(disk(), 'remnant-world-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A real repository and its world; each `world()` is a new moment. */
export interface Ground {
  readonly top: string
  readonly home: string
  git(...args: readonly string[]): string
  write(path: string, content: string | Uint8Array, mode?: number): void
  world(more?: { readonly env?: Env; readonly config?: Config; readonly top?: string }): World
}

export function ground(files: Readonly<Record<string, string>> = {}): Ground {
  const base = folder()
  const [top, home] = [join(base, 'repo'), join(base, 'home')]
  mkdirSync(home)
  const env: Env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
  }
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: top, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const write: Ground['write'] = (path, content, mode) => {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), content)
    if (mode !== undefined) chmodSync(join(top, path), mode)
  }
  prepared(JSON.stringify(['probes', files]), top, () => {
    mkdirSync(top)
    git('init', '-q', '-b', 'main')
    for (const [path, content] of Object.entries(files)) write(path, content)
    if (Object.keys(files).length === 0) return
    git('add', '-A')
    git('commit', '-q', '-m', 'first')
  })
  return {
    top,
    home,
    git,
    write,
    world({ env: more = {}, config = {}, top: other = top } = {}) {
      const repository = openRepository(other, {})
      const all = { ...env, ...more }
      return openWorld({ repository, git: openGit(repository, all), files: openFiles(), processes: openProcesses(), env: all, config })
    },
  }
}

/** What a probe reads; a fault is told as readKeys tells it. */
export async function read(probe: Probe, argument: string, world: World): Promise<Reading> {
  try {
    return await probe.read(argument, world)
  } catch (thrown) {
    return { unreadable: (thrown as Error).message }
  }
}

export const valueOf = async (probe: Probe, argument: string, world: World): Promise<string> => {
  const reading = await read(probe, argument, world)
  return 'value' in reading ? reading.value : `unreadable: ${reading.unreadable}`
}

/** A program that writes a line to a log each time that it is run, then does as it is told. */
export function program(path: string, log: string, then: string, interpreter = '/bin/sh'): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!${interpreter}\n${interpreter.includes('perl') ? `open(my $f, '>>', '${log}'); print $f "run\\n"; close $f;\n` : `echo run >> '${log}'\n`}${then}\n`)
  chmodSync(path, 0o755)
}

export const runsIn = (log: string): number => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0)
