import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agents } from '../../src/agents.ts'
import type { Json } from '../../src/base/canonical.ts'
import { openHost } from '../../src/cli/host.ts'
import type { Host } from '../../src/command.ts'
import { witness } from '../../src/host/witnessing.ts'
import { witnessKeys } from '../../src/host/witnessing/keys.ts'
import type { Agent, HookEvent } from '../../src/model/agent.ts'

/** What a test session does next. `output` is printed, `code` comes of it; an edit is really made. */
export type Step =
  | { readonly is: 'command'; readonly command: string; readonly code: number; readonly output: string; readonly cwd?: string }
  | { readonly is: 'edit'; readonly path: string; readonly text: string }

/** One agent as a test plays it: the payloads that its hooks get, and the log that it keeps. */
export interface Player {
  readonly host: string
  /** The payload of the call's end, and its lines in the log. `at`: RFC 3339. */
  after(step: Step, call: string, place: Place, at: string, before: string | null): { readonly payload: Json; readonly event: string; readonly lines: readonly Json[] }
  start(place: Place, at: string): readonly Json[]
  logPath(place: Place): string
}

export interface Place {
  readonly home: string
  readonly dir: string
  readonly session: string
}

export const claudeCode: Player = {
  host: 'claude-code',
  start: () => [],
  logPath: ({ home, dir, session }) => join(home, '.claude/projects', dir.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`),
  after(step, call, place, at, before) {
    const { dir, session } = place
    const cwd = step.is === 'command' ? (step.cwd ?? dir) : dir
    const common = { session_id: session, transcript_path: claudeCode.logPath(place), cwd, permission_mode: 'default', tool_use_id: call }
    const line = { parentUuid: null, isSidechain: false, userType: 'external', cwd, sessionId: session, version: '2.1.178', gitBranch: 'main', timestamp: at }
    const lines = (name: string, input: Json, content: string, isError: boolean, toolUseResult: Json): Json[] => [
      { ...line, uuid: randomUUID(), type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id: call, name, input }] } },
      { ...line, uuid: randomUUID(), type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content, is_error: isError }] }, toolUseResult },
    ]
    if (step.is === 'edit') {
      const input = { file_path: join(dir, step.path), content: step.text }
      const response = { type: before === null ? 'create' : 'update', filePath: join(dir, step.path), content: step.text, originalFile: before, structuredPatch: [] }
      return { event: 'PostToolUse', payload: { ...common, hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: input, tool_response: response, duration_ms: 3 }, lines: lines('Write', input, 'File written', false, response) }
    }
    const input = { command: step.command, description: 'as it says' }
    if (step.code === 0) {
      const response = { stdout: step.output, stderr: '', interrupted: false, isImage: false }
      return { event: 'PostToolUse', payload: { ...common, hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: input, tool_response: response, duration_ms: 3 }, lines: lines('Bash', input, step.output, false, response) }
    }
    const error = `Exit code ${step.code}\n${step.output}`
    return { event: 'PostToolUseFailure', payload: { ...common, hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: input, error, is_interrupt: false, duration_ms: 3 }, lines: lines('Bash', input, error, true, `Error: ${error}`) }
  },
}

export const codex: Player = {
  host: 'codex',
  start: ({ dir, session }, at) => [{ timestamp: at, type: 'session_meta', payload: { id: session, timestamp: at, cwd: dir, originator: 'codex_cli_rs', cli_version: '0.140.0', instructions: null } }],
  logPath: ({ home, session }) => join(home, '.codex/sessions/2026/11/29', `rollout-2026-11-29T10-00-00-${session}.jsonl`),
  after(step, call, place, at, before) {
    const { dir, session } = place
    const common = { session_id: session, turn_id: 'turn-1', transcript_path: codex.logPath(place), cwd: step.is === 'command' ? (step.cwd ?? dir) : dir, hook_event_name: 'PostToolUse', model: 'a-model', permission_mode: 'default', tool_use_id: call }
    const line = (payload: Json): Json => ({ timestamp: at, type: 'response_item', payload })
    if (step.is === 'edit') {
      const body = step.text.split('\n').slice(0, -1).map((text) => `+${text}\n`).join('')
      const patch = `*** Begin Patch\n*** ${before === null ? 'Add' : 'Update'} File: ${step.path}\n${before === null ? '' : '@@\n'}${body}*** End Patch\n`
      const answer = `Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nM ${step.path}\n`
      return {
        event: 'PostToolUse',
        payload: { ...common, tool_name: 'apply_patch', tool_input: { command: patch }, tool_response: answer },
        lines: [line({ type: 'custom_tool_call', status: 'completed', call_id: call, name: 'apply_patch', input: patch }), line({ type: 'custom_tool_call_output', call_id: call, output: answer })],
      }
    }
    const answer = `Exit code: ${step.code}\nWall time: 0.3 seconds\nOutput:\n${step.output}`
    return {
      event: 'PostToolUse',
      payload: { ...common, tool_name: 'Bash', tool_input: { command: step.command }, tool_response: answer },
      lines: [
        line({ type: 'function_call', name: 'shell_command', arguments: JSON.stringify({ command: step.command, workdir: step.cwd ?? dir }), call_id: call }),
        line({ type: 'function_call_output', call_id: call, output: answer }),
      ],
    }
  },
}

/** A host as the hooks open it, in a folder with a home of its own. */
export const hostAt = (dir: string, env: Readonly<Record<string, string | undefined>>): Host =>
  openHost({ env, installation: dirname(dirname(import.meta.dirname)), interactive: () => false, cwd: () => dir, now: () => new Date(), stdin: () => process.stdin, print: async () => {}, warn: () => {} }, dir, false)

export const readIn = (payload: Json, event: string): { agent: Agent; event: HookEvent } | null => {
  const agent = agents.find((one) => one.recognise(payload))
  const read = agent?.read(payload, event) ?? null
  return agent === undefined || read === null ? null : { agent, event: read }
}

/** What the hook of a call's end does. */
export async function hear(payload: Json, event: string, host: Host): Promise<void> {
  const read = readIn(payload, event)
  if (read === null) return
  const seen = witness(read.event, new Date(), await host.repository(), host.files)
  // A test's steps follow one another faster than any agent's.
  if (seen !== null) await witnessKeys({ ...seen, before: seen.at }, { ...(await host.sets()), formats: [], rules: [], ephemera: [] }, host)
}

/** Plays a session: each step is done, told to the hook, and written to the log. */
export async function play(steps: readonly Step[], player: Player, place: Place, host: Host): Promise<void> {
  const path = player.logPath(place)
  mkdirSync(dirname(path), { recursive: true })
  const log: Json[] = [...player.start(place, new Date().toISOString())]
  for (const [i, step] of steps.entries()) {
    let before: string | null = null
    if (step.is === 'edit') {
      const at = join(place.dir, step.path)
      try {
        before = readFileSync(at, 'utf8')
      } catch {
        before = null
      }
      mkdirSync(dirname(at), { recursive: true })
      writeFileSync(at, step.text)
    }
    await new Promise((done) => setTimeout(done, 12)) // the clock of files is coarse
    const { payload, event, lines } = player.after(step, `call_${place.session}_${i}`, place, new Date().toISOString(), before)
    await hear(payload, event, host)
    log.push(...lines)
  }
  writeFileSync(path, log.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
