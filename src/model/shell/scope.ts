import { Bindings } from './bindings.ts'
import type { Part } from './status.ts'
import type { Term } from './words.ts'

/** What a command of a shell text stands in. Values are never changed in place. */
export interface Scope {
  /** As in a canonical command. */
  readonly folder: string
  /** The folder can be told. */
  readonly known: boolean
  /** A relative `cd` can be told too: not in a container or on another host, whose first folder nobody knows. */
  readonly anchored: boolean
  readonly env: Bindings<Term>
  /** Shell variables that no command sees until they are exported. */
  readonly loose: Bindings<Term>
  readonly where: string
  readonly privilege: 'user' | 'root'
  /** Something that can't be told acts on every command from here on. */
  readonly vague: boolean
  /** Variables were taken from the environment (`env -u`), which no field of a command says. */
  readonly bared: boolean
  /** The command's status is nobody's (`docker exec -d`). */
  readonly detached: boolean
  /** It runs under a time limit. */
  readonly timed: boolean
  /** Standard output or standard error goes to a file, or nowhere (`exec > FILE`). */
  readonly silent: boolean
  /** `maybe`: set where it is not known whether that ran. */
  readonly errexit: Option
  readonly pipefail: Option
  readonly allexport: boolean
  /** Folders that `popd` leads back to. */
  readonly stack: readonly string[]
  /** Functions of this text: whether calling one may end it, and may change what is here. */
  readonly functions: Bindings<{ readonly mayEnd: Part['mayEnd']; readonly changes: boolean }>
}

export type Option = 'on' | 'off' | 'maybe'

export const scopeIn = (folder: string): Scope => ({
  folder,
  known: true,
  anchored: true,
  env: new Bindings(),
  loose: new Bindings(),
  where: 'here',
  privilege: 'user',
  vague: false,
  bared: false,
  detached: false,
  timed: false,
  silent: false,
  errexit: 'off',
  pipefail: 'off',
  allexport: false,
  stack: [],
  functions: new Bindings(),
})

/** Another shell starts: what is exported stays, options, functions and variables do not. */
export const freshShell = (scope: Scope): Scope => ({
  ...scope,
  loose: new Bindings(),
  errexit: 'off',
  pipefail: 'off',
  allexport: false,
  stack: [],
  functions: new Bindings(),
})

/** After something that may have changed anything. */
export const untold = (scope: Scope): Scope => ({ ...scope, vague: true, errexit: 'maybe', pipefail: 'maybe' })

/** After a change that may not have happened. */
export function blurred(before: Scope, after: Scope): Scope {
  if (before === after) return after
  const same = (Object.keys(before) as (keyof Scope)[]).every((name) => FOLDERS.has(name) || before[name] === after[name])
  const option = (name: 'errexit' | 'pipefail'): Option => (before[name] === after[name] ? after[name] : 'maybe')
  return { ...after, known: false, vague: after.vague || !same, errexit: option('errexit'), pipefail: option('pipefail') }
}

const FOLDERS: ReadonlySet<string> = new Set<keyof Scope>(['folder', 'known', 'anchored', 'stack'])

/** Adds to the environment; the last value of a name wins. */
export const withEnv = (scope: Scope, more: Iterable<readonly [string, Term]>): Scope => ({ ...scope, env: scope.env.with(more) })

/** The command runs elsewhere: what is set here does not reach it, so where anything is set it can't be told. */
export const elsewhere = (scope: Scope, where: string): Scope => ({
  ...freshShell(scope),
  where,
  anchored: false,
  env: new Bindings(),
  vague: scope.vague || scope.env.size > 0 || scope.privilege === 'root' || scope.where !== 'here',
  privilege: 'user',
})
