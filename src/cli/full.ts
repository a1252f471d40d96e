import yargs, { type Argv, type Options } from 'yargs'
import { RemnantError } from '../base/errors.ts'
import type { Command, Option } from '../command.ts'
import { CONFIGURATION, type Words, dashed, optionsOf } from './grammar.ts'
import { beforeRest } from './words.ts'

/**
 * Takes a line apart with yargs, from the same definitions as `quickWords`: slower, and able to say what does not fit.
 * `words`: the line without its verb. Throws `misuse` with the nearest thing that would fit.
 * Yargs itself stumbles over options named like what every object inherits (`--constructor`); they never come to it.
 */
export async function fullWords(command: Command, words: readonly string[]): Promise<Words> {
  const inherited = beforeRest(words).find((word) => /^--?[^-]/.test(word) && optionName(word) in Object.prototype)
  if (inherited !== undefined) throw await unknownOption(command, inherited)
  let fault: string | null = null
  const parsed = await bare(yargs([command.name, ...words]))
    .command(usageOf(command), command.summary, (build) => declare(build, command))
    .strict()
    .fail((message, error) => {
      if (message === null || message === undefined) throw error
      fault ??= message
    })
    .parseAsync()
  if (fault !== null) throw await misuse(command, words, fault)
  const { _, $0, '--': rest, ...values } = parsed as Record<string, unknown>
  const positionals = (command.positionals ?? []).flatMap(({ name }) => (values[name] === undefined ? [] : [values[name]].flat().map(String)))
  return { options: values, positionals, rest: (rest as string[] | undefined) ?? null }
}

/** The one of `names` that `word` was most likely meant to be, or null. */
export async function closest(word: string, names: readonly string[]): Promise<string | null> {
  const messages: string[] = []
  const search = bare(yargs([word])).recommendCommands().strictCommands()
  for (const name of names) search.command(name, '')
  await search.fail((message) => void messages.push(message)).parseAsync()
  return messages.map((message) => SUGGESTED.exec(message)?.[1] ?? null).find((name) => name !== null) ?? null
}

const SUGGESTED = /^close:(.*)$/s
const UNKNOWN = /^unknown:(.*)$/s
const FEW = /^few:/
const VALUELESS = /^valueless:(.*)$/s

/** Yargs' own messages as marks, whatever the user's language. */
const MARKS = {
  'Did you mean %s?': 'close:%s',
  'Unknown argument: %s': { one: 'unknown:%s', other: 'unknown:%s' },
  'Unknown command: %s': { one: 'unknown:%s', other: 'unknown:%s' },
  'Not enough non-option arguments: got %s, need at least %s': { one: 'few:%s:%s', other: 'few:%s:%s' },
  'Not enough arguments following: %s': 'valueless:%s',
} as unknown as Record<string, string>

const bare = (yargs: Argv): Argv =>
  yargs
    .detectLocale(false)
    .updateStrings(MARKS)
    .parserConfiguration(CONFIGURATION)
    .help(false)
    .version(false)
    .exitProcess(false)
    .showHelpOnFail(false)

const usageOf = (command: Command): string =>
  [
    command.name,
    ...(command.positionals ?? []).map(({ name, required, many }) => (required ? `<${name}${many ? '..' : ''}>` : `[${name}${many ? '..' : ''}]`)),
  ].join(' ')

function declare(build: Argv, command: Command): Argv {
  for (const { name, describe } of command.positionals ?? []) build.positional(name, { type: 'string', describe })
  for (const [name, option] of Object.entries(optionsOf(command))) build.option(name, declared(option))
  return build
}

const declared = (option: Option): Options => ({
  type: option.type,
  describe: option.describe,
  ...(option.type === 'boolean' ? {} : { nargs: 1 }),
})

async function misuse(command: Command, words: readonly string[], fault: string): Promise<RemnantError> {
  const hint = `see "git remnant ${command.name} -h"`
  const valueless = VALUELESS.exec(fault)?.[1]
  if (valueless !== undefined) return new RemnantError('misuse', `option "${dashed(valueless)}" needs a value`, { hint })
  if (FEW.test(fault)) {
    const missing = (command.positionals ?? []).filter(({ required }) => required)
    return new RemnantError('misuse', `"${command.name}" needs ${missing.map(({ name }) => name.toUpperCase()).join(' and ')}`, { hint })
  }
  const unknown = UNKNOWN.exec(fault)?.[1]
  if (unknown === undefined) return new RemnantError('misuse', `command line of "${command.name}" can't be taken: ${fault}`, { hint })
  const option = beforeRest(words).find((word) => word.startsWith('-') && unknown.split(', ').includes(optionName(word)))
  if (option !== undefined) return unknownOption(command, option)
  return new RemnantError('misuse', `unexpected argument "${unknown.split(', ')[0]}"`, {
    hint: command.rest === undefined ? hint : `a command stands behind "--": git remnant ${command.name} -- ${command.rest}`,
  })
}

async function unknownOption(command: Command, word: string): Promise<RemnantError> {
  const meant = await closest(optionName(word), Object.keys(optionsOf(command)))
  return new RemnantError('misuse', `unknown option "${word.replace(/=.*$/s, '')}"`, {
    hint: meant === null ? `see "git remnant ${command.name} -h"` : `did you mean "${dashed(meant)}"?`,
  })
}

const optionName = (word: string): string => word.replace(/^--?/, '').replace(/=.*$/s, '')
