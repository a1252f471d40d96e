import { type Inputs } from '../inputs.ts'
import { ANY, type Pattern, above, isKnown, leadsOut, knownPlace, placeOf } from '../pattern.ts'
import { takesInput } from '../stdin.ts'
import { type Scope, type Values, set } from './scope.ts'
import { STEERS } from './steering.ts'

/** Where a builtin is met. */
export interface Meeting {
  readonly name: string
  readonly inputs: Inputs
  readonly scope: Scope
  /** The script says what its standard input is. */
  readonly fed: boolean
  /** What the script has made so far. */
  readonly made: Set<string>
  /** Follows another script in this scope. */
  source(path: string): Promise<void>
}

type Builtin = (args: readonly Values[], at: Meeting) => Promise<void> | void

async function changeFolder([first = []]: readonly Values[], { inputs, scope }: Meeting): Promise<void> {
  const to = first.length === 1 ? (first[0] as Pattern) : ''
  const place = to === '' || to === '-' || !isKnown(to) ? null : placeOf(to, scope.folder)
  if (leadsOut(to, scope.folder)) inputs.untold('a script works in a folder outside the repository')
  if (place === null || place === '?' || scope.nested) return inputs.all('a script changes its folder')
  // Where it fails, the rest goes on in the old one.
  if ((await inputs.present(place)) !== 'folder') inputs.all('a folder that is not there')
  scope.folder = place
}

const unfollowed: Builtin = (_args, at) => {
  if (/^(?:mapfile|readarray)$/.test(at.name)) takesInput(at)
  at.inputs.all(`a script with ${at.name}`)
}

const source: Builtin = async ([first = []], { inputs, scope, source }) => {
  for (const value of first) if (leadsOut(value, scope.folder)) inputs.strange(value)
  for (const value of first) for (const path of await inputs.path(value.includes('/') ? value : `./${value}`, scope.folder, 'read')) await source(path)
}

const read: Builtin = (args, at) => {
  const { name, scope } = at
  if (name === 'read' && !args.flat().some((arg) => /^-\w*u/.test(arg))) takesInput(at)
  for (const value of args.flat()) if (/^\w+$/.test(value)) set(scope, value, [ANY])
}

const declare: Builtin = (args, { name, inputs }) => {
  for (const value of args.flat()) {
    if (/^-\w*n/.test(value) && name !== 'export') inputs.all('a script that gives a variable another name')
    if (STEERS.test(value)) inputs.all('a script sets what steers a program')
    if (!isKnown(value)) inputs.all('a script that sets what only running tells')
  }
}

/** What a shell does itself, and what makes folders that later steps may use. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', changeFolder],
  ['pushd', changeFolder],
  ...['popd', 'alias', 'trap', 'enable', 'shopt', 'mapfile', 'readarray', 'compgen', 'complete', 'compopt', 'bind', 'fc', 'history'].map((name): [string, Builtin] => [name, unfollowed]),
  ...['export', 'local', 'declare', 'readonly', 'typeset'].map((name): [string, Builtin] => [name, declare]),
  ['.', source],
  ['source', source],
  ['read', read],
  ['getopts', read],
  ['shift', (_args, { inputs }) => inputs.all('a script that shifts its arguments')],
  [
    'eval',
    (args, { inputs }) => {
      if (args.flat().some((value) => /(?:^|[\s;&|(])git\s/.test(value))) inputs.git()
      inputs.all('a script with eval')
    },
  ],
  [
    'set',
    (args, { inputs }) => {
      if (args.flat().some((value) => !/^[-+][a-zA-Z]+$|^pipefail$|^errexit$|^nounset$/.test(value))) inputs.all('a script that sets its own arguments')
    },
  ],
  [
    'printf',
    ([first = [], names = []], { inputs, scope }) => {
      if (first[0] === '-v') for (const value of names) /^\w+$/.test(value) ? set(scope, value, [ANY]) : inputs.all('a script that sets what only running tells')
    },
  ],
  [
    'mkdir',
    async (args, { name, inputs, scope, made }) => {
      const parents = args.flat().some((value) => /^-\w*p|^--parents$/.test(value))
      await inputs.program(name, scope.folder)
      for (const value of args.flat()) {
        if (value.startsWith('-') || /^[0-7]{3,4}$/.test(value)) continue
        if (!parents) await inputs.path(value, scope.folder, 'stat')
        const place = knownPlace(value, scope.folder)
        if (place !== null) for (let at = place; at !== '.' && (parents || at === place); at = above(at)) made.add(at)
      }
    },
  ],
])
