import { type Assignment, type HereDoc, type ParsedScript, type SyntaxNode, type Word, type WordPart, forEachChild } from 'unbash'

/** A word with its quotes taken away. `symbolic`: the shell works part of it out. `pattern`: it may become several words. */
export interface Term {
  readonly value: string
  readonly text: string
  readonly symbolic: boolean
  readonly pattern: boolean
}

/** A word that stands for itself. */
export const literal = (value: string): Term => ({ value, text: value, symbolic: value === '<', pattern: false })

/** A literal `<` is symbolic: as a word of a canonical command it stands for a redirection. */
export function termOf(word: Word | Assignment): Term {
  if (word.type === 'Assignment') return assigned(word)
  const parts = word.parts ?? []
  const plain = { value: word.value, text: word.text, pattern: parts.some((part) => PATTERNS.has(part.type)) }
  if (TILDE.test(word.text) || word.value === '<') return { ...plain, symbolic: true }
  if (!parts.some(expands)) return { ...plain, symbolic: false }
  const value = parts.map(documentIn).reduce((sum: string | null, part) => (sum === null || part === null ? null : sum + part), '')
  return value === null ? { ...plain, symbolic: true } : { ...plain, value, symbolic: false }
}

/** `NAME=VALUE` as one term; what can't be told from a plain assignment (`+=`, arrays) is symbolic. */
export function assigned(node: Assignment): Term {
  const plain = node.append !== true && node.index === undefined
  const value = node.value.type === 'Word' ? termOf(node.value) : null
  return {
    value: `${node.name}=${value?.value ?? ''}`,
    text: node.text,
    symbolic: !plain || value === null || value.symbolic || TILDE.test(node.text),
    pattern: false,
  }
}

/** Splits `NAME=VALUE`; null where the term is none. `any`: names that no shell would take, as `env` does. */
export function assignmentIn(term: Term, any = false): readonly [string, Term] | null {
  const name = (any ? /^[^=$`]+(?==)/ : /^[A-Za-z_][A-Za-z0-9_]*(?==)/).exec(term.value)?.[0]
  return name === undefined ? null : [name, { ...term, value: term.value.slice(name.length + 1) }]
}

/** The scripts that the shell would run to work out the words of a node; not those inside of these. */
export function scriptsIn(node: SyntaxNode): readonly (ParsedScript | undefined)[] {
  const found: (ParsedScript | undefined)[] = []
  const look = (child: SyntaxNode): void => {
    if (child.type === 'CommandExpansion' || child.type === 'ProcessSubstitution' || child.type === 'ArithmeticCommandExpansion') {
      if (child.script === undefined || textOfDocument(child.script) === null) found.push(child.script)
    } else forEachChild(child, look)
  }
  look(node)
  return found
}

const TILDE = /^(?:[A-Za-z_]\w*=(?:[^\n]*:)?)?~/
const PATTERNS = new Set(['Glob', 'ExtendedGlob', 'BraceExpansion'])
const EXPANSIONS = new Set(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion', 'ArithmeticExpansion', 'ProcessSubstitution'])

function expands(part: WordPart): boolean {
  if (EXPANSIONS.has(part.type)) return true
  return 'parts' in part && part.parts !== undefined && part.parts.some(expands)
}

/** The text of a part, where `"$(cat <<'END' …)"` stands for the here-document's own text; null if it expands otherwise. */
function documentIn(part: WordPart): string | null {
  if (part.type !== 'DoubleQuoted') return expands(part) ? null : 'value' in part ? part.value : part.text
  let text = ''
  for (const child of part.parts) {
    const piece = child.type === 'Literal' ? child.value : child.type === 'CommandExpansion' ? textOfDocument(child.script) : null
    if (piece === null) return null
    text += piece
  }
  return text
}

function textOfDocument(script: ParsedScript | undefined): string | null {
  const statement = script?.commands[0]
  const command = statement?.command
  if (script?.commands.length !== 1 || statement?.background === true || command?.type !== 'Command') return null
  const [only, ...more] = command.suffix
  if (command.name?.text !== 'cat' || command.prefix.length > 0 || more.length > 0 || only?.type !== 'HereDoc') return null
  return isLiteral(only) ? only.body.text.replace(/\n+$/, '') : null
}

export const isLiteral = (document: HereDoc): boolean =>
  document.operator === '<<' && document.descriptor === undefined && document.closing !== undefined &&
  (document.delimiter?.quoted === true || (document.body.parts === undefined && !/[\\$`]/.test(document.body.text)))
