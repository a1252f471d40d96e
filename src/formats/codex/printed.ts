import { UNKNOWN } from '../../model/outcome.ts'
import { type Ending, endingOfText, ended } from '../../model/codex/ending.ts'
import { type Call, calledIn } from './call.ts'
import { type ScriptCall, resultIn } from './script-calls.ts'

/** A call that a script made, and what the script printed of it. */
export interface Printed {
  readonly call: Call
  readonly ending: Ending
}

/**
 * What a script that has ended printed of each of its calls, where it is a plain one and printed as many parts as its text says: the
 * host's own results then, and nothing that the script made up. null: nobody can say what its parts show.
 */
export function printedBy(script: Call, parts: readonly string[]): readonly Printed[] | null {
  const { plain } = script
  const [header = '', ...shown] = parts
  const seconds = COMPLETED.exec(header)
  if (plain == null || seconds === null || shown.length !== plain.parts) return null
  const took = seconds[1] === undefined ? Infinity : Number(seconds[1]) * 1000
  return plain.calls.flatMap((one, i) => {
    const call = calledIn(script, one)
    return call === null ? [] : [{ call: i === 0 ? call : { ...call, id: `${call.id}/${i + 1}` }, ending: endingIn(one, shown, took) }]
  })
}

/** The host's first part, which says that the script ran to its end. */
const COMPLETED = /^Script completed\n(?:Wall time (?:(\d{1,6}(?:\.\d{1,3})?) seconds?|[^\n]{0,40})\n)?Output:\n$/

/** `took`: the whole script, in ms. */
function endingIn({ tool, given, shown }: ScriptCall, parts: readonly string[], took: number): Ending {
  // What a patch could not be applied to ends the script.
  if (tool === 'apply_patch') return { outcome: { is: 'success' }, output: null, cut: false, running: null }
  const part = shown === null ? undefined : parts[shown.part]
  if (shown === null || part === undefined) return NOTHING_SHOWN
  const goesOn = tool === 'write_stdin' && typeof given === 'object' ? String(given.session_id) : null
  if (shown.as === 'output') {
    const ending = endingOfText(part)
    return { ...ending, cut: ending.cut || !hasEnded(given, took), running: goesOn }
  }
  const result = resultIn(part)
  if (result === null) return NOTHING_SHOWN
  return result.code !== null ? ended(result.code, { header: '', text: result.output }) : { ...endingOfText(result.output), running: result.running }
}

const NOTHING_SHOWN: Ending = { outcome: UNKNOWN, output: null, cut: false, running: null }

/** The host hands back a command before its time is over only where it has ended. */
const hasEnded = (given: ScriptCall['given'], took: number): boolean =>
  typeof given === 'object' && typeof given.yield_time_ms === 'number' && took + MARGIN < Math.min(given.yield_time_ms, LONGEST_YIELD)

/** In ms: what a header's rounding, and the start of a script, can hide. */
const MARGIN = 500
const LONGEST_YIELD = 30_000
