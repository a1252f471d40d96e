import { plainLines } from '../base/plain.ts'
import { neverReached } from '../model/mutation.ts'
import type { Observation } from '../model/observation.ts'
import { type Outcome, verdictOf } from '../model/outcome.ts'
import type { Sets } from '../model/sets.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import type { Deed } from './evidence.ts'
import { reportsAlike, wordsOf } from './own-words.ts'

/**
 * A change of the outside: confirmed where the tool's own words or its status say so; a status that nobody kept is no
 * obstacle, a failure is.
 */
export function mutationOf(read: ShellCommand, outcome: Outcome, observed: Observation, reading: ShellReading, alone: boolean, sets: Sets): Deed | null {
  const verdict = verdictOf(outcome)
  if (verdict === false) return null
  for (const mutation of sets.mutations) {
    const intended = mutation.intends(read.command)
    if (intended === null) continue
    const whole = plainLines(observed.output ?? '')
    const own = wordsOf(read, reading, whole, alone)
    const closes = verdict === true && reading.commands.at(-1) === read && read.shows === 'all' && !reading.commands.some((one) => one !== read && reportsAlike(one, read)) && read.command.argv.slice(1, 4).some((word) => mutation.closesWith?.test(word))
    const output = own === '' && closes ? lastLine(whole) : own
    const shown = read.shows === 'all' || read.shows === 'end' || (read.shows === 'tip' && mutation.lastDecides === true) ? output : ''
    const said = mutation.confirms(read.command, shown, verdict === true)
    const confirmed = said === 'not-done' ? null : said
    const open = confirmed === null && said !== 'not-done' && mayHaveRun(read, reading, observed) && !neverReached(output)
    return { intended, confirmed, unknown: open && intended.repeat === 'harmful' }
  }
  return null
}

const lastLine = (output: string): string => output.trimEnd().split('\n').at(-1) ?? ''

/** Where the whole failed, the last of a list may have been passed over for what failed before it. */
const mayHaveRun = (read: ShellCommand, { commands }: ShellReading, { outcome }: Observation): boolean =>
  commands.length === 1 || verdictOf(outcome) !== false || read !== commands.at(-1)
