import type { CompoundCommand, CompoundList, SyntaxNode } from 'unbash'

/** Control flow: lists that may run, each after what stands before it, and words that the shell works out first. */
export interface Branching {
  readonly lists: readonly CompoundList[]
  readonly words: readonly SyntaxNode[]
}

/** What of a compound command may run. A group or a subshell is no control flow: it runs as its list does. */
export function branchingOf(node: Exclude<CompoundCommand, { type: 'BraceGroup' | 'Subshell' }>): Branching {
  switch (node.type) {
    case 'If':
      return { lists: [node, ...node.elif].flatMap((each) => [each.clause, each.then]).concat(node.else ?? []), words: [] }
    case 'While':
      return { lists: [node.clause, node.body], words: [] }
    case 'For':
    case 'Select':
      return { lists: [node.body], words: node.wordlist ?? [] }
    case 'Case':
      return { lists: node.items.map((item) => item.body), words: [node.word, ...node.items.flatMap((item) => item.pattern)] }
    case 'ArithmeticFor':
      return { lists: [node.body], words: [node.initialize, node.test, node.update].filter((each) => each !== undefined) }
    case 'TestCommand':
      return { lists: [], words: [node.expression] }
    case 'ArithmeticCommand':
      return { lists: [], words: node.expression === undefined ? [] : [node.expression] }
  }
}
