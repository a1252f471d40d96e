import type { JsonObject } from '../../base/json.ts'
import { askedBy, givenBy } from './script-given.ts'
import { type Bound, type Scope, MUTATES, PURE_WORDS, Unsure, WORDS, allOf, isPure, lookedUp, unsure, valued, within } from './script-scope.ts'
import { type Node, type Pattern, type Statement, treeOf } from './script-tree.ts'
import { type Condition, type Entry, type Value, OPAQUE, isText, joined, known, memberOf, operated, piecesOf, testOf } from './script-values.ts'
import { isQuestion, isStart } from './scripts.ts'

/** One tool that a script calls. */
export interface ScriptCall {
  readonly tool: string
  /** The arguments as an object; a text where the tool takes one (`apply_patch`). */
  readonly given: JsonObject | string
  /** The call whose command it asks after, where the script says so by its result. */
  readonly asks: number | null
  /** It is made only where all these hold. */
  readonly when: readonly Condition[]
}

/** One text that a script prints. */
export interface ScriptPart {
  readonly shows: Value
  readonly when: readonly Condition[]
}

export interface ScriptRun {
  readonly calls: readonly ScriptCall[]
  readonly parts: readonly ScriptPart[]
}

/**
 * What a script does that calls tools with words that stand in it, one after the other or several at a time, and prints what came of
 * them. null: it does something else besides, or nobody can say from its text what it does.
 */
export function runOf(input: string): ScriptRun | null {
  const tree = treeOf(input)
  if (tree === null) return null
  const run = new Run()
  try {
    run.all(tree)
  } catch (error) {
    if (error instanceof Unsure) return null
    throw error
  }
  return run.calls.length > 0 && run.waiting.size === 0 ? run : null
}

/** How many commands and patches it starts for certain; null: it may be more. */
export const deedsIn = (run: ScriptRun | null): number | null => {
  const deeds = run?.calls.filter(({ tool }) => isStart(tool))
  return deeds === undefined || deeds.some(({ when }) => when.length > 0) ? null : deeds.length
}

const MOST_STEPS = 20_000
const MOST_CALLS = 100

class Run implements ScriptRun {
  readonly calls: ScriptCall[] = []
  readonly parts: ScriptPart[] = []
  /** Calls that nobody has waited for yet. */
  readonly waiting = new Set<number>()
  #when: readonly Condition[] = []
  #steps = 0
  /** Functions that run at a time with others: in which order these print, nobody can say. */
  #beside = 0

  all(tree: readonly Statement[]): void {
    this.#block(tree, { names: new Map(), above: null })
  }

  /** What a block returns; null: it goes on behind it. */
  #block(statements: readonly Statement[], scope: Scope): Bound | null {
    for (const statement of statements) {
      if (++this.#steps > MOST_STEPS) unsure()
      const returned = this.#statement(statement, scope)
      if (returned !== null) return returned
    }
    return null
  }

  #statement(statement: Statement, scope: Scope): Bound | null {
    switch (statement.is) {
      case 'let':
        return this.#bind(statement.pattern, this.#eval(statement.value, scope), scope)
      case 'do': {
        const value = this.#eval(statement.value, scope)
        return value.is === 'promise' || value.is === 'word' ? unsure() : null
      }
      case 'return':
        return statement.value === null ? known(null) : this.#eval(statement.value, scope)
      case 'each': {
        const list = this.#value(statement.of, scope)
        if (list.is !== 'list') unsure()
        for (const item of list.items) {
          const inner = within(scope)
          this.#bind(statement.pattern, item, inner)
          if (this.#block(statement.body, inner) !== null) unsure()
        }
        return null
      }
      case 'if':
        return this.#choose(statement, scope)
    }
  }

  #choose({ test, yes, no }: Statement & { is: 'if' }, scope: Scope): Bound | null {
    const value = this.#value(test, scope)
    const on = testOf(value)
    if (typeof on === 'boolean') return this.#block(on ? yes : no, within(scope))
    if (on === null) return [...yes, ...no].every((one) => one.is !== 'return' && isPure(one, scope)) ? null : unsure()
    const before = this.#when
    for (const [branch, goesOn] of [[yes, on.goesOn], [no, !on.goesOn]] as const) {
      const known = before.find(({ call }) => call === on.call)
      if (known !== undefined && known.goesOn !== goesOn) continue
      this.#when = known === undefined ? [...before, { call: on.call, goesOn }] : before
      if (this.#block(branch, within(scope)) !== null) unsure()
      this.#when = before
    }
    return null
  }

  #bind(pattern: Pattern, value: Bound, scope: Scope): null {
    if (pattern.is === 'name') {
      if (scope.names.has(pattern.name) || WORDS.has(pattern.name) || value.is === 'word') unsure()
      scope.names.set(pattern.name, value)
      return null
    }
    const whole = valued(value)
    if (pattern.is === 'object') for (const { from, to } of pattern.fields) this.#bind({ is: 'name', name: to }, memberOf(whole, from), scope)
    else for (const [i, item] of pattern.items.entries()) this.#bind(item, whole.is === 'list' ? (whole.items[i] ?? known(null)) : OPAQUE, scope)
    return null
  }

  /** Of what is no promise, function or word of the language. */
  #value(node: Node, scope: Scope): Value {
    return valued(this.#eval(node, scope))
  }

  #eval(node: Node, scope: Scope): Bound {
    if (++this.#steps > MOST_STEPS) unsure()
    switch (node.is) {
      case 'value':
        return known(node.value)
      case 'pattern':
        return OPAQUE
      case 'template':
        return joined(node.words.flatMap((word, i) => [word, ...(i < node.inner.length ? piecesOf(this.#value(node.inner[i] as Node, scope)) : [])]))
      case 'name':
        return lookedUp(node.name, scope) ?? (WORDS.has(node.name) ? { is: 'word', name: node.name } : unsure())
      case 'member':
        return memberOf(this.#value(node.of, scope), node.name)
      case 'index': {
        const [of, at] = [this.#value(node.of, scope), this.#value(node.at, scope)]
        if (at.is !== 'known') return OPAQUE
        return of.is === 'list' && typeof at.value === 'number' ? (of.items[at.value] ?? known(null)) : memberOf(of, String(at.value))
      }
      case 'list':
        return { is: 'list', items: node.items.flatMap(({ value, spread }) => this.#items(value, spread, scope)) as Value[] }
      case 'object':
        return { is: 'object', entries: node.entries.map(({ name, value }): Entry => ({ name, value: this.#value(value, scope) })) }
      case 'function':
        return { is: 'function', node, scope }
      case 'await':
        return this.#await(node.value, scope)
      case 'unary': {
        const value = this.#value(node.value, scope)
        if (node.sign === '-') return value.is === 'known' && typeof value.value === 'number' ? known(-value.value) : OPAQUE
        const on = node.sign === '!' ? testOf(value) : null
        return on === null ? OPAQUE : typeof on === 'boolean' ? known(!on) : { is: 'condition', on: { ...on, goesOn: !on.goesOn } }
      }
      case 'binary':
        return this.#binary(node, scope)
      case 'choice': {
        const on = testOf(this.#value(node.test, scope))
        if (typeof on === 'boolean') return this.#eval(on ? node.yes : node.no, scope)
        return isPure(node.yes, scope) && isPure(node.no, scope) ? OPAQUE : unsure()
      }
      case 'call':
        return this.#call(node, scope, false)
    }
  }

  #items(node: Node, spread: boolean, scope: Scope): readonly Bound[] {
    const value = this.#eval(node, scope)
    if (!spread) return [value]
    return value.is === 'list' ? value.items : unsure()
  }

  #binary({ sign, left, right }: Node & { is: 'binary' }, scope: Scope): Value {
    const one = this.#value(left, scope)
    if ((sign === '&&' || sign === '||' || sign === '??') && !isPure(right, scope)) unsure()
    const other = this.#value(right, scope)
    return operated(sign, one, other)
  }

  #await(node: Node, scope: Scope): Value {
    const value = node.is === 'call' ? this.#call(node, scope, true) : this.#eval(node, scope)
    if (value.is === 'function' || value.is === 'word') unsure()
    if (value.is !== 'promise') return value
    for (const call of value.calls) this.waiting.delete(call)
    return value.of
  }

  /** `waited`: nothing else happens until it has ended. */
  #call({ callee, args }: Node & { is: 'call' }, scope: Scope, waited: boolean): Bound {
    if (callee.is === 'member') {
      const of = this.#eval(callee.of, scope)
      if (of.is === 'word') return this.#ofWord(of.name, callee.name, args, scope)
      if (of.is === 'promise' || of.is === 'function') unsure()
      return this.#method(of, callee.name, args, scope)
    }
    const called = this.#eval(callee, scope)
    if (called.is === 'function') return this.#apply(called, args.map((arg) => this.#eval(arg, scope)), waited)
    if (called.is !== 'word') unsure()
    if (called.name === 'text') {
      if (args.length !== 1 || this.#beside > 0) unsure()
      this.parts.push({ shows: this.#value(args[0] as Node, scope), when: this.#when })
      return known(null)
    }
    if (!PURE_WORDS.has(called.name)) unsure()
    const value = args.map((arg) => this.#value(arg, scope))
    return called.name === 'String' && value.length === 1 ? joined(piecesOf(value[0] as Value)) : OPAQUE
  }

  #ofWord(word: string, name: string, args: readonly Node[], scope: Scope): Bound {
    if (word === 'tools') return this.#tool(name, args, scope)
    if (word === 'Promise' && (name === 'all' || name === 'allSettled')) {
      return allOf(args.length === 1 ? this.#eval(args[0] as Node, scope) : unsure(), name === 'all')
    }
    const values = args.map((arg) => this.#value(arg, scope))
    if (word === 'JSON') return name === 'stringify' && values[0] !== undefined ? { is: 'json', of: values[0] } : OPAQUE
    return word === 'Math' || (word === 'Object' && /^(?:keys|values|entries)$/.test(name)) ? OPAQUE : unsure()
  }

  #tool(tool: string, args: readonly Node[], scope: Scope): Bound {
    if ((!isStart(tool) && !isQuestion(tool)) || args.length > 1 || this.calls.length >= MOST_CALLS) unsure()
    const value = args.length === 0 ? ({ is: 'object', entries: [] } satisfies Value) : this.#value(args[0] as Node, scope)
    const asked = value.is === 'object' ? askedBy(value.entries) : null
    const given = value.is === 'known' && typeof value.value === 'string' ? value.value : value.is === 'object' ? givenBy(value.entries) : unsure()
    const call = this.calls.push({ tool, given, asks: asked, when: this.#when }) - 1
    this.waiting.add(call)
    return { is: 'promise', of: { is: 'result', call }, calls: [call] }
  }

  #method(of: Value, name: string, args: readonly Node[], scope: Scope): Bound {
    const [first] = args
    if (of.is === 'list' && (name === 'map' || name === 'forEach') && first !== undefined && args.length === 1) return this.#each(of.items, name, this.#eval(first, scope))
    if (of.is === 'list' && name === 'entries') return { is: 'list', items: of.items.map((item, i) => ({ is: 'list', items: [known(i), item] })) }
    if (of.is === 'list' && name === 'join') {
      const between = first === undefined ? known(',') : this.#value(first, scope)
      return joined(of.items.flatMap((item, i) => [...(i === 0 ? [] : piecesOf(between)), ...piecesOf(item)]))
    }
    if (of.is === 'object' || of.is === 'result' || MUTATES.test(name) || !isPure(args, scope)) unsure()
    for (const arg of args) if (arg.is !== 'function') this.#value(arg, scope)
    if (isText(of) && /^(?:trim|trimEnd|trimStart|toString)$/.test(name)) return of
    return of.is === 'field' && of.field.name === 'output' && /^(?:slice|substring|substr)$/.test(name) ? { is: 'field', field: { ...of.field, cut: true } } : OPAQUE
  }

  #each(items: readonly Value[], name: string, called: Bound): Value {
    if (called.is !== 'function' || (name === 'forEach' && called.node.waits)) unsure()
    const found = items.map((item, i) => this.#apply(called, [item, known(i)], items.length === 1))
    if (name === 'forEach' && found.some(({ is }) => is === 'promise')) unsure()
    return name === 'forEach' ? known(null) : { is: 'list', items: found as Value[] }
  }

  #apply({ node, scope }: Bound & { is: 'function' }, args: readonly Bound[], waited: boolean): Bound {
    const inner = within(scope)
    for (const [i, param] of node.params.entries()) this.#bind(param, args[i] ?? known(null), inner)
    const beside = node.waits && !waited ? 1 : 0
    this.#beside += beside
    const made = Array.isArray(node.body) ? (this.#block(node.body, inner) ?? known(null)) : this.#eval(node.body as Node, inner)
    this.#beside -= beside
    if (!node.waits || made.is === 'promise') return made
    return { is: 'promise', of: valued(made), calls: [] }
  }
}

