import { type JsonObject, objectOf } from '../../base/json.ts'

/** Scripts that run at the same time: what they start, and what of it the log has told. */
export interface Scripts<Call> {
  /** A script begins; `more`: how many commands and patches it starts, null: any number; `at` in ms, where the log has times. */
  begin(call: Call, more: number | null, at: number | null): void
  /** Something that a script started has ended; `began` in ms, where the log has it. */
  told(began: number | null): void
  /**
   * A script has ended, with what it printed. The scripts of which no item tells what they did, none while another one runs; and
   * whether any item told of them.
   */
  end(call: Call, text: string): { readonly untold: readonly Call[]; readonly items: number }
  /** The log ends. */
  rest(): readonly Call[]
}

/**
 * A script can act only through the tools that it is handed, and each command or patch that ended is told by an item of its
 * own. Where as many were told as the scripts start, nothing else happened; else anything may have.
 */
export function openScripts<Call>(): Scripts<Call> {
  let live = new Set<Call>()
  let all: Call[] = []
  let deeds: number | null = 0
  let since: number | null = null
  let items = 0

  function settle(): ReturnType<Scripts<Call>['end']> {
    const ended = { untold: deeds === null || items < deeds ? all : [], items }
    live = new Set()
    all = []
    items = 0
    return ended
  }

  return {
    begin(call, more, at) {
      if (live.size === 0) [deeds, since] = [0, at]
      deeds = deeds === null || more === null ? null : deeds + more
      live.add(call)
      all.push(call)
    },
    told(began) {
      if (live.size > 0 && began !== null && since !== null && began >= since) items += 1
    },
    end(call, text) {
      if (live.has(call) && REFUSED.test(text)) items += 1
      live.delete(call)
      return live.size === 0 ? settle() : { untold: [], items }
    },
    rest: () => settle().untold,
  }
}

/** The host refused to start a command, and with that the script ended: this one did nothing. */
const REFUSED = /^Script failed\n(?:Wall time [^\n]{0,40}\n)?Output:\nScript error:\nexec_command failed: CreateProcess \{ message: "Rejected\(/

/** The commands and patches that a script starts, as its text says; null: it may start more, or do something else. */
export function deedsOf(input: string): number | null {
  const code = withoutTexts(input)
  if (code === null || /\btools\b(?!\.\w+\()|\b(?:eval|Function|import|require|globalThis)\b/.test(code)) return null
  const names = [...code.matchAll(/\btools\.(\w+)\(/g)]
  const repeats = /\b(?:for|while|do|function)\b|=>/.exec(code)
  if (repeats !== null && names.some((found) => found.index > repeats.index)) return null
  if (names.some(([, name]) => !STARTS.test(name as string) && !ASKS.test(name as string))) return null
  return names.filter(([, name]) => STARTS.test(name as string)).length
}

/** The arguments of the one command that a script starts, where it writes them out as JSON; null: it starts another number, or in another way. */
export function soleCommandOf(input: string): JsonObject | null {
  const at = deedsOf(input) === 1 ? input.split(/\btools\.exec_command\(/) : []
  if (at.length !== 2) return null
  const text = at[1] as string
  for (let end = text.indexOf('}'), tries = 0; end !== -1 && tries < 50; end = text.indexOf('}', end + 1), tries++) {
    if (!/^\s*\)/.test(text.slice(end + 1, end + 20))) continue
    try {
      return objectOf(JSON.parse(text.slice(0, end + 1)))
    } catch {}
  }
  return null
}

/** A tool of this name starts a command or a patch. */
export const isStart = (tool: string): boolean => STARTS.test(tool)
/** One of this name only asks. */
export const isQuestion = (tool: string): boolean => ASKS.test(tool)

const STARTS = /^(?:exec_command|shell|shell_command|local_shell|apply_patch)$/
const ASKS = /^(?:write_stdin|wait|sleep|update_plan|view_image|web_search|request_user_input|(?:get|list|read)_\w+)$/

/** A program's text without what stands in quotes and comments; null: nobody can tell where they end, or code stands in one. */
function withoutTexts(input: string): string | null {
  let code = ''
  for (let i = 0; i < input.length; i++) {
    const char = input[i] as string
    if (char === '"' || char === "'" || char === '`') {
      const end = endOfText(input, i)
      if (end === -1 || (char === '`' && holdsCode(input.slice(i, end)))) return null
      code += '""'
      i = end
    } else if (char === '/') {
      const end = input[i + 1] === '/' ? input.indexOf('\n', i) : input[i + 1] === '*' ? input.indexOf('*/', i + 2) + 1 : -1
      if (end <= 0) return null
      i = end
      code += '\n'
    } else code += char
  }
  return code
}

const holdsCode = (text: string): boolean => text.includes('${') && text.includes('tools')

/** Where the text ends that begins at `from`; -1: nowhere. */
function endOfText(input: string, from: number): number {
  for (let i = from + 1; i < input.length; i++) {
    if (input[i] === '\\') i += 1
    else if (input[i] === input[from]) return i
  }
  return -1
}

/** The processes that a script interrupts: their ids; `all`, where it doesn't name them; none. */
export function interruptedBy(input: string): readonly string[] | 'all' {
  if (!/\\u0003|\\x03|\u0003/.test(input)) return []
  const ids = [...input.matchAll(/\bsession_id["']?\s*:\s*(\d{1,18})\b/g)].map(([, id]) => id as string)
  return ids.length > 0 && !/\bsession_id["']?\s*:\s*[A-Za-z_$]/.test(input) ? ids : 'all'
}
