import type { Options } from 'yargs-parser'
import { RemnantError } from '../base/errors.ts'
import type { Arguments, Command, Option } from '../command.ts'
import { beforeRest } from './words.ts'

/** Options that every verb has. */
export const GLOBAL_OPTIONS = {
  json: { type: 'boolean', describe: 'one JSON document on stdout and nothing else, faults too' },
  C: { type: 'string', value: 'DIR', describe: 'as if started in DIR' },
} satisfies Record<string, Option>

/** What both parsers are told, so that they read every valid line alike. */
export const CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'duplicate-arguments-array': true,
  'flatten-duplicate-arrays': true,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'populate--': true,
  'short-option-groups': false,
  'strip-aliased': false,
  'strip-dashed': false,
} satisfies Options['configuration']

/** A command line taken apart, before anything is known of its sense. */
export interface Words {
  /** Values by option name, as the parser made them: a list where it was given more than once. */
  readonly options: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
  /** What stood behind `--`; null: there was none. */
  readonly rest: readonly string[] | null
}

export const optionsOf = (command: Command): Readonly<Record<string, Option>> => ({ ...command.options, ...GLOBAL_OPTIONS })

export const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`)

/** The arguments that a verb sees. Throws `misuse` for what no parser checks. `typed`: the words of the line, without the verb. */
export function argumentsOf(command: Command, words: Words, typed: readonly string[]): Arguments {
  const options = optionsOf(command)
  const hint = `see "git remnant ${command.name} -h"`
  for (const [name, option] of Object.entries(options)) {
    const value = words.options[name]
    if (Array.isArray(value) && !option.many) throw new RemnantError('misuse', `option "${dashed(name)}" is given twice`, { hint })
    if (option.type === 'number' && [value].flat().some(Number.isNaN))
      throw new RemnantError('misuse', `option "${dashed(name)}" needs a number`, { hint })
    if (option.type === 'boolean' && beforeRest(typed).some((word) => word.startsWith(`${dashed(name)}=`)))
      throw new RemnantError('misuse', `option "${dashed(name)}" takes no value`, { hint })
  }
  if (words.rest !== null && command.rest === undefined) throw new RemnantError('misuse', `"${command.name}" takes nothing behind "--"`, { hint })
  const named = positionalsOf(command, words.positionals)
  const one = (name: string): unknown => words.options[name] ?? named[name]?.[0]
  return {
    flag: (name) => one(name) === true,
    text: (name) => textOr(one(name)),
    number: (name) => numberOr(one(name)),
    list: (name) => [words.options[name] ?? named[name] ?? []].flat().map(String),
    rest: words.rest ?? [],
  }
}

function positionalsOf(command: Command, given: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const named: Record<string, readonly string[]> = {}
  for (const [i, positional] of (command.positionals ?? []).entries()) named[positional.name] = positional.many ? given.slice(i) : given.slice(i, i + 1)
  return named
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
