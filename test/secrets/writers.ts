import type { Json } from '../../src/base/canonical.ts'
import { ROOT, type Writer, idOf, moment } from './step.ts'
import { agents } from './writers/agents.ts'
import { runs } from './writers/runs.ts'
import { talks } from './writers/talks.ts'

/** Every format's own way to write the same steps down. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  'claude-code': (session, steps, root = ROOT) =>
    steps.flatMap((step, n) => {
      const line = { parentUuid: null, isSidechain: false, userType: 'external', cwd: step.folder === undefined ? root : `${root}/${step.folder}`, sessionId: session, version: '2.1.178', gitBranch: step.branch ?? 'main', timestamp: moment(n) }
      const uuid = (part: number): string => `00000000-0000-4000-8000-${String(n * 2 + part).padStart(12, '0')}`
      const [name, input] = step.edit === undefined ? ['Bash', { command: step.command ?? '', description: 'as it says' }] : ['Write', { file_path: `${root}/${step.edit}`, content: `x${n}\n` }]
      const failed = (step.code ?? 0) !== 0
      const content = step.edit === undefined ? `${failed ? `Exit code ${step.code}\n` : ''}${step.output ?? ''}` : 'File written'
      const result = step.edit === undefined ? (failed ? `Error: ${content}` : { stdout: step.output ?? '', stderr: '', interrupted: false, isImage: false }) : { type: 'update', filePath: `${root}/${step.edit}`, content: `x${n}\n`, originalFile: `x${n - 1}\n`, structuredPatch: [] }
      return [
        { ...line, uuid: uuid(0), type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id: idOf(step, n), name, input }] } },
        { ...line, uuid: uuid(1), type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: idOf(step, n), content, is_error: failed }] }, toolUseResult: result },
      ] as Json[]
    }),
  codex: (session, steps, root = ROOT) => [
    { timestamp: moment(0), type: 'session_meta', payload: { id: session, timestamp: moment(0), cwd: root, originator: 'codex_cli_rs', cli_version: '0.140.0', instructions: null, git: { branch: steps.find(({ branch }) => branch !== undefined)?.branch ?? 'main', commit_hash: 'a'.repeat(40) } } },
    ...steps.flatMap((step, n) => {
      const line = (payload: Json): Json => ({ timestamp: moment(n), type: 'response_item', payload })
      if (step.edit !== undefined)
        return [
          line({ type: 'custom_tool_call', status: 'completed', call_id: idOf(step, n), name: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${step.edit}\n+x${n}\n*** End Patch\n` }),
          line({ type: 'custom_tool_call_output', call_id: idOf(step, n), output: `Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nM ${step.edit}\n` }),
        ]
      return [
        line({ type: 'function_call', name: 'shell_command', arguments: JSON.stringify({ command: step.command, workdir: step.folder === undefined ? root : `${root}/${step.folder}` }), call_id: idOf(step, n) }),
        line({ type: 'function_call_output', call_id: idOf(step, n), output: `Exit code: ${step.code ?? 0}\nWall time: 0.3 seconds\nOutput:\n${step.output ?? ''}` }),
      ]
    }),
  ],
  observation: (session, steps) =>
    steps.map((step, n) => ({
      schema: 'git-remnant/observation/1',
      host: 'claude-code',
      session,
      record_id: idOf(step, n),
      at: moment(n),
      kind: step.edit === undefined ? 'command' : 'edit',
      folder: step.folder ?? '.',
      head: null,
      command: step.command ?? null,
      outcome: { is: 'code', code: step.code ?? 0 },
      output: step.output ?? null,
      edits: step.edit === undefined ? [] : [{ path: step.edit, before: 'a'.repeat(40), after: String(n % 10).repeat(40) }],
      declared: null,
      keys: {},
    })),
  ...agents,
  ...runs,
  ...talks,
}
