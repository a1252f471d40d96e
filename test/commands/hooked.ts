import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import deinit from '../../src/commands/deinit.ts'
import doctor from '../../src/commands/doctor.ts'
import init from '../../src/commands/init.ts'
import type { Answer } from '../../src/command.ts'
import { openGit } from '../../src/host/git.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { ENV, type Layout, type Stage, given, stage } from '../stage.ts'

export interface Hooked extends Stage {
  /** Writes a file with its mode, or a link. */
  put(path: string, content: string | { readonly link: string }, mode?: number): string
  init(values?: Record<string, boolean | string>, more?: { installation?: string }): Promise<Answer>
  deinit(values?: Record<string, boolean>): Promise<Answer>
  doctor(more?: { env?: Record<string, string>; installation?: string }): Promise<Answer>
  read(path: string): string
  /** Every file of the common git directory and the work tree that init and deinit could touch: mode and content, by path. */
  picture(): Record<string, string>
}

/** A stage with a git-remnant on PATH, on which the verbs that install and take away can be run. */
export function hooked(layout: Layout = 'plain', config = ''): Hooked {
  const set = stage({ layout, host: {} })
  const { base, repository } = set
  const global = join(base, 'global-config')
  writeFileSync(global, config)
  mkdirSync(join(base, 'bin'))
  writeFileSync(join(base, 'bin/git-remnant'), '#!/bin/sh\n', { mode: 0o755 })
  const env = { ...ENV, GIT_CONFIG_GLOBAL: global, PATH: `${join(base, 'bin')}${delimiter}${ENV.PATH}` }
  const host = { ...set.host, env, git: async () => openGit(repository, env), processes: openProcesses(), world: async () => ({ rootCommit: async () => 'a'.repeat(40) }) as never }
  const top = repository.workTree ?? repository.commonDir
  const at = (path: string): string => (path.startsWith('.git/') ? join(repository.commonDir, path.slice(5)) : join(top, path))
  return {
    ...set,
    put: (path, content, mode = 0o644) => {
      mkdirSync(dirname(at(path)), { recursive: true })
      if (typeof content !== 'string') symlinkSync(content.link, at(path))
      else {
        writeFileSync(at(path), content, 'latin1')
        chmodSync(at(path), mode)
      }
      return at(path)
    },
    read: (path) => readFileSync(at(path), 'latin1'),
    init: (values = {}, more = {}) => init.run(given(values), { ...host, ...more }),
    deinit: (values = {}) => deinit.run(given(values), host),
    doctor: (more = {}) => doctor.run(given(), { ...host, ...more, env: { ...env, ...more.env } }),
    picture: () => {
      const found: Record<string, string> = {}
      const look = (path: string): void => {
        const stat = lstatSync(path, { throwIfNoEntry: false })
        if (stat === undefined) return
        const name = relative(base, path)
        if (stat.isDirectory()) {
          found[name] = 'folder'
          for (const entry of readdirSync(path)) if (!['objects', 'logs', 'index', 'COMMIT_EDITMSG'].includes(entry)) look(join(path, entry))
        } else found[name] = stat.isSymbolicLink() ? `link ${readlinkSync(path)}` : `${(stat.mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`
      }
      for (const path of [repository.commonDir, top]) if (existsSync(path)) look(path)
      return found
    },
  }
}
