import { HEX_OID } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf } from '../../base/time.ts'
import { type Line, type LogReader, recordIdOf } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'
import { UNKNOWN } from '../../model/outcome.ts'
import { editsOf } from '../../model/claude-code/edits.ts'
import { BROKEN_OFF, type Ending, endingOf, isInterruption, isShortened } from '../../model/claude-code/ending.ts'
import { EDITORS, READERS, SHELLS } from '../../model/claude-code/tools.ts'
import { AGENTS, openAgents } from './agents.ts'
import { behindId, lookOf, lookedAfter, noticeOf } from './behind.ts'

/**
 * Joins calls with their results by id. A log's session is that of its first line that names one; lines of another
 * session (a forked history, a stranger's sub-agent file) are skipped. Of an id that comes again the first one counts.
 */
export function openReader(): LogReader {
  let session: string | null = null
  let head: string | null = null
  let started: string | null = null
  const open = new Map<string, Call>()
  const done = new Set<string>()
  const behind = new Map<string, Behind>()
  const agents = openAgents()

  function call(block: JsonObject, line: JsonObject, file: number): void {
    const id = wordOf(block.id)
    const tool = textOf(block.name) ?? ''
    if (id === null || open.has(id) || done.has(id) || (READERS.test(tool) && !LOOKS.has(tool) && !AGENTS.has(tool))) return
    if (AGENTS.has(tool)) agents.called(id)
    const input = objectOf(block.input)
    const [cwd, at] = [wordOf(line.cwd), utcOf(line.timestamp)]
    open.set(id, { id, file, kind: SHELLS.has(tool) ? 'shell' : EDITORS.has(tool) ? 'editor' : LOOKS.has(tool) ? 'look' : AGENTS.has(tool) ? 'agent' : 'other', input, cwd, at, interrupted: false })
  }

  function* result(block: JsonObject, line: JsonObject): Iterable<Turn> {
    const id = wordOf(block.tool_use_id)
    if (id === null || done.has(id)) return
    const asked = open.get(id)
    open.delete(id)
    const at = utcOf(line.timestamp) ?? asked?.at ?? null
    if (asked?.kind === 'shell') {
      done.add(id)
      const ending = endingOf(block, line, asked.input)
      if (ending !== null) yield command(asked, at, ending)
      const going = behindId(line.toolUseResult)
      if (going !== null && ending !== null) behind.set(going, { asked, printed: ending.output ?? '', cut: false })
      head = headAfter(line.toolUseResult, head)
    } else if (asked?.kind === 'look') {
      done.add(id)
      yield* look(asked, block, line, at)
    } else if (asked?.kind === 'agent') {
      done.add(id)
      // Its own lines tell what it did, where they are here; else nobody knows.
      if (agents.isUntold(id, line.toolUseResult)) yield anything(id, at, asked.cwd)
    } else if (asked?.kind === 'other') {
      done.add(id)
      // What a tool that nobody knows did to the files, nobody knows.
      if (block.is_error !== true) yield anything(id, at, asked.cwd)
    } else {
      // The call of an edit may be lost with the start of the file; its result says enough.
      const edits = editsOf(block, line.toolUseResult, asked?.input ?? null)
      if (asked !== undefined || edits.length > 0) done.add(id)
      if (edits.length > 0) yield { ...turn(id, at, asked?.cwd ?? wordOf(line.cwd)), kind: 'edit', outcome: { is: 'success' }, edits }
    }
  }

  /** All files may have been changed. */
  const anything = (id: string, at: string | null, cwd: string | null): Turn => ({ ...turn(id, at, cwd), kind: 'edit', outcome: { is: 'success' }, edits: [{ path: '.', before: null, after: null }] })

  /** A command that the user typed with `!`: it ran, and the host notes no status of it. */
  function* typed(text: string, line: JsonObject): Iterable<Turn> {
    const [id, at] = [wordOf(line.uuid), utcOf(line.timestamp)]
    if (id === null || done.has(id)) return
    done.add(id)
    yield command({ id, file: 0, kind: 'shell', input: { command: text }, cwd: wordOf(line.cwd), at, interrupted: false }, at, { outcome: UNKNOWN, output: null, cut: false })
  }

  /** A command that went on behind, once the host says how it ended: the look that showed it is its record. */
  function* look(asked: Call, block: JsonObject, line: JsonObject, at: string | null): Iterable<Turn> {
    const going = lookedAfter(asked.input)
    const known = going === null ? undefined : behind.get(going)
    const shown = going === null || known === undefined || block.is_error === true ? null : lookOf(going, block, line.toolUseResult)
    if (going === null || known === undefined || shown === null) return
    const printed = shown.whole ? shown.output : [known.printed, shown.output].filter((text) => text !== '').join('\n')
    known.cut ||= isShortened(shown.output) || printed.length > MAX_PRINTED
    known.printed = printed.slice(-MAX_PRINTED)
    if (shown.code === null) return
    behind.delete(going)
    yield command({ ...known.asked, id: asked.id }, at, { outcome: { is: 'code', code: shown.code }, output: known.printed, cut: known.cut })
  }

  /** The host says by itself how a command behind ended; what it printed since stands in a file, and not in the log. */
  function* notice(text: string, line: JsonObject): Iterable<Turn> {
    const told = noticeOf(text)
    const known = told === null ? undefined : behind.get(told.id)
    const id = wordOf(line.uuid)
    if (told === null || known === undefined || id === null || done.has(id)) return
    done.add(id)
    behind.delete(told.id)
    const at = utcOf(line.timestamp) ?? known.asked.at
    yield command({ ...known.asked, id }, at, { outcome: { is: 'code', code: told.code }, output: null, cut: true })
  }

  function command(asked: Call, at: string | null, { outcome, output, cut, inOrder }: Ending): Turn {
    const text = textOf(asked.input.command)
    return { ...turn(asked.id, at, asked.cwd), ...(asked.at === null ? {} : { began: asked.at }), kind: 'command', command: text, outcome, output, ...(cut ? { cut } : {}), ...(inOrder === true && { inOrder }) }
  }

  const turn = (id: string, at: string | null, cwd: string | null) => ({
    host: 'claude-code',
    session: session ?? '',
    record_id: recordIdOf(id),
    at,
    cwd,
    ...(started !== null && cwd !== null && cwd !== started && { started }),
    head,
    command: null,
    outcome: UNKNOWN,
    output: null,
    edits: [],
    declared: null,
    keys: {},
  })

  return {
    *read({ file, value }: Line): Iterable<Turn> {
      const own = objectOf(value)
      const id = wordOf(own.sessionId)
      if (id === null) return
      session ??= id
      if (id !== session) return
      started ??= wordOf(own.cwd)
      const line = own.type === 'progress' ? agentsIn(own) : own
      if (line.type !== 'assistant' && line.type !== 'user') return
      if (line.isSidechain === true || line !== own) agents.spoke(wordOf(line.agentId) ?? wordOf(objectOf(own.data).agentId))
      const { content } = objectOf(line.message)
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
      for (const block of blocks.map(objectOf)) {
        if (line.type === 'assistant' && block.type === 'tool_use') call(block, line, file)
        else if (line.type === 'user' && block.type === 'tool_result') yield* result(block, line)
        else if (line.type === 'user' && block.type === 'text' && (textOf(block.text) ?? '').startsWith('<task-notification>')) yield* notice(textOf(block.text) ?? '', line)
        else if (line.type === 'user' && block.type === 'text' && TYPED.test(textOf(block.text) ?? '')) yield* typed(TYPED.exec(textOf(block.text) ?? '')?.[1] ?? '', line)
        else if (line.type === 'user' && block.type === 'text' && isInterruption(textOf(block.text) ?? ''))
          for (const asked of open.values()) if (asked.file === file) asked.interrupted = true
      }
    },
    *end(): Iterable<Turn> {
      for (const id of agents.leftUntold()) yield anything(id, null, null)
      for (const asked of open.values())
        if (asked.kind === 'agent' && agents.isUntold(asked.id, null)) yield anything(asked.id, asked.at, asked.cwd)
        else if (asked.kind === 'shell') yield command(asked, asked.at, asked.interrupted ? BROKEN_OFF : { outcome: UNKNOWN, output: null, cut: false })
      open.clear()
    },
  }
}

/** A sub-agent's own line, where the host tells of it in a line of progress (2.1.19); its calls and results are then read as its file's are. */
function agentsIn(line: JsonObject): JsonObject {
  const { type, message } = objectOf(line.data)
  return type === 'agent_progress' ? { cwd: line.cwd ?? null, version: line.version ?? null, ...objectOf(message) } : {}
}

/** The commit that the host says was just made. An abbreviated one names none: then nobody has recorded where HEAD is. */
function headAfter(toolUseResult: unknown, before: string | null): string | null {
  const sha = textOf(objectOf(objectOf(objectOf(toolUseResult).gitOperation).commit).sha)
  if (sha === null) return before
  return HEX_OID.test(sha) ? sha : null
}

/** A tool's call that waits for its result. */
interface Call {
  readonly id: string
  readonly file: number
  readonly kind: 'shell' | 'editor' | 'look' | 'agent' | 'other'
  readonly input: JsonObject
  readonly cwd: string | null
  readonly at: string | null
  interrupted: boolean
}

/** A command that goes on behind, and what it has printed. */
interface Behind {
  readonly asked: Call
  printed: string
  cut: boolean
}

/** Characters kept of a command that goes on printing: its end. */
const MAX_PRINTED = 1024 * 1024

/** A user's own command in the conversation. */
const TYPED = /^<bash-input>([\s\S]*)<\/bash-input>\s*$/

/** Tools that look after a command that goes on behind. */
const LOOKS: ReadonlySet<string> = new Set(['BashOutput', 'BashOutputTool', 'TaskOutput'])
