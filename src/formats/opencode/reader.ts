import { blobId } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOfMilliseconds } from '../../base/time.ts'
import { type Call, DONE, type Ending, ONLY_READS, STOPPED, brokenOff, callsOf, coded, editOf, nameOf, untold } from '../../model/call.ts'
import { editsOfPatch } from '../../model/codex/patch.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Edit, Turn } from '../../model/observation.ts'

/**
 * Documents, one for each session; call and result stand in one part of a message. `completed` means that it ran: the status
 * is a number of its own. What a session's child did belongs to that session, where both are here.
 */
export function openReader(): LogReader {
  const owners = new Map<string, string>()
  const calls = callsOf('opencode')

  function* part(made: JsonObject, session: string, cwd: string | null): Iterable<Turn> {
    const state = objectOf(made.state)
    const time = objectOf(state.time)
    const call = made.type === 'tool' ? callOf(made, session, utcOfMilliseconds(time.start), cwd) : null
    if (call === null) return
    calls.begin(call)
    const at = utcOfMilliseconds(time.end)
    if (state.status === 'completed') {
      if (call.tool === 'shell') yield* calls.finish(call, shellEnding(state), at)
      else yield* calls.finish(call, DONE, at, editsIn(call, state))
    } else if (state.status === 'error') yield* calls.finish(call, errorEnding(call, textOf(state.error) ?? ''), at)
  }

  return {
    *read({ value }: Line): Iterable<Turn> {
      const { info: about, messages } = objectOf(value)
      const info = objectOf(about)
      const id = wordOf(info.id)
      if (id === null) return
      const session = owners.get(wordOf(info.parentID) ?? '') ?? id
      owners.set(id, session)
      for (const message of listOf(messages).map(objectOf)) {
        const cwd = wordOf(objectOf(objectOf(message.info).path).cwd) ?? wordOf(info.directory)
        for (const one of listOf(message.parts).map(objectOf)) yield* part(one, session, cwd)
      }
      // A session that was wound back has put files back, since all of this.
      const wound = wordOf(objectOf(info.revert).messageID)
      if (wound !== null) yield* calls.finish({ session, id: nameOf('wound-back', wound), tool: 'other', at: utcOfMilliseconds(objectOf(info.time).updated), cwd: wordOf(info.directory) }, DONE, null)
    },
    end: calls.left,
  }
}

/** A call of a tool that runs commands or may change files; null: it only reads or talks. */
function callOf(part: JsonObject, session: string, at: string | null, cwd: string | null): Call | null {
  const [id, tool, input] = [wordOf(part.callID) ?? wordOf(part.id), textOf(part.tool) ?? '', objectOf(objectOf(part.state).input)]
  if (id === null || READERS.test(tool) || ONLY_READS.test(tool)) return null
  const call = { session, id, at, cwd }
  switch (tool) {
    case 'bash':
    case 'shell':
      return { ...call, cwd: folderIn(cwd, wordOf(input.workdir)), tool: 'shell', command: textOf(input.command) }
    case 'edit':
    case 'write':
    case 'multiedit':
      return { ...call, tool: 'edit', edits: [editOf(wordOf(input.filePath))] }
    case 'patch':
    case 'apply_patch':
      return { ...call, tool: 'edit', edits: editsOfPatch(textOf(input.patchText) ?? '').map(({ path }) => editOf(path)) }
    default:
      return { ...call, tool: 'other' }
  }
}

const READERS = /^(?:|read|grep|glob|list|webfetch|websearch|codesearch|todo(?:read|write)|skill|question|lsp\w{0,40}|plan_\w{1,40}|invalid|batch)$/

/** `batch` is made of calls that have parts of their own. */
const folderIn = (cwd: string | null, named: string | null): string | null =>
  named === null || named === '.' ? cwd : /^(?:\/|[A-Za-z]:[\\/])/.test(named) || cwd === null ? named : `${cwd}/${named}`

function shellEnding(state: JsonObject): Ending {
  const metadata = objectOf(state.metadata)
  const output = textOf(metadata.output) ?? textOf(state.output) ?? ''
  const cut = metadata.truncated === true || output.endsWith('\n\n...') || /(?:^|\n)<bash_metadata>\n/.test(output)
  if (Number.isInteger(metadata.exit)) return coded(metadata.exit as number, output, cut)
  return /\n<bash_metadata>\n(?:[^\n]*\n)?(?:bash tool terminated command|User aborted)/.test(textOf(state.output) ?? output) ? brokenOff(output) : untold(output)
}

/** The tool itself failed: it was refused, or ended by a person, or something else that is not the command's own doing. */
function errorEnding(call: Call, error: string): Ending | null {
  if (/^(?:The user rejected permission|The user (?:dismissed|has specified a rule which prevents)|Permission denied|Model tried to call unavailable tool|The \w{1,60} tool was called with invalid arguments)/.test(error)) return call.tool === 'shell' ? STOPPED : null
  if (/^(?:Tool execution aborted|Aborted)/.test(error)) return brokenOff(null)
  return call.tool === 'edit' ? null : untold(error === '' ? null : error)
}

/** A file that was written whole is as it was asked for; other edits say only where. */
function editsIn(call: Call, state: JsonObject): readonly Edit[] | undefined {
  const content = textOf(objectOf(state.input).content)
  const [edit] = call.edits ?? []
  if (content === null || edit === undefined || call.edits?.length !== 1 || content.includes('REDACTED')) return call.edits
  // A formatter may have had its way with it after that, so what it is now is not known.
  return objectOf(state.metadata).diagnostics === undefined ? [{ ...edit, after: blobId(content) }] : call.edits
}
