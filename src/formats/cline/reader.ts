import type { Json } from '../../base/canonical.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { type Call, callsOf, editOf, nameOf, untold } from '../../model/call.ts'
import { editsOfPatch } from '../../model/codex/patch.ts'
import type { Line, LogReader } from '../../model/format.ts'
import type { Turn } from '../../model/observation.ts'

/** A task's talk. `cwd` null: the host's words about its environment name none. */
interface Conversation {
  readonly session: string
  readonly cwd: string | null
  readonly messages: readonly JsonObject[]
}

/** The talk that a document holds, a list or since 2026 an object around one; null: it is none, or another agent's. */
export function conversationIn(value: Json): Conversation | null {
  const document = objectOf(value)
  if (!Array.isArray(value) && (wordOf(document.sessionId) === null || !('version' in document) || 'projectHash' in document || 'type' in document)) return null
  const messages = listOf(Array.isArray(value) ? value : document.messages).map(objectOf)
  const early = messages.slice(0, 50)
  if (early.length === 0 || !early.every(({ role, content }) => (role === 'user' || role === 'assistant') && (Array.isArray(content) || typeof content === 'string'))) return null
  const texts = early.flatMap((message) => blocksOf(message).map((block) => textOf(block.text) ?? ''))
  const ours = texts.some((text) => text.includes('<environment_details>') || text.startsWith('<task>')) || early.some((message) => blocksOf(message).some((block) => TOOLS.test(textOf(block.name) ?? '')))
  if (!ours) return null
  const cwd = texts.map((text) => /^# Current (?:Working )?(?:Working )?Directory \(([^\n)]{1,4096})\)/m.exec(text)?.[1]).find((found) => found !== undefined)
  return { session: wordOf(document.sessionId) ?? nameOf(...texts.slice(0, 3)), cwd: cwd ?? null, messages }
}

const blocksOf = ({ content }: JsonObject): readonly JsonObject[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(objectOf))

/**
 * Calls are blocks of their own, and their results the next message's words, in the order of the calls. No status is
 * recorded, and who wrote such words can't be told: nothing is concluded from them.
 */
export function openReader(): LogReader {
  let session: string | null = null
  const calls = callsOf('cline')

  return {
    *read({ value }: Line): Iterable<Turn> {
      const conversation = conversationIn(value)
      if (conversation === null) return
      session ??= conversation.session
      if (conversation.session !== session) return
      let waiting: Call[] = []
      for (const [place, message] of conversation.messages.entries()) {
        const blocks = blocksOf(message)
        if (message.role === 'assistant') {
          waiting = blocks.flatMap((block, i) => (block.type === 'tool_use' ? (callOf(block, { session: conversation.session, id: wordOf(block.id) ?? nameOf(place, i), at: null, cwd: conversation.cwd }) ?? []) : []))
          for (const call of waiting) calls.begin(call)
        } else {
          const told = blocks.filter((block) => block.type === 'tool_result' || RESULT.test(textOf(block.text) ?? ''))
          for (const [i, call] of waiting.entries()) {
            const block = told.find((one) => one.tool_use_id === call.id) ?? told.filter((one) => one.type !== 'tool_result')[i]
            if (block !== undefined) yield* calls.finish(call, untold(wordsIn(block)), null)
          }
          waiting = []
        }
      }
    },
    end: calls.left,
  }
}

/** The host's own beginning of a result. */
const RESULT = /^\[\w{1,60}(?: for '[^]{0,8000}?')?\] Result:/

const wordsIn = (block: JsonObject): string =>
  textOf(block.text) ?? textOf(block.content) ?? listOf(block.content).map((part) => textOf(objectOf(part).text) ?? '').join('')

const TOOLS = /^(?:execute_command|write_to_file|replace_in_file|apply_diff|insert_content|new_rule|read_file|list_files|search_files|list_code_definition_names|attempt_completion|ask_followup_question|plan_mode_respond)$/
const LOOKS = /^(?:|read_file|list_files|search_files|list_code_definition_names|attempt_completion|ask_followup_question|plan_mode_respond|act_mode_respond|browser_action|web_\w{1,40}|focus_chain|new_task|condense|summarize_task|load_mcp_documentation|access_mcp_resource)$/

function callOf(block: JsonObject, of: Pick<Call, 'session' | 'id' | 'at' | 'cwd'>): Call | null {
  const [name, input] = [textOf(block.name) ?? '', objectOf(block.input)]
  if (LOOKS.test(name)) return null
  if (name === 'execute_command') return { ...of, tool: 'shell', command: textOf(input.command) }
  if (name === 'apply_patch') return { ...of, tool: 'edit', edits: editsOfPatch(textOf(input.input) ?? '').map(({ path }) => editOf(path)) }
  if (/^(?:write_to_file|replace_in_file|apply_diff|insert_content|new_rule)$/.test(name)) return { ...of, tool: 'edit', edits: [editOf(wordOf(input.path) ?? wordOf(input.absolutePath))] }
  return { ...of, tool: 'other' }
}
