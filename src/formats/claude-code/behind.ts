import { type JsonObject, objectOf, textOf, wordOf } from '../../base/json.ts'

/** The id under which a call's command goes on behind; null: it does not. */
export const behindId = (toolUseResult: unknown): string | null => wordOf(objectOf(toolUseResult).backgroundTaskId)

/** The command that a call looks after: `BashOutput` names it so, `TaskOutput` so. */
export const lookedAfter = (input: JsonObject): string | null => wordOf(input.bash_id) ?? wordOf(input.task_id) ?? wordOf(input.shell_id)

/**
 * The host's own notice that a command behind has ended, which it writes as if the user had said it: the id of the task, and
 * the status. null: no such notice, or one that tells no status (it was stopped, or a sub-agent's).
 */
export function noticeOf(text: string): { readonly id: string; readonly code: number } | null {
  const start = /^<task-notification>\s{0,4}<task-id>([\w-]{1,100})<\/task-id>/.exec(text)
  if (start === null || text.length > MAX_NOTICE || !text.trimEnd().endsWith('</task-notification>')) return null
  const at = text.lastIndexOf('</summary>')
  const ended = /" (?:completed \(exit code (\d{1,3})\)|failed with exit code (\d{1,3}))$/.exec(text.slice(0, Math.max(at, 0)))
  const status = /<status>(completed|failed)<\/status>/.exec(text)?.[1]
  if (ended === null || !text.includes('<summary>Background command "') || status !== (ended[1] === undefined ? 'failed' : 'completed')) return null
  return { id: start[1] as string, code: Number(ended[1] ?? ended[2]) }
}

const MAX_NOTICE = 8192

/** What a look at a command that goes on shows. `output`: what it printed since the last look, or (`whole`) all of it. */
export interface Look {
  readonly output: string
  readonly whole: boolean
  /** null: it has not ended, was killed, or nobody says how it ended. */
  readonly code: number | null
}

/**
 * Reads the result of a look at the command of that id. Its status counts only where the host itself says that it ended and
 * how, in a field or in the first words of the result: what stands further down the command may have printed.
 * null: the result is not of that command, or says nothing of it.
 */
export function lookOf(id: string, block: JsonObject, toolUseResult: unknown): Look | null {
  const result = objectOf(toolUseResult)
  if ('task' in result) return ofTask(id, objectOf(result.task))
  if (wordOf(result.shellId) !== null) {
    if (wordOf(result.shellId) !== id) return null
    const output = [textOf(result.stdout), textOf(result.stderr)].filter((text) => text !== null && text !== '').join('\n')
    return { output, whole: false, code: codeOf(result.status, result.exitCode) }
  }
  const told = /^<status>(\w{1,20})<\/status>\s{1,4}(?:<exit_code>(-?\d{1,9})<\/exit_code>\s{1,4})?(?:<stdout>\r?\n([^]*)\r?\n<\/stdout>)?/.exec(textOf(block.content) ?? '')
  return told === null ? null : { output: told[3] ?? '', whole: false, code: codeOf(told[1], told[2] === undefined ? null : Number(told[2])) }
}

function ofTask(id: string, task: JsonObject): Look | null {
  if (wordOf(task.task_id) !== id || task.task_type !== 'local_bash') return null
  return { output: textOf(task.output) ?? '', whole: true, code: codeOf(task.status, task.exitCode) }
}

const codeOf = (status: unknown, code: unknown): number | null => ((status === 'completed' || status === 'failed') && Number.isInteger(code) ? (code as number) : null)
