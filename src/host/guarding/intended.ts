import type { Intended } from '../../guard.ts'
import { operationOf } from '../../guard/certain.ts'
import { partsOf } from '../../guard/entry.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import { type Mutation, neverReached } from '../../model/mutation.ts'
import { UNKNOWN, verdictOf } from '../../model/outcome.ts'
import { type ShellReading, readShell } from '../../model/shell.ts'
import type { EndedIntent, OpenIntent } from './journal.ts'

/** The tool's own words say that it was not done. */
export function saysNotDone({ result }: OpenIntent, command: CanonicalCommand, mutation: Mutation): boolean {
  const output = result?.output ?? ''
  return output !== '' && (neverReached(output) || mutation.confirms(command, output, verdictOf(result?.outcome ?? UNKNOWN) === true) === 'not-done')
}

/** The tool's own words, and its ending, say that this very deed was done, and nothing that came later of the same tool looks like taking it back. */
export function saysDone({ result, later }: EndedIntent, command: CanonicalCommand, mutation: Mutation, what: Intended): boolean {
  const succeeded = verdictOf(result?.outcome ?? UNKNOWN)
  if (result === null || succeeded === false) return false
  const confirmed = mutation.confirms(command, result.output ?? '', succeeded === true)
  if (confirmed === null || confirmed === 'not-done' || `${confirmed.target.kind}/${confirmed.target.id}` !== what.target) return false
  if (confirmed.identifier !== what.identifier || (what.state_hash !== null && confirmed.state_hash !== null && what.state_hash !== confirmed.state_hash)) return false
  return !later.some((text) => TAKES_BACK.test(text) && text.includes(command.argv[0] ?? ''))
}

/** Words of commands after which the same deed may be meant once more. */
const TAKES_BACK = /(?:^|[\s:-])(?:delete|destroy|unpublish|yank|remove|rm|revert|rollback|uninstall|undo|close|downgrade)\b/i

/** Whether an intent is about the deed that would be made: `what`, as the guard works it out before `mutation` makes it. `root`: the work tree. */
export function isSameIntent({ command, folder, cwd, intended }: OpenIntent, what: Intended, mutation: Mutation, root: string): boolean {
  const reading: ShellReading | null = command === null ? null : readShell(command, { folder: cwd ?? folder, root })
  const commands = (reading?.commands ?? []).filter(({ symbolic }) => !symbolic).map((read) => read.command)
  if (commands.some((one) => commandKey(one) === what.command) && intended === undefined) return true
  if (intended === undefined || `${intended.target.kind}/${intended.target.id}` !== what.target || intended.identifier !== what.identifier) return false
  // What is made at one place under one name may be several deeds: a release, and what is put into it.
  const isSameDeed = (one: CanonicalCommand): boolean => mutation.intends(one) !== null && (mutation.operation ?? operationOf(one)) === what.operation
  return commands.some((one) => partsOf(commandKey(one)).env === partsOf(what.command).env && isSameDeed(one))
}
