import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import codex from '../../src/formats/codex.ts'
import { runOf } from '../../src/formats/codex/script-run.ts'
import { readBy } from '../logs/reading.ts'

const line = (type: string, payload: Json, timestamp: string): Json => ({ timestamp, type, payload })
const at = (second: number): string => new Date(Date.parse('2026-04-02T10:00:00.000Z') + second * 1000).toISOString()
const meta = line('session_meta', { id: 's', cwd: '/repo' }, at(0))
const script = (input: string, id = 's1', second = 1): Json => line('response_item', { type: 'custom_tool_call', name: 'exec', input, call_id: id, status: 'completed' }, at(second))
const DONE = 'Script completed\nWall time 1.0 seconds\nOutput:\n'
const ends = (parts: readonly string[], id = 's1', header = DONE, second = 2): Json =>
  line('response_item', { type: 'custom_tool_call_output', call_id: id, output: [header, ...parts].map((text) => ({ type: 'input_text', text })) }, at(second))
const wait = (id: string, second: number): Json => line('response_item', { type: 'function_call', name: 'wait', arguments: '{"cell_id":"7"}', call_id: id }, at(second))
const item = (command: string, id: string, code = 0): Json =>
  line('event_msg', { type: 'item_completed', started_at_ms: Date.parse(at(1.2)), item: { type: 'CommandExecution', id, command: ['/bin/zsh', '-lc', command], status: 'completed', exit_code: code, aggregated_output: 'told' } }, at(1.5))
const told = (...lines: Json[]): string[] =>
  readBy(codex, [meta, ...lines]).map(({ kind, command, outcome, output, cut, edits }) => {
    if (kind === 'edit') return `edit ${edits.map(({ path }) => path).join(' ')}`
    return [Array.isArray(command) ? command.at(-1) : command, outcome.is === 'code' ? outcome.code : outcome.is, output, ...(cut ? ['cut'] : [])].join(' | ')
  })
const ran = (input: string, ...parts: string[]): string[] => told(script(input), ends(parts))
const result = (more: object) => JSON.stringify({ chunk_id: '1a', wall_time_seconds: 0.5, original_token_count: 9, output: 'done\n', ...more })

const make = 'tools.exec_command({cmd:"make",yield_time_ms:1000})'
const two = `const rs = await Promise.all([${make}, tools.exec_command({cmd:"ls"})]);\n`
const asks = 'tools.write_stdin({session_id:r.session_id,chars:"",yield_time_ms:1000})'

describe('what a plain script in Codex prints in words of its own', () => {
  it.each<[string, string, string[], string[]]>([
    ['a status before the output', `${two}rs.forEach((r, i) => text(\`--- check \${i + 1} (exit \${r.exit_code ?? "running"}) ---\\n\${r.output}\`));`, ['--- check 1 (exit 0) ---\ndone\n', '--- check 2 (exit 2) ---\nno\n'], ['make | 0 | done\n', 'ls | 2 | no\n']],
    ['a status behind it', `const r = await ${make}; text(r.output + "\\n[exit " + r.exit_code + "]");`, ['done\n\n[exit 3]'], ['make | 3 | done\n']],
    ['words of the output that look like the status before it', `const r = await ${make}; text(\`exit \${r.exit_code}\\n\${r.output}\`);`, ['exit 1\nexit 0\n'], ['make | 1 | exit 0\n']],
    ['words of the output that look like the status behind it', `const r = await ${make}; text(\`\${r.output}exit \${r.exit_code}\`);`, ['exit 0\nexit 1'], ['make | 1 | exit 0\n']],
    ['that it goes on', `const r = await ${make}; text(\`exit \${r.exit_code ?? "running"}\\n\${r.output}\`);`, ['exit running\nso far'], ['make | unknown | so far | cut']],
    ['an object with what it takes of a result', `${two}for (const r of rs) { text(JSON.stringify({exit_code:r.exit_code,session_id:r.session_id,output:r.output})); }`, ['{"exit_code":0,"output":"done"}', '{"exit_code":1,"output":"no"}'], ['make | 0 | done', 'ls | 1 | no']],
    ['an object under names of its own', `const r = await ${make}; text(JSON.stringify({ name: "x", code: r.exit_code, said: r.output }, null, 2));`, ['{"name":"x","code":4,"said":"no"}'], ['make | 4 | no']],
    ['an object with all of a result', `const r = await ${make}; text({ i: 1, ...r });`, [`{"i":1,${result({ exit_code: 5 }).slice(1)}`], ['make | 5 | done\n']],
    ['several texts of each', `${two}rs.forEach((r, i) => { text(\`--- result \${i+1} ---\`); text(r.output); text(r.exit_code); });`, ['--- result 1 ---', 'a', '0', '--- result 2 ---', 'b', '7'], ['make | 0 | a', 'ls | 7 | b']],
    ['names for each', `const [a, b] = await Promise.all([${make}, tools.exec_command({cmd:"ls"})]); text(b); text(a);`, [result({ exit_code: 1 }), result({ exit_code: 0 })], ['make | 0 | done\n', 'ls | 1 | done\n']],
    ['the output by its name', `const { output, exit_code } = await ${make}; text(output); text(String(exit_code));`, ['done', '6'], ['make | 6 | done']],
    ['a part of the output', `const r = await ${make}; text("exit " + r.exit_code); text(r.output.slice(-4));`, ['exit 0', 'one\n'], ['make | 0 | one\n | cut']],
    ['its status alone', `const r = await ${make}; text(\`exit \${r.exit_code}\`);`, ['exit 0'], ['make | 0 |  | cut']],
    ['the same by a function of its own', `const run = async (cmd) => await tools.exec_command({cmd, workdir: "/repo/a"});\nconst r = await run("make");\ntext(r);`, [result({ exit_code: 0 })], ['make | 0 | done\n']],
    ['commands out of a list', `const cmds = [["a", "make a"], ["b", "make b"]];\nconst rs = await Promise.all(cmds.map(async ([name, cmd]) => {\n  const r = await tools.exec_command({ cmd, yield_time_ms: 30000 });\n  return { name, ...r };\n}));\nfor (const r of rs) text(JSON.stringify({ name: r.name, exit_code: r.exit_code, output: r.output }));`, ['{"name":"a","exit_code":0,"output":"x"}', '{"name":"b","exit_code":1,"output":"y"}'], ['make a | 0 | x', 'make b | 1 | y']],
    ['commands out of a list, with words before them', 'const at = "cd /repo/a && ";\nconst rs = await Promise.all(["make a", "make b"].map((c) => tools.exec_command({ cmd: at + c })));\nrs.forEach((r) => text(r));', [result({ exit_code: 0 }), result({ exit_code: 1 })], ['cd /repo/a && make a | 0 | done\n', 'cd /repo/a && make b | 1 | done\n']],
    ['what it waits for later', `const p = ${make}; const r = await p; text(r);`, [result({ exit_code: 0 })], ['make | 0 | done\n']],
  ])('says how each command ended: %s', (_what, input, parts, expected) => {
    expect(ran(input, ...parts)).toEqual(expected)
  })

  it.each<[string, string, string[], string[]]>([
    ['two outputs in one text', `${two}text(\`exit \${rs[0].exit_code}\\n\${rs[0].output}exit \${rs[1].exit_code}\\n\${rs[1].output}\`);`, ['exit 0\nexit 0\nexit 1\nno'], ['make | unknown | ', 'ls | unknown | ']],
    ['a number in the place of a status that is not there', `const r = await ${make}; text(\`exit \${r.exit_code ?? 0}\\n\${r.output}\`);`, ['exit 0\nso far'], ['make | unknown | ']],
    ['a word for a status of 0', `const r = await ${make}; text(\`exit \${r.exit_code || 0}\\n\${r.output}\`);`, ['exit 0\nso far'], ['make | unknown | ']],
    ['a status beside another digit', `const r = await ${make}; text(\`1\${r.exit_code}\\n\${r.output}\`);`, ['10\ndone'], ['make | unknown | ']],
    ['a status that another name of the object replaces', `const r = await ${make}; text({ ...r, exit_code: 0 });`, [result({ exit_code: 0 })], ['make | unknown | done\n | cut']],
    ['a status that stands in the output alone', `const r = await ${make}; text(\`exit \${r.exit_code}: \${r.output}\`);`, ['done exit 0: done'], ['make | unknown | ']],
    ['a status that is worked out', `const r = await ${make}; text(\`exit \${Number(r.exit_code)}\`);`, ['exit 0'], ['make | unknown | ']],
  ])('says no status, where there is %s', (_what, input, parts, expected) => {
    expect(ran(input, ...parts)).toEqual(expected)
  })

  it.each<[string, string, string[]]>([
    ['a status is given by hand', `let r = await ${make}; r.exit_code = 0; text(r);`, [result({ exit_code: 0 })]],
    ['one is given by a method', `const r = await ${make}; Object.assign(r, {exit_code:0}); text(r);`, [result({ exit_code: 0 })]],
    ['a name is given another value', `let r = await ${make}; r = {exit_code:0}; text(r);`, [result({ exit_code: 0 })]],
    ['the printing itself is replaced', `const text = (x) => x; const r = await ${make}; text(r);`, [result({ exit_code: 0 })]],
    ['the tools have another name', `const t = tools; text(await t.exec_command({cmd:"make"}));`, [result({ exit_code: 0 })]],
    ['a list is sorted', `${two}rs.sort(); for (const r of rs) text(r);`, [result({ exit_code: 0 }), result({ exit_code: 1 })]],
    ['functions print beside each other', 'await Promise.all(["a", "b"].map(async (cmd) => { text(await tools.exec_command({cmd})); }));', [result({ exit_code: 0 }), result({ exit_code: 1 })]],
    ['nobody waits for a command', `${make}; text("done");`, ['done']],
    ['nobody waits for a list of them', 'const ps = ["a", "b"].map((cmd) => tools.exec_command({cmd})); text("done");', ['done']],
    ['it repeats until something holds', `let r = await ${make}; while (r.session_id) { await ${asks}; } text(r);`, [result({ exit_code: 0 })]],
    ['a command is worked out from an output', `const r = await ${make}; text(await tools.exec_command({cmd: "make " + r.output}));`, [result({ exit_code: 0 })]],
    ['a hidden call of a function', `const run = (cmd) => tools.exec_command({cmd});\nconst r = await ${make};\ntext(Object.keys({a:1}).map(run)); text(r);`, ['x', result({ exit_code: 0 })]],
    ['it may print what it did not', `const r = await ${make}; if (r.output.includes("x")) text("exit 0"); text(r);`, ['exit 0', result({ exit_code: 0 })]],
    ['another text stands there than it prints', `const r = await ${make}; text("first"); text(r);`, ['second', result({ exit_code: 0 })]],
    ['a step of its own is caught', `try { text(await ${make}); } catch (e) { text(e); }`, [result({ exit_code: 0 })]],
    ['a counter is moved', `let i = 0; const r = await ${make}; text(\`\${i++} \${r.exit_code}\`);`, ['0 0']],
    ['a statement begins with a bracket', `const r = await ${make}\n(text)(r)`, [result({ exit_code: 0 })]],
  ])('says nothing, where %s', (_what, input, parts) => {
    expect(ran(input, ...parts)).toEqual([expect.stringMatching(/^ \| unknown \| .*cut$/s)])
  })

  describe('of a command that may go on', () => {
    const start = `const r = await ${make};\ntext(r.output);\n`
    it.each<[string, string, string[], string[]]>([
      ['it did not, and nothing was asked', `${start}if (r.session_id) text((await ${asks}).output);`, ['done\n'], ['make | unknown | done\n']],
      ['it did not, and no id was printed', `${start}if (r.session_id) text(\`SESSION_ID=\${r.session_id}\`);`, ['done\n'], ['make | unknown | done\n']],
      ['it did, and was asked once', `${start}if (r.session_id) text((await ${asks}).output);`, ['one ', 'two'], ['make | unknown | one two | cut']],
      ['it did, and the answer has its status', `${start}if (r.session_id) text(JSON.stringify(await ${asks}));`, ['one ', result({ exit_code: 0, output: 'two' })], ['make | 0 | one two']],
      ['it did, and the answer says that it still does', `${start}if (r.session_id) { const p = await ${asks}; text(JSON.stringify(p)); }`, ['one ', result({ session_id: 9, output: 'two' })], ['make | unknown | one two | cut']],
      ['it did, and nothing more is known', `${start}if (r.session_id != null) text("still running");`, ['one ', 'still running'], ['make | unknown | one  | cut']],
      ['it had ended, in the other words', `${start}if (r.exit_code === undefined) text("still running"); else text(\`exit \${r.exit_code}\`);`, ['done', 'exit 2'], ['make | 2 | done']],
      ['two of a kind, and the parts do not tell which', `${two}for (const r of rs) { text(r.output); if (r.session_id) text(r.session_id); }`, ['a', '7', 'b'], [' | unknown | a\n7\nb | cut']],
    ])('says: %s', (_what, input, parts, expected) => {
      expect(ran(input, ...parts)).toEqual(expected)
    })

    it('joins what later scripts print of it', () => {
      const first = [script(`${start}if (r.session_id) text(\`SESSION_ID=\${r.session_id}\`);`), ends(['one ', 'SESSION_ID=31'])]
      const poll = (more: string, id: string, parts: string[]) => [script(`const r = await tools.write_stdin({session_id:31,chars:""});\ntext(r.output);\n${more}`, id, 3), ends(parts, id, DONE, 4)]
      const shows = 'if (r.session_id) text(`SESSION_ID=${r.session_id}`);'
      expect(told(...first, ...poll(shows, 's2', ['two ', 'SESSION_ID=31']), ...poll(shows, 's3', ['three']))).toEqual(['make | unknown | one two three'])
      expect(told(...first, ...poll('', 's2', ['two ']))).toEqual(['make | unknown | one two  | cut'])
      expect(told(...first, ...poll('text(r.exit_code);', 's2', ['two ', '0']))).toEqual(['make | 0 | one two '])
      const unseen = [script('const r = await tools.write_stdin({session_id:31,chars:""}); globalThis.x = r;', 's2', 3), ends([], 's2', DONE, 4)]
      expect(told(...first, ...unseen, ...poll(shows, 's3', ['three']))).toContain('make | unknown | one three | cut')
    })
  })

  describe('in a cell', () => {
    const running = 'Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n'
    const slow = 'const r = await tools.exec_command({cmd:"make",yield_time_ms:30000});\ntext(r.output);'
    it('is what the later output says', () => {
      expect(told(script(`${slow} text(r.exit_code);`), ends([], 's1', running), wait('w', 3), ends(['done', '0'], 'w', DONE, 4))).toEqual(['make | 0 | done'])
      expect(told(script(`${slow} text(r.exit_code);`), ends(['done'], 's1', running), wait('w', 3), ends(['0'], 'w', DONE, 4))).toEqual(['make | 0 | done'])
    })
    it('had as long as the log says, whatever its last part took', () => {
      expect(told(script(slow), ends([], 's1', running), wait('w', 12), ends(['done'], 'w', DONE, 20))).toEqual(['make | unknown | done'])
      expect(told(script(slow), ends([], 's1', running), wait('w', 32), ends(['done'], 'w', DONE, 33))).toEqual(['make | unknown | done | cut'])
    })
  })

  it('leaves nothing untold, where items tell as many commands as a list has', () => {
    const input = 'const cmds = ["make a", "make b"];\nconst rs = await Promise.all(cmds.map((cmd) => tools.exec_command({cmd})));\nfor (const r of rs) text(r.output);'
    expect(told(script(input), item('make a', 'exec-1'), item('make b', 'exec-2', 2), ends(['told', 'told']))).toEqual(['make a | 0 | told', 'make b | 2 | told'])
    expect(told(script(input), item('make a', 'exec-1'), ends(['told', 'told']))).toEqual(['make a | 0 | told', ' | unknown | told\ntold | cut'])
  })

  it('is read in bounded time, whatever its text is', () => {
    const words = ['text(', 'r', '.output', 'await ', 'tools.exec_command(', '{', '}', '[', ']', '(', ')', '=>', '`${', '`', '"', ',', ';', '\n', 'const r = ', 'if (', 'for (const x of ', '...', '?', ':', '/', '1', '+', '??', 'cmd:"x"']
    fc.assert(fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), (parts) => void runOf(parts.join(''))))
    for (const text of ['(', '[', '{', '`${', '!', 'a=>', 'a?', 'await ']) expect(runOf(text.repeat(20_000))).toBeNull()
    expect(runOf(`text(await tools.exec_command({cmd:"${'x\\n'.repeat(300_000)}"}))`)?.calls).toHaveLength(1)
  })
})
