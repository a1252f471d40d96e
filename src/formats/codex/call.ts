import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import type { Edit } from '../../model/observation.ts'
import { isPowerShell } from '../../model/shell/powershell.ts'
import { typedOf } from './items.ts'
import { type ScriptCall, type ScriptRun, runOf } from './script-run.ts'
import { soleCommandOf } from './scripts.ts'
import { editsOfPatch, patchIn } from '../../model/codex/patch.ts'

/** A call that waits for its output. `scripted`: a program in JavaScript, of whose commands no status is kept; `sole`: the one that it starts; `plain`: all that it calls. */
export interface Call {
  readonly id: string
  readonly kind: 'command' | 'patch' | 'stdin' | 'wait' | 'other'
  readonly command: string | readonly string[] | null
  /** PowerShell reads the command. */
  readonly powershell: boolean
  readonly cwd: string | null
  readonly at: string | null
  readonly edits: readonly Edit[]
  readonly scripted: boolean
  readonly sole?: Call | null
  readonly plain?: ScriptRun | null
  /** Of `stdin`: the process that it writes to; of `wait`: the cell in which a script goes on. */
  readonly process: string | null
  /** Of `stdin`: it sends the interrupt character. */
  readonly stops: boolean
  interrupted: boolean
}

/** A call of a tool that runs commands or edits files, or of one that nobody knows (`other`); null: a tool that only reads or talks. */
export function callOf(payload: JsonObject, at: string | null, cwd: string | null): Call | null {
  const id = wordOf(payload.call_id) ?? wordOf(payload.id)
  if (id === null) return null
  const call = { id, kind: 'command', command: null, powershell: false, cwd, at, edits: [], scripted: false, process: null, stops: false, interrupted: false } satisfies Call
  const name = textOf(payload.name) ?? ''
  if ((textOf(payload.namespace) ?? '').startsWith('mcp__')) return READS.test(name) ? null : { ...call, kind: 'other' }
  if (payload.type === 'local_shell_call') {
    const action = objectOf(payload.action)
    return shellCall(call, action.command, action.working_directory)
  }
  if (payload.type === 'custom_tool_call') {
    if (payload.name === 'apply_patch') return patchCall(call, textOf(payload.input) ?? '')
    return name === 'exec' ? scriptCall(call, textOf(payload.input) ?? '') : TALKS.test(name) ? null : { ...call, kind: 'other' }
  }
  const given = argumentsOf(payload.arguments)
  switch (payload.name) {
    case 'shell':
    case 'container.exec':
    case 'local_shell':
    case 'shell_command':
      return shellCall(call, given.command, given.workdir)
    case 'exec_command':
      return shellCall(call, given.cmd, given.workdir, given.shell)
    case 'apply_patch':
      return patchCall(call, textOf(given.input) ?? textOf(given.patch) ?? '')
    case 'write_stdin':
      return stdinCall(call, given)
    case 'wait':
      return wordOf(given.cell_id) === null ? null : { ...call, kind: 'wait', process: wordOf(given.cell_id) }
    default:
      return TALKS.test(name) || READS.test(name) ? null : { ...call, kind: 'other' }
  }
}

const scriptCall = (call: Call, input: string): Call => ({ ...call, scripted: true, sole: soleCall(call, input), plain: runOf(input) })

/** A call of a tool that a script makes, as the host would have logged it; null: one that only asks. */
export function calledIn(script: Call, { tool, given }: ScriptCall): Call | null {
  const call: Call = { ...script, scripted: false, sole: null, plain: null }
  if (typeof given === 'string') return tool === 'apply_patch' ? patchCall(call, given) : null
  if (tool === 'write_stdin') return stdinCall(call, given)
  return /^(?:exec_command|shell|shell_command|local_shell)$/.test(tool) ? shellCall(call, given.cmd ?? given.command, given.workdir, given.shell) : null
}

const stdinCall = (call: Call, given: JsonObject): Call => ({
  ...call,
  kind: 'stdin',
  process: typeof given.session_id === 'number' ? String(given.session_id) : wordOf(given.session_id),
  stops: (textOf(given.chars) ?? '').includes('\u0003'),
})

function soleCall(call: Call, input: string): Call | null {
  const given = soleCommandOf(input)
  return given === null ? null : shellCall(call, given.cmd, given.workdir, given.shell)
}

const TALKS = /^(?:|update_plan|wait|sleep|view_image|web_\w+|tool_search|request_\w+|(?:spawn|wait|close|resume)_agent|send_\w+|followup_task|list_\w+|read_\w+|grep_files|get_\w+)$/
const READS = /^(?:mcp__\w+__)?(?:get|list|search|read|find|fetch|query|describe|view|show|lookup|resolve)\w*$/

function shellCall(call: Call, typed: unknown, workdir: unknown, shell: unknown = null): Call | null {
  const { command, powershell } = typedOf(typed)
  if (command === null || (typeof typed !== 'string' && listOf(typed).length === 0)) return null
  const patch = patchIn(command)
  const there = { ...call, cwd: folderIn(call.cwd, wordOf(workdir)) }
  return patch === null ? { ...there, command, powershell: powershell || (typeof typed === 'string' && isByDefault(wordOf(shell), there.cwd)) } : patchCall(there, patch)
}

/** Where no shell is named, Windows has PowerShell. */
const isByDefault = (shell: string | null, cwd: string | null): boolean => (shell === null ? /^(?:[A-Za-z]:[\\/]|\\\\)/.test(cwd ?? '') : isPowerShell(shell))

/** Paths in a patch are relative to where the call ran. */
const patchCall = (call: Call, patch: string): Call => ({
  ...call,
  kind: 'patch',
  edits: editsOfPatch(patch).map((edit) => ({ ...edit, path: folderIn(call.cwd, edit.path) ?? edit.path })),
})

function argumentsOf(text: unknown): JsonObject {
  try {
    return objectOf(JSON.parse(textOf(text) ?? ''))
  } catch {
    return {}
  }
}

/** `path` as seen from `cwd`; absolute if either is. */
function folderIn(cwd: string | null, path: string | null): string | null {
  if (path === null || path === '.') return cwd
  if (cwd === null || /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return path
  const separator = cwd.includes('\\') && !cwd.includes('/') ? '\\' : '/'
  const steps = cwd.replace(/[\\/]$/, '').split(separator)
  for (const step of path.split(/[\\/]/)) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join(separator) || separator
}
