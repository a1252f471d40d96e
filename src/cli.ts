import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { EXIT, EXIT_BUG, RemnantError, codeOf } from './base/errors.ts'
import type { Answer, Arguments, Command, Host } from './command.ts'
import { argumentsOf } from './cli/grammar.ts'
import { type Outside, openHost } from './cli/host.ts'
import { quickWords } from './cli/quick.ts'
import { beforeRest, verbIndex } from './cli/words.ts'
import { type Verb, verbs as allVerbs } from './commands.ts'
import { plainText } from './model/plain.ts'

/** Runs one command line (without `node` and the script) and prints its answer. The exit status; never throws. */
export async function cli(argv: readonly string[], outside: Outside, verbs: readonly Verb[] = allVerbs): Promise<number> {
  const json = beforeRest(argv).includes('--json')
  try {
    const { command, args, host } = await understand(argv, outside, verbs, json)
    return await print(await command.run(args, host), json, outside)
  } catch (thrown) {
    return report(thrown, json, outside)
  }
}

interface Understood {
  readonly command: Command
  readonly args: Arguments
  readonly host: Host
}

async function understand(argv: readonly string[], outside: Outside, verbs: readonly Verb[], json: boolean): Promise<Understood> {
  const at = verbIndex(argv)
  const name = argv[at] === 'help' ? argv[at + 1] : argv[at]
  if (name === undefined) throw new RemnantError('misuse', 'no verb is given', { hint: 'see "git remnant -h"' })
  const command = await verbs.find((verb) => verb.name === name)?.load()
  if (command === undefined) throw await unknownVerb(name, verbs)
  const words = argv.toSpliced(at, 1)
  const taken = (await quickWords(command, words)) ?? (await (await import('./cli/full.ts')).fullWords(command, words))
  const args = argumentsOf(command, taken, words)
  return { command, args, host: openHost(outside, folderOf(outside, args.text('C')), json) }
}

function folderOf(outside: Outside, asked: string | undefined): string {
  let folder: string
  try {
    folder = resolve(outside.cwd(), asked ?? '.')
  } catch (cause) {
    throw new RemnantError('missing', 'current folder is gone', { hint: 'change into a folder that exists', cause })
  }
  if (asked !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new RemnantError('misuse', `there is no folder "${asked}"`, { hint: 'option "-C" names a folder that exists' })
  return folder
}

async function unknownVerb(name: string, verbs: readonly Verb[]): Promise<RemnantError> {
  const { closest } = await import('./cli/full.ts')
  const meant = await closest(name, [...verbs.map((verb) => verb.name), 'help'])
  return new RemnantError('misuse', `unknown verb "${name}"`, {
    hint: meant === null ? 'see "git remnant -h"' : `did you mean "git remnant ${meant}"?`,
  })
}

async function print(answer: Answer, json: boolean, outside: Outside): Promise<number> {
  if (json && answer.written !== undefined) await write(outside, `{"schemaVersion":1,${answer.written().slice(1)}\n`)
  else if (json) {
    const lines = answer.lines === undefined ? {} : { lines: await collected(answer.lines) }
    await write(outside, `${JSON.stringify({ schemaVersion: 1, ...lines, ...answer.data })}\n`)
  } else if (answer.lines !== undefined) {
    for await (const line of answer.lines) if (!(await write(outside, `${JSON.stringify(line)}\n`))) break
  } else if (answer.text) await write(outside, answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`)
  return typeof answer.status === 'function' ? answer.status() : (answer.status ?? 0)
}

async function report(thrown: unknown, json: boolean, outside: Outside): Promise<number> {
  const known = thrown instanceof RemnantError
  const fault = known ? thrown.fault : 'bug'
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const hint = known ? thrown.hint : 'this is a bug of git-remnant: please report it with the lines above'
  if (!known) outside.warn(`git-remnant: ${(thrown instanceof Error && thrown.stack) || message}`)
  else if (!json) outside.warn(`git-remnant: ${plainText(message)}`)
  if (hint !== undefined && (!known || !json)) outside.warn(`hint: ${plainText(hint)}`)
  if (json) await write(outside, `${JSON.stringify({ schemaVersion: 1, error: { fault, message, hint: hint ?? null } })}\n`).catch(() => false)
  return known ? EXIT[thrown.fault] : EXIT_BUG
}

async function collected(lines: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const line of lines) all.push(line)
  return all
}

/** false: whoever read has gone (`| head`), which is no fault. Throws `unwritable` where the output can't be kept. */
async function write(outside: Outside, text: string): Promise<boolean> {
  try {
    await outside.print(text)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EPIPE') return false
    throw new RemnantError('unwritable', 'output could not be written', { cause })
  }
}
