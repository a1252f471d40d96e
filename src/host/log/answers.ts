import { RemnantError } from '../../base/errors.ts'
import { parse } from '../../distill/parse.ts'
import type { Format, LogPlace } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'
import { type LogFiles, openLog } from '../log.ts'
import { isHostsOwnPlace } from './sessions.ts'

/** Whose logs are looked into: those that a host itself keeps for this work tree. */
export interface AnswerPlace {
  readonly workTree: string
  readonly env: LogPlace['env']
  readonly formats: readonly Format[]
  readonly files: LogFiles
}

/**
 * A journal's turns, and right behind each mutation that it only saw begin what the host's own log says came of it: no hook tells
 * that a person said no. `open`: the paths of the logs, by the ids of the calls. A log that is gone, from elsewhere or unreadable says nothing.
 */
export async function* withAnswers(turns: AsyncIterable<Turn>, open: ReadonlyMap<string, string>, place: AnswerPlace): AsyncGenerator<Turn> {
  const answers = open.size === 0 ? new Map<string, Turn>() : await answersIn(open, place)
  for await (const turn of turns) {
    yield turn
    const answer = turn.kind === 'intent' ? answers.get(turn.record_id) : undefined
    if (answer !== undefined && answer.host === turn.host && answer.session === turn.session) yield answer
  }
}

async function answersIn(open: ReadonlyMap<string, string>, { workTree, env, formats, files }: AnswerPlace): Promise<ReadonlyMap<string, Turn>> {
  const found = new Map<string, Turn>()
  for (const path of new Set(open.values()))
    try {
      if (!(await isHostsOwnPlace(path, workTree, env, formats, files))) continue
      const log = await openLog(path, formats, files)
      for await (const turn of parse(log.lines, log.format, () => {}))
        if (turn.kind === 'command' && open.get(turn.record_id) === path && !found.has(turn.record_id)) found.set(turn.record_id, turn)
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
    }
  return found
}
