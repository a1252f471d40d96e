import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { blobId } from '../../src/base/digest.ts'
import codex from '../../src/formats/codex.ts'
import { readBy } from '../logs/reading.ts'

const line = (type: string, payload: Json, timestamp = '2026-04-02T10:00:00.500Z'): Json => ({ timestamp, type, payload })
const meta = (more: object = {}): Json => line('session_meta', { id: 's', cwd: '/repo', ...more })
const call = (id: string, name: string, input: Json, more: object = {}): Json =>
  line('response_item', { type: 'function_call', name, arguments: JSON.stringify(input), call_id: id, ...more })
const custom = (id: string, name: string, input: string): Json => line('response_item', { type: 'custom_tool_call', name, input, call_id: id, status: 'completed' })
const output = (id: string, text: Json): Json => line('response_item', { type: 'function_call_output', call_id: id, output: text }, '2026-04-02T10:00:05.500Z')
const event = (payload: Json): Json => line('event_msg', payload, '2026-04-02T10:00:04.500Z')
const read = (...lines: Json[]) => readBy(codex, [meta(), ...lines])

const json = (text: string, exit_code: number) => JSON.stringify({ output: text, metadata: { exit_code, duration_seconds: 0.1 } })
const unified = (status: string, text: string, before = 'Chunk ID: 1a\nWall time: 0.1 seconds\n') => `${before}Process ${status}\nOriginal token count: 3\nOutput:\n${text}`

describe('the outcome of a shell call in Codex', () => {
  it.each<[string, Json, string, string | null]>([
    ['JSON, 0', json('ok\n', 0), 'code 0', 'ok\n'],
    ['JSON, 1', json('no\n', 1), 'code 1', 'no\n'],
    ['JSON without a status', JSON.stringify({ output: 'x' }), 'unknown', '{"output":"x"}'],
    ['JSON that a time-out ended', json('command timed out after 1000 milliseconds\n', 124), 'transient', 'command timed out after 1000 milliseconds\n'],
    ['text, 0', 'Exit code: 0\nWall time: 1 seconds\nOutput:\nok\n', 'code 0', 'ok\n'],
    ['text, 101', 'Exit code: 101\nWall time: 0.2 seconds\nOutput:\nerror\n', 'code 101', 'error\n'],
    ['text, not at its start', 'Script failed\nScript error: Exit code: 1\n', 'unknown', 'Script failed\nScript error: Exit code: 1\n'],
    ['unified, 0', unified('exited with code 0', 'ok\n'), 'code 0', 'ok\n'],
    ['unified, -1', unified('exited with code -1', ''), 'code -1', ''],
    ['unified, behind its command', unified('exited with code 2', 'x', "Command: /bin/bash -lc 'a\nb'\nChunk ID: 1\nWall time: 1 seconds\n"), 'code 2', 'x'],
    ['unified, bare', 'Process exited with code 3\nx', 'code 3', 'Process exited with code 3\nx'],
    ['unified, in a list', [{ type: 'input_text', text: unified('exited with code 1', 'x') }, { type: 'input_image', image_url: 'data:' }], 'code 1', 'x'],
    ['a line of the output that looks like a header', unified('exited with code 0', 'Process exited with code 9\nOutput:\n'), 'code 0', 'Process exited with code 9\nOutput:\n'],
    ['the same words in an output without a header', 'I ran it.\nProcess exited with code 0\n', 'unknown', 'I ran it.\nProcess exited with code 0\n'],
    ['an object around a text', { content: json('ok', 0), success: true }, 'code 0', 'ok'],
    ['still running at the end', unified('running with session ID 7', 'x'), 'unknown', 'x'],
    ['killed', unified('exited with code 137', ''), 'code 137', ''],
    ['killed, in JSON', json('', 137), 'code 137', ''],
    ['a limit of time', 'command timed out after 120000 milliseconds', 'transient', 'command timed out after 120000 milliseconds'],
    ['a sandbox, unified', 'exec_command failed for `touch /x`: CreateProcess { message: "Sandbox(Denied { output: ExecToolCallOutput { exit_code: 1 } })" }', 'transient', null],
    ['a policy’s no', 'exec_command failed for `rm x`: CreateProcess { message: "Rejected(\\"`rm x` rejected: blocked by policy\\")" }', 'transient', null],
    ['the user’s no', 'exec command rejected by user', 'transient', null],
    ['the user’s stop', 'aborted by user after 10.2s', 'transient', 'aborted by user after 10.2s'],
    ['a sandbox', 'failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error, exit code: 1, stdout: , stderr: x', 'transient', null],
    ['a program that could not be started', 'exec_command failed for `nope`: CreateProcess { message: "No such file or directory" }', 'failure', 'exec_command failed for `nope`: CreateProcess { message: "No such file or directory" }'],
    ['other words', 'whatever', 'unknown', 'whatever'],
    ['no words', '', 'unknown', ''],
  ])('%s', (_what, text, outcome, printed) => {
    const [turn, ...rest] = read(call('c', 'exec_command', { cmd: 'make' }), output('c', text))
    expect(rest).toEqual([])
    expect([turn?.outcome.is === 'code' ? `code ${turn.outcome.code}` : turn?.outcome.is, turn?.output]).toEqual([outcome, printed])
  })

  it.each(['failed to parse function arguments: missing field `cmd`', 'unsupported call: exec_command'])('does not exist where nothing ran: %s', (text) => {
    expect(read(call('c', 'exec_command', { cmd: 'make' }), output('c', text))).toEqual([])
  })

  it.each([
    ['tokens are left out', 'Exit code: 0\nOutput:\na\n…310 tokens truncated…\nb', true],
    ['the header counts lines', 'Exit code: 0\nTotal output lines: 900\nOutput:\na', true],
    ['lines are left out', json('a\n[... omitted 12 of 268 lines ...]\nb', 0), true],
    ['all is there', json('a', 0), undefined],
  ])('says whether the output is cut: %s', (_what, text, cut) => {
    expect(read(call('c', 'shell', { command: ['make'] }), output('c', text))[0]?.cut).toBe(cut)
  })

  it('is that of the event, where there is one; what repeats it counts no more', () => {
    const end = event({ type: 'exec_command_end', call_id: 'c', cwd: '/repo/a', exit_code: 2, aggregated_output: 'all of it', stdout: '', stderr: '', status: 'failed' })
    const turns = read(call('c', 'exec_command', { cmd: 'make' }), end, output('c', unified('exited with code 0', 'part')), end)
    expect(turns).toMatchObject([{ record_id: 'c', outcome: { is: 'code', code: 2 }, output: 'all of it', cwd: '/repo/a' }])
    const declined = event({ type: 'exec_command_end', call_id: 'c', exit_code: -1, stdout: '', stderr: 'no', status: 'declined' })
    expect(read(call('c', 'exec_command', { cmd: 'make' }), declined)).toMatchObject([{ outcome: { is: 'transient' }, output: 'no' }])
    expect(read(end)).toEqual([])
    expect(read(custom('c', 'exec', 'tools.exec_command({cmd:"make"})'), end, output('c', 'Script completed\nOutput:\n'))).toMatchObject([{ command: null, outcome: { is: 'unknown' } }])
    expect(read(custom('c', 'apply_patch', 'x'), end)).toEqual([])
  })

  it('is told in code mode by nothing but the host’s own result', () => {
    const printed = [{ type: 'input_text', text: 'Script completed\nWall time 1 seconds\nOutput:\n' }, { type: 'input_text', text: '{"exit_code":0}' }]
    expect(read(custom('c', 'exec', 'text(await tools.exec_command({cmd:"make"}))'), output('c', printed))).toMatchObject([{ kind: 'command', command: 'make', outcome: { is: 'unknown' }, output: null }])
    expect(read(custom('c', 'exec', 'const r = await tools.exec_command({cmd:"make"}); text(String(r.exit_code))'), output('c', printed))).toMatchObject([{ command: 'make', outcome: { is: 'unknown' }, output: null }])
    expect(read(custom('c', 'exec', 'for (;;) text(await tools.exec_command({cmd:"make"}))'), output('c', printed))).toMatchObject([{ command: null, outcome: { is: 'unknown' }, cut: true }])
  })
})

describe('what a plain script in Codex prints, where no item tells it', () => {
  const result = (more: object) => JSON.stringify({ chunk_id: '1a', wall_time_seconds: 0.5, original_token_count: 9, output: 'done\n', ...more })
  const script = (input: string, id = 's1') => custom(id, 'exec', input)
  const ends = (parts: readonly string[], id = 's1', header = 'Script completed\nWall time 1.0 seconds\nOutput:\n') => output(id, [header, ...parts].map((text) => ({ type: 'input_text', text })))
  const line = (turn: { command: unknown; outcome: { is: string; code?: number }; output: string | null; cut?: boolean; edits: readonly { path: string }[]; kind: string }) =>
    turn.kind === 'edit' ? `edit ${turn.edits.map(({ path }) => path).join(' ')}` : [Array.isArray(turn.command) ? turn.command.at(-1) : turn.command, turn.outcome.is === 'code' ? turn.outcome.code : turn.outcome.is, turn.output, ...(turn.cut ? ['cut'] : [])].join(' | ')
  const told = (...lines: Json[]) => read(...lines).map((turn) => line(turn as never))
  const make = '{"cmd":"make","workdir":"/repo","yield_time_ms":1000}'

  it.each<[string, string, string[], string[]]>([
    ['a result as it is', `text(await tools.exec_command(${make}));`, [result({ exit_code: 0 })], ['make | 0 | done\n']],
    ['a result by its name', `const r = await tools.exec_command({cmd:'make', workdir:"/repo"});\ntext(JSON.stringify(r));\n`, [result({ exit_code: 2 })], ['make | 2 | done\n']],
    ['a result that was shortened', `text(await tools.exec_command(${make}))`, [result({ exit_code: 0, output: 'a\n…31 tokens truncated…\nb' })], ['make | 0 | a\n…31 tokens truncated…\nb | cut']],
    ['a result that the host cut off', `text(await tools.exec_command(${make}))`, [result({ exit_code: 0 }).slice(0, -3)], ['make | unknown | ']],
    ['a result without a status', `text(await tools.exec_command(${make}))`, [result({})], ['make | unknown | ']],
    ['a result with a status and a process', `text(await tools.exec_command(${make}))`, [result({ exit_code: 0, session_id: 7 })], ['make | unknown | ']],
    ['an output alone, which may go on', `const r = await tools.exec_command(${make}); text(r.output);`, ['done\n'], ['make | unknown | done\n | cut']],
    ['an output alone, of what had time to end', 'const r = await tools.exec_command({cmd:"make",yield_time_ms:10000}); text(r.output);', ['done\n'], ['make | unknown | done\n']],
    ['an output of what may have had no time to end', 'const r = await tools.exec_command({cmd:"make",yield_time_ms:1400}); text(r.output);', ['done\n'], ['make | unknown | done\n | cut']],
    ['two, one after the other', `text(await tools.exec_command(${make}));\ntext(await tools.exec_command({cmd:"make b"}));`, [result({ exit_code: 0 }), result({ exit_code: 1 })], ['make | 0 | done\n', 'make b | 1 | done\n']],
    ['several at a time', `const rs = await Promise.all([\n  tools.exec_command(${make}),\n  tools.exec_command({cmd:"ls"}),\n]);\nfor (const r of rs) text(JSON.stringify(r));`, [result({ exit_code: 0 }), result({ exit_code: 1 })], ['make | 0 | done\n', 'ls | 1 | done\n']],
    ['several, of which nobody can say which part is whose', `const rs = await Promise.all([tools.exec_command(${make}), tools.exec_command({cmd:"ls"})]);\ntext(rs.map((r) => r.output).join("\\n"));`, ['done\n'], ['make | unknown | ', 'ls | unknown | ']],
    ['a patch', 'const patch = "*** Begin Patch\\n*** Add File: a/b.md\\n+x\\n*** End Patch"; text(await tools.apply_patch(patch));', ['{}'], ['edit /repo/a/b.md']],
    ['something that the script made up', `const r = await tools.exec_command(${make}); text('${result({ exit_code: 0, output: 'done' })}')`, [result({ exit_code: 0, output: 'done' })], ['make | unknown | ']],
  ])('says how it ended: %s', (_what, input, parts, expected) => {
    expect(told(script(input), ends(parts))).toEqual(expected)
  })

  it.each<[string, string, string[]]>([
    ['a result that is changed first', `const r = await tools.exec_command(${make}); r.exit_code = 0; text(r);`, [result({ exit_code: 0 })]],
    ['a result that is another one', `let r = await tools.exec_command(${make}); r = {}; text(r);`, [result({ exit_code: 0 })]],
    ['a name that stands for two', `const r = await tools.exec_command(${make}); var r = await tools.exec_command({cmd:"x"}); text(r);`, [result({ exit_code: 0 })]],
    ['a command that is worked out', 'text(await tools.exec_command({cmd:`make ${name}`}));', [result({ exit_code: 0 })]],
    ['a command that is joined', 'text(await tools.exec_command({cmd:"make" + name}));', [result({ exit_code: 0 })]],
    ['a condition', `const r = await tools.exec_command(${make}); if (r.exit_code === 0) text(r);`, [result({ exit_code: 0 })]],
    ['more parts than it prints', `text(await tools.exec_command(${make}));`, [result({ exit_code: 0 }), result({ exit_code: 1 })]],
    ['no part', `text(await tools.exec_command(${make}));`, []],
  ])('says nothing, where there is %s', (_what, input, parts) => {
    expect(read(script(input), ends(parts))).toMatchObject([{ record_id: 's1', command: null, outcome: { is: 'unknown' } }])
  })

  it('says nothing of a script that failed', () => {
    expect(read(script(`text(await tools.exec_command(${make}));`), ends([result({ exit_code: 0 })], 's1', 'Script failed\nWall time 1.0 seconds\nOutput:\n'))).toMatchObject([{ command: null, outcome: { is: 'unknown' } }])
  })

  it('gives each of several a record of its own', () => {
    const turns = read(script(`text(await tools.exec_command(${make}));text(await tools.exec_command(${make}));`), ends([result({ exit_code: 0 }), result({ exit_code: 0 })]))
    expect(turns.map(({ record_id }) => record_id)).toEqual(['s1', 's1/2'])
  })

  describe('of a command that goes on', () => {
    const start = [script(`text(await tools.exec_command(${make}));`), ends([result({ session_id: 7, output: 'one ' })])]
    const poll = (input: string, text: string, id = 's2') => [script(input, id), ends([text], id)]
    const asks = 'text(await tools.write_stdin({session_id:7,chars:""}));'
    const item = (began: string): Json =>
      event({ type: 'item_completed', started_at_ms: Date.parse(began), item: { type: 'CommandExecution', id: 'exec-1', process_id: '7', command: ['/bin/zsh', '-lc', 'make'], status: 'completed', exit_code: 0, aggregated_output: 'one two' } })

    it.each<[string, Json[], string[]]>([
      ['the script that asked last says how', poll(asks, result({ exit_code: 1, output: 'two' })), ['make | 1 | one two']],
      ['nobody asked', [], ['make | unknown | one  | cut']],
      ['another one was asked', poll('text(await tools.write_stdin({session_id:8,chars:""}));', result({ exit_code: 1 })), ['make | unknown | one  | cut']],
      ['no status was printed', poll('const r = await tools.write_stdin({session_id:7,chars:""}); text(r.output);', 'two'), ['make | unknown | one two | cut']],
      ['it was interrupted', poll('text(await tools.write_stdin({session_id:7,chars:"\\u0003"}));', result({ exit_code: 130, output: '^C' })), ['make | transient | one ^C']],
      ['an item tells it before', [item('2026-04-02T10:00:00.600Z'), ...poll(asks, result({ exit_code: 0, output: 'two' }))], ['make | 0 | one two']],
      ['an item tells it afterwards', [...poll(asks, result({ exit_code: 0, output: 'two' })), item('2026-04-02T10:00:00.600Z')], ['make | 0 | one two']],
      ['an item tells it alone', [item('2026-04-02T10:00:00.600Z')], ['make | 0 | one two']],
    ])('tells it once, where %s', (_what, lines, expected) => {
      expect(told(...start, ...lines)).toEqual(expected)
    })
  })
})

describe('what a script in Codex started', () => {
  const ms = Date.parse('2026-04-02T10:00:01.000Z')
  const item = (id: string, more: object = {}, began: number | null = ms): Json =>
    event({
      type: 'item_completed',
      item: { type: 'CommandExecution', id, process_id: '7', command: ['/bin/zsh', '-lc', 'make'], cwd: 'file:///repo/a%20b', status: 'completed', exit_code: 0, aggregated_output: 'done', ...more } as Json,
      ...(began === null ? {} : { started_at_ms: began }),
    })
  const file = (id: string, status = 'completed'): Json =>
    event({ type: 'item_completed', started_at_ms: ms, item: { type: 'FileChange', id, status, changes: { '/repo/x': { type: 'add', content: 'x\n' } }, stdout: '', stderr: '' } })
  const script = (input: string, id = 's1') => custom(id, 'exec', input)
  const ends = (id = 's1', text = 'Script completed\nWall time 1 seconds\nOutput:\n') => output(id, [{ type: 'input_text', text }])
  const make = 'text(await tools.exec_command({cmd:"make"}))'
  const untold = { record_id: 's1', command: null, outcome: { is: 'unknown' } }

  it('is told by items: each command with its status, folder and time, each patch with its files', () => {
    expect(read(script(make), item('exec-1', { exit_code: 2 }), ends())).toMatchObject([
      { record_id: 'exec-1', command: ['/bin/zsh', '-lc', 'make'], outcome: { is: 'code', code: 2 }, output: 'done', cwd: '/repo/a b', began: '2026-04-02T10:00:01.000Z' },
    ])
    expect(read(script('await tools.apply_patch(p)'), file('exec-2'), ends())).toMatchObject([{ kind: 'edit', record_id: 'exec-2', edits: [{ path: '/repo/x' }] }])
    expect(read(item('exec-1'), item('exec-1'))).toHaveLength(1)
  })

  it('is what the call says too, where an item has its id', () => {
    const turns = read(call('c', 'exec_command', { cmd: 'make' }), item('c', { exit_code: 1 }), output('c', unified('exited with code 1', 'done')))
    expect(turns).toMatchObject([{ record_id: 'c', command: 'make', outcome: { is: 'code', code: 1 } }])
    expect(read(custom('c', 'apply_patch', '*** Begin Patch'), file('c'), output('c', json('Success.', 0)))).toMatchObject([{ kind: 'edit', record_id: 'c', edits: [{ path: '/repo/x' }] }])
    expect(read(custom('c', 'apply_patch', '*** Begin Patch'), file('c', 'failed'))).toEqual([])
  })

  it('may be anything, where fewer deeds are told than it has', () => {
    expect(read(script(make), ends())).toMatchObject([untold])
    expect(read(script(`${make};${make}`), item('exec-1'), ends())).toMatchObject([{ record_id: 'exec-1' }, untold])
    expect(read(script(make), item('exec-1', {}, ms - 9000), ends())).toMatchObject([{ record_id: 'exec-1' }, untold])
    expect(read(script(make), item('exec-1', {}, null), ends())).toMatchObject([{ record_id: 'exec-1' }, untold])
    expect(read(script('for (const c of cs) await tools.exec_command({cmd:c})'), item('exec-1'), ends())).toMatchObject([{ record_id: 'exec-1' }, untold])
    expect(read(script('await tools.mcp__db__run({})'), ends())).toMatchObject([untold])
    expect(read(script(make))).toMatchObject([untold])
  })

  it('is what its text says, where the log ends before it and it starts one command', () => {
    const open = (input: string) => read(script(input))
    const command = (given: string) => `const r = await tools.exec_command(${given});\ntext(r.output);\n`
    expect(open(command('{"cmd":"cp a \'b})\'","workdir":"/repo/p"}'))).toMatchObject([{ record_id: 's1', command: "cp a 'b})'", cwd: '/repo/p', outcome: { is: 'unknown' }, output: null }])
    expect(read(script(command('{"cmd":"cp a b"}')), ends())).toMatchObject([untold])
    for (const input of [command('{"cmd":"a"}') + command('{"cmd":"b"}'), command('{...x,"cmd":"a"}'), command('{"cmd":a}'), command('{"command":"a"}'), command('{"cmd":"a"}') + 'await tools.apply_patch(p)', command('{"cmd":"a"')])
      expect(open(input)).toMatchObject([untold])
  })

  it('is nothing, where it only asks', () => {
    expect(read(script('text(await tools.write_stdin({session_id:7,chars:""}))'), ends())).toEqual([])
  })

  it('is nothing, where the host refused to start it, and that alone ended the script', () => {
    const refused = 'Script failed\nWall time 0.0 seconds\nOutput:\nScript error:\nexec_command failed: CreateProcess { message: "Rejected(\\"`/bin/zsh -lc make` rejected: not permitted\\")" }'
    expect(read(script(make), ends('s1', refused))).toEqual([])
    expect(read(script(`${make};${make}`), item('exec-1'), ends('s1', refused))).toMatchObject([{ record_id: 'exec-1' }])
    expect(read(script(`${make};${make}`), ends('s1', refused))).toMatchObject([untold])
    expect(read(script(make), ends('s1', refused.replace('Script error', 'said before\nScript error')))).toMatchObject([untold])
  })

  it('is told of all scripts together that run at a time', () => {
    expect(read(script(make), script(make, 's2'), item('exec-1'), ends(), item('exec-2'), ends('s2'))).toMatchObject([{ record_id: 'exec-1' }, { record_id: 'exec-2' }])
    expect(read(script(make), script(make, 's2'), item('exec-1'), ends(), ends('s2'))).toMatchObject([{ record_id: 'exec-1' }, untold, { ...untold, record_id: 's2' }])
  })

  it('goes on in a cell until a later wait says that it ended', () => {
    const running = ends('s1', 'Script running with cell ID 12\nWall time 30 seconds\nOutput:\n')
    const wait = (id: string) => call(id, 'wait', { cell_id: '12', yield_time_ms: 30000 })
    expect(read(script(make), running, wait('w1'), ends('w1', 'Script running with cell ID 12\n'), item('exec-1'), wait('w2'), ends('w2'))).toMatchObject([{ record_id: 'exec-1' }])
    expect(read(script(make), running, wait('w1'), ends('w1'))).toMatchObject([untold])
    expect(read(script(make), running)).toMatchObject([untold])
  })

  it.each<[string, Json[]]>([
    ['was interrupted', [script('await tools.write_stdin({session_id:7,chars:"\\u0003"})'), item('exec-1', { status: 'failed', exit_code: 1 })]],
    ['was interrupted by a script that names no process', [script('await tools.write_stdin({session_id:id,chars:"\\x03"})'), item('exec-1', { status: 'failed', exit_code: 1 }, Date.parse('2026-04-02T10:00:00.000Z'))]],
    ['was declined', [item('exec-1', { status: 'declined', exit_code: -1 })]],
    ['was declined with a status of 0', [item('exec-1', { status: 'declined', exit_code: 0 })]],
    ['ran when the turn was aborted', [event({ type: 'turn_aborted', reason: 'interrupted' }), item('exec-1', { status: 'failed', exit_code: 130 })]],
  ])('is transient, where it %s', (_what, lines) => {
    expect(read(...lines).find(({ record_id }) => record_id === 'exec-1')).toMatchObject({ outcome: { is: 'transient' } })
  })

  it('has no outcome, where the item has no status', () => {
    expect(read(item('exec-1', { exit_code: null, status: 'failed' }))).toMatchObject([{ outcome: { is: 'unknown' }, cut: true }])
  })

  it.each(['failed', 'in_progress'])('has no outcome, where its status is 0 and the host says %s', (status) => {
    expect(read(item('exec-1', { exit_code: 0, status }))).toMatchObject([{ outcome: { is: 'unknown' } }])
  })
})

describe('a command in Codex on Windows', () => {
  const started = (...lines: Json[]) => readBy(codex, [meta({ cwd: 'C:\\work\\repo' }), ...lines])
  const ran = (cmd: string, more: object = {}) => started(call('c', 'exec_command', { cmd, ...more }), output('c', unified('exited with code 0', 'x')))[0]?.command

  it.each<[string, Json]>([
    ['Set-Location web; npm test', 'cd web ; npm test'],
    ["$env:CI='1'; pytest tests\\unit -q", 'export CI=1 ; pytest tests/unit -q'],
    ['npm test 2>&1 | Select-Object -Last 20', 'npm test 2>&1 | tail -n 20'],
    ['if ($?) { npm test }', ['powershell', '-Command', 'if ($?) { npm test }']],
  ])('is one that PowerShell reads: %s', (cmd, command) => {
    expect(ran(cmd)).toEqual(command)
  })

  it('is read by the shell that the call or the event names', () => {
    expect(ran('ls a\\ b', { shell: 'bash' })).toBe('ls a\\ b')
    expect(started(call('c', 'shell', { command: ['powershell.exe', '-NoProfile', '-Command', 'cd web; npm test'] }), output('c', json('', 0)))).toMatchObject([{ command: 'cd web ; npm test' }])
    const end = event({ type: 'exec_command_end', call_id: 'c', command: ['C:\\Program Files\\Git\\bin\\bash.exe', '-lc', 'ls a\\ b'], exit_code: 0, aggregated_output: '' })
    expect(started(call('c', 'shell_command', { command: 'ls a\\ b' }), end)).toMatchObject([{ command: 'ls a\\ b' }])
  })

  it('has no outcome, where PowerShell takes words on standard error for a failure', () => {
    const printed = 'npm : npm warn\n    + FullyQualifiedErrorId : NativeCommandError\n'
    expect(started(call('c', 'exec_command', { cmd: 'npm test 2>&1' }), output('c', unified('exited with code 1', printed)))).toMatchObject([{ outcome: { is: 'unknown' } }])
    expect(started(call('c', 'exec_command', { cmd: 'npm test' }), output('c', unified('exited with code 1', 'red')))).toMatchObject([{ outcome: { is: 'code', code: 1 } }])
  })
})

describe('a command in Codex that goes on', () => {
  const start = call('c', 'exec_command', { cmd: 'make', workdir: '/repo/a' })
  const running = output('c', unified('running with session ID 42', 'one '))
  const poll = (id: string, chars = '', session_id: Json = 42) => call(id, 'write_stdin', { session_id, chars })

  it('ends with the output that says so, under its own id, with all that it printed', () => {
    const turns = read(start, running, poll('p'), output('p', unified('running with session ID 42', 'two ')), poll('q'), output('q', unified('exited with code 1', 'three')))
    expect(turns).toMatchObject([{ record_id: 'c', command: 'make', cwd: '/repo/a', outcome: { is: 'code', code: 1 }, output: 'one two three' }])
  })

  it.each<[string, Json[], object]>([
    ['nobody asked again', [], { outcome: { is: 'unknown' }, output: 'one ', cut: true }],
    ['it was forgotten', [poll('p'), output('p', 'write_stdin failed: Unknown process id 42')], { outcome: { is: 'unknown' }, output: 'one ', cut: true }],
    ['another one was asked', [poll('p', '', 43), output('p', unified('exited with code 0', 'x'))], { outcome: { is: 'unknown' }, output: 'one ', cut: true }],
    ['it was interrupted', [poll('p', '\u0003'), output('p', unified('exited with code 130', '^C'))], { outcome: { is: 'transient' }, output: 'one ^C' }],
    ['its id is a text', [poll('p', '', '42'), output('p', unified('exited with code 0', 'x'))], { outcome: { is: 'code', code: 0 }, output: 'one x' }],
    ['an event told', [event({ type: 'exec_command_end', call_id: 'c', exit_code: 3, aggregated_output: 'all' })], { outcome: { is: 'code', code: 3 }, output: 'all' }],
  ])('where %s', (_what, lines, expected) => {
    const turns = read(start, running, ...lines)
    expect(turns).toHaveLength(1)
    expect(turns[0]).toMatchObject(expected)
  })

  it('is unknown when its id is given to another', () => {
    const next = [call('d', 'exec_command', { cmd: 'next' }), output('d', unified('running with session ID 42', 'n')), poll('p'), output('p', unified('exited with code 0', 'x'))]
    expect(read(start, running, ...next)).toMatchObject([
      { record_id: 'c', outcome: { is: 'unknown' } },
      { record_id: 'd', outcome: { is: 'code', code: 0 }, output: 'nx' },
    ])
  })

  it('is held no longer than its end', () => {
    const chatter = Array.from({ length: 30 }, (_, i) => [poll(`p${i}`), output(`p${i}`, unified('running with session ID 42', `${i} ${'x'.repeat(100_000)}`))]).flat()
    const [turn] = read(start, running, ...chatter, poll('q'), output('q', unified('exited with code 0', 'the end')))
    expect(turn).toMatchObject({ outcome: { is: 'code', code: 0 }, cut: true })
    expect(turn?.output?.length).toBeLessThanOrEqual(1024 * 1024)
    expect(turn?.output?.endsWith('the end')).toBe(true)
  })
})

describe('commands in Codex', () => {
  it.each<[string, Json, unknown, string | null]>([
    ['an argument list', call('c', 'shell', { command: ['bash', '-lc', 'make'], workdir: '/repo/a' }), ['bash', '-lc', 'make'], '/repo/a'],
    ['an argument list of a container', call('c', 'container.exec', { command: ['make'] }), ['make'], '/repo'],
    ['a text', call('c', 'shell_command', { command: 'make', workdir: 'a/b' }), 'make', '/repo/a/b'],
    ['a text of the unified tool', call('c', 'exec_command', { cmd: 'make', workdir: '../other' }), 'make', '/other'],
    ['a folder that is the same', call('c', 'exec_command', { cmd: 'make', workdir: '.' }), 'make', '/repo'],
    ['a folder of Windows', call('c', 'exec_command', { cmd: 'make', workdir: 'C:\\repo' }), 'make', 'C:\\repo'],
    ['a call of the model’s own shell', line('response_item', { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['make'], working_directory: 'a' } }), ['make'], '/repo/a'],
  ])('come as %s', (_what, asked, command, cwd) => {
    expect(read(asked, output('c', json('', 0)))).toMatchObject([{ command, cwd, outcome: { is: 'code', code: 0 } }])
  })

  it.each<[string, Json]>([
    ['another server’s tool that reads', call('c', 'search_docs', { query: 'make' }, { namespace: 'mcp__other' })],
    ['a plan', call('c', 'update_plan', { plan: [] })],
    ['arguments that are no JSON', line('response_item', { type: 'function_call', name: 'shell', arguments: '{', call_id: 'c' })],
    ['a command that is no text', call('c', 'shell', { command: ['make', 3] })],
    ['a wait for a script', call('c', 'wait', { cell_id: '3' })],
  ])('are not %s', (_what, asked) => {
    expect(read(asked, output('c', json('', 0)))).toEqual([])
  })

  it('of another server may have changed any file', () => {
    expect(read(call('c', 'shell', { command: ['make'] }, { namespace: 'mcp__other' }), output('c', 'ok'))).toMatchObject([{ kind: 'edit', edits: [{ path: '.', before: null, after: null }] }])
  })

  it('know where the session was started, where they ran elsewhere', () => {
    const turns = read(call('c', 'exec_command', { cmd: 'make', workdir: '/other' }), call('d', 'exec_command', { cmd: 'make' }))
    expect(turns.map(({ cwd, started }) => [cwd, started])).toEqual([
      ['/other', '/repo'],
      ['/repo', undefined],
    ])
  })

  it('that only wait change nothing', () => {
    expect(read(call('c', 'sleep', { duration_ms: 20000 }, { namespace: 'clock' }), output('c', 'Wall time: 20.0032 seconds\nSleep completed.'))).toEqual([])
  })

  it('run where the last context says', () => {
    const turns = read(line('turn_context', { cwd: '/repo/b' }), call('c', 'exec_command', { cmd: 'make' }), line('turn_context', { cwd: 'C:\\x' }), call('d', 'exec_command', { cmd: 'make', workdir: 'y' }))
    expect(turns.map(({ cwd }) => cwd)).toEqual(['/repo/b', 'C:\\x\\y'])
  })

  it('are transient where the turn was aborted before they ended', () => {
    expect(read(call('c', 'exec_command', { cmd: 'a' }), event({ type: 'turn_aborted', reason: 'interrupted' }), call('d', 'exec_command', { cmd: 'b' }))).toMatchObject([
      { command: 'a', outcome: { is: 'transient' }, output: '' },
      { command: 'b', outcome: { is: 'unknown' } },
    ])
  })

  it('of what a compaction repeats are not counted', () => {
    expect(read(line('compacted', { message: '', replacement_history: [{ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"make"}', call_id: 'c' }] }))).toEqual([])
  })
})

describe('a session of Codex', () => {
  const made = [call('c', 'exec_command', { cmd: 'make' }), output('c', json('', 0))]
  const [old, young] = ['0123456789abcdef0123456789abcdef01234567', '89abcdef0123456789abcdef0123456789abcdef']

  it('is the first meta’s; a replayed parent changes nothing, a resumption renews the head', () => {
    const head = (...metas: Json[]) => readBy(codex, [...metas, ...made]).map((turn) => [turn.session, turn.cwd, turn.head])
    const own = meta({ git: { commit_hash: old } })
    expect(head(own, line('session_meta', { id: 'parent', cwd: '/else', git: { commit_hash: young } }))).toEqual([['s', '/repo', old]])
    expect(head(own, meta({ git: { commit_hash: young } }))).toEqual([['s', '/repo', young]])
    expect(head(meta({ git: { commit_hash: 'abc' } }))).toEqual([['s', '/repo', null]])
  })

  it('of a sub-agent is its own thread, not the root', () => {
    expect(readBy(codex, [meta({ session_id: 'root' }), ...made])[0]?.session).toBe('s')
    expect(codex.about([meta({ session_id: 'root' })])).toEqual({ session: 's', cwd: '/repo' })
  })

  it('in a bare log has no times, and its folder from the words of the host alone', () => {
    const bare = { id: 'b', timestamp: '2025-08-30T08:00:00.000Z', instructions: null, git: { commit_hash: old } }
    const says = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    const items = [{ type: 'function_call', name: 'shell', arguments: '{"command":["make"]}', call_id: 'c' }, { type: 'function_call_output', call_id: 'c', output: json('', 0) }]
    const folder = (...texts: string[]) => readBy(codex, [bare, ...texts.map(says), ...items]).map((turn) => [turn.session, turn.at, turn.cwd, turn.head])
    expect(folder('<environment_context>\n<cwd>/repo</cwd>\n</environment_context>')).toEqual([['b', null, '/repo', old]])
    expect(folder('<environment_context>\nCurrent working directory: /repo\nApproval policy: x\n</environment_context>')).toEqual([['b', null, '/repo', old]])
    expect(folder('my folder is <cwd>/else</cwd>')).toEqual([['b', null, null, old]])
    expect(codex.about([bare, says('<environment_context><cwd>/repo</cwd></environment_context>')])).toEqual({ session: 'b', cwd: '/repo' })
  })

  it('survives any JSON whatever', () => {
    const payload = fc.record(
      {
        type: fc.constantFrom('function_call', 'custom_tool_call', 'function_call_output', 'exec_command_end', 'patch_apply_end', 'local_shell_call', 'message', 'turn_aborted'),
        id: fc.constantFrom('s', 't'),
        call_id: fc.constantFrom('1', '2', '3', null),
        name: fc.constantFrom('shell', 'exec_command', 'write_stdin', 'apply_patch', 'exec'),
        arguments: fc.oneof(fc.constantFrom('{"cmd":"a","command":["a"],"session_id":7}', '{'), fc.jsonValue()),
        output: fc.oneof(fc.constantFrom(json('', 0), unified('running with session ID 7', ''), unified('exited with code 0', '')), fc.jsonValue()),
        exit_code: fc.constantFrom(0, 1, null),
        success: fc.boolean(),
        changes: fc.jsonValue(),
        content: fc.jsonValue(),
        action: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    )
    const lines = fc.array(fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom('response_item', 'event_msg', 'turn_context', 'session_meta', 'compacted'), timestamp: fc.jsonValue(), payload })))
    fc.assert(
      fc.property(lines, (values) => {
        const ids = read(...(values as Json[])).map(({ record_id }) => record_id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 300 },
    )
  })
})

describe('edits in Codex', () => {
  const patch = '*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n*** Update File: old.txt\n*** Move to: moved.txt\n@@\n-a\n+b\n*** Delete File: gone.txt\n*** End Patch'
  const asked = [
    { path: '/repo/new.txt', before: null, after: blobId('one\ntwo\n') },
    { path: '/repo/old.txt', before: null, after: null },
    { path: '/repo/moved.txt', before: null, after: null },
    { path: '/repo/gone.txt', before: null, after: null },
  ]
  const end = (success: boolean, changes: object) => event({ type: 'patch_apply_end', call_id: 'c', success, stdout: '', stderr: '', changes: changes as Json })

  it.each<[string, Json, Json]>([
    ['a tool of its own', custom('c', 'apply_patch', patch), json('Success. Updated the following files:\n', 0)],
    ['a tool of its own, in plain words', custom('c', 'apply_patch', patch), 'Success. Updated the following files:\nA new.txt\n'],
    ['a tool of its own, with an exit code', custom('c', 'apply_patch', patch), 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.'],
    ['a function', call('c', 'apply_patch', { input: patch }), json('Success.', 0)],
    ['a program', call('c', 'shell', { command: ['apply_patch', patch] }), json('Success.', 0)],
    ['a here-document', call('c', 'shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF\n`] }), json('Success.', 0)],
    ['a here-document in a text', call('c', 'shell_command', { command: `apply_patch <<"PATCH"\n${patch}\nPATCH` }), 'Exit code: 0\nOutput:\n'],
  ])('are read from %s', (_what, made, answer) => {
    expect(read(made, output('c', answer))).toMatchObject([{ kind: 'edit', record_id: 'c', command: null, edits: asked }])
  })

  it.each<[string, Json]>([
    ['failed', json('no', 1)],
    ['failed with an exit code', 'Exit code: 1\nOutput:\nno'],
    ['did not fit', 'apply_patch verification failed: Failed to find expected lines in old.txt'],
    ['was refused', 'patch rejected by user'],
  ])('are none where the patch %s', (_what, answer) => {
    expect(read(custom('c', 'apply_patch', patch), output('c', answer))).toEqual([])
  })

  it.each<[string, Json[]]>([
    ['before the output', [end(true, { '/repo/x': { type: 'add', content: 'x\n' } }), output('c', json('Success.', 0))]],
    ['behind the output', [output('c', json('Success.', 0)), end(true, { '/repo/x': { type: 'add', content: 'x\n' } })]],
    ['in its early form', [end(true, { '/repo/x': { add: { content: 'x\n' } } })]],
    ['twice', [end(true, { '/repo/x': { type: 'add', content: 'x\n' } }), end(true, {})]],
  ])('are those of the event, if there is one: %s', (_what, lines) => {
    expect(read(custom('c', 'apply_patch', patch), ...lines).map(({ edits }) => edits)).toEqual([[{ path: '/repo/x', before: null, after: blobId('x\n') }]])
  })

  it('are none where the event says so, whatever the output says', () => {
    expect(read(custom('c', 'apply_patch', patch), end(false, {}), output('c', json('Success.', 0)))).toEqual([])
  })

  it('are known in code mode by the event alone', () => {
    const changes = { '/repo/a': { type: 'delete', content: 'a\n' }, '/repo/b': { type: 'update', unified_diff: '', move_path: '/repo/c' }, '/repo/d': { type: 'add', content: 'REDACTED' } }
    expect(read(end(true, changes))).toMatchObject([
      {
        kind: 'edit',
        edits: [
          { path: '/repo/a', before: blobId('a\n'), after: null },
          { path: '/repo/b', before: null, after: null },
          { path: '/repo/c', before: null, after: null },
          { path: '/repo/d', before: null, after: null },
        ],
      },
    ])
  })

  it.each([`apply_patch <<'EOF'\n${patch}\nEOF\nmake`, `apply_patch <<'EOF'\n${patch}\nEOF\ncat <<'EOF'\nx\nEOF`, `make && apply_patch <<'EOF'\n${patch}\nEOF`, 'apply_patch --help'])('are not taken from a list of commands: %#', (script) => {
    expect(read(call('c', 'shell', { command: ['bash', '-lc', script] }), output('c', json('', 0)))).toMatchObject([{ kind: 'command', edits: [] }])
  })
})

describe('files of Codex', () => {
  it('lie under a date, and say only inside whose they are', () => {
    const shelves = codex.logs({ home: '/home/ann', folder: '/repo', env: { CODEX_HOME: '/cfg' } })
    expect(shelves.map(({ folder, depth }) => [folder, depth])).toEqual([
      ['/cfg/sessions', 3],
      ['/cfg/archived_sessions', 0],
      ['/home/ann/.codex/sessions', 3],
      ['/home/ann/.codex/archived_sessions', 0],
    ])
    expect(shelves.every(({ own, name }) => !own && name.test('rollout-2026-04-02T10-00-00-s.jsonl') && !name.test('history.jsonl'))).toBe(true)
    expect(codex.companions('rollout-x.jsonl')).toEqual([])
  })
})
