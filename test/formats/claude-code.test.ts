import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { blobId } from '../../src/base/digest.ts'
import claudeCode from '../../src/formats/claude-code.ts'
import { readBy } from '../logs/reading.ts'

const envelope = { sessionId: 's', cwd: '/repo', version: '2.1.178', timestamp: '2026-05-04T09:00:00.000Z' }

const call = (id: string, name: string, input: Json, more = {}): Json => ({
  ...envelope,
  type: 'assistant',
  uuid: `c-${id}`,
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
  ...more,
})

const result = (id: string, block: object, toolUseResult?: Json, more = {}): Json => ({
  ...envelope,
  type: 'user',
  uuid: `r-${id}`,
  timestamp: '2026-05-04T09:00:05.000Z',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...block }] },
  ...(toolUseResult === undefined ? {} : { toolUseResult }),
  ...more,
})

const ran = (stdout: string, more = {}) => ({ stdout, stderr: '', interrupted: false, isImage: false, ...more })
const bash = (block: object, toolUseResult?: Json, more = {}, input: Json = { command: 'make' }) =>
  readBy(claudeCode, [call('t', 'Bash', input), result('t', block, toolUseResult, more)])

const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."
const OLD = { version: '1.0.98' }

describe('the outcome of a shell call in Claude Code', () => {
  it.each<[string, object, Json | undefined, object, string, string | null]>([
    ['exit 0', { is_error: false, content: 'ok' }, ran('ok'), {}, 'success', 'ok'],
    ['exit 0, flag left out', { content: 'ok' }, ran('ok'), {}, 'success', 'ok'],
    ['exit 0, flag null', { content: 'ok', is_error: null }, ran('ok'), {}, 'success', 'ok'],
    ['exit 0, with words on both streams', { is_error: false, content: 'a\nb' }, ran('a', { stderr: 'b' }), {}, 'success', 'a\nb'],
    ['exit 0, silent', { is_error: false, content: '' }, ran(''), {}, 'success', ''],
    ['an exit code', { is_error: true, content: 'Exit code 2\nboom' }, 'Error: Exit code 2\nboom', {}, 'code 2', 'boom'],
    ['an exit code and nothing else', { is_error: true, content: 'Exit code 1' }, 'Error: Exit code 1', {}, 'code 1', ''],
    ['an exit code in parts', { is_error: true, content: [{ type: 'text', text: 'Exit code 127\nnot found' }] }, 'Error: x', {}, 'code 127', 'not found'],
    ['an exit code in the copy alone', { is_error: true, content: '' }, 'Error: Exit code 3\nx', {}, 'code 3', 'x'],
    ['an exit code with a carriage return', { is_error: true, content: 'Exit code 1\r\nx' }, 'Error: x', {}, 'code 1', 'x'],
    ['a signal', { is_error: true, content: 'Exit code 137\nKilled' }, 'Error: x', {}, 'code 137', 'Killed'],
    ['an exit code in the middle of an output', { is_error: true, content: 'see: Exit code 1' }, 'Error: x', {}, 'unknown', 'see: Exit code 1'],
    ['the host going back to its folder', { is_error: true, content: 'Exit code 1\nx\nShell cwd was reset to /repo' }, 'Error: x', {}, 'code 1', 'x'],
    ['a time-out that has a code', { is_error: true, content: 'Exit code 143\nCommand timed out after 2m 0s\nx' }, 'Error: x', {}, 'transient', 'Command timed out after 2m 0s\nx'],
    ['a time-out', { is_error: true, content: 'Command timed out after 2m 0.0s' }, 'Error: x', OLD, 'transient', 'Command timed out after 2m 0.0s'],
    ['a time-out that went on behind', { is_error: false, content: 'x' }, ran('x', { backgroundTaskId: 'b', timedOutAfterMs: 120000 }), {}, 'transient', 'x'],
    ['a start behind', { is_error: false, content: 'x' }, ran('', { backgroundTaskId: 'b1' }), {}, 'unknown', ''],
    ['a start behind by the assistant', { is_error: false, content: 'x' }, ran('', { assistantAutoBackgrounded: true }), {}, 'unknown', ''],
    ['a sandbox', { is_error: true, content: 'Exit code 1\ncat: /etc/x: Operation not permitted\n<sandbox_violations>\ndeny file-read-data /etc/x\n</sandbox_violations>' }, 'Error: x', {}, 'transient', 'cat: /etc/x: Operation not permitted\n<sandbox_violations>\ndeny file-read-data /etc/x\n</sandbox_violations>'],
    ['an interruption', { is_error: false, content: 'x' }, ran('x', { interrupted: true }), {}, 'transient', 'x'],
    ['an answer', { is_error: false, content: '' }, ran('', { returnCodeInterpretation: 'No matches found' }), {}, 'answer', ''],
    ['the user’s no', { is_error: true, content: NO }, `Error: ${NO}`, {}, 'transient', null],
    ['the user’s no, short', { is_error: true, content: 'User rejected tool use' }, 'User rejected tool use', OLD, 'transient', null],
    ['an interruption as a result', { is_error: true, content: '[Request interrupted by user for tool use]' }, 'Error: x', OLD, 'transient', ''],
    ['a command that was aborted', { is_error: true, content: '<error>Command was aborted before completion</error>' }, 'Error: x', OLD, 'transient', ''],
    ['a denial', { is_error: true, content: 'Permission to use Bash with command make has been denied.' }, 'Error: x', {}, 'transient', null],
    ['a denial that only a field tells', { is_error: true, content: 'no' }, 'Error: no', { toolDenialKind: 'permission-rule' }, 'transient', null],
    ['a permission that was never given', { is_error: true, content: "Claude requested permissions to use Bash, but you haven't granted it yet." }, 'Error: x', OLD, 'transient', null],
    ['a hook’s no', { is_error: true, content: 'PreToolUse:Bash hook error: blocked' }, 'Error: x', OLD, 'transient', null],
    ['a failed sibling', { is_error: true, content: '<tool_use_error>Sibling tool call errored</tool_use_error>' }, 'Error: x', {}, 'transient', null],
    ['a cancelled parallel call', { is_error: true, content: 'Cancelled: parallel tool call Bash(make) errored' }, 'Error: x', OLD, 'transient', null],
    ['a failure before codes were logged', { is_error: true, content: 'make: *** no rule' }, 'Error: make: *** no rule', OLD, 'failure', 'make: *** no rule'],
    ['a failure just before codes were logged', { is_error: true, content: 'x' }, 'Error: x', { version: '2.0.63' }, 'failure', 'x'],
    ['an error without a code since', { is_error: true, content: 'x' }, 'Error: x', { version: '2.0.64' }, 'unknown', 'x'],
    ['an error of a version that nobody wrote down', { is_error: true, content: 'x' }, 'Error: x', { version: null }, 'unknown', 'x'],
    ['a result without its structured copy', { is_error: false, content: 'x' }, undefined, {}, 'unknown', 'x'],
    ['a result whose copy is a list', { is_error: false, content: 'x' }, [{ type: 'text', text: 'x' }], {}, 'unknown', 'x'],
    ['an image', { is_error: false, content: 'x' }, ran('iVBOR', { isImage: true }), {}, 'success', null],
  ])('%s', (_what, block, toolUseResult, more, outcome, output) => {
    const [turn, ...rest] = bash(block, toolUseResult, more)
    expect(rest).toEqual([])
    expect([turn?.outcome.is === 'code' ? `code ${turn.outcome.code}` : turn?.outcome.is, turn?.output]).toEqual([outcome, output])
  })

  it('is unknown for a call that was sent behind on purpose, whatever the result says', () => {
    expect(bash({ is_error: false, content: '' }, ran(''), {}, { command: 'make', run_in_background: true })[0]?.outcome).toEqual({ is: 'unknown' })
  })

  it.each([
    '<tool_use_error>InputValidationError: Bash failed due to the following issue</tool_use_error>',
    'InputValidationError: [ { "code": "invalid_type" } ]',
  ])('does not exist where the call was not valid', (content) => {
    expect(bash({ is_error: true, content }, `Error: ${content}`)).toEqual([])
  })

  it.each([
    ['a large output was kept elsewhere', { is_error: false, content: '<persisted-output>\nhead' }, ran('head', { persistedOutputPath: '/x' }), true],
    ['lines were left out', { is_error: false, content: 'x' }, ran('a\n\n... [120 lines truncated] ...\n\nb'), true],
    ['lines of a failure were left out', { is_error: true, content: 'Exit code 1\na\n\n... [9 lines truncated] ...\n' }, 'Error: x', true],
    ['all is there', { is_error: false, content: 'x' }, ran('x'), undefined],
  ])('says whether the output is cut: %s', (_what, block, toolUseResult, cut) => {
    expect(bash(block, toolUseResult)[0]?.cut).toBe(cut)
  })

  it.each([
    ['its errors stand among the rest', ran('x'), true],
    ['its errors are the host\'s own note', ran('x', { stderr: 'Shell cwd was reset to /repo' }), true],
    ['its errors are put behind the rest', ran('x', { stderr: 'oops' }), undefined],
    ['it failed', 'Error: Exit code 1', undefined],
  ])('says whether the output is one stream: %s', (_what, toolUseResult, inOrder) => {
    expect(bash({ is_error: typeof toolUseResult === 'string', content: 'Exit code 1\nx' }, toolUseResult)[0]?.inOrder).toBe(inOrder)
  })
})

describe('a command in Claude Code that goes on behind', () => {
  const start = [call('t', 'Bash', { command: 'make', run_in_background: true }, { cwd: '/repo/a' }), result('t', { is_error: false, content: 'Command running in background with ID: b1' }, ran('', { backgroundTaskId: 'b1' }))]
  const look = (id: string, toolUseResult: Json | undefined, block: object = {}, input: Json = { bash_id: 'b1' }, tool = 'BashOutput') => [call(id, tool, input), result(id, { content: '', ...block }, toolUseResult)]
  const shell = (status: string, exitCode: number | null, stdout: string, more: object = {}): Json => ({ shellId: 'b1', command: 'make', status, exitCode, stdout, stderr: '', ...more })
  const task = (status: string, exitCode: number | null, output: string, more: object = {}): Json => ({ retrieval_status: 'success', task: { task_id: 'b1', task_type: 'local_bash', status, description: 'x', output, exitCode, ...more } })
  const notice = (id: string, status: string, how: string): Json => ({
    ...(result('x', {}) as object),
    uuid: 'notice',
    message: { role: 'user', content: `<task-notification>\n<task-id>${id}</task-id>\n<output-file>/elsewhere/${id}.output</output-file>\n<status>${status}</status>\n<summary>Background command "make it" ${how}</summary>\n</task-notification>` },
  })
  const told = (...lines: Json[]) => readBy(claudeCode, [...start, ...lines]).slice(1)

  it('is unknown where it was started, and ends with the look that shows how, in its own folder and with all that it printed', () => {
    const turns = readBy(claudeCode, [...start, ...look('p', shell('running', null, 'one')), ...look('q', shell('failed', 2, 'two', { stderr: 'three' })), ...look('r', shell('failed', 2, ''))])
    expect(turns).toHaveLength(2)
    expect(turns).toMatchObject([
      { record_id: 't', outcome: { is: 'unknown' } },
      { record_id: 'q', command: 'make', cwd: '/repo/a', began: '2026-05-04T09:00:00.000Z', outcome: { is: 'code', code: 2 }, output: 'one\ntwo\nthree' },
    ])
  })

  it.each<[string, Json[], object[]]>([
    ['a task', look('p', task('completed', 0, 'all'), {}, { task_id: 'b1' }, 'TaskOutput'), [{ outcome: { is: 'code', code: 0 }, output: 'all' }]],
    ['a task of which more is known later', [...look('p', task('running', null, 'one')), ...look('q', task('failed', 1, 'one two'))], [{ record_id: 'q', outcome: { is: 'code', code: 1 }, output: 'one two' }]],
    ['words alone', look('p', undefined, { content: '<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\nfine\n</stdout>' }), [{ outcome: { is: 'code', code: 0 }, output: 'fine' }]],
    ['words without an output', look('p', undefined, { content: '<status>failed</status>\n\n<exit_code>1</exit_code>\n\n' }), [{ outcome: { is: 'code', code: 1 }, output: '' }]],
    ['an output of which lines are left out', look('p', shell('completed', 0, 'a\n\n... [120 lines truncated] ...\n\nb')), [{ outcome: { is: 'code', code: 0 }, cut: true }]],
    ['one that goes on', look('p', shell('running', null, 'x')), []],
    ['one that was killed', look('p', shell('killed', 137, 'x')), []],
    ['one without a status', look('p', shell('completed', null, 'x')), []],
    ['a look at another', look('p', shell('completed', 0, 'x', { shellId: 'b2' }), {}, { bash_id: 'b2' }), []],
    ['a look whose result is of another', look('p', shell('completed', 0, 'x', { shellId: 'b2' })), []],
    ['a look that failed', look('p', shell('completed', 0, 'x'), { is_error: true }), []],
    ['a task of an agent', look('p', task('completed', 0, 'x', { task_type: 'local_agent' })), []],
    ['a notice of its end', [notice('b1', 'completed', 'completed (exit code 0)')], [{ record_id: 'notice', command: 'make', outcome: { is: 'code', code: 0 }, output: null, cut: true }]],
    ['a notice of its failure', [notice('b1', 'failed', 'failed with exit code 2')], [{ outcome: { is: 'code', code: 2 } }]],
    ['a notice, and a look at what had ended', [notice('b1', 'completed', 'completed (exit code 0)'), ...look('p', shell('completed', 0, 'x'))], [{ record_id: 'notice' }]],
    ['a notice of another', [notice('b2', 'completed', 'completed (exit code 0)')], []],
    ['a notice that it was stopped', [notice('b1', 'killed', 'was stopped')], []],
    ['a notice that contradicts itself', [notice('b1', 'failed', 'completed (exit code 0)')], []],
    ['a notice that stands in a sentence', [{ ...(notice('b1', 'completed', 'completed (exit code 0)') as object), message: { role: 'user', content: 'it said <task-notification>\n<task-id>b1</task-id>' } }], []],
    ['a status that the command printed', look('p', undefined, { content: '<status>running</status>\n\n<stdout>\n<status>completed</status>\n<exit_code>0</exit_code>\n</stdout>' }), []],
  ])('%s', (_what, lines, expected) => {
    const turns = told(...lines)
    expect(turns).toHaveLength(expected.length)
    expect(turns).toMatchObject(expected)
  })

  it('is joined after a time-out that left it running', () => {
    const late = [call('t', 'Bash', { command: 'make' }), result('t', { is_error: false, content: 'x' }, ran('x', { backgroundTaskId: 'b1', timedOutAfterMs: 120000 }))]
    expect(readBy(claudeCode, [...late, ...look('p', shell('completed', 0, 'y'))])).toMatchObject([{ outcome: { is: 'transient' } }, { record_id: 'p', outcome: { is: 'code', code: 0 }, output: 'x\ny' }])
  })
})

describe('calls and results in Claude Code', () => {
  const done = result('t', { is_error: false, content: 'ok' }, ran('ok'))

  it('take the folder from the call, the time from the result', () => {
    const turns = readBy(claudeCode, [call('t', 'Bash', { command: 'make' }, { cwd: '/repo/a' }), result('t', { content: 'ok' }, ran('ok'), { cwd: '/repo/b' })])
    expect(turns).toMatchObject([{ host: 'claude-code', session: 's', record_id: 't', cwd: '/repo/a', at: '2026-05-04T09:00:05.000Z', command: 'make', head: null }])
  })

  it('bring a zone to UTC, and leave out a time without one', () => {
    const at = (timestamp: string) => readBy(claudeCode, [call('t', 'Bash', {}, { timestamp }), result('t', { content: '' }, ran(''), { timestamp })])[0]?.at
    expect(at('2026-05-04T11:00:05.250+02:00')).toBe('2026-05-04T09:00:05.250Z')
    expect(at('2026-05-04T11:00:05')).toBeNull()
    expect(at('2026-99-99T00:00:00Z')).toBeNull()
  })

  it('count an id once, the first time', () => {
    const again = result('t', { is_error: true, content: 'Exit code 1' }, 'Error: x')
    expect(readBy(claudeCode, [call('t', 'Bash', { command: 'a' }), call('t', 'Bash', { command: 'b' }), done, again, call('t', 'Bash', { command: 'c' }), done])).toMatchObject([
      { command: 'a', outcome: { is: 'success' }, began: '2026-05-04T09:00:00.000Z' },
    ])
  })

  it('say where the session was started, once it is elsewhere', () => {
    const there = { cwd: '/repo/packages/a' }
    const turns = readBy(claudeCode, [call('a', 'Bash', { command: 'x' }), result('a', { content: '' }, ran('')), call('b', 'Bash', { command: 'y' }, there), result('b', { content: '' }, ran(''), there)])
    expect(turns.map(({ cwd, started }) => [cwd, started])).toEqual([['/repo', undefined], ['/repo/packages/a', '/repo']])
  })

  it('of a sub-agent are read from the lines of progress that hold them, and once', () => {
    const told = (message: Json): Json => ({ ...envelope, type: 'progress', uuid: 'p', data: { type: 'agent_progress', agentId: 'a1', message } })
    const line = ({ type, uuid, timestamp, message, toolUseResult }: Record<string, Json>): Json => ({ type, uuid, timestamp, message, ...(toolUseResult === undefined ? {} : { toolUseResult }) }) as Json
    const asked = call('t', 'Bash', { command: 'make lint' })
    const failed = result('t', { is_error: true, content: 'Exit code 2\nboom' }, 'Error: Exit code 2\nboom')
    const turns = readBy(claudeCode, [told(line(asked as Record<string, Json>)), told(line(failed as Record<string, Json>)), asked, failed])
    expect(turns).toMatchObject([{ record_id: 't', command: 'make lint', cwd: '/repo', outcome: { is: 'code', code: 2 }, output: 'boom' }])
    expect(readBy(claudeCode, [told(line(asked as Record<string, Json>)), told(line(result('t', { content: 'ok' }) as Record<string, Json>))])).toMatchObject([{ outcome: { is: 'unknown' } }])
    expect(readBy(claudeCode, [{ ...envelope, type: 'progress', data: { type: 'hook_progress', message: asked } } as Json])).toEqual([])
  })

  it('of a tool that only waits change nothing', () => {
    expect(readBy(claudeCode, [call('w', 'ScheduleWakeup', { delaySeconds: 300 }), result('w', { content: 'Next wakeup scheduled' }, { delaySeconds: 278 })])).toEqual([])
  })

  it('of a tool that nobody knows may have changed any file', () => {
    const wrote = result('w', { content: 'ok' }, [{ type: 'text', text: 'ok' }])
    expect(readBy(claudeCode, [call('w', 'mcp__filesystem__write_file', { path: 'package.json' }), wrote])).toMatchObject([{ kind: 'edit', edits: [{ path: '.', before: null, after: null }] }])
    expect(readBy(claudeCode, [call('w', 'mcp__docs__search', { query: 'x' }), wrote])).toEqual([])
  })

  it('leave a result without its call, and a call of a tool that runs nothing', () => {
    expect(readBy(claudeCode, [done, call('r', 'Read', { file_path: '/repo/x' }), result('r', { content: 'x' }, { type: 'text', file: { filePath: '/repo/x' } })])).toEqual([])
  })

  it('are unknown without a result, and transient if the user broke in', () => {
    const stop: Json = { ...envelope, type: 'user', message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] } }
    expect(readBy(claudeCode, [call('t', 'Bash', { command: 'a' })])).toMatchObject([{ outcome: { is: 'unknown' }, output: null, at: '2026-05-04T09:00:00.000Z' }])
    expect(readBy(claudeCode, [call('t', 'Bash', { command: 'a' }), stop])).toMatchObject([{ outcome: { is: 'transient' }, output: '' }])
    expect(readBy(claudeCode, [stop, call('t', 'Bash', { command: 'a' }), done])).toMatchObject([{ outcome: { is: 'success' } }])
    const reader = claudeCode.open()
    for (const [file, value] of [call('t', 'Bash', { command: 'a' }), stop].entries()) expect([...reader.read({ file, number: 1, offset: 0, value })]).toEqual([])
    expect([...reader.end()]).toMatchObject([{ command: 'a', outcome: { is: 'unknown' } }])
  })

  it('belong to the session of the first line that names one; other sessions are skipped', () => {
    const other = { sessionId: 'other' }
    const turns = readBy(claudeCode, [
      { type: 'summary', summary: 'x', leafUuid: 'l' },
      call('t', 'Bash', { command: 'a' }),
      call('o', 'Bash', { command: 'b' }, other),
      result('o', { content: '' }, ran(''), other),
      done,
    ])
    expect(turns.map(({ session, command }) => [session, command])).toEqual([['s', 'a']])
  })

  it('know a commit as head from then on, and no longer after one that the host abbreviated', () => {
    const step = (id: string, sha?: string) => [
      call(id, 'Bash', { command: 'x' }),
      result(id, { content: '' }, ran('', sha === undefined ? {} : { gitOperation: { commit: { sha, kind: 'committed' } } })),
    ]
    const full = '0123456789abcdef0123456789abcdef01234567'
    expect(readBy(claudeCode, [...step('a', full), ...step('b'), ...step('c', full.slice(0, 7)), ...step('d')]).map(({ head }) => head)).toEqual([null, full, full, null])
  })

  it('give an id that no receipt could hold as its digest', () => {
    const id = 'x'.repeat(201)
    expect(readBy(claudeCode, [call(id, 'Bash', { command: 'a' })])[0]?.record_id).toMatch(/^[0-9a-f]{64}$/)
  })

  it('survive any JSON whatever', () => {
    const shape = fc.record(
      {
        type: fc.constantFrom('user', 'assistant', 'system', 3),
        sessionId: fc.constantFrom('s', 't', null),
        timestamp: fc.jsonValue(),
        toolUseResult: fc.jsonValue(),
        message: fc.record({ content: fc.oneof(fc.jsonValue(), fc.array(fc.record({ type: fc.constantFrom('tool_use', 'tool_result', 'text'), id: fc.constantFrom('1', '2'), tool_use_id: fc.constantFrom('1', '2'), name: fc.constantFrom('Bash', 'Edit', 'Read'), input: fc.jsonValue(), content: fc.jsonValue(), is_error: fc.boolean() }))) }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), shape)), (values) => {
        const ids = readBy(claudeCode, values as Json[]).map(({ record_id }) => record_id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 200 },
    )
  })
})

describe('edits in Claude Code', () => {
  const edit = (name: string, input: Json, toolUseResult: Json, block = {}) => readBy(claudeCode, [call('e', name, input), result('e', { content: 'done', ...block }, toolUseResult)])
  const of = (toolUseResult: object, block = {}) => edit('Edit', { file_path: '/repo/a' }, { filePath: '/repo/a', ...toolUseResult }, block)[0]?.edits
  const hunk = (oldStart: number, oldLines: number, lines: string[]) => ({ oldStart, oldLines, newStart: oldStart, newLines: 0, lines })
  const patched = (originalFile: string, ...structuredPatch: object[]) => of({ originalFile, structuredPatch })
  const change = (before: string | null, after: string | null) => [
    { path: '/repo/a', before: before === null ? null : blobId(before), after: after === null ? null : blobId(after) },
  ]

  it.each<[string, () => unknown, unknown]>([
    ['a replacement', () => of({ originalFile: 'a b a\n', oldString: 'a', newString: 'c' }), change('a b a\n', 'c b a\n')],
    ['all replacements', () => of({ originalFile: 'a b a\n', oldString: 'a', newString: 'c', replaceAll: true }), change('a b a\n', 'c b c\n')],
    ['a replacement with dollars', () => of({ originalFile: 'a\n', oldString: 'a', newString: "$&$'" }), change('a\n', "$&$'\n")],
    ['a replacement of what is not there', () => of({ originalFile: 'a\n', oldString: 'z', newString: 'c' }), change('a\n', null)],
    ['a deletion that no patch shows', () => of({ originalFile: 'a\nb\n', oldString: 'a', newString: '' }), change('a\nb\n', null)],
    ['a text that the user changed', () => of({ originalFile: 'a\n', oldString: 'a', newString: 'c', userModified: true }), change('a\n', null)],
    ['a new file by an empty replacement', () => of({ originalFile: '', oldString: '', newString: 'c\n' }), change('', 'c\n')],
    ['no original', () => of({ originalFile: null, oldString: 'a', newString: 'c' }), change(null, null)],
    ['a patch', () => patched('1\n2\n3\n', hunk(1, 3, [' 1', '-2', '+two', ' 3'])), change('1\n2\n3\n', '1\ntwo\n3\n')],
    ['a patch of two hunks', () => patched('1\n2\n3\n4\n', hunk(1, 1, ['-1', '+one']), hunk(4, 1, ['-4'])), change('1\n2\n3\n4\n', 'one\n2\n3\n')],
    ['a patch that only adds', () => patched('1\n', hunk(1, 0, ['+2'])), change('1\n', '1\n2\n')],
    ['a patch into an empty file', () => patched('', hunk(0, 0, ['+1'])), change('', '1\n')],
    ['a patch that takes all', () => patched('1\n', hunk(1, 1, ['-1'])), change('1\n', '')],
    ['a patch that takes the last line end', () => patched('1\n', hunk(1, 1, ['-1', '+1', '\\ No newline at end of file'])), change('1\n', '1')],
    ['a patch that gives a last line end', () => patched('1', hunk(1, 1, ['-1', '\\ No newline at end of file', '+1'])), change('1', '1\n')],
    ['a patch that does not fit', () => patched('1\n', hunk(1, 1, ['-x', '+y'])), change('1\n', null)],
    ['a patch that starts nowhere', () => patched('1\n', hunk(9, 1, ['-x', '+y'])), change('1\n', null)],
    ['a patch and a replacement that agree', () => of({ originalFile: '1\n', oldString: '1', newString: '2', structuredPatch: [hunk(1, 1, ['-1', '+2'])] }), change('1\n', '2\n')],
    ['a patch and a replacement that do not', () => of({ originalFile: '1\n', oldString: '1', newString: '2', structuredPatch: [hunk(1, 1, ['-1', '+3'])] }), change('1\n', null)],
    ['what was taken out of the log', () => of({ originalFile: 'key = REDACTED\n', oldString: 'key', newString: 'k' }), change(null, null)],
    ['a whole file, new', () => edit('Write', {}, { type: 'create', filePath: '/repo/a', content: 'x\n', originalFile: null })[0]?.edits, change(null, 'x\n')],
    ['a whole file, anew', () => edit('Write', {}, { type: 'update', filePath: '/repo/a', content: 'x\n', originalFile: 'w\n' })[0]?.edits, change('w\n', 'x\n')],
    ['a notebook', () => edit('NotebookEdit', {}, { notebook_path: '/repo/a', original_file: '{}', updated_file: '{ }' })[0]?.edits, change('{}', '{ }')],
    ['a path that only the call names', () => edit('Edit', { file_path: '/repo/a' }, 'updated')[0]?.edits, change(null, null)],
    ['an edit that failed', () => of({ originalFile: 'a\n', oldString: 'a', newString: 'c' }, { is_error: true, content: NO }), undefined],
  ])('%s', (_what, made, expected) => {
    expect(made()).toEqual(expected)
  })

  it('are made where the call was, by what it names', () => {
    const turns = readBy(claudeCode, [call('e', 'Edit', { file_path: 'a' }, { cwd: '/repo/x' }), result('e', { content: 'done' }, 'updated', { cwd: '/repo/y' })])
    expect(turns).toMatchObject([{ cwd: '/repo/x', edits: [{ path: 'a' }] }])
  })

  it('are kept where the start of the log, and their call with it, is lost', () => {
    const turns = readBy(claudeCode, [result('e', { content: 'done' }, { filePath: '/repo/a', originalFile: '1\n', structuredPatch: [hunk(1, 1, ['-1', '+2'])] })])
    expect(turns).toMatchObject([{ kind: 'edit', record_id: 'e', outcome: { is: 'success' }, edits: change('1\n', '2\n') }])
  })
})

describe('files of Claude Code', () => {
  const companions = (log: string) => claudeCode.companions(log).map(({ folder, recursive }) => [folder, recursive])

  it('lie beside or below the log; a sub-agent has none of its own', () => {
    expect(companions('abc.jsonl')).toEqual([
      ['.', false],
      ['abc/subagents', true],
    ])
    expect(companions('agent-1f.jsonl')).toEqual([])
    const name = claudeCode.companions('abc.jsonl')[0]?.name as RegExp
    expect(['agent-1f.jsonl', 'agent-1f.meta.json', 'journal.jsonl', 'abc.jsonl'].filter((file) => name.test(file))).toEqual(['agent-1f.jsonl'])
  })

  it('are kept in a folder named by the one where the session started', () => {
    const shelves = (folder: string, env = {}) => claudeCode.logs({ home: '/home/ann', folder, env }).map((shelf) => shelf.folder)
    expect(shelves('/home/ann/my.shop_2')).toEqual(['/home/ann/.claude/projects/-home-ann-my-shop-2'])
    expect(shelves('C:\\shop', { CLAUDE_CONFIG_DIR: '/cfg' })).toEqual(['/cfg/projects/C--shop', '/home/ann/.claude/projects/C--shop'])
    expect(claudeCode.logs({ home: '/h', folder: '/r', env: {} }).every(({ name, own }) => own && name.test('a.jsonl') && !name.test('agent-a.jsonl'))).toBe(true)
  })

  it('say which session and folder they are of', () => {
    expect(claudeCode.about([{ type: 'summary', leafUuid: 'l' }, { type: 'mode', sessionId: 's' }, call('t', 'Bash', {})])).toEqual({ session: 's', cwd: '/repo' })
    expect(claudeCode.about([])).toEqual({ session: null, cwd: null })
  })
})
