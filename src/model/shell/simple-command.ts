import type { PipelineNode } from 'unbash'
import { commandOf } from '../command.ts'
import { filterIn, outputsOf } from './filters.ts'
import { relativised } from './folder.ts'
import { movedBy } from './moving.ts'
import type { Streams } from './output.ts'
import { writtenBy } from './redirection.ts'
import type { Scope } from './scope.ts'
import type { Entry } from './status.ts'
import { type Term, scriptsIn } from './words.ts'

/** One command in its canonical form, with what its own status says of it: all, unless it was started and left (`docker exec -d`). */
export function entryOf(terms: readonly Term[], scope: Scope, streams: Streams, root: string | null): Entry {
  const here = scope.where === 'here'
  const top = here ? root : null
  const writes = writtenBy([...streams.files, ...outputsOf(terms)], scope, root)
  const inputs = streams.inputs.flatMap((term) => ['<', relativised(term.value, scope.folder, top, 'word')])
  const { env, symbolic } = environmentOf(scope, top)
  const unclear = symbolic || isSymbolic([...terms, ...streams.inputs]) || scope.vague || !scope.known || (!here && inputs.length > 0)
  const own = here && scope.privilege === 'user' && streams.inputs.length === 0 && !streams.opaque
  return {
    command: { ...commandOf([...wordsOf(terms, scope.folder, top), ...inputs], { folder: scope.folder, where: scope.where, privilege: scope.privilege }), env },
    zero: scope.detached ? null : 'succeeded',
    nonzero: scope.detached ? null : 'code',
    shows: scope.silent ? 'nothing' : streams.shows,
    symbolic: unclear || scope.bared || streams.opaque,
    ...(!unclear && (scope.bared || streams.opaque) ? { worded: true } : {}),
    ...(streams.joined ? { joined: true } : {}),
    ...(streams.mute === true ? { mute: true as const } : {}),
    ...(streams.document === undefined || !here || scope.vague || !scope.known ? {} : { document: streams.document }),
    ...(scope.timed ? { timed: true } : {}),
    ...(writes.length > 0 ? { writes } : {}),
    filter: own ? filterIn(terms) : null,
  }
}

/** `trap … exit …`: the script may end where no word of it says so. */
export const mayTrap = (terms: readonly Term[]): boolean => /^trap .*\bexit\b/s.test(terms.map((term) => term.value).join(' '))

/** `true` or `:`, with no command in its words. */
export const isTrue = (node: PipelineNode): boolean =>
  node.type === 'Command' && node.prefix.length === 0 && (node.name?.text === 'true' || node.name?.text === ':') && scriptsIn(node).length === 0

/** Paths of this repository relative to the command's folder, up to the word that moves it elsewhere. */
function wordsOf(terms: readonly Term[], folder: string, root: string | null): readonly string[] {
  let moved = false
  const values = terms.map((term) => term.value)
  return terms.map((term, i) => {
    if (moved) return term.value
    moved = movedBy(values, i) !== null
    return relativised(term.value, folder, root, i === 0 ? 'program' : 'word')
  })
}

const isSymbolic = (terms: readonly Term[]): boolean => terms.some((term) => term.symbolic)

/** The environment of a command, sorted. Commands that have the same one share it: it may be long, and so may be their number. */
function environmentOf({ env, folder }: Scope, root: string | null): Environment {
  const known = environments.get(env)
  if (known !== undefined && known.folder === folder && known.root === root) return known
  const pairs = env.list.map(([name, term]): [string, string] => [name, relativised(term.value, folder, root, 'list')])
  const found = { folder, root, env: commandOf([], { env: pairs }).env, symbolic: isSymbolic(env.list.map(([, term]) => term)) }
  environments.set(env, found)
  return found
}

interface Environment {
  readonly folder: string
  readonly root: string | null
  readonly env: [string, string][]
  readonly symbolic: boolean
}

const environments = new WeakMap<Scope['env'], Environment>()
