import { type Assignment, type DoubleQuotedChild, type ParsedScript, type Statement, type SyntaxNode, type Word, type WordPart, forEachChild } from 'unbash'
import { ANY, type Pattern, STAR, TOP, isKnown, placeOf } from '../pattern.ts'
import type { Place } from '../place.ts'
import { MOST_VALUES, type Scope, type Values, inner, set } from './scope.ts'

/** What the words of a script can be. */
export class Words {
  readonly #at: Place
  readonly #list: (statements: readonly Statement[], scope: Scope) => Promise<void>

  /** `list`: follows the commands in `$(…)`. */
  constructor(at: Place, list: (statements: readonly Statement[], scope: Scope) => Promise<void>) {
    this.#at = at
    this.#list = list
  }

  /** The words that one word can become. */
  async word(word: Word, scope: Scope, quoted = false): Promise<Values> {
    if (word.text.startsWith('~') && !/^~(?:\/|$)/.test(word.text)) this.#at.inputs.untold('it looks into a home folder')
    if (word.parts === undefined) return [word.value]
    let values: Pattern[] = ['']
    for (const part of word.parts) {
      // Of several parts one that falls into words takes the others with it.
      const found = (await this.part(part, scope, quoted)).map((value) => (word.parts !== undefined && word.parts.length > 1 && !quoted && EXPANDS.has(part.type) && /\s/.test(value) ? ANY : value))
      values = found.flatMap((one) => values.map((value) => value + one))
      if (values.length > MOST_VALUES) values = [ANY]
    }
    return values
  }

  /** What a variable is given; it holds that from here on. */
  async assign({ name, value, append, index }: Assignment, scope: Scope): Promise<Values> {
    const values: Pattern[] = []
    if (value.type === 'Word') values.push(...(await this.word(value, scope, true)))
    else for (const word of value.elements) values.push(...(await this.word(word, scope)))
    // The elements of a list are names that the shell looks for; one value alone is no such word.
    if (value.type !== 'Word') await this.expand(values, scope)
    const known = append === true || index !== undefined || value.type !== 'Word' ? [ANY] : values.length === 0 ? [''] : values
    if (name === 'PATH' || name === 'IFS') this.#at.inputs.all(`a script sets ${name}`)
    set(scope, name, known)
    return known
  }

  /** The shell itself looks for what fits a pattern, whatever is then done with the names. */
  async expand(values: Values, scope: Scope): Promise<void> {
    for (const value of new Set(values)) if (value.includes(STAR)) await this.#at.inputs.path(value, scope.folder, 'stat')
  }

  /** What a part of a word can become. */
  async part(part: WordPart | DoubleQuotedChild, scope: Scope, quoted: boolean): Promise<Values> {
    const { inputs } = this.#at
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [part.value]
      case 'DoubleQuoted':
      case 'LocaleString': {
        let values: Pattern[] = ['']
        for (const child of part.parts) {
          const found = await this.part(child, scope, true)
          values = found.flatMap((one) => values.map((value) => value + one))
          if (values.length > MOST_VALUES) values = [ANY]
        }
        return values
      }
      case 'Glob':
        return [STAR]
      case 'SimpleExpansion':
        return this.#variable(part.text.replace(/^\$/, ''), scope, quoted)
      case 'ParameterExpansion': {
        if (part.prefix === '#') return [ANY]
        if (part.prefix !== undefined) return [ANY]
        const values = /^(?:BASH_SOURCE)$/.test(part.parameter) ? [scope.name] : part.index !== undefined ? [ANY] : await this.#variable(part.parameter, scope, quoted)
        const operation = part.operation
        if (operation === undefined) return values
        if (operation.type === 'Default') {
          const other = await this.word(operation.operand, scope, true)
          if (operation.operator.includes('=')) set(scope, part.parameter, other)
          return [...new Set([...values, ...other])]
        }
        return operation.type === 'Remove' || operation.type === 'Replace' ? [ANY] : [ANY]
      }
      case 'CommandExpansion':
        return this.#expansion(part.script, scope)
      case 'ArithmeticExpansion': {
        const scripts: SyntaxNode[] = []
        const look = (child: SyntaxNode): void => (child.type === 'CommandExpansion' || child.type === 'ArithmeticCommandExpansion' ? void scripts.push(child) : forEachChild(child, look))
        if (part.expression !== undefined) look(part.expression)
        if (scripts.length > 0) inputs.all('a script that counts with commands')
        return [ANY]
      }
      case 'BraceExpansion': {
        const inner = /^\{([^{}]*)\}$/.exec(part.text)?.[1]
        return inner === undefined || !inner.includes(',') || /[$`"'\\*?[]/.test(inner) ? [ANY] : inner.split(',')
      }
      default:
        inputs.all(`a script with ${part.type}`)
        return [ANY]
    }
  }

  /** `$(dirname "$0")` and `$(pwd)` are worked out; of others the commands are followed, and what they print is unknown. */
  async #expansion(script: ParsedScript | undefined, scope: Scope): Promise<Values> {
    if (script === undefined || (script.errors?.length ?? 0) > 0) {
      this.#at.inputs.all('a script that can not be parsed')
      return [ANY]
    }
    const own = inner(scope)
    const [only, more] = script.commands
    const command = only?.command
    if (more === undefined && command?.type === 'Command' && command.redirects.length === 0) {
      const name = command.name?.value
      if (name === 'pwd' && command.args.length === 0) return [TOP + (scope.folder === '.' ? '' : `/${scope.folder}`)]
      const arg = command.args.filter((one) => one.type === 'Word' && one.value !== '--')
      if ((name === 'dirname' || name === 'basename') && arg.length === 1) {
        const values = await this.word(arg[0] as Word, own)
        if (values.every(isKnown)) return values.map(name === 'dirname' ? dirnameOf : (value) => value.replace(/\/+$/, '').replace(/^.*\//, ''))
      }
    }
    if (more === undefined && command?.type === 'AndOr' && command.commands.length === 2) {
      const [cd, pwd] = command.commands
      if (cd?.type === 'Command' && cd.name?.value === 'cd' && pwd?.type === 'Command' && pwd.name?.value === 'pwd') {
        const words = cd.args.filter((one): one is Word => one.type === 'Word' && one.value !== '--')
        const values = words.length === 1 ? await this.word(words[0] as Word, own) : []
        const place = values.length === 1 && isKnown(values[0] as string) ? placeOf(values[0] as string, scope.folder) : null
        if (place !== null && place !== '?') {
          await this.#at.inputs.present(place)
          return [TOP + (place === '.' ? '' : `/${place}`)]
        }
      }
    }
    await this.#list(script.commands, own)
    return [ANY]
  }

  async #variable(name: string, scope: Scope, quoted: boolean): Promise<Values> {
    if (name === '0') return [scope.name]
    if (name === 'HOME' && !scope.variables.has(name)) return ['~']
    if (name === 'PWD') return [TOP + (scope.folder === '.' ? '' : `/${scope.folder}`)]
    if (/^[@*]$/.test(name)) return scope.positional.length === 0 ? [] : scope.positional.flat().slice(0, MOST_VALUES + 1)
    if (/^[1-9]$/.test(name)) return scope.positional[Number(name) - 1] ?? ['']
    const values = scope.variables.get(name)
    if (values !== undefined) return quoted ? values : values.map((value) => value.replace(/[*?]|\[[^\]]*\]/g, STAR))
    return [ANY]
  }
}

/** A variable alone, without quotes, falls into words. */
export const isSplit = ({ parts }: Word): boolean => parts?.length === 1 && EXPANDS.has((parts[0] as WordPart).type)
const EXPANDS = new Set(['SimpleExpansion', 'ParameterExpansion'])

function dirnameOf(value: string): string {
  const bare = value.replace(/\/+$/, '')
  return bare.includes('/') ? bare.slice(0, bare.lastIndexOf('/')) || '/' : bare.startsWith(TOP) ? `${TOP}/..` : '.'
}
