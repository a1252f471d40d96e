import type { Readable } from 'node:stream'
import type { Config } from './model/config.ts'
import type { Sets } from './model/sets.ts'
import type { Store } from './model/store.ts'
import type { World } from './model/probe.ts'
import type { Files } from './host/files.ts'
import type { Git, Repository } from './host/git.ts'
import type { Processes } from './host/processes.ts'

/** All that a verb may reach of the outside, handed in by `cli.ts`. Nothing here is opened before it is asked for. */
export interface Host {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the package that this program came in: absolute, links followed. */
  readonly installation: string
  readonly files: Files
  readonly processes: Processes
  readonly stdin: Readable
  readonly interactive: boolean
  /** Standard output belongs to one JSON document. */
  readonly json?: boolean
  now(): Date
  /** The members of all sets, loaded when first asked for: most verbs need none of them. */
  sets(): Promise<Sets>
  /** The kinds of keys without the other sets, for verbs that need no more. */
  probes?(): Promise<Sets['probes']>
  /** Lines for a person while the work goes on: stderr, on a terminal only. */
  progress(line: string): void
  /** Lines that a person must see whatever happens: stderr. */
  warn(line: string): void
  /** The repository around `cwd`. Throws `missing` outside one, or for a format that is refused. */
  repository(): Promise<Repository>
  git(): Promise<Git>
  config(): Promise<Config>
  store(): Promise<Store>
  /** A new look at each call: what one world has read, it keeps. Throws `missing` in a bare repository, which has no work tree. */
  world(): Promise<World>
}

/** What a verb answers. `text` for people, `data` for `--json`; `lines` instead for plumbing, one JSON value a line. */
export interface Answer {
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
  /** `data` as a JSON text, where somebody has that already. */
  readonly written?: () => string
  readonly lines?: AsyncIterable<unknown>
  /** Exit status; 0 unless said otherwise. May be a promise that settles when `lines` have been written. */
  readonly status?: number | (() => number)
}

export interface Option {
  readonly type: 'boolean' | 'string' | 'number'
  /** Given more than once, a list. */
  readonly many?: boolean
  /** What stands for the value in help (`FILE`). */
  readonly value?: string
  readonly describe: string
}

export interface Positional {
  readonly name: string
  readonly describe: string
  readonly required?: boolean
  readonly many?: boolean
}

/** The parsed arguments of a verb: options by name, positionals by name, and what stood behind `--`. */
export interface Arguments {
  flag(name: string): boolean
  text(name: string): string | undefined
  number(name: string): number | undefined
  list(name: string): readonly string[]
  readonly rest: readonly string[]
}

export interface Command {
  readonly name: string
  readonly kind: 'porcelain' | 'plumbing'
  /** One line, as help shows it. */
  readonly summary: string
  /** More lines for the verb's own help and the man page. */
  readonly details?: string
  readonly positionals?: readonly Positional[]
  readonly options?: Readonly<Record<string, Option>>
  /** What stands behind `--`, for help (`CMD…`); a verb without it refuses `--`. */
  readonly rest?: string
  /** Exit statuses of its own besides 0, 64, 65, 69, 70. */
  readonly statuses?: Readonly<Record<number, string>>
  run(args: Arguments, host: Host): Promise<Answer>
}
