import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { blobId, sha256 } from '../../src/base/digest.ts'
import geminiCli from '../../src/formats/gemini-cli.ts'
import { readBy } from '../logs/reading.ts'

const header = { sessionId: 's', projectHash: sha256('/repo'), startTime: '2026-04-28T10:00:00.000Z' }
const tool = (name: string, args: Json, output: string, more: object = {}): Json => ({ id: 'c', name, args, result: [{ functionResponse: { response: { output } } }], status: 'success', timestamp: '2026-04-28T10:00:09.000Z', ...more }) as Json
const message = (...toolCalls: Json[]): Json => ({ id: 'm', timestamp: '2026-04-28T10:00:05.000Z', type: 'gemini', content: '', toolCalls })
const shell = (output: string, more: object = {}, args: object = {}) => readBy(geminiCli, [header, message(tool('run_shell_command', { command: 'make', ...args } as Json, output, more))])
const END = '\nProcess Group PGID: 7'
const error = (text: string) => ({ result: [{ functionResponse: { response: { error: text } } }] })

describe('the outcome of a shell call in Gemini CLI', () => {
  it.each<[string, string, object, string, string | null]>([
    ['no status, which is 0', `Output: ok${END}`, {}, 'success', 'ok'],
    ['a status', `Output: no\nExit Code: 2${END}`, {}, 'code 2', 'no'],
    ['a signal', `Output: x\nExit Code: 137\nSignal: 9${END}`, {}, 'transient', 'x'],
    ['a status that the program printed, and 0', `Output: Exit Code: 3${END}`, { resultDisplay: 'Exit Code: 3' }, 'success', 'Exit Code: 3'],
    ['a status that the program printed before its own', `Output: a\nExit Code: 0\nExit Code: 3${END}`, {}, 'code 3', 'a\nExit Code: 0'],
    ['an output that a person saw, and something else behind it', `Output: ok and more${END}`, { resultDisplay: 'ok' }, 'unknown', `Output: ok and more${END}`],
    ['an error that the host met', `Output: (empty)\nError: spawn ENOENT${END}`, {}, 'unknown', `Output: (empty)\nError: spawn ENOENT${END}`],
    ['no last line of the host', 'Output: ok', {}, 'unknown', 'Output: ok'],
    ['a summary by a model', 'All tests passed.', {}, 'unknown', 'All tests passed.'],
    ['a tool that failed', '', { status: 'error', ...error('Command substitution is not allowed') }, 'unknown', 'Command substitution is not allowed'],
    ['a person’s no', '', { status: 'cancelled', ...error('[Operation Cancelled] Reason: User did not allow tool call') }, 'transient', null],
    ['an end by a person', '', { status: 'cancelled', ...error('[Operation Cancelled]') }, 'transient', ''],
    ['a status of the tool that nobody knows', `Output: ok${END}`, { status: 'awaiting_approval' }, 'unknown', null],
    ['no result', '', { status: 'success', result: [] }, 'unknown', null],
  ])('is, for %s: %s', (_what, output, more, outcome, printed) => {
    expect(shell(output, more).map((turn) => [turn.outcome.is === 'code' ? `code ${turn.outcome.code}` : turn.outcome.is, turn.output])).toEqual([[outcome, printed]])
  })

  it('is not known of one that goes on behind', () => {
    expect(shell(`Output: ok${END}`, {}, { is_background: true })[0]?.outcome).toEqual({ is: 'unknown' })
  })
})

describe('a session of Gemini CLI', () => {
  const edit = (path: string, more: object = {}) => tool('replace', { file_path: path, old_string: 'a', new_string: 'b' }, 'ok', { id: 'e', ...more })

  it('has the folder whose hash it names, once a path shows it', () => {
    const run = tool('run_shell_command', { command: 'make', dir_path: 'sub' }, `Output: ok${END}`)
    expect(readBy(geminiCli, [header, message(run, edit('/repo/src/a'))]).map(({ cwd, folder }) => [cwd, folder])).toEqual([['/repo/sub', undefined], ['/repo', undefined]])
    expect(readBy(geminiCli, [header, message(run, edit('/other/a'))]).map(({ cwd, folder }) => [cwd, folder])).toEqual([[null, 'sub'], [null, undefined]])
    expect(geminiCli.about([header, message(edit('/repo/deep/down/a'))])).toEqual({ session: 's', cwd: '/repo', cwdSha256: sha256('/repo') })
    expect(geminiCli.about([{ ...header, messages: [message(edit('/repo/a'))] }]).cwd).toBe('/repo')
  })

  it('knows an edit by its path, and by its contents where the host shows them', () => {
    const shown = { resultDisplay: { fileDiff: 'x', originalContent: 'a\n', newContent: 'b\n', filePath: '/repo/a' } }
    const edits = (...calls: Json[]) => readBy(geminiCli, [header, message(...calls)]).map((turn) => turn.edits)
    expect(edits(edit('/repo/a', shown))).toEqual([[{ path: '/repo/a', before: blobId('a\n'), after: blobId('b\n') }]])
    expect(edits(edit('/repo/a', { resultDisplay: 'x' }))).toEqual([[{ path: '/repo/a', before: null, after: null }]])
    expect(edits(edit('/repo/a', { status: 'error' }), tool('read_file', {}, ''), tool('mcp_x_get_it', {}, ''))).toEqual([])
    expect(edits(tool('mcp_x_write', {}, ''), tool('new_tool', {}, '', { id: 'n', status: 'error' }))).toEqual([[{ path: '.', before: null, after: null }], [{ path: '.', before: null, after: null }]])
    expect(edits(tool('write_file', {}, ''))).toEqual([[{ path: '.', before: null, after: null }]])
  })

  it('counts a message once, whenever it gains its calls', () => {
    const open = tool('run_shell_command', { command: 'make' }, '', { status: 'executing', result: undefined })
    const done = message(tool('run_shell_command', { command: 'make' }, `Output: ok${END}`))
    const read = (...lines: Json[]) => readBy(geminiCli, [header, ...lines]).map(({ outcome }) => outcome.is)
    expect(read(message(), { $set: { lastUpdated: 'x' } }, message(open), done, done)).toEqual(['success'])
    expect(read({ $set: { messages: [done] } })).toEqual(['success'])
    expect(read(message(open))).toEqual(['unknown'])
  })

  it('that was wound back may have changed any file', () => {
    expect(readBy(geminiCli, [header, { $rewindTo: 'm' }, { $rewindTo: 'm' }])).toMatchObject([{ kind: 'edit', edits: [{ path: '.' }] }])
  })

  it('is not read before its header, and behind another one is that session\'s', () => {
    expect(readBy(geminiCli, [message(edit('/repo/a')), header])).toEqual([])
    const sessions = (...lines: Json[]) => readBy(geminiCli, lines).map(({ session }) => session)
    const own = (header as { sessionId: string }).sessionId
    expect(sessions(header, { ...header, sessionId: 'other', messages: [message(edit('/repo/a'))] })).toEqual(['other'])
    expect(sessions(header, message(edit('/repo/a')), { ...header, sessionId: 'other' }, message(edit('/repo/b')))).toEqual([own, 'other'])
    expect(sessions(header, { ...header, sessionId: 'other', kind: 'subagent' }, message(edit('/repo/a')))).toEqual([own])
  })

  it('lies in the host’s folder, under whatever name', () => {
    const [shelf] = geminiCli.logs({ home: '/h', folder: '/repo', env: {} })
    expect([shelf?.folder, shelf?.depth, shelf?.own]).toEqual(['/h/.gemini/tmp', 2, false])
    expect(['session-2026-01-20T09-00-5e0f.json', 'session-x.jsonl', 'logs.json'].map((name) => shelf?.name.test(name))).toEqual([true, true, false])
    expect(geminiCli.companions('x')).toEqual([])
  })
})
