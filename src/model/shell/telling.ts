import type { Assignment, Command, PipelineNode, Statement, Word, WordPart } from 'unbash'
import type { Outcome } from '../outcome.ts'

/**
 * How a text itself tells what became of one of its commands: in the `nth` of `of` lines that are `head`, a number and `tail`.
 * `of` is null where more lines of the same look may be printed, and nobody can say which is whose.
 */
export interface Told {
  readonly head: string
  readonly tail: string
  readonly nth: number
  readonly of: number | null
  /** What a status of 0, or another, says of this command. */
  readonly zero: 'succeeded' | 'failed' | null
  readonly nonzero: 'code' | 'failed' | 'succeeded' | null
}

/** A statement that prints a status and nothing else that the shell works out: `echo "exit: $?"`. */
export interface Telling {
  readonly head: string
  readonly tail: string
  /** Whose: of what stands before it (`?`), of the first member of the pipeline before it (`first`), or what a variable holds. */
  readonly whose: '?' | 'first' | { readonly variable: string }
}

/** null: the statement tells no status, or not beyond doubt. */
export function tellingIn({ command, background }: Statement): Telling | null {
  if (background === true || command.type !== 'Command' || command.prefix.length > 0 || command.redirects.length > 0) return null
  const text = printed(command)
  const found = text === null ? null : /^([^\0]*)\0([^\0]+)\0([^\0]*)$/.exec(text)
  if (found === null) return null
  const [head, name, tail] = [(found[1] as string).trimStart(), found[2] as string, (found[3] as string).trimEnd()]
  // A bare number could be anybody's line.
  if (!/\p{L}{2}/u.test(head + tail) || /[\n\r\\]/.test(head + tail) || /\d$/.test(head) || /^\d/.test(tail)) return null
  return { head, tail, whose: name === '?' ? '?' : FIRST.test(name) ? 'first' : { variable: name } }
}

/** The variable into which a statement puts the status of what stands before it (`rc=$?`); null: it does not. */
export function keptIn({ command, background }: Statement): string | null {
  if (background === true || command.type !== 'Command' || command.name !== undefined || command.prefix.length !== 1) return null
  const [assignment] = command.prefix
  if (assignment?.type !== 'Assignment' || assignment.append === true || assignment.index !== undefined || assignment.value.type !== 'Word') return null
  return textOf(assignment.value) === '\0?\0' ? (assignment.name ?? null) : null
}

/** Whether a statement leaves the shell's variables as they are: programs alone, and nothing that sets one or runs a text. */
export function leavesVariables({ command }: Statement, functions: { has(name: string): boolean }): boolean {
  const leaves = (node: PipelineNode): boolean =>
    node.type === 'Command' &&
    node.name !== undefined &&
    node.prefix.length === 0 &&
    !SETS.test(node.name.text) &&
    !functions.has(node.name.text) &&
    !node.args.some((word) => /\(\(|:?=[^=]*\}/.test(word.text) || (node.name?.text === 'printf' && word.text.startsWith('-v')))
  return command.type === 'Pipeline' || command.type === 'AndOr' ? command.commands.every((node) => (node.type === 'Pipeline' ? node.commands.every(leaves) : leaves(node))) : leaves(command)
}

const SETS = /[^\w./@+-]|^(?:\.|source|eval|read|readonly|export|declare|typeset|local|unset|let|mapfile|readarray|getopts|set|trap|wait|exec|builtin|command|alias|shopt|setopt|zmodload|print|vared|coproc|integer|float|time)$/

/** The status that an output tells; null: it does not, or not beyond doubt. */
export function statusTold({ head, tail, nth, of }: Told, output: string): number | null {
  if (of === null) return null
  const told = output.split('\n').flatMap((line) => {
    const text = line.trim()
    if (text.length < head.length + tail.length + 1 || !text.startsWith(head.trim()) || !text.endsWith(tail)) return []
    const number = text.slice(head.trim().length, text.length - tail.length).trim()
    return /^\d{1,3}$/.test(number) ? [Number(number)] : []
  })
  return told.length === of ? (told[nth] ?? null) : null
}

/** What a told status proves of the command: no more than closing lines do, since the host kept none. A time limit or a signal that ended it is nobody's fault. */
export function outcomeTold({ zero, nonzero }: Told, status: number): Outcome {
  if (status === 124 || status > 128) return { is: 'transient' }
  const says = status === 0 ? zero : nonzero
  return says === null ? { is: 'unknown' } : { is: 'summary', passed: says === 'succeeded' }
}

const FIRST = /^(?:PIPESTATUS\[0\]|pipestatus\[1\])$/

/** The line that `echo` or `printf` prints, with `\0NAME\0` for what the shell puts there; null: it can't be told. */
function printed({ name, args }: Command): string | null {
  const words = args.map(textOf)
  if (words.includes(null)) return null
  if (name?.text === 'echo') return (words[0] === '-e' ? words.slice(1) : words[0] === '-n' ? ['\0'] : words).join(' ')
  if (name?.text !== 'printf' || words.length !== 2 || !/^\0[^\0]+\0$/.test(words[1] as string)) return null
  const format = /^([^%\\\0]*)%[sd]([^%\\\0]*)\\n$/.exec(words[0] as string)
  return format === null ? null : `${format[1]}${words[1]}${format[2]}`
}

/** A word as it is printed, `\0NAME\0` for each plain expansion; null where something else is worked out. */
function textOf(word: Word | Assignment): string | null {
  return word.type === 'Assignment' ? null : joined(word.parts, word.value)
}

function joined(parts: readonly WordPart[] | undefined, value: string): string | null {
  if (parts === undefined || parts.length === 0) return value
  let text = ''
  for (const part of parts) {
    const piece = pieceOf(part)
    if (piece === null) return null
    text += piece
  }
  return text
}

function pieceOf(part: WordPart): string | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value
    case 'DoubleQuoted':
      return joined(part.parts as readonly WordPart[], '')
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const name = /^\$(?:(\?|[A-Za-z_]\w*)|\{(\?|[A-Za-z_]\w*(?:\[\d\])?)\})$/.exec(part.text)
      return name === null ? null : `\0${name[1] ?? name[2]}\0`
    }
    default:
      return null
  }
}
