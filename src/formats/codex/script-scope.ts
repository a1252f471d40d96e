import type { Node } from './script-tree.ts'
import { type Value, OPAQUE } from './script-values.ts'

/** Nobody can say what a script does. */
export class Unsure extends Error {}

export function unsure(): never {
  throw new Unsure()
}

/** What a name stands for, or what an expression gives: a value, one that is still waited for, a function of the script, or a word of the language. */
export type Bound = Value | { readonly is: 'promise'; readonly of: Value; readonly calls: readonly number[] } | { readonly is: 'function'; readonly node: Node & { is: 'function' }; readonly scope: Scope } | { readonly is: 'word'; readonly name: string }
export type Scope = { readonly names: Map<string, Bound>; readonly above: Scope | null }

export const within = (above: Scope): Scope => ({ names: new Map(), above })

export function lookedUp(name: string, scope: Scope): Bound | null {
  for (let at: Scope | null = scope; at !== null; at = at.above) {
    const found = at.names.get(name)
    if (found !== undefined) return found
  }
  return null
}

/** What is no promise, function or word of the language. */
export const valued = (found: Bound): Value => (found.is === 'promise' || found.is === 'function' || found.is === 'word' ? unsure() : found)

/** `Promise.all`, or `allSettled`, of a list. */
export function allOf(list: Bound, plain: boolean): Bound {
  if (list.is !== 'list') unsure()
  const items = list.items as readonly Bound[]
  const values = items.map((item) => (item.is === 'promise' ? item.of : valued(item)))
  const settled = plain ? values : values.map((value): Value => ({ is: 'object', entries: [{ name: 'status', value: OPAQUE }, { name: 'value', value }] }))
  return { is: 'promise', of: { is: 'list', items: settled }, calls: items.flatMap((item) => (item.is === 'promise' ? item.calls : [])) }
}

export const PURE_WORDS = new Set(['String', 'Number', 'Boolean', 'parseInt'])
export const WORDS = new Set([...PURE_WORDS, 'tools', 'text', 'JSON', 'Promise', 'Object', 'Math'])
/** Methods that change what they are called on, or call something. */
export const MUTATES = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|delete|clear|add|then|catch|finally|call|apply|bind)$/

/** Whether it calls no tool, prints nothing and waits for nothing, whatever becomes of it. */
export function isPure(node: unknown, scope: Scope): boolean {
  if (Array.isArray(node)) return node.every((one) => isPure(one, scope))
  if (typeof node !== 'object' || node === null) return true
  const { is, callee, name } = node as { is?: string; callee?: { is: string; name: string }; name?: string }
  if (is === 'await' || (is === 'name' && name !== undefined && isMeant(name, scope))) return false
  if (is === 'call' && (callee?.is === 'name' ? !PURE_WORDS.has(callee.name) : callee?.is !== 'member' || MUTATES.test(callee.name))) return false
  return Object.values(node).every((one) => isPure(one, scope))
}

/** A name through which something could be called. */
const isMeant = (name: string, scope: Scope): boolean => lookedUp(name, scope)?.is === 'function' || (WORDS.has(name) && !PURE_WORDS.has(name) && name !== 'JSON' && name !== 'Math')
