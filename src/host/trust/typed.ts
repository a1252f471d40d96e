import { relative } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import { type CanonicalCommand, commandKey, commandOf, shown } from '../../model/command.ts'
import { plainText } from '../../model/plain.ts'
import { readArgv, readShell } from '../../model/shell.ts'
import type { Repository } from '../git.ts'

/** Where it was typed. */
interface Place {
  readonly cwd: string
  repository(): Promise<Repository>
}

/** The one command that somebody typed behind `--`, as words or as one quoted text. Throws `misuse` where it is none, or not written out. */
export async function typedCommand(words: readonly string[], host: Place, hint = 'type one command without variables, pipes or lists'): Promise<CanonicalCommand> {
  const workTree = (await host.repository()).workTree ?? host.cwd
  const place = { folder: folderFrom(workTree, host.cwd), root: workTree }
  const reading = words.length === 1 ? readShell(words[0] as string, place) : readArgv(words, place)
  const [only] = reading.commands
  if (reading.parsed && reading.single && only !== undefined && !only.symbolic) return only.command
  throw new RemnantError('misuse', 'it is not one simple command, written out in full', { hint })
}

/** What to type in the folder `from` of the repository to approve exactly this command; null: it can't be typed plainly. */
export function allowing(command: CanonicalCommand, from: string): string | null {
  const words = command.env.length === 0 ? command.argv : ['env', ...command.env.map(([name, value]) => `${name}=${value}`), ...command.argv]
  const reading = readArgv(words, { folder: command.folder, root: null })
  const [only] = reading.commands
  if (words.length === 0 || !reading.single || only === undefined || commandKey(only.command) !== commandKey(command)) return null
  const folder = folderFrom(`/${from}`, `/${command.folder}`)
  const text = `git ${folder === '.' ? '' : `-C ${shown(commandOf([folder]))} `}remnant allow -- ${shown(commandOf(words))}`
  return plainText(text, MOST) === text ? text : null
}

/** What is longer is cut where it is shown, and a command that was cut is another. */
const MOST = 400

const folderFrom = (from: string, to: string): string => relative(from, to).replaceAll('\\', '/') || '.'
