import { partsOf } from '../../guard/entry.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import { type Mutation, neverReached } from '../../model/mutation.ts'
import { UNKNOWN, verdictOf } from '../../model/outcome.ts'
import { type ShellReading, readShell } from '../../model/shell.ts'
import type { OpenIntent } from './journal.ts'

/** The tool's own words say that it was not done. */
export function saysNotDone({ result }: OpenIntent, command: CanonicalCommand, mutation: Mutation): boolean {
  const output = result?.output ?? ''
  return output !== '' && (neverReached(output) || mutation.confirms(command, output, verdictOf(result?.outcome ?? UNKNOWN) === true) === 'not-done')
}

/** Whether an intent is about the deed that would be made: `what`, as the guard works it out before it is made. `root`: the work tree. */
export function isSameIntent({ command, folder, cwd, intended }: OpenIntent, what: { readonly command: string; readonly target: string; readonly identifier: string | null }, root: string): boolean {
  const reading: ShellReading | null = command === null ? null : readShell(command, { folder: cwd ?? folder, root })
  const commands = (reading?.commands ?? []).filter(({ symbolic }) => !symbolic).map((read) => commandKey(read.command))
  if (intended === undefined) return commands.includes(what.command)
  const sameDeed = `${intended.target.kind}/${intended.target.id}` === what.target && intended.identifier === what.identifier
  return sameDeed && commands.some((one) => partsOf(one).env === partsOf(what.command).env)
}
