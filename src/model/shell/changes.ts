import { changed } from './folder.ts'
import { readOptions } from './options.ts'
import { type Scope, untold, withEnv } from './scope.ts'
import type { Part } from './status.ts'
import { setOption } from './unwrap.ts'
import { type Term, assignmentIn } from './words.ts'

/** What a word list changes in the shell itself. */
export interface Change {
  readonly scope: Scope
  /** How it ends, where it is more than a change (`exit`). */
  readonly part?: Partial<Part>
  /** It is a command of its own too. */
  readonly listed?: boolean
  /** A text that the shell then reads as its own (`eval`). */
  readonly script?: string
}

/** null: an ordinary command. */
export function changeOf(terms: readonly Term[], scope: Scope, root: string | null): Change | null {
  const plain = terms[0]?.value === 'builtin' || (terms[0]?.value === 'command' && terms[1]?.value.startsWith('-') === false) ? terms.slice(1) : terms
  const [program, ...rest] = plain
  if (program === undefined || scope.functions.has(program.value)) return null
  if (program.symbolic) return null
  return CHANGES.get(program.value)?.(rest, scope, root) ?? null
}

type Reader = (rest: readonly Term[], scope: Scope, root: string | null) => Change | null

const cd: Reader = (rest, scope, root) => ({ scope: moved(readOptions(rest, new Set()).rest, scope, root) })

function moved(operands: readonly Term[], scope: Scope, root: string | null): Scope {
  const [to] = operands
  const lost = { ...scope, known: false }
  if (to === undefined || operands.length > 1 || to.symbolic || to.pattern || to.value === '-' || to.value === '') return lost
  const target = /^[A-Za-z]:\\/.test(to.text) ? to.text : to.value
  const free = /^(?:\/|[A-Za-z]:)/.test(target)
  if (!free && (!scope.anchored || !scope.known)) return lost
  return { ...scope, folder: changed(scope.folder, target, scope.where === 'here' ? root : null), known: true, anchored: true }
}

const pushd: Reader = (rest, scope, root) => {
  const to = moved(rest.filter((term) => term.value !== '--' && term.value !== '-n'), scope, root)
  const turns = rest.length === 0 || /^[+-]/.test(rest[0]?.value ?? '')
  return { scope: turns ? { ...scope, known: false, stack: [] } : { ...to, stack: scope.known ? [...scope.stack, scope.folder] : [] } }
}

const popd: Reader = (rest, scope) => {
  const folder = scope.stack.at(-1)
  if (folder === undefined || rest.length > 0) return { scope: { ...scope, known: false, stack: [] } }
  return { scope: { ...scope, folder, known: true, stack: scope.stack.slice(0, -1) } }
}

const exported: Reader = (rest, scope) => declared(readOptions(rest, new Set()).given.map(([name]) => name), rest, scope, true)

const declare: Reader = (rest, scope) => {
  const options = readOptions(rest, new Set()).given.map(([name]) => name)
  return options.includes('p') ? null : declared(options, rest, scope, options.includes('x'))
}

function declared(options: readonly string[], rest: readonly Term[], scope: Scope, out: boolean): Change {
  if (options.some((name) => name === 'n' || name === 'f')) return { scope: { ...scope, vague: true } }
  const pairs: (readonly [string, Term])[] = []
  for (const term of rest) {
    if (/^[-+]/.test(term.value)) continue
    const pair = assignmentIn(term)
    const loose = scope.loose.get(term.value)
    if (pair !== null) pairs.push(pair)
    else if (term.symbolic) return { scope: { ...scope, vague: true } }
    else if (loose !== undefined && out) pairs.push([term.value, loose])
  }
  return { scope: assign(scope, pairs, out) }
}

/** Assigns; a variable that commands see already (exported here, or everywhere) reaches them, any other waits for its export. */
export function assign(scope: Scope, pairs: readonly (readonly [string, Term])[], out: boolean): Scope {
  const seen = ([name]: readonly [string, Term]): boolean => out || scope.allexport || scope.env.has(name) || INHERITED.test(name)
  const loose = pairs.filter((pair) => !seen(pair))
  const next = withEnv(scope, pairs.filter(seen))
  return loose.length === 0 ? next : { ...next, loose: next.loose.with(loose) }
}

const INHERITED = /^(?:PATH|HOME|SHELL|USER|LOGNAME|LANG|LC_[A-Z]+|TERM|TMPDIR|PWD)$/

const unset: Reader = (rest, scope) => {
  if (rest.some((term) => term.symbolic)) return { scope: { ...scope, vague: true } }
  const gone = rest.map((term) => term.value)
  return { scope: { ...scope, env: scope.env.without(gone), loose: scope.loose.without(gone) } }
}

const set: Reader = (rest, scope) => {
  let next = scope
  for (let i = 0; i < rest.length; i++) {
    const { value, symbolic } = rest[i] as Term
    if (symbolic) return { scope: { ...next, vague: true } }
    if (value === '--' || !/^[-+]./.test(value)) break
    const on = value.startsWith('-')
    for (const letter of value.slice(1))
      if (letter === 'e') next = setOption(next, 'errexit', on)
      else if (letter === 'o') next = setOption(next, rest[++i]?.value ?? '', on)
      else if (letter === 'a') next = setOption(next, 'allexport', on)
      else if (letter === 'n') next = setOption(next, 'noexec', on)
  }
  return { scope: next }
}

const exit: Reader = ([status], scope) => {
  const ends = (how: NonNullable<Part['ends']>): Change => ({ scope, part: { ends: how, fails: how === 'nonzero' || how === 'own' } })
  if (status === undefined || status.value === '$?' || status.value === '${?}') return ends('same')
  const code = status.symbolic || !/^\d{1,9}$/.test(status.value) ? null : Number(status.value) % 256
  return ends(code === null ? 'own' : code === 0 ? 'zero' : 'nonzero')
}

/** What it reads may change anything: nothing after it can be told. */
const source: Reader = (_rest, scope) => ({ scope: untold(scope), listed: true })

const evaluate: Reader = (rest, scope) => {
  if (rest.length === 0 || rest.some((term) => term.symbolic)) return { scope: untold(scope), listed: true }
  return { scope: untold(scope), script: rest.map((term) => term.value).join(' ') }
}

/** Redirections alone: `exec > FILE`. */
const exec: Reader = (rest, scope) => (rest.length === 0 ? { scope } : null)

const unchanged: Reader = (_rest, scope) => ({ scope })

/** Version managers change the environment by a function of the shell. */
const manager =
  (...verbs: readonly string[]): Reader =>
  ([verb], scope) =>
    verb !== undefined && verbs.includes(verb.value) ? { scope: { ...scope, vague: true }, listed: true } : null

const CHANGES: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['cd', cd],
  ['pushd', pushd],
  ['popd', popd],
  ['export', exported],
  ['declare', declare],
  ['typeset', declare],
  ['local', declare],
  ['readonly', declare],
  ['unset', unset],
  ['set', set],
  ['umask', unchanged],
  ['break', unchanged],
  ['continue', unchanged],
  ['exit', exit],
  ['return', exit],
  ['source', source],
  ['.', source],
  ['eval', evaluate],
  ['exec', exec],
  ['nvm', manager('use', 'install', 'deactivate')],
  ['conda', manager('activate', 'deactivate')],
  ['mamba', manager('activate', 'deactivate')],
  ['micromamba', manager('activate', 'deactivate')],
  ['asdf', manager('shell')],
  ['pyenv', manager('shell', 'activate', 'deactivate')],
  ['rbenv', manager('shell')],
  ['rvm', manager('use')],
  ['sdk', manager('use')],
  ['module', manager('load', 'unload', 'swap', 'purge')],
  ['workon', source],
  ['deactivate', source],
])
