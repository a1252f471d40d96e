import type { Json } from '../../../src/base/canonical.ts'
import { ROOT, type Step, type Writer, folderOf, idOf, moment, quoted, typedIn } from '../step.ts'

/** Runs of a benchmark that record how a command ended. */
export const runs: Readonly<Record<string, Writer>> = {
  'mini-swe-agent': (session, steps, root = ROOT) => [
    {
      info: { mini_version: '2.0.0', config: { environment: { cwd: root, timeout: 60 } } },
      messages: [
        { role: 'user', content: 'as it says' },
        ...steps.flatMap((step, n): Json[] => [
          { role: 'assistant', content: null, extra: { actions: [{ command: typedIn(step, root), tool_call_id: idOf(step, n) }], response: { created: Date.parse(moment(n)) / 1000 } } },
          {
            role: 'tool',
            tool_call_id: idOf(step, n),
            content: `<returncode>${step.code ?? 0}</returncode>\n<output>\n${step.output ?? ''}\n</output>`,
            extra: { raw_output: step.output ?? '', returncode: step.code ?? 0, timestamp: Date.parse(moment(n)) / 1000 },
          },
        ]),
      ],
      trajectory_format: 'mini-swe-agent-1.1',
      instance_id: session,
    },
  ],
  openhands: (session, steps, root = ROOT) => {
    const history: Json[] = []
    const tell = (id: string, action: Json, seen: Json, n: number): void =>
      void history.push({ id, timestamp: moment(n), source: 'agent', message: '', ...(action as object) }, { id: `${id} seen`, cause: id, timestamp: moment(n), source: 'agent', ...(seen as object) })
    const run = (id: string, command: string, code: number, output: string, folder: string, n: number): void =>
      tell(id, { action: 'run', args: { command, is_input: 'false', thought: '' } }, { observation: 'run', content: output, extras: { command, metadata: { exit_code: code, working_dir: folder } }, success: code === 0 }, n)
    /** Its shell stays where it was. */
    let here = ''
    const enter = (step: Step, n: number): void => {
      const folder = folderOf(step, root)
      if (folder !== here) run(`enters ${n}`, here === '' ? 'ls' : `cd ${quoted(folder)}`, 0, '', folder, n)
      here = folder
    }
    enter({}, 0)
    for (const [n, step] of steps.entries()) {
      const path = `${root}/${step.edit}`
      if (step.edit !== undefined) tell(idOf(step, n), { action: 'edit', args: { path, command: 'create' } }, { observation: 'edit', content: '', extras: { path, prev_exist: true, old_content: `x${n - 1}\n`, new_content: `x${n}\n` } }, n)
      else {
        enter(step, n)
        run(idOf(step, n), step.command ?? '', step.code ?? 0, step.output ?? '', here, n)
      }
    }
    return [{ instance_id: session, instruction: 'as it says', test_result: {}, metadata: {}, history }]
  },
}
