import type { Redirection, Word } from 'unbash'
import type { ShellCommand } from './command.ts'
import { type Term, isLiteral, termOf } from './words.ts'

/** Where a command's input comes from and its output goes to. */
export interface Streams {
  /** What of standard output reaches the log. */
  readonly shows: ShellCommand['shows']
  /** Files that output is sent to. */
  readonly files: readonly Term[]
  /** Files that input is read from. */
  readonly inputs: readonly Term[]
  /** Standard error goes where standard output goes, or nowhere. */
  readonly joined: boolean
  /** The log holds none of standard error. */
  readonly mute?: true
  /** Input that only the shell text holds (a here-document), or that can't be told. */
  readonly opaque: boolean
  /** The text that input is, where a here-document holds it word for word. */
  readonly document?: string
}

type Goes = 'log' | 'part' | 'nowhere'

export function streamsOf(redirections: readonly Redirection[]): Streams {
  const goes = new Map<number, Goes>([[1, 'log'], [2, 'log']])
  const files: Term[] = []
  const inputs: Term[] = []
  let opaque = false
  let joined = false
  let document: string | undefined
  for (const redirection of redirections) {
    const fd = redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : null
    const named = redirection.descriptor?.type === 'FileDescriptorVariable'
    if (redirection.type !== 'Redirect') {
      if ((fd ?? 0) !== 0) continue
      document = !opaque && redirection.type === 'HereDoc' && isLiteral(redirection) ? redirection.body.text : undefined
      opaque = true
      continue
    }
    const { operator, target } = redirection
    if (target === undefined) continue
    const term = termOf(target)
    if (operator.startsWith('<')) {
      if (operator === '<' && (fd ?? 0) === 0 && !named) inputs.push(term)
      else opaque ||= (fd ?? 0) === 0
      continue
    }
    const copied = operator === '>&' ? /^(?:(\d+)-?|-)$/.exec(term.value) : null
    if (copied !== null) {
      if (!named && fd === 2) joined = copied[1] === undefined || copied[1] === '1'
      if (!named) goes.set(fd ?? 1, copied[1] === undefined ? 'nowhere' : (goes.get(Number(copied[1])) ?? 'nowhere'))
      continue
    }
    const to = destination(target, term, goes)
    if (to === 'nowhere' && term.value !== '/dev/null') files.push(term)
    if (named) continue
    goes.set(fd ?? 1, to)
    const both = operator.startsWith('&') || operator === '>&'
    if (both) goes.set(2, to)
    if (both || fd === 2) joined = to === 'nowhere'
  }
  const out = goes.get(1)
  return { shows: out === 'log' ? 'all' : out === 'part' ? 'part' : 'nothing', files, inputs, joined, opaque, ...(goes.get(2) === 'nowhere' && { mute: true as const }), ...(document !== undefined && inputs.length === 0 && { document }) }
}

function destination(word: Word, { value }: Term, goes: ReadonlyMap<number, Goes>): Goes {
  const copy = /^\/dev\/(?:stdout|stderr|fd\/[12])$/.exec(value)?.[0]
  if (copy !== undefined) return goes.get(copy.endsWith('out') || copy.endsWith('1') ? 1 : 2) ?? 'nowhere'
  return word.parts?.some((part) => part.type === 'ProcessSubstitution') === true ? 'part' : 'nowhere'
}

const ORDER = ['all', 'end', 'tip', 'part', 'nothing'] as const

/** What is left of one when the other takes its share. */
export const lesser = (a: ShellCommand['shows'], b: ShellCommand['shows']): ShellCommand['shows'] => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b)
