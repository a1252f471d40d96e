import type { Json } from '../../../src/base/canonical.ts'
import { sha256 } from '../../../src/base/digest.ts'
import { ROOT, type Step, type Writer, folderOf, idOf, moment, typedIn } from '../step.ts'

const failed = ({ code = 0 }: Step): boolean => code !== 0
const milliseconds = (n: number): number => Date.parse(moment(n))

/** Agents that record how a command ended. */
export const agents: Readonly<Record<string, Writer>> = {
  'gemini-cli': (session, steps, root = ROOT) => [
    { sessionId: session, projectHash: sha256(root), startTime: moment(0), lastUpdated: moment(0), kind: 'main', directories: [root] },
    ...steps.map((step, n): Json => {
      const id = idOf(step, n)
      const told = `Output: ${step.output || '(empty)'}${failed(step) ? `\nExit Code: ${step.code}` : ''}\nProcess Group PGID: 4711`
      const path = `${root}/${step.edit}`
      const made: Record<string, Json> =
        step.edit === undefined
          ? { name: 'run_shell_command', args: { command: step.command ?? '', dir_path: folderOf(step, root), description: 'as it says' }, resultDisplay: step.output ?? '' }
          : { name: 'write_file', args: { file_path: path, content: `x${n}\n` }, resultDisplay: { fileDiff: `+x${n}`, fileName: step.edit, filePath: path, originalContent: `x${n - 1}\n`, newContent: `x${n}\n` } }
      const result = [{ functionResponse: { id, name: made.name as string, response: { output: step.edit === undefined ? told : 'written' } } }]
      return { id: `m${n}`, timestamp: moment(n), type: 'gemini', content: '', toolCalls: [{ id, ...made, result, status: 'success', timestamp: moment(n) }] }
    }),
  ],
  'copilot-cli': (session, steps, root = ROOT) => {
    const events: Json[] = []
    const tell = (type: string, data: Json, n: number): void => void events.push({ type, data, id: `e${events.length}`, timestamp: moment(n), parentId: null })
    const context = (step: Step): Json => ({ cwd: folderOf(step, root), gitRoot: root, branch: step.branch ?? 'main', headCommit: 'a'.repeat(40) })
    tell('session.start', { sessionId: session, version: 1, copilotVersion: '1.0.72', context: context({}) }, 0)
    for (const [n, step] of steps.entries()) {
      const toolCallId = idOf(step, n)
      const [name, args]: [string, Json] = step.edit === undefined ? ['bash', { command: step.command ?? '', mode: 'sync', shellId: `${n}` }] : ['create', { path: `${root}/${step.edit}`, file_text: `x${n}\n` }]
      const content = step.edit === undefined ? `${step.output ?? ''}\n<shellId: ${n} completed with exit code ${step.code ?? 0}>` : 'created'
      tell('session.context_changed', { context: context(step) }, n)
      tell('assistant.message', { content: '', toolRequests: [{ toolCallId, name, arguments: args }] }, n)
      tell('tool.execution_start', { toolCallId, toolName: name, arguments: args }, n)
      tell('tool.execution_complete', { toolCallId, success: true, result: { content }, toolTelemetry: { restrictedProperties: { filePaths: JSON.stringify(step.edit === undefined ? [] : [step.edit]) } } }, n)
    }
    return events
  },
  opencode: (session, steps, root = ROOT) => [
    {
      info: { id: session, projectID: 'a'.repeat(40), directory: root, title: 'as it says', version: '1.1.0', time: { created: milliseconds(0), updated: milliseconds(steps.length) } },
      messages: steps.map((step, n): Json => {
        const [tool, input]: [string, Json] = step.edit === undefined ? ['bash', { command: step.command ?? '', description: 'as it says', ...(step.folder !== undefined && { workdir: step.folder }) }] : ['write', { filePath: `${root}/${step.edit}`, content: `x${n}\n` }]
        const metadata = step.edit === undefined ? { output: step.output ?? '', exit: step.code ?? 0 } : {}
        const state = { status: 'completed', input, output: step.output ?? '', title: tool, metadata, time: { start: milliseconds(n), end: milliseconds(n) + 500 } }
        return { info: { id: `msg_${n}`, sessionID: session, role: 'assistant', path: { cwd: root, root } }, parts: [{ id: `prt_${n}`, sessionID: session, messageID: `msg_${n}`, type: 'tool', callID: idOf(step, n), tool, state }] }
      }),
    },
  ],
  pi: (session, steps, root = ROOT) => [
    { type: 'session', version: 3, id: session, timestamp: moment(0), cwd: root },
    ...steps.flatMap((step, n): Json[] => {
      const line = (part: string, message: Json): Json => ({ type: 'message', id: `${n}${part}`, parentId: null, timestamp: moment(n), message })
      const [name, args]: [string, Json] = step.edit === undefined ? ['bash', { command: typedIn(step, root) }] : ['write', { path: `${root}/${step.edit}`, content: `x${n}\n` }]
      const text = step.edit === undefined ? `${step.output || '(no output)'}${failed(step) ? `\n\nCommand exited with code ${step.code}` : ''}` : 'written'
      return [
        line('a', { role: 'assistant', content: [{ type: 'toolCall', id: idOf(step, n), name, arguments: args }], stopReason: 'toolUse' }),
        line('b', { role: 'toolResult', toolCallId: idOf(step, n), toolName: name, content: [{ type: 'text', text }], isError: step.edit === undefined && failed(step) }),
      ]
    }),
  ],
}
