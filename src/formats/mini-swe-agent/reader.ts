import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOfMilliseconds } from '../../base/time.ts'
import { type Call, type Ending, brokenOff, callsOf, coded, enteredBy, nameOf, untold } from '../../model/call.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'

/** A run. `cwd` null: its environment names no folder. */
interface Trajectory {
  readonly session: string
  readonly cwd: string | null
  readonly messages: readonly JsonObject[]
}

/** The run that a document holds; null: it is none. Before 1.0 it is a bare list, known by how the first statuses are written. */
export function trajectoryIn(value: unknown): Trajectory | null {
  const document = objectOf(value)
  const info = objectOf(document.info)
  const named = textOf(document.trajectory_format)?.startsWith('mini-swe-agent') === true || wordOf(info.mini_version) !== null
  const messages = listOf(Array.isArray(value) ? value : document.messages).map(objectOf)
  if (Array.isArray(value) ? !messages.slice(0, 200).some(isStatus) : !named || !Array.isArray(document.messages)) return null
  const session = wordOf(document.instance_id) ?? nameOf(...messages.slice(0, 3).map(wordsOf))
  return { session, cwd: wordOf(objectOf(objectOf(info.config).environment).cwd), messages }
}

const isStatus = (message: JsonObject): boolean => message.role === 'user' && wordOf(message.content) !== null && RETURNED.test(wordsOf(message))

/**
 * Each command runs in a shell of its own; its result is the next message, or since 2.0 the one that names it. A record is
 * named by its place and its words, since a run has no ids. A log may hold the runs of many tasks, one a line.
 */
export function openReader(): LogReader {
  const calls = callsOf('mini-swe-agent')

  function* result(call: Call, message: JsonObject, lost: boolean): Iterable<Turn> {
    const ending = endingOf(message)
    yield* calls.finish(call, lost && ending !== null ? untold(ending.output) : ending, utcOfSeconds(objectOf(message.extra).timestamp))
  }

  return {
    *read({ value }: Line): Iterable<Turn> {
      const trajectory = trajectoryIn(value)
      if (trajectory === null) return
      let waiting: readonly Asked[] = []
      // Where the environment names no folder and some commands enter one, nobody knows where the others ran.
      const wanders = trajectory.cwd === null && trajectory.messages.some((message) => message.role === 'assistant' && commandsIn(message).some(({ command }) => enteredBy(command) !== null))
      for (const [place, message] of trajectory.messages.entries()) {
        if (message.role === 'assistant') {
          waiting = commandsIn(message).map(({ command, id }, i) => {
            const cwd = trajectory.cwd ?? enteredBy(command)
            const at = utcOfSeconds(objectOf(objectOf(message.extra).response).created)
            return { asked: id, call: { session: trajectory.session, id: nameOf(place, i, command), tool: 'shell', at, cwd, command } }
          })
          for (const { call } of waiting) calls.begin(call)
        } else if ((message.role === 'user' || message.role === 'tool') && waiting.length > 0) {
          const id = wordOf(message.tool_call_id)
          const found = waiting.find(({ asked }) => asked === id)
          if (found === undefined) continue
          waiting = waiting.filter((one) => one !== found)
          yield* result(found.call, message, wanders && found.call.cwd === null)
        }
      }
    },
    end: calls.left,
  }
}

const utcOfSeconds = (value: unknown): string | null => (typeof value === 'number' ? utcOfMilliseconds(1000 * value) : null)

/** A command that waits for its result, and the id by which that names it. */
interface Asked {
  readonly asked: string | null
  readonly call: Call
}

/** What a message asks to run. A text with any number of blocks but one is refused by the host. */
function commandsIn(message: JsonObject): readonly { readonly command: string; readonly id: string | null }[] {
  const { actions } = objectOf(message.extra)
  if (Array.isArray(actions))
    return actions.map(objectOf).flatMap((action) => {
      const command = textOf(action.command)
      return command === null ? [] : [{ command, id: wordOf(action.tool_call_id) }]
    })
  const blocks = blocksIn(wordsOf(message))
  return blocks.length === 1 ? [{ command: (blocks[0] as string).trim(), id: null }] : []
}

function blocksIn(text: string): readonly string[] {
  const blocks: string[] = []
  for (const lines = text.split('\n'), found = { from: -1, i: 0 }; found.i < lines.length; found.i += 1) {
    const line = lines[found.i] as string
    if (found.from === -1 && /```(?:bash|mswea_bash_command)\s{0,20}$/.test(line)) found.from = found.i + 1
    else if (found.from !== -1 && line.startsWith('```')) {
      blocks.push(lines.slice(found.from, found.i).join('\n'))
      found.from = -1
    }
  }
  return blocks
}

const RETURNED = /^<returncode>(-?\d{1,9})<\/returncode>[ \t]{0,20}(?:\r?\n|$)/

function endingOf(message: JsonObject): Ending | null {
  const extra = objectOf(message.extra)
  const raw = textOf(extra.raw_output)
  const trouble = wordOf(extra.exception_info)
  if (trouble === 'action was not executed') return null
  if (trouble !== null) return brokenOff(raw)
  if (raw !== null && Number.isInteger(extra.returncode)) return coded(extra.returncode as number, raw)
  const text = wordsOf(message)
  const told = RETURNED.exec(text)
  if (told !== null) {
    const body = /^(?:<output>\r?\n?)([^]*?)(?:\r?\n)?<\/output>\s{0,100}$/.exec(text.slice(told[0].length))
    return coded(Number(told[1]), body?.[1] ?? text.slice(told[0].length), body === null)
  }
  return /^The last command <command>[^]*<\/command> timed out and has been killed\./.test(text) ? brokenOff(text) : untold(text)
}

/** The text of a message, whole or in parts. */
const wordsOf = ({ content }: JsonObject): string => textOf(content) ?? listOf(content).map((part) => textOf(objectOf(part).text) ?? '').join('')
