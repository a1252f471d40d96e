import type { Turn } from '../../model/observation.ts'
import { UNKNOWN } from '../../model/outcome.ts'
import type { Ending } from '../../model/codex/ending.ts'
import type { Call } from './call.ts'
import { type Session, commandTurn } from './turns.ts'

/** A command that its output left running, and what it has printed. */
interface Running {
  readonly call: Call
  printed: string
  cut: boolean
  interrupted: boolean
}

/** Commands that go on behind their calls, by the ids of their processes. */
export interface Processes {
  /** A call ends and its command goes on. One that had its id before is told as it was left. */
  leave(process: string, call: Call, ending: Ending, at: string | null): Iterable<Turn>
  /** Somebody wrote to one, or asked after it. */
  goesOn(call: Call, ending: (Ending & { readonly over?: boolean }) | null, at: string | null): Iterable<Turn>
  /** Somebody may have asked after any of them, and nobody knows what they printed then. */
  missed(): void
  /** The one that a call left. */
  of(id: string): { readonly process: string; readonly call: Call; readonly interrupted: boolean } | null
  /** It is told elsewhere. Nothing, where it is none of these. */
  forget(process: string): void
  call(process: string): Call | null
  /** The log ends. */
  rest(): Iterable<Turn>
}

export function openProcesses(session: Session): Processes {
  const running = new Map<string, Running>()

  const unfinished = ({ call, printed, interrupted }: Running, at: string | null): Turn =>
    commandTurn(session, call, at, { outcome: interrupted ? { is: 'transient' } : UNKNOWN, output: printed, cut: true })

  return {
    *leave(process, call, ending, at) {
      const forgotten = running.get(process)
      if (forgotten !== undefined) yield unfinished(forgotten, at)
      running.set(process, { call, printed: ending.output ?? '', cut: ending.cut, interrupted: false })
    },
    *goesOn(call, ending, at) {
      const process = running.get(call.process ?? '')
      if (process === undefined || ending === null) return
      if (call.stops) process.interrupted = true
      if (ending.output === null) process.cut = true
      if (ending.running === null && ending.outcome.is !== 'code' && ending.over !== true) return
      const printed = process.printed + (ending.output ?? '')
      process.printed = printed.slice(-MAX_PRINTED)
      process.cut ||= ending.cut || printed.length > MAX_PRINTED
      if (ending.running !== null) return
      running.delete(call.process ?? '')
      yield commandTurn(session, process.call, at, { outcome: process.interrupted ? { is: 'transient' } : ending.outcome, output: process.printed, cut: process.cut })
    },
    missed() {
      for (const process of running.values()) process.cut = true
    },
    of(id) {
      const [process, left] = [...running].find(([, { call }]) => call.id === id) ?? []
      return process === undefined || left === undefined ? null : { process, call: left.call, interrupted: left.interrupted }
    },
    forget: (process) => void running.delete(process),
    call: (process) => running.get(process)?.call ?? null,
    *rest() {
      for (const process of running.values()) yield unfinished(process, null)
      running.clear()
    },
  }
}

/** Characters kept of a command that goes on printing: its end. */
const MAX_PRINTED = 1024 * 1024
