import { type AndOr, type CommandNode, type CompoundList, type PipelineNode, type Redirection, type Statement, type SyntaxNode, type TestExpression, type WordPart, parse } from 'unbash'
import { joinPath } from '../../model/key.ts'
import { ANY, type Pattern, TOP, above, isElsewhere, isKnown, placeOf } from './pattern.ts'
import type { Place, Start } from './place.ts'
import { type Scope, type Values, inner, nested, set } from './shell/scope.ts'
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
  const scope: Scope = { folder: at.folder, variables: new Map(), functions: new Map(), positional: args.map((arg) => [arg]), name, nested: false }
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
        for (const one of node.commands) await this.#node(one, node.commands.length > 1 ? inner(scope) : scope)
        return
      case 'Redirected':
        await this.#redirects(node.redirects, scope)
        return this.#node(node.command, scope)
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
      case 'Select':
      case 'Coproc':
        return inputs.all(`a script with ${node.type}`)
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

  async #redirects(redirects: readonly Redirection[], scope: Scope): Promise<void> {
    for (const one of redirects) {
      if (one.type === 'HereDoc') for (const part of one.body.parts ?? []) await this.#words.part(part as WordPart, scope, true)
      else if (one.target !== undefined) {
        const values = await this.#words.word(one.target, scope)
        if (one.type !== 'Redirect') continue
        if (one.operator === '<' || one.operator === '<>') for (const value of values) await this.#read(value, scope)
        else for (const value of values) await this.#make(value, scope)
      }
    }
  }

  /** It is written, which fails where there is no folder for it. */
  async #make(value: Pattern, scope: Scope): Promise<void> {
    const place = known(value, scope.folder)
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
    await this.#redirects(node.redirects, scope)
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
    if (names.length > 1 || !isKnown(names[0] as string)) return inputs.all('a command that only the shell works out')
    await this.#run(names[0] as string, words.slice(1), scope)
  }

  async #run(name: string, args: readonly Values[], scope: Scope): Promise<void> {
    const { inputs } = this.#at
    const body = scope.functions.get(name)
    if (body !== undefined) {
      if (++this.#calls > 200 || this.#at.depth > MOST_DEPTH) return inputs.all('a script that calls too much')
      return this.#node(body, { ...scope, positional: args, nested: true, folder: scope.folder })
    }
    const first = args[0] ?? []
    switch (name) {
      case 'cd':
      case 'pushd': {
        const to = first.length === 1 ? (first[0] as Pattern) : ''
        const place = to === '' || to === '-' || !isKnown(to) ? null : placeOf(to, scope.folder)
        if (isElsewhere(to)) inputs.untold('a script works in a folder outside the repository')
        if (place === null || place === '?' || scope.nested) return inputs.all('a script changes its folder')
        // Where it fails, the rest goes on in the old one.
        if ((await inputs.present(place)) !== 'folder') inputs.all('a folder that is not there')
        scope.folder = place
        return
      }
      case 'eval':
        if (args.flat().some((value) => /(?:^|[\s;&|(])git\s/.test(value))) inputs.git()
        return inputs.all('a script with eval')
      case 'popd':
      case 'alias':
      case 'trap':
      case 'enable':
      case 'shopt':
      case 'mapfile':
      case 'readarray':
        return inputs.all(`a script with ${name}`)
      case 'set':
        return args.some((values) => values.some((value) => !/^[-+][a-zA-Z]+$|^pipefail$|^errexit$|^nounset$/.test(value))) ? inputs.all('a script that sets its own arguments') : undefined
      case 'shift':
        return inputs.all('a script that shifts its arguments')
      case '.':
      case 'source': {
        if (first.some((value) => isElsewhere(value))) inputs.all('a script that lies outside')
        for (const value of first) for (const path of await inputs.path(value.includes('/') ? value : `./${value}`, scope.folder, 'read')) await this.#source(path, scope)
        return
      }
      case 'read':
      case 'getopts':
        for (const values of args) for (const value of values) if (/^\w+$/.test(value)) set(scope, value, [ANY])
        return
      case 'export':
      case 'local':
      case 'declare':
      case 'readonly':
      case 'typeset':
        for (const value of args.flat()) {
          if (/^-\w*n/.test(value) && name !== 'export') inputs.all('a script that gives a variable another name')
          if (STEERS.test(value)) inputs.all('a script sets what steers a program')
          if (!isKnown(value)) inputs.all('a script that sets what only running tells')
        }
        return
      case 'printf':
        if (first[0] === '-v') for (const value of args[1] ?? []) /^\w+$/.test(value) ? set(scope, value, [ANY]) : inputs.all('a script that sets what only running tells')
        return
      case 'mkdir': {
        const parents = args.flat().some((value) => /^-\w*p|^--parents$/.test(value))
        await inputs.program(name, scope.folder)
        for (const value of args.flat()) {
          if (value.startsWith('-') || /^[0-7]{3,4}$/.test(value)) continue
          if (!parents) await inputs.path(value, scope.folder, 'stat')
          const place = known(value, scope.folder)
          if (place !== null) for (let at = place; at !== '.' && (parents || at === place); at = above(at)) this.#made.add(at)
        }
        return
      }
    }
    const argv = [name, ...args.flat()]
    if (argv.length > 2000) return inputs.all('a command with too many words')
    await this.#start(argv, { ...this.#at, folder: scope.folder })
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

/** The place of a known word in the repository; null: it leads out, or nobody knows where. */
export const known = (word: Pattern, folder: string): string | null => (isKnown(word) && !word.startsWith('/') && !word.startsWith('~') ? (word.startsWith(TOP) ? placeOf(word, folder) : joinPath(folder, word)) : null)

/** What a test of one file asks for; null: nothing that a file says. */
export function testHow(operator: string): 'read' | 'stat' | 'mode' | 'times' | null {
  if (/^-[afde]$/.test(operator)) return 'stat'
  if (operator === '-s') return 'read'
  if (operator === '-N') return 'times'
  return /^-[bcghkpruwxGLOS]$/.test(operator) ? 'mode' : null
}

const DECLARES = new Set(['export', 'local', 'declare', 'readonly', 'typeset'])
/** Of the environment, what makes programs read other files. */
export const STEERS = /^(?:PATH|NODE_OPTIONS|NODE_PATH|PYTHON\w+|LD_\w+|BASH_ENV|ENV|CDPATH|MAKE\w*|GNUMAKEFLAGS|CPATH|\w*INCLUDE_PATH|LIBRARY_PATH|GCC_\w+|C\w*FLAGS|RUSTFLAGS|RUSTC\w*|CARGO_\w+|npm_config_\w+|NPM_CONFIG_\w+|PYTEST_\w+|HOME|TMPDIR|SHELL|IFS|POSIXLY_CORRECT|GREP_OPTIONS|GIT_\w+)$/
