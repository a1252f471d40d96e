import type { Command, Option } from '../command.ts'
import { CONFIGURATION, type Words, optionsOf } from './grammar.ts'

/**
 * Takes a line apart with yargs' own engine and without yargs, which takes longer to load than most verbs to run.
 * A line without options needs no parser at all. `words`: the line without its verb. null: something does not fit; then yargs says what.
 */
export async function quickWords(command: Command, words: readonly string[]): Promise<Words | null> {
  const taken = words.some((word) => word.startsWith('-')) ? await parsed(command, words) : { options: {}, positionals: words, rest: null }
  if (taken === null) return null
  const { least, most } = countsOf(command)
  return taken.positionals.length < least || taken.positionals.length > most ? null : taken
}

async function parsed(command: Command, words: readonly string[]): Promise<Words | null> {
  const { default: parser } = await import('yargs-parser')
  const options = optionsOf(command)
  const named = (type: Option['type']): string[] => Object.keys(options).filter((name) => options[name]?.type === type)
  const valued = [...named('string'), ...named('number')]
  const { argv, error } = parser.detailed([...words], {
    boolean: named('boolean'),
    string: ['_', ...named('string')],
    number: named('number'),
    narg: Object.fromEntries(valued.map((name) => [name, 1])),
    configuration: CONFIGURATION,
  })
  const { _: positionals, '--': rest, ...values } = argv
  if (error || !Object.keys(values).every((name) => Object.hasOwn(options, name))) return null
  return { options: values, positionals: positionals.map(String), rest: (rest as string[] | undefined) ?? null }
}

function countsOf(command: Command): { least: number; most: number } {
  const positionals = command.positionals ?? []
  return {
    least: positionals.filter((positional) => positional.required).length,
    most: positionals.some((positional) => positional.many) ? Infinity : positionals.length,
  }
}
