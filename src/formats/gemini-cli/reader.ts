import { blobId } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf } from '../../base/time.ts'
import { ANY_FILE, type Call, DONE, ONLY_READS, STOPPED, brokenOff, callsOf, editOf, nameOf, untold } from '../../model/call.ts'
import type { Line, LogReader } from '../../model/format.ts'
import { endingOf } from '../../model/gemini-cli/ending.ts'
import type { Edit, Turn } from '../../model/observation.ts'
import { type Project, headerOf, projectOf } from './project.ts'

/**
 * Call and result stand in one object, in a document's messages or on a line. A message is written again when it gains
 * calls, and a call again when it ends: the first time that it has ended counts. What came before the header is nobody's, and
 * behind another session's header that one's; what a sub-agent did belongs to the session before it.
 */
export function openReader(): LogReader {
  let session: string | null = null
  let project: Project = projectOf('')
  const calls = callsOf('gemini-cli')

  function* message(value: JsonObject): Iterable<Turn> {
    project.learn(value)
    for (const made of listOf(value.toolCalls).map(objectOf)) yield* tool(made, utcOf(value.timestamp))
  }

  function* tool(made: JsonObject, before: string | null): Iterable<Turn> {
    const call = callOf(made, session ?? '', before, project.folder())
    if (call === null) return
    calls.begin(call)
    const { status } = made
    if (status !== 'success' && status !== 'error' && status !== 'cancelled') return
    const at = utcOf(made.timestamp) ?? before
    const told = toldOf(made.result)
    if (call.tool === 'shell') yield* calls.finish(call, shellEnding(made, told), at)
    else if (call.tool === 'edit') yield* calls.finish(call, status === 'success' ? DONE : null, at, editsIn(made, call.edits ?? []))
    else yield* calls.finish(call, status === 'success' ? DONE : untold(null), at)
  }

  return {
    *read({ value }: Line): Iterable<Turn> {
      const line = objectOf(value)
      const header = headerOf(line)
      if (header !== null) {
        if (session === null || header.kind !== 'subagent') session = wordOf(header.sessionId)
        project = projectOf(textOf(header.projectHash) ?? '')
        project.learn(header)
        for (const one of listOf(header.messages).map(objectOf)) yield* message(one)
      } else if (session !== null && '$set' in line) {
        for (const one of listOf(objectOf(line.$set).messages).map(objectOf)) yield* message(one)
      } else if (session !== null) {
        const [name, to] = Object.entries(line).find(([key]) => key.startsWith('$')) ?? []
        // A session that was wound back may have put files back.
        if (name !== undefined) yield* calls.finish({ session, id: nameOf(name, textOf(to)), tool: 'other', at: null, cwd: project.folder() }, DONE, null)
        else yield* message(line)
      }
    },
    end: calls.left,
  }
}

/** A call of a tool that runs commands or may change files; null: it only reads or talks. */
function callOf(made: JsonObject, session: string, at: string | null, cwd: string | null): Call | null {
  const [id, name, args] = [wordOf(made.id), textOf(made.name) ?? '', objectOf(made.args)]
  if (id === null || READERS.test(name) || ONLY_READS.test(name)) return null
  const call = { session, id, at, cwd }
  if (name === 'run_shell_command') return { ...call, ...placeOf(args, cwd), tool: 'shell', command: textOf(args.command) }
  if (name === 'write_file' || name === 'replace' || name === 'edit') return { ...call, tool: 'edit', edits: [editOf(wordOf(args.file_path))] }
  return { ...call, tool: 'other' }
}

const READERS =
  /^(?:|read_file|read_many_files|list_directory|glob|search_file_content|grep|grep_search|google_web_search|web_fetch|save_memory|write_todos|ask_user|activate_skill|(?:enter|exit)_plan_mode|cli_help|get_internal_docs|complete_task|codebase_investigator|update_topic|tracker_\w{1,40})$/

/** A command may name a folder of its own, from the session's. */
function placeOf(args: JsonObject, cwd: string | null): { cwd: string | null; folder?: string } {
  const named = wordOf(args.dir_path) ?? wordOf(args.directory)
  if (named === null || named === '.') return { cwd }
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(named)) return { cwd: named }
  return cwd === null ? { cwd, folder: named } : { cwd: `${cwd}/${named}` }
}

function shellEnding(made: JsonObject, told: Told) {
  if (made.status === 'cancelled') return /did not allow|denied|before it could start/i.test(told.error ?? told.output) ? STOPPED : brokenOff(told.output)
  if (made.status === 'error') return untold(told.error ?? told.output)
  const shown = textOf(made.resultDisplay)
  return objectOf(made.args).is_background === true ? untold(told.output) : endingOf(told.output, told.error !== null, shown)
}

/** What the model was told. */
interface Told {
  readonly output: string
  readonly error: string | null
}

function toldOf(result: unknown): Told {
  const answers = listOf(result).map((part) => objectOf(objectOf(objectOf(part).functionResponse).response))
  return { output: answers.map((answer) => textOf(answer.output) ?? '').join(''), error: answers.map((answer) => textOf(answer.error)).find((error) => error !== null) ?? null }
}

/** The host shows an edit with the whole file before and after it. */
function editsIn(made: JsonObject, asked: readonly Edit[]): readonly Edit[] {
  const shown = objectOf(made.resultDisplay)
  const path = wordOf(shown.filePath) !== null && asked[0]?.path === ANY_FILE.path ? wordOf(shown.filePath) : asked[0]?.path
  const blobOf = (text: string | null): string | null => (text === null || text.includes('REDACTED') ? null : blobId(text))
  return path === null || path === undefined || path === ANY_FILE.path ? [ANY_FILE] : [{ path, before: shown.isNewFile === true ? null : blobOf(textOf(shown.originalContent)), after: blobOf(textOf(shown.newContent)) }]
}
