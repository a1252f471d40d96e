import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  type Statement,
  type SyntaxNode,
  parse,
} from 'unbash'
import { commandOf } from '../command.ts'
import type { ShellCommand } from './command.ts'
import { type Change, assign, changeOf } from './changes.ts'
import { filterIn, outputsOf } from './filters.ts'
import { relativised, written } from './folder.ts'
import { type Streams, lesser, streamsOf } from './output.ts'
import { type Scope, blurred, untold, withEnv } from './scope.ts'
import { Chain, type Entry, NOTHING, type Part, and, bounded, branches, checked, endOf, inverted, masked, next, or } from './status.ts'
import { type Telling, keptIn, tellingIn } from './telling.ts'
import { unwrap } from './unwrap.ts'
import { type Term, assignmentIn, assigned, scriptsIn, termOf } from './words.ts'

/** The text is no grammar that we read, or over the limits: nothing may be concluded from it. */
export class Unreadable extends Error {}

/** What a stretch of text does, and what is in force behind it. */
interface Walked {
  readonly part: Part
  readonly scope: Scope
}

const MAX_NESTING = 24

/** Reads scripts and argument lists of one place; `writes` grows as it reads. Throws `Unreadable`. */
export class Walk {
  readonly writes = new Set<string>()
  readonly #root: string | null
  readonly #tellings = new Tellings()
  #nesting = 0

  constructor(root: string | null) {
    this.#root = root
  }

  script(text: string, scope: Scope): Part {
    return this.#parsed(parse(text), scope)
  }

  argv(terms: readonly Term[], scope: Scope): Part {
    return this.#run(terms, scope, NO_STREAMS, [])
  }

  #parsed(script: ParsedScript | undefined, scope: Scope): Part {
    if (script === undefined || (script.errors?.length ?? 0) > 0) throw new Unreadable()
    return this.#nested(() => bounded(this.#list(script.commands, scope, true).part))
  }

  #nested<T>(work: () => T): T {
    if (this.#nesting === MAX_NESTING) throw new Unreadable()
    this.#nesting += 1
    try {
      return work()
    } finally {
      this.#nesting -= 1
    }
  }

  /** `strict`: `set -e` counts here for certain; in conditions shells differ. */
  #list(statements: readonly Statement[], start: Scope, strict: boolean): Walked {
    const parts: Part[] = []
    let scope = start
    for (const statement of statements) {
      const walked = this.#statement(statement, scope, strict)
      parts.push(walked.part)
      scope = walked.scope
    }
    const [first, ...more] = this.#told(statements, parts, strict)
    if (first === undefined) return { part: NOTHING, scope }
    const chain = new Chain(first)
    for (const part of more) chain.add(part, next)
    return { part: chain.part(), scope }
  }

  /** The same parts, where a later statement prints the status of one. In a loop or a branch nobody knows how often. */
  #told(statements: readonly Statement[], parts: readonly Part[], strict: boolean): readonly Part[] {
    const told = [...parts]
    const kept = new Map<string, number>()
    for (const [i, statement] of statements.entries()) {
      const variable = keptIn(statement)
      if (variable !== null && i > 0) kept.set(variable, i - 1)
      else for (const name of assignedIn(statement)) kept.delete(name)
      const telling = tellingIn(statement)
      if (telling === null) continue
      const { whose } = telling
      const at = typeof whose === 'object' ? kept.get(whose.variable) : i - 1
      const nth = this.#tellings.note(telling, strict && at !== undefined && at >= 0)
      const [before, part] = [statements[at ?? -1], told[at ?? -1]]
      if (!strict || before === undefined || part === undefined || before.background === true) continue
      const first = whose === 'first' ? firstOf(before) : null
      // Of a pipeline's first member alone: that it stood in a pipe is what hid its status.
      const own = first === null ? part.entries : part.entries.slice(0, 1).map((entry): Entry => ({ ...entry, zero: 'succeeded', nonzero: 'code' }))
      const { head, tail } = telling
      told[at as number] = {
        ...part,
        entries: part.entries.map((entry, n) => {
          const says = own[n]
          return says === undefined || entry.told !== undefined || (says.zero === null && says.nonzero === null) ? entry : { ...entry, told: { head, tail, nth, of: null, zero: says.zero, nonzero: says.nonzero } }
        }),
      }
    }
    return told
  }

  /** How many lines of a look the whole text prints is known at its end. */
  settled(entries: readonly Entry[]): readonly Entry[] {
    return entries.map((entry) => (entry.told === undefined ? entry : { ...entry, told: { ...entry.told, of: this.#tellings.of(entry.told) } }))
  }

  #statement({ command, background }: Statement, scope: Scope, strict: boolean): Walked {
    if (background === true) {
      const { part } = command.type === 'AndOr' ? this.#andOr(command, scope, false) : this.#pipelineNode(command, scope, false)
      const behind = bounded(masked(part))
      return { part: { ...behind, entries: behind.entries.map((entry) => ({ ...entry, behind: true })), fails: false }, scope }
    }
    if (command.type === 'AndOr') return this.#andOr(command, scope, strict)
    const walked = this.#pipelineNode(command, scope, strict)
    return { ...walked, part: scope.errexit === 'off' || isNegated(command) ? walked.part : checked(walked.part, strict && scope.errexit === 'on') }
  }

  #andOr({ commands, operators }: AndOr, start: Scope, strict: boolean): Walked {
    const [first, ...more] = commands
    if (first === undefined) throw new Unreadable()
    const left = this.#pipelineNode(first, start, false)
    const chain = new Chain(left.part)
    let scope = left.scope
    let unsure = false
    let tight = true
    for (const [i, operand] of more.entries()) {
      const isAnd = operators[i] === '&&'
      const from = !isAnd && scope !== start ? { ...scope, vague: true } : scope
      const { fails } = chain.ending
      const right = !isAnd && isTrue(operand) ? { part: NOTHING, scope: from } : this.#pipelineNode(operand, from, strict && i === more.length - 1)
      chain.add(right.part, isAnd ? and : or)
      tight &&= isAnd && !fails
      if (right.scope === from) continue
      unsure ||= isAnd ? fails : right.part.ends === null
      scope = right.scope
    }
    const caught = start.errexit !== 'off' || scope.errexit !== 'off'
    const part = caught ? checked(chain.part(), tight && strict && start.errexit === 'on') : chain.part()
    return { part, scope: unsure ? blurred(start, scope) : scope }
  }

  #pipelineNode(node: PipelineNode, scope: Scope, strict: boolean): Walked {
    if (node.type !== 'Pipeline') return this.#commandNode(node, scope, strict)
    const negated = isNegated(node)
    const [only, ...more] = node.commands
    const walked = only !== undefined && more.length === 0 ? this.#commandNode(only, scope, strict && !negated) : { part: this.#pipeline(node, scope), scope }
    return negated ? { ...walked, part: inverted(walked.part) } : walked
  }

  /** Members run in subshells. Filters at the end are left out; what reads from a pipe can't be told by its words. */
  #pipeline({ commands }: Pipeline, scope: Scope): Part {
    const members = commands.map((node) => bounded(this.#commandNode(node, scope, false).part))
    const isFilter = (i: number): boolean => i > 0 && commands[i]?.type === 'Command' && members[i]?.entries.at(-1)?.filter != null
    let heads = members.length
    while (heads > 1 && isFilter(heads - 1)) heads -= 1
    const filters = members.slice(heads).map((part) => part.entries.at(-1) as Entry)
    const left = filters.reduce<ShellCommand['shows']>((shows, entry) => lesser(shows, lesser(entry.filter?.holds ?? 'part', entry.shows)), 'all')
    const steady = filters.every((entry) => entry.filter?.steady === true)
    const alone = heads === 1
    const entries = members.flatMap((part, i) => {
      if (i >= heads) return part.entries.slice(0, -1)
      const shown = capped(part.entries, i < heads - 1 ? 'nothing' : filters.length > 0 ? left : 'all')
      const told = i === 0 ? shown : shown.map((entry) => ({ ...entry, symbolic: true }))
      if (scope.pipefail === 'on') return told.map((entry) => ({ ...entry, nonzero: alone && steady ? entry.nonzero : null }))
      return filters.length > 0 || i < heads - 1 || scope.pipefail === 'maybe' ? told.map((entry) => ({ ...entry, zero: null, nonzero: null })) : told
    })
    return { ...NOTHING, entries: writing(entries, filters.flatMap((entry) => entry.writes ?? [])), fails: true, plain: members.every((part) => part.plain) }
  }

  #commandNode(node: CommandNode, scope: Scope, strict: boolean): Walked {
    return this.#nested(() => {
      switch (node.type) {
        case 'Command':
          return this.#simple(node, scope)
        case 'Function': {
          const start = { ...scope, vague: true }
          const { part, scope: end } = this.#body(node.body, start)
          const functions = new Map([...scope.functions, [termOf(node.name).value, { mayEnd: endOf(part), changes: end !== start }] as const])
          return { part: { ...branches([part]), fails: false, mayEnd: 'no' }, scope: { ...scope, functions } }
        }
        case 'Coproc':
          return { part: { ...branches([this.#body(node.body, scope).part]), fails: false, mayEnd: 'no' }, scope }
        case 'Redirected': {
          const walked = this.#compound(node.command, scope, strict)
          const streams = streamsOf(node.redirects)
          this.#note(streams.files, scope)
          const symbolic = streams.opaque || streams.inputs.length > 0
          const shown = capped(walked.part.entries, streams.shows).map((entry) => ({ ...entry, symbolic: entry.symbolic || symbolic }))
          const entries = writing(shown, this.#written(streams.files, scope))
          return { part: { ...walked.part, entries: [...node.redirects.flatMap((each) => this.#within(each, scope)), ...entries] }, scope: walked.scope }
        }
        default:
          return this.#compound(node, scope, strict)
      }
    })
  }

  #body(node: CommandNode | CompoundList, scope: Scope): Walked {
    return node.type === 'CompoundList' ? this.#list(node.commands, scope, false) : this.#commandNode(node, scope, false)
  }

  #compound(node: CompoundCommand, scope: Scope, strict: boolean): Walked {
    switch (node.type) {
      case 'BraceGroup':
        return this.#list(node.body.commands, scope, strict)
      case 'Subshell':
        return { part: bounded(this.#list(node.body.commands, scope, strict).part), scope }
      case 'If':
        return this.#branches(scope, [node, ...node.elif].flatMap((each) => [each.clause, each.then]).concat(node.else ?? []), [])
      case 'While':
        return this.#branches(scope, [node.clause, node.body], [])
      case 'For':
      case 'Select':
        return this.#branches(scope, [node.body], node.wordlist ?? [])
      case 'Case':
        return this.#branches(scope, node.items.map((item) => item.body), [node.word, ...node.items.flatMap((item) => item.pattern)])
      case 'ArithmeticFor':
        return this.#branches(scope, [node.body], [node.initialize, node.test, node.update].filter((each) => each !== undefined))
      case 'TestCommand':
        return this.#branches(scope, [], [node.expression])
      case 'ArithmeticCommand':
        return this.#branches(scope, [], node.expression === undefined ? [] : [node.expression])
    }
  }

  #branches(start: Scope, lists: readonly CompoundList[], words: readonly SyntaxNode[]): Walked {
    const inner: Part = { ...NOTHING, entries: words.flatMap((word) => this.#within(word, start)) }
    let scope = start
    const parts = lists.map((list) => {
      const walked = this.#list(list.commands, scope, false)
      scope = blurred(scope, walked.scope)
      return start.errexit === 'off' ? walked.part : checked(walked.part, false)
    })
    return { part: branches([inner, ...parts]), scope }
  }

  #simple(node: Command, scope: Scope): Walked {
    const inner = this.#within(node, scope)
    const before: Part = { ...NOTHING, entries: inner, plain: inner.length === 0 }
    const prefix = node.prefix.flatMap((each) => (each.type === 'Assignment' ? [assigned(each)] : []))
    const streams = streamsOf(node.redirects)
    this.#note(streams.files, scope)
    if (node.name === undefined) {
      return { part: { ...before, fails: inner.length > 0 }, scope: prefix.length === 0 ? scope : assign(scope, pairsIn(prefix), false) }
    }
    const terms = [termOf(node.name), ...node.args.map(termOf)]
    const change = changeOf(terms, scope, this.#root)
    if (change !== null) return this.#changed(change, terms, streams, before)
    const part = this.#run(terms, prefix.length === 0 ? scope : withEnv(scope, pairsIn(prefix)), streams, inner)
    return { part, scope: scope.functions.get(terms[0]?.value ?? '')?.changes === true ? untold(scope) : scope }
  }

  #changed({ scope, part, listed, script }: Change, terms: readonly Term[], streams: Streams, before: Part): Walked {
    const next = { ...before, ...part, entries: before.entries, plain: before.plain, fails: (part?.fails ?? false) || before.entries.length > 0 }
    if (script !== undefined) {
      const read = this.#nested(() => this.#list(parsedOrThrow(script), scope, false).part)
      return { part: { ...read, entries: [...before.entries, ...read.entries], plain: false }, scope }
    }
    if (!listed) return { part: next, scope: streams.shows === 'nothing' && terms[0]?.value === 'exec' ? { ...scope, silent: true } : scope }
    const entry = this.#entry(terms, scope, streams)
    return { part: { ...next, entries: [...before.entries, entry], fails: true }, scope }
  }

  /** One command with its words worked out, its wrappers taken away. */
  #run(terms: readonly Term[], scope: Scope, streams: Streams, inner: readonly Entry[]): Part {
    const called = scope.functions.get(terms[0]?.value ?? '')
    const found = called === undefined ? unwrap(terms, scope, this.#root) : { argv: terms, scope: { ...scope, vague: true }, last: false }
    const read = 'script' in found ? this.#inner(found.script, found.scope, streams) : null
    const part: Part = read ?? {
      ...NOTHING,
      entries: [this.#entry(found.argv, 'script' in found ? { ...found.scope, vague: true } : found.scope, streams)],
      fails: true,
      mayEnd: called?.changes === true ? 'any' : (called?.mayEnd ?? (TRAPS.test(terms.map((term) => term.value).join(' ')) ? 'any' : 'no')),
    }
    return {
      ...part,
      entries: [...inner, ...part.entries],
      ends: found.last ? 'own' : part.ends,
      plain: part.plain && inner.length === 0,
    }
  }

  /** The script that a shell is given; null where its text is not known and what is known is no script. */
  #inner(script: Term, scope: Scope, streams: Streams): Part | null {
    let part: Part
    try {
      part = this.#nested(() => this.script(script.value, script.symbolic ? { ...scope, vague: true } : scope))
    } catch (thrown) {
      if (script.symbolic && this.#nesting < MAX_NESTING && thrown instanceof Unreadable) return null
      throw thrown
    }
    const symbolic = streams.opaque || streams.inputs.length > 0
    const entries = capped(part.entries, streams.shows).map((entry) => ({ ...entry, symbolic: entry.symbolic || symbolic }))
    return scope.detached ? { ...masked({ ...part, entries }), fails: true } : { ...part, entries }
  }

  #entry(terms: readonly Term[], scope: Scope, streams: Streams): Entry {
    const here = scope.where === 'here'
    const root = here ? this.#root : null
    this.#note(outputsOf(terms), scope)
    const writes = this.#written([...streams.files, ...outputsOf(terms)], scope)
    let moved = false
    const words = terms.map((term, i) => {
      if (moved) return term.value
      moved = i > 0 && moves(terms[i - 1] as Term, term, terms[0] as Term)
      return relativised(term.value, scope.folder, root, i === 0 ? 'program' : 'word')
    })
    const inputs = streams.inputs.flatMap((term) => ['<', relativised(term.value, scope.folder, root, 'word')])
    const env = [...scope.env].map(([name, term]): [string, string] => [name, relativised(term.value, scope.folder, root, 'list')])
    const symbolic =
      scope.vague || !scope.known || streams.opaque || [...terms, ...streams.inputs, ...scope.env.values()].some((term) => term.symbolic) || (!here && inputs.length > 0)
    const own = here && scope.privilege === 'user' && streams.inputs.length === 0 && !streams.opaque
    return {
      command: commandOf([...words, ...inputs], { folder: scope.folder, env, where: scope.where, privilege: scope.privilege }),
      zero: scope.detached ? null : 'succeeded',
      nonzero: scope.detached ? null : 'code',
      shows: scope.silent ? 'nothing' : streams.shows,
      symbolic,
      ...(scope.timed ? { timed: true } : {}),
      ...(writes.length > 0 ? { writes } : {}),
      filter: own ? filterIn(terms) : null,
    }
  }

  /** Commands that the shell runs to work out words: listed, with a status that nobody keeps. */
  #within(node: SyntaxNode, scope: Scope): readonly Entry[] {
    return scriptsIn(node).flatMap((script) => capped(masked(this.#parsed(script, scope)).entries, 'nothing'))
  }

  #note(files: readonly Term[], scope: Scope): void {
    for (const path of this.#written(files, scope)) this.writes.add(path)
  }

  #written(files: readonly Term[], scope: Scope): readonly string[] {
    if (scope.where !== 'here') return []
    // What the shell works out may be any file.
    return files.flatMap((file) => (file.symbolic || file.pattern ? '*' : (written(scope.folder, file.value, this.#root) ?? [])))
  }
}

/** The lines of each look that a text prints. */
class Tellings {
  readonly #lines = new Map<string, { count: number; sure: boolean }>()

  /** Which of its look the line is. `sure`: it is printed once, and nowhere else. */
  note(telling: Telling, sure: boolean): number {
    const key = lookOf(telling)
    const { count, sure: before } = this.#lines.get(key) ?? { count: 0, sure: true }
    this.#lines.set(key, { count: count + 1, sure: before && sure })
    return count
  }

  of(look: { readonly head: string; readonly tail: string }): number | null {
    const lines = this.#lines.get(lookOf(look))
    return lines?.sure === true ? lines.count : null
  }
}

const lookOf = ({ head, tail }: { readonly head: string; readonly tail: string }): string => `${head.trim()}\0${tail.trim()}`

/** A pipeline whose first member is one simple command. */
const firstOf = ({ command }: Statement): CommandNode | null =>
  command.type === 'Pipeline' && !isNegated(command) && command.commands.length > 1 && command.commands[0]?.type === 'Command' && scriptsIn(command.commands[0]).length === 0 ? command.commands[0] : null

const assignedIn = ({ command }: Statement): readonly string[] =>
  command.type === 'Command' ? command.prefix.flatMap((each) => (each.type === 'Assignment' ? [each.name ?? ''] : [])) : []

const NO_STREAMS: Streams = { shows: 'all', files: [], inputs: [], opaque: false }

/** `trap … exit …`: the script may end where no word of it says so. */
const TRAPS = /^trap .*\bexit\b/s

function parsedOrThrow(text: string): readonly Statement[] {
  const script = parse(text)
  if ((script.errors?.length ?? 0) > 0) throw new Unreadable()
  return script.commands
}

const pairsIn = (prefix: readonly Term[]): (readonly [string, Term])[] => prefix.flatMap((term) => [assignmentIn(term)].filter((pair) => pair !== null))

const isNegated = (node: PipelineNode): boolean => node.type === 'Pipeline' && node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1

const isTrue = (node: PipelineNode): boolean =>
  node.type === 'Command' && node.prefix.length === 0 && (node.name?.text === 'true' || node.name?.text === ':') && scriptsIn(node).length === 0

/** What a filter or a redirection leaves of several commands' output: the end of it is the last one's. */
const capped = (entries: readonly Entry[], shows: ShellCommand['shows']): readonly Entry[] =>
  entries.map((entry, i) => ({ ...entry, shows: lesser(entry.shows, (shows === 'end' || shows === 'tip') && i < entries.length - 1 ? 'part' : shows) }))

/** What is left out of a pipeline, or stands around a group, writes until the last of its commands has ended. */
const writing = (entries: readonly Entry[], paths: readonly string[]): readonly Entry[] =>
  paths.length === 0 ? entries : entries.map((entry, i) => (i < entries.length - 1 ? entry : { ...entry, writes: [...(entry.writes ?? []), ...paths] }))

/** After `git -C DIR` and its like, paths are relative to that folder and not to ours. */
function moves(option: Term, value: Term, program: Term): boolean {
  if (/^(?:--directory|--cwd|--dir|--prefix|--chdir|--work-tree|--project-directory)$/.test(option.value)) return true
  if (/^(?:--directory|--cwd|--dir|--prefix|--chdir|--work-tree|--project-directory)=/.test(value.value)) return true
  return MOVERS.has(program.value) && (option.value === '-C' || /^-C./.test(value.value))
}

const MOVERS = new Set(['git', 'make', 'gmake', 'tar', 'ninja', 'pnpm', 'cargo', 'go'])
