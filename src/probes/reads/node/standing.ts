import type { Token } from '../tokens.ts'

/** `a.name`, but not `...name`. */
export const isProperty = (tokens: readonly Token[], i: number): boolean => {
  const before = tokens[i - 1]
  return before?.is === 'mark' && (before.value === '.' || before.value === '?.') && !(tokens[i - 2]?.is === 'mark' && tokens[i - 2]?.value === '.' && tokens[i - 3]?.value === '.')
}

/** `{ name: … }` */
export const isKey = (tokens: readonly Token[], i: number): boolean => tokens[i + 1]?.value === ':' && /^[{,]$/.test(tokens[i - 1]?.value ?? '')

/** It stands in an import, or is what `require` gives. */
export function isBinding(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]
  if (before === undefined || (before.is === 'mark' ? !'{},*:'.includes(before.value) : !/^(?:import|as|type|const|let|var)$/.test(before.value))) return false
  for (let at = i + 1; at < Math.min(tokens.length, i + 300); at++) {
    const token = tokens[at] as Token
    if (token.is === 'name' && token.value === 'from' && tokens[at + 1]?.is === 'text') return isImportHead(tokens, i)
    if (token.is === 'mark' && token.value === '=' && tokens[at + 1]?.value === 'require') return true
    if (token.is === 'name' ? at > i + 1 && (tokens[at - 1] as Token).is === 'name' && !/^(?:as|type)$/.test((tokens[at - 1] as Token).value) && token.value !== 'as' : !'{},*:'.includes(token.value) || token.is !== 'mark') return false
  }
  return false
}

function isImportHead(tokens: readonly Token[], i: number): boolean {
  for (let at = i - 1; at >= Math.max(0, i - 300); at--) {
    const token = tokens[at] as Token
    if (token.is === 'name' && token.value === 'import') return true
    if (token.is === 'text' || token.is === 'number' || (token.is === 'mark' && !'{},*'.includes(token.value))) return false
  }
  return false
}

/** A text that names a module, or a path that is worked out whole. */
export const isSpecifier = (tokens: readonly Token[], i: number): boolean => {
  const before = tokens[i - 1]
  return before?.value === 'from' || before?.value === 'import' || (before?.value === '(' && /^(?:require|import|URL|join|resolve)$/.test(tokens[i - 2]?.value ?? ''))
}

/** Whether an expression goes on over a line break. */
export const continues = (before: Token, after: Token): boolean =>
  (before.is === 'mark' && !/^[\])}]$/.test(before.value)) || (after.is === 'mark' && !/^[({[]$|^\+\+$|^--$|^;$/.test(after.value))
