import {
  type AndOr,
  type Command,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  type Statement,
  type SyntaxNode,
  parse,
} from 'unbash'
import { type Walked, joined } from './and-or.ts'
import { type Change, assign, changeOf } from './changes.ts'
import { type Branching, branchingOf } from './compound-command.ts'
import { outputsOf } from './filters.ts'
import { Tellings } from './list.ts'
import { type Streams, streamsOf } from './output.ts'
import { isNegated, piped } from './pipeline.ts'
import { NO_STREAMS, capped, redirected, writing, writtenBy } from './redirection.ts'
import { type Scope, blurred, untold, withEnv } from './scope.ts'
import { entryOf, mayTrap } from './simple-command.ts'
import { Chain, type Entry, NOTHING, type Part, bounded, branches, checked, endOf, inverted, masked, next, staged } from './status.ts'
import { unwrap } from './unwrap.ts'
import { type Term, assignmentIn, assigned, scriptsIn, termOf } from './words.ts'

/** The text is no grammar that we read, or over the limits: nothing may be concluded from it. */
export class Unreadable extends Error {}

const MAX_NESTING = 24

/** Reads scripts and argument lists of one place; `writes` grows as it reads. Throws `Unreadable`. */
export class Walk {
  readonly writes = new Set<string>()
  readonly #root: string | null
  readonly #tellings = new Tellings()
  #nesting = 0
  /** A line that is printed here may not stand in the log, or may not be printed at all. */
  #unsure = false
  #stages = 0
  #chains = 0

  constructor(root: string | null) {
    this.#root = root
  }

  script(text: string, scope: Scope): Part {
    return this.#parsed(parse(text), scope)
  }

  argv(terms: readonly Term[], scope: Scope): Part {
    return this.#run(terms, scope, NO_STREAMS, [])
  }

  /** To be asked at the end of all: what later statements print of these. */
  settled(entries: readonly Entry[]): readonly Entry[] {
    return this.#tellings.settled(entries)
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

  #doubting<T>(unsure: boolean, work: () => T): T {
    const before = this.#unsure
    this.#unsure ||= unsure
    try {
      return work()
    } finally {
      this.#unsure = before
    }
  }

  /** `strict`: `set -e` counts here for certain; in conditions shells differ. */
  #list(statements: readonly Statement[], start: Scope, strict: boolean): Walked {
    const parts: Part[] = []
    let scope = start
    let reached = true
    for (const statement of statements) {
      const from = scope
      const walked: Walked = this.#doubting(!reached, () => this.#statement(statement, from, strict))
      const certain = strict && reached && !this.#unsure && statement.background !== true
      reached &&= walked.part.mayEnd === 'no' && walked.part.ends === null
      parts.push(certain ? staged(walked.part, this.#stages++) : walked.part)
      scope = walked.scope
    }
    const [first, ...more] = this.#tellings.told(statements, parts, scope, strict, this.#unsure)
    if (first === undefined) return { part: NOTHING, scope }
    const chain = new Chain(first)
    for (const part of more) chain.add(part, next)
    return { part: chain.part(), scope }
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

  #andOr(node: AndOr, start: Scope, strict: boolean): Walked {
    return joined(node, start, strict, this.#chains++, (operand, scope, last, unsure) => this.#doubting(unsure, () => this.#pipelineNode(operand, scope, last)))
  }

  #pipelineNode(node: PipelineNode, scope: Scope, strict: boolean): Walked {
    if (node.type !== 'Pipeline') return this.#commandNode(node, scope, strict)
    const negated = isNegated(node)
    const [only, ...more] = node.commands
    const walked = only !== undefined && more.length === 0 ? this.#commandNode(only, scope, strict && !negated) : { part: this.#piped(node.commands, scope), scope }
    return negated ? { ...walked, part: inverted(walked.part) } : walked
  }

  #piped(commands: readonly CommandNode[], scope: Scope): Part {
    return piped(commands, commands.map((node) => bounded(this.#doubting(true, () => this.#commandNode(node, scope, false)).part)), scope)
  }

  #commandNode(node: CommandNode, scope: Scope, strict: boolean): Walked {
    return this.#nested(() => {
      switch (node.type) {
        case 'Command':
          return this.#simple(node, scope)
        case 'Function': {
          const start = { ...scope, vague: true }
          const { part, scope: end } = this.#body(node.body, start)
          const functions = scope.functions.with([[termOf(node.name).value, { mayEnd: endOf(part), changes: end !== start }]])
          return { part: { ...branches([part]), fails: false, mayEnd: 'no' }, scope: { ...scope, functions } }
        }
        case 'Coproc':
          return { part: { ...branches([this.#body(node.body, scope).part]), fails: false, mayEnd: 'no' }, scope }
        case 'Redirected': {
          const streams = streamsOf(node.redirects)
          const walked = this.#doubting(streams.shows !== 'all', () => this.#compound(node.command, scope, strict))
          this.#note(streams.files, scope)
          const entries = writing(redirected(walked.part.entries, streams), writtenBy(streams.files, scope, this.#root))
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
      default:
        return this.#branches(scope, branchingOf(node))
    }
  }

  #branches(start: Scope, { lists, words }: Branching): Walked {
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
      const read = this.#nested(() => this.#doubting(streams.shows !== 'all', () => this.#list(parsedOrThrow(script), scope, false).part))
      return { part: { ...read, entries: [...before.entries, ...read.entries], plain: false }, scope }
    }
    if (!listed) return { part: next, scope: (streams.shows === 'nothing' || streams.mute === true) && terms[0]?.value === 'exec' ? { ...scope, silent: true } : scope }
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
      mayEnd: called?.changes === true ? 'any' : (called?.mayEnd ?? (mayTrap(terms) ? 'any' : 'no')),
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
      part = this.#nested(() => this.#doubting(streams.shows !== 'all', () => this.script(script.value, script.symbolic ? { ...scope, vague: true } : scope)))
    } catch (thrown) {
      if (script.symbolic && this.#nesting < MAX_NESTING && thrown instanceof Unreadable) return null
      throw thrown
    }
    const entries = redirected(part.entries, streams)
    return scope.detached ? { ...masked({ ...part, entries }), fails: true } : { ...part, entries }
  }

  #entry(terms: readonly Term[], scope: Scope, streams: Streams): Entry {
    this.#note(outputsOf(terms), scope)
    return entryOf(terms, scope, streams, this.#root)
  }

  /** Commands that the shell runs to work out words: listed, with a status that nobody keeps. */
  #within(node: SyntaxNode, scope: Scope): readonly Entry[] {
    return scriptsIn(node).flatMap((script) => capped(masked(this.#doubting(true, () => this.#parsed(script, scope))).entries, 'nothing'))
  }

  #note(files: readonly Term[], scope: Scope): void {
    for (const path of writtenBy(files, scope, this.#root)) this.writes.add(path)
  }
}

function parsedOrThrow(text: string): readonly Statement[] {
  const script = parse(text)
  if ((script.errors?.length ?? 0) > 0) throw new Unreadable()
  return script.commands
}

const pairsIn = (prefix: readonly Term[]): (readonly [string, Term])[] => prefix.flatMap((term) => [assignmentIn(term)].filter((pair) => pair !== null))
