import { type AndOr, type CommandNode, type CompoundList, type PipelineNode, type Redirection, type Statement, type SyntaxNode, type TestExpression, type WordPart, parse } from 'unbash'
import { ANY, type Pattern, above, isElsewhere, isKnown, knownPlace, placeOf } from './pattern.ts'
import type { Place, Start } from './place.ts'
import { BUILTINS } from './shell/builtins.ts'
import { type Scope, type Values, inner, nested, set } from './shell/scope.ts'
import { STEERS } from './shell/steering.ts'
import { isInput, takesInput } from './stdin.ts'
import { testHow } from './shell/tests.ts'
import { Words, isSplit } from './shell/words.ts'

const MOST_DEPTH = 12
const MOST_TEXT = 64 * 1024

/**
 * Follows a shell text: each command that it holds, in every branch, with what its words can be. Variables hold all values
 * that they are given anywhere; what can't be worked out is unknown.
 */
export async function followShell(text: string, name: Pattern, args: readonly Pattern[], at: Place, start: Start): Promise<void> {
  const { inputs } = at
  if (at.depth > MOST_DEPTH || text.length > MOST_TEXT) return inputs.all('a script that is too deep or too long')
  if (text.includes('..')) inputs.leadsUp()
  const script = parse(text)
  if ((script.errors?.length ?? 0) > 0) return inputs.all('a script that can not be parsed')
  inputs.env(['BASH_ENV', 'ENV', 'CDPATH', 'GLOBIGNORE'])
  const scope: Scope = { folder: at.folder, variables: new Map(), functions: new Map(), positional: args.map((arg) => [arg]), name, nested: false, fed: at.fed === true }
  const walk = new Shell({ ...at, depth: at.depth + 1 }, start)
  // A loop may use what is set further down.
  await walk.list(script.commands, { ...scope })
  await walk.list(script.commands, { ...scope })
}

class Shell {
  readonly #at: Place
  readonly #start: Start
  readonly #made: Set<string>
  readonly #words: Words
  #calls = 0

  constructor(at: Place, start: Start) {
    this.#made = new Set(at.made)
    this.#at = { ...at, made: this.#made }
    this.#start = start
    this.#words = new Words(this.#at, (statements, scope) => this.list(statements, scope))
  }

  async list(statements: readonly Statement[], scope: Scope): Promise<void> {
    for (const { command } of statements) await this.#node(command, scope)
  }

  async #node(node: PipelineNode | AndOr | CompoundList | SyntaxNode, scope: Scope): Promise<void> {
    const { inputs } = this.#at
    if (inputs.isFull) return
    switch (node.type) {
      case 'Statement':
        return this.#node(node.command, scope)
      case 'CompoundList':
        return this.list(node.commands, scope)
      case 'AndOr':
        await this.#node(node.commands[0] as SyntaxNode, scope)
        // Of what comes behind nobody knows whether it happened, so that it may not have made what is read later.
        return this.#perhaps(async () => {
          for (const one of node.commands.slice(1)) await this.#node(one, scope)
        })
      case 'Pipeline':
        for (const [i, one] of node.commands.entries()) await this.#node(one, node.commands.length > 1 ? { ...inner(scope), fed: scope.fed || i > 0 } : scope)
        return
      case 'Redirected': {
        const before = scope.fed
        scope.fed = (await this.#redirects(node.redirects, scope)) ?? before
        await this.#node(node.command, scope)
        scope.fed = before
        return
      }
      case 'Function':
        scope.functions.set(node.name.value, node.body)
        return
      case 'Subshell':
        return this.#node(node.body, inner(scope))
      case 'BraceGroup':
        return this.#node(node.body, scope)
      case 'If': {
        const branch = nested(scope)
        await this.#node(node.clause, branch)
        await this.#perhaps(() => this.#node(node.then, branch))
        for (const one of node.elif) {
          await this.#perhaps(() => this.#node(one.clause, branch))
          await this.#perhaps(() => this.#node(one.then, branch))
        }
        if (node.else !== undefined) await this.#perhaps(() => this.#node(node.else as SyntaxNode, branch))
        return
      }
      case 'While': {
        const branch = nested(scope)
        await this.#node(node.clause, branch)
        return this.#perhaps(() => this.#node(node.body, branch))
      }
      case 'For': {
        const values: Pattern[] = []
        if (node.wordlist === undefined) values.push(...scope.positional.flat())
        else for (const word of node.wordlist) values.push(...(await this.#words.word(word, scope)).flatMap((value) => (isSplit(word) ? value.trim().split(/\s+/) : [value])))
        await this.#words.expand(values, scope)
        set(scope, node.name.value, values)
        return this.#perhaps(() => this.#node(node.body, nested(scope)))
      }
      case 'Case': {
        await this.#words.word(node.word, scope)
        const branch = nested(scope)
        for (const item of node.items) await this.#perhaps(() => this.#node(item.body, branch))
        return
      }
      case 'TestCommand':
        return this.#test(node.expression, scope)
      case 'ArithmeticCommand':
      case 'ArithmeticFor':
      case 'Coproc':
        return inputs.all(`a script with ${node.type}`)
      case 'Select':
        takesInput({ inputs, fed: scope.fed })
        return inputs.all('a script with Select')
      case 'Command':
        return this.#command(node, scope)
      default:
        return inputs.all(`a script with ${node.type}`)
    }
  }

  /** What is made here may not have been made when it is read later. */
  async #perhaps(follow: () => Promise<void>): Promise<void> {
    const before = [...this.#made]
    await follow()
    this.#made.clear()
    for (const place of before) this.#made.add(place)
  }

  /** `[[ -f X ]]`: a word behind an operator that asks for a file is looked at; of the others the commands in them are followed. */
  async #test(node: TestExpression, scope: Scope): Promise<void> {
    const { inputs } = this.#at
    switch (node.type) {
      case 'TestUnary': {
        const values = await this.#words.word(node.operand, scope)
        const how = testHow(node.operator)
        if (how === 'times') return inputs.times()
        if (how !== null) for (const value of values) await inputs.path(value, scope.folder, how)
        return
      }
      case 'TestBinary': {
        const values = [...(await this.#words.word(node.left, scope)), ...(await this.#words.word(node.right, scope))]
        if (/^-(?:nt|ot)$/.test(node.operator)) return inputs.times()
        if (node.operator === '-ef') for (const value of values) await inputs.path(value, scope.folder, 'mode')
        return
      }
      case 'TestLogical':
        for (const one of node.operands) await this.#test(one, scope)
        return
      case 'TestNot':
        return this.#test(node.operand, scope)
      case 'TestGroup':
        return this.#test(node.expression, scope)
    }
  }

  /** Whether these say what the standard input is; null: they leave it as it was. */
  async #redirects(redirects: readonly Redirection[], scope: Scope): Promise<boolean | null> {
    let fed: boolean | null = null
    for (const one of redirects) {
      if (feeds(one)) fed = true
      else if (one.type === 'Redirect' && isInput(one.target?.value ?? '')) takesInput({ inputs: this.#at.inputs, fed: scope.fed })
      if (one.type === 'HereDoc') for (const part of one.body.parts ?? []) await this.#words.part(part as WordPart, scope, true)
      else if (one.target !== undefined) {
        const values = await this.#words.word(one.target, scope)
        if (one.type !== 'Redirect') continue
        if (one.operator === '<' || one.operator === '<>') for (const value of values) await this.#read(value, scope)
        else for (const value of values) await this.#make(value, scope)
      }
    }
    return fed
  }

  /** It is written, which fails where there is no folder for it. */
  async #make(value: Pattern, scope: Scope): Promise<void> {
    const place = knownPlace(value, scope.folder)
    const folder = place === null ? '.' : above(place)
    if (folder !== '.' && !this.#made.has(folder)) await this.#at.inputs.present(folder)
    this.#made.add(place ?? (isElsewhere(value) && isKnown(value) ? value : ''))
  }

  async #read(value: Pattern, scope: Scope): Promise<void> {
    if (isElsewhere(value) && this.#at.made.has(value)) return
    const place = isKnown(value) ? placeOf(value, scope.folder) : null
    if (place === null || !this.#at.made.has(place) || this.#at.inputs.tracked(place)) await this.#at.inputs.path(value, scope.folder, 'read')
  }

  async #command(node: Extract<CommandNode, { type: 'Command' }>, scope: Scope): Promise<void> {
    const { inputs } = this.#at
    const fed = (await this.#redirects(node.redirects, scope)) ?? scope.fed
    const assigned: string[] = []
    for (const one of node.prefix)
      if (one.type === 'Assignment') {
        assigned.push(one.name)
        await this.#words.assign(one, scope)
      }
    if (assigned.some((name) => STEERS.test(name))) inputs.all('a script sets what steers a program')
    if (node.name === undefined) return
    const words: Values[] = [await this.#words.word(node.name, scope)]
    for (const arg of node.args) {
      if (arg.type === 'Assignment') {
        if (STEERS.test(arg.name)) inputs.all('a script sets what steers a program')
        const values = await this.#words.assign(arg, DECLARES.has(node.name.value) ? scope : inner(scope))
        words.push([`${arg.name}=${values.length === 1 ? values[0] : ANY}`])
      } else words.push((await this.#words.word(arg, scope)).flatMap((value) => (isSplit(arg) ? value.trim().split(/\s+/).filter((one) => one !== '') : [value])))
    }
    const names = words[0] as Values
    if (names.length === 0) return
    await this.#words.expand(words.slice(1).flat(), scope)
    if (names.length > 1 || !isKnown(names[0] as string)) return inputs.all('a command that only the shell works out')
    if (names[0] === 'exec' && words.length === 1) scope.fed = fed
    await this.#run(names[0] as string, words.slice(1), scope, fed)
  }

  async #run(name: string, args: readonly Values[], scope: Scope, fed: boolean): Promise<void> {
    const { inputs } = this.#at
    const body = scope.functions.get(name)
    if (body !== undefined) {
      if (++this.#calls > 200 || this.#at.depth > MOST_DEPTH) return inputs.all('a script that calls too much')
      return this.#node(body, { ...scope, positional: args, nested: true, folder: scope.folder, fed })
    }
    const builtin = BUILTINS.get(name)
    if (builtin !== undefined) return builtin(args, { name, inputs, scope, fed, made: this.#made, source: (path) => this.#source(path, scope) })
    const argv = [name, ...args.flat()]
    if (argv.length > 2000) return inputs.all('a command with too many words')
    await this.#start(argv, { ...this.#at, folder: scope.folder, fed, searched: [...(this.#at.searched ?? []), ...(scope.variables.get('PYTHONPATH') ?? [])] })
  }

  async #source(path: string, scope: Scope): Promise<void> {
    const { inputs } = this.#at
    if (++this.#calls > 200) return inputs.all('a script that calls too much')
    const text = (await inputs.text(path)) ?? ''
    if (text.includes('..')) inputs.leadsUp()
    const script = text.length > MOST_TEXT ? null : parse(text)
    if (script === null || (script.errors?.length ?? 0) > 0) return inputs.all('a script that can not be parsed')
    await this.list(script.commands, scope)
  }
}

/** `< FILE`, `<< END`, `<<< WORD`, `<&3`, but not `3< FILE` and not what hands the same on. */
const feeds = (one: Redirection): boolean =>
  one.type !== 'Redirect' || (/^<[>&]?$/.test(one.operator) && (one.descriptor === undefined || (one.descriptor.type === 'FileDescriptor' && one.descriptor.value === 0)) && !isInput(one.target?.value ?? '') && one.target?.value !== '0')

const DECLARES = new Set(['export', 'local', 'declare', 'readonly', 'typeset'])
