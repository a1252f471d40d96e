import type { Json } from '../../../src/base/canonical.ts'
import { ROOT, type Writer, folderOf, idOf, moment, quoted, typedIn } from '../step.ts'

/** Logs that say what was typed and printed, and not how it ended. */
export const talks: Readonly<Record<string, Writer>> = {
  'swe-agent': (session, steps, root = ROOT) => [
    {
      // A step tells where the shell stood behind it.
      trajectory: [{ action: 'pwd', observation: root, response: '', state: { open_file: 'n/a', working_dir: root } }, ...steps.map((step, n): Json => {
        const action = step.edit === undefined ? step.command ?? '' : `str_replace_editor create ${quoted(`${root}/${step.edit}`)} --file_text x${n}`
        return { action, observation: step.output ?? '', response: '', thought: '', state: { open_file: 'n/a', working_dir: folderOf(steps[n + 1] ?? {}, root) } }
      })],
      history: [],
      info: { exit_status: 'submitted' },
      environment: session,
    },
  ],
  atif: (session, steps, root = ROOT) => [
    {
      schema_version: 'ATIF-v1.5',
      session_id: session,
      agent: { name: 'an-agent', version: '2', extra: { cwds: [root] } },
      steps: steps.map((step, n): Json => {
        const [name, args]: [string, Json] = step.edit === undefined ? ['bash_command', { keystrokes: `${typedIn(step, root)}\n` }] : ['Write', { file_path: `${root}/${step.edit}`, content: `x${n}\n` }]
        return {
          step_id: n + 1,
          timestamp: moment(n),
          source: 'agent',
          message: '',
          tool_calls: [{ tool_call_id: idOf(step, n), function_name: name, arguments: args }],
          observation: { results: [{ source_call_id: idOf(step, n), content: step.output ?? '' }] },
        }
      }),
    },
  ],
  cline: (session, steps, root = ROOT) => [
    {
      version: 1,
      sessionId: session,
      messages: [
        { role: 'user', content: [{ type: 'text', text: `<task>as it says</task>\n<environment_details>\n# Current Working Directory (${root}) Files\na.js\n</environment_details>` }] },
        ...steps.flatMap((step, n): Json[] => {
          const [name, input]: [string, Json] = step.edit === undefined ? ['execute_command', { command: typedIn(step, root), requires_approval: false }] : ['write_to_file', { path: `${root}/${step.edit}`, content: `x${n}\n` }]
          return [
            { role: 'assistant', content: [{ type: 'tool_use', id: idOf(step, n), name, input }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: idOf(step, n), content: `Command executed.\nOutput:\n${step.output ?? ''}` }] },
          ]
        }),
      ],
    },
  ],
  /** A command ends with its line; a session is named by when it began. */
  aider: (session, steps, root = ROOT) => [
    '# aider chat started at 2026-06-01 10:00:00',
    '',
    ...steps.flatMap((step) =>
      step.edit === undefined ? [`#### /run ${typedIn(step, root).replaceAll('\n', ' ')}`, ...(step.output ?? '').split('\n').map((line) => `> ${line}`)] : [`> Applied edit to ${step.edit}`, `> Commit 1a2b3c4 of ${session}`],
    ),
  ],
}
