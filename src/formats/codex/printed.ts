import { UNKNOWN } from '../../model/outcome.ts'
import { type Ending, endingOfText, ended } from '../../model/codex/ending.ts'
import { type Call, calledIn } from './call.ts'
import type { ScriptCall } from './script-run.ts'
import { type Shown, shownIn } from './script-shown.ts'

/** A call that a script made, and what the script printed of it. `over`: its command has ended, be its status told or not. */
export interface Printed {
  readonly call: Call
  readonly ending: Ending & { readonly over?: boolean }
}

/**
 * What a script that has ended printed of each of its calls, where it is a plain one and printed what its text says: the host's own
 * results then, and nothing that the script made up. null: nobody can say what its parts show. `took`: from its call to its end, in
 * ms, where it went on in a cell between.
 */
export function printedBy(script: Call, parts: readonly string[], took: number | null): readonly Printed[] | null {
  const { plain } = script
  const [header = '', ...printed] = parts
  const seconds = COMPLETED.exec(header)
  if (plain == null || seconds === null) return null
  const shown = shownIn(plain, printed)
  if (shown === null) return null
  const within = took ?? (seconds[1] === undefined ? Infinity : Number(seconds[1]) * 1000)
  const processes = shown.map((one, i) => one?.running ?? shown.find((_, asked) => plain.calls[asked]?.asks === i)?.running ?? `${script.id}~${i}`)
  return plain.calls.flatMap((one, i): Printed[] => {
    const call = calledIn(script, one)
    const said = shown[i]
    if (call === null || said == null) return []
    const asked = plain.calls.some(({ asks }, j) => asks === i && shown[j] !== null)
    const process = one.asks === null ? call.process : (processes[one.asks] ?? null)
    return [{ call: { ...call, process, id: i === 0 ? call.id : `${call.id}/${i + 1}` }, ending: endingIn(call, one, said, asked ? (processes[i] as string) : null, process, within) }]
  })
}

/** The host's first part, which says that the script ran to its end. */
const COMPLETED = /^Script completed\n(?:Wall time (?:(\d{1,6}(?:\.\d{1,3})?) seconds?|[^\n]{0,40})\n)?Output:\n$/

/** `left`: the process as which it goes on, since the script asks after it; `asked`: of a question, the process that it is about. */
function endingIn(call: Call, { given }: ScriptCall, { output, cut, code, running, goesOn }: Shown, left: string | null, asked: string | null, took: number): Printed['ending'] {
  // What a patch could not be applied to ends the script.
  if (call.kind === 'patch') return { outcome: { is: 'success' }, output: null, cut: false, running: null }
  if (code !== null) {
    const ending = ended(code, { header: '', text: output ?? '' })
    return output === null ? { ...ending, output: null, cut: true } : { ...ending, cut: ending.cut || cut }
  }
  const onwards = running ?? left
  if (output === null && onwards === null) return NOTHING_SHOWN
  const ending = endingOfText(output ?? '')
  if (onwards !== null) return { ...ending, cut: ending.cut || cut || output === null, running: onwards }
  const over = goesOn === false || (goesOn === null && hasEnded(given, took))
  return { ...ending, cut: ending.cut || cut || !over, over, running: call.kind === 'stdin' && !over ? asked : null }
}

const NOTHING_SHOWN: Ending = { outcome: UNKNOWN, output: null, cut: false, running: null }

/** The host hands back a command before its time is over only where it has ended. */
const hasEnded = (given: ScriptCall['given'], took: number): boolean =>
  typeof given === 'object' && typeof given.yield_time_ms === 'number' && took + MARGIN < Math.min(given.yield_time_ms, LONGEST_YIELD)

/** In ms: what a header's rounding, and the start of a script, can hide. */
const MARGIN = 500
const LONGEST_YIELD = 30_000
