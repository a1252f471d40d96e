import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Clone, type Ran, clone, remnantsOf } from '../clone.ts'
import { PLACES } from './places.ts'
import { type Planted, leaked, planted } from './planted.ts'
import type { Step, Writer } from './step.ts'
import { WRITERS } from './writers.ts'

const SESSION = '0199c0de-0000-7000-8000-0000000000aa'
const shapes = planted(11)
/** All of them in one output: a hook is a process of its own. */
const spoken = shapes.map(({ text }) => text).join('\n')
const OUTPUT = `Error: expected 1 to be 2\n${spoken}\n    at run (check.mjs:3:9)\n`

/** What each host says of a call that ended, as its hooks hear it. */
const HOSTS: readonly (readonly [string, string, (dir: string, command: string, code: number, output: string, call: string) => Json])[] = [
  ['claude-code', 'PostToolUseFailure', (dir, command, code, output, call) => ({ session_id: SESSION, transcript_path: '/h/s.jsonl', cwd: dir, permission_mode: 'default', tool_use_id: call, hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: { command }, error: `Exit code ${code}\n${output}`, is_interrupt: false, duration_ms: 3 })],
  ['codex', 'PostToolUse', (dir, command, code, output, call) => ({ session_id: SESSION, turn_id: '1', transcript_path: null, cwd: dir, hook_event_name: 'PostToolUse', model: 'm', permission_mode: 'default', tool_use_id: call, tool_name: 'Bash', tool_input: { command }, tool_response: `Exit code: ${code}\nWall time: 0.3 seconds\nOutput:\n${output}` })],
  ['gemini-cli', 'AfterTool', (dir, command, code, output) => ({ session_id: SESSION, transcript_path: '/h/s.json', cwd: dir, timestamp: '2026-11-29T10:00:00Z', hook_event_name: 'AfterTool', tool_name: 'run_shell_command', tool_input: { command }, tool_response: { llmContent: `Output: ${output}\nExit Code: ${code}\nProcess Group PGID: 4711`, returnDisplay: '' } })],
  ['copilot-cli', 'postToolUse', (dir, command, code, output, call) => ({ sessionId: SESSION, timestamp: 1795999329773, cwd: dir, toolName: 'bash', toolCallId: call, toolArgs: JSON.stringify({ command }), toolResult: { resultType: 'success', textResultForLlm: `${output}\n<exited with exit code ${code}>` } })],
]

/** Everything that git holds in a clone, whether a ref leads there or not, and every file of ours. */
function heldIn({ base, dir, run }: Clone): Map<string, string> {
  const objects = join(base, 'objects')
  run(['sh', '-c', 'git cat-file --batch-all-objects --batch > "$0"', objects])
  const held = new Map([['the objects', readFileSync(objects, 'utf8')], ['the refs', run(['git', 'for-each-ref']).stdout]])
  const look = (path: string): void => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) look(join(path, name))
    else held.set(`${path.slice(dir.length + 1)}`, `${path}\n${readFileSync(path, 'utf8')}`)
  }
  for (const folder of ['.git/remnant', '.remnants']) if (existsSync(join(dir, folder))) look(join(dir, folder))
  return held
}

const leaksIn = (held: ReadonlyMap<string, string>, of: readonly Planted[] = shapes): string[] =>
  [...held].flatMap(([where, text]) => of.flatMap((shape) => {
    const leak = leaked(shape, text)
    return leak === null ? [] : [`${where}: ${shape.name}: ${leak}`]
  }))

const log = (values: readonly Json[]): string => values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')

/** Of each kind: lines and documents, shells that begin anew and that go on, and a text for people. */
const LOGS = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'mini-swe-agent', 'openhands', 'aider']

it('no secret of a session is in git, in our files or in what is said, once it is sealed', () => {
  const made = clone()
  const said = new Map<string, string>()
  const tell = (what: string, { stdout, stderr }: Ran): Ran => {
    said.set(what, `${stdout}\n${stderr}`)
    return { stdout, stderr, status: 0 }
  }
  made.write('package.json', JSON.stringify({ name: 'app', scripts: { test: 'node --test' } }))
  made.write('check.mjs', `process.stderr.write(${JSON.stringify(OUTPUT)})\nprocess.exit(1)\n`)
  made.git('add', 'package.json')
  made.git('commit', '-qm', 'second')

  // Logs of many hosts, all places one after the other; the last commands of each are plain ones.
  const plain: readonly Step[] = [{ command: 'npm test', code: 0, output: '# tests 3\n# pass 3\n# fail 0\n' }, { command: 'frobnicate', code: 127, output: 'sh: 1: frobnicate: not found' }]
  for (const [turn, format] of LOGS.entries()) {
    const here = (place: number): readonly Planted[] => shapes.filter((_, n) => (n + place + turn * 5) % 35 === 0)
    const steps = Object.values(PLACES).flatMap((place, p) => here(p).flatMap((shape) => place(shape, p))).map(({ record: _, ...step }) => step)
    const path = join(made.base, `${format}.jsonl`)
    writeFileSync(path, log((WRITERS[format] as Writer)(SESSION, [...steps, ...plain], made.dir)))
    tell(`teardown of ${format}`, made.remnant('teardown', '--transcript', path, '--here', '--explain', '--json'))
  }
  // A shell of OpenHands goes on from call to call: once a secret was exported there, nothing later is concluded.
  expect(LOGS.filter((format) => /"digest":"[0-9a-f]{64}"/.test(said.get(`teardown of ${format}`) ?? ''))).toEqual(LOGS.filter((format) => format !== 'openhands' && format !== 'aider'))

  // Logs and configurations that are refused.
  const values = (WRITERS.observation as Writer)(SESSION, [{ command: 'npm test', code: 0, output: spoken }]).map((value) => ({ ...(value as object), [`of ${spoken}`]: spoken, head: spoken, outcome: { is: spoken } })) as Json[]
  writeFileSync(join(made.base, 'bad.jsonl'), log(values))
  tell('a log that breaks its schema', made.remnant('teardown', '--transcript', join(made.base, 'bad.jsonl'), '--here'))
  writeFileSync(join(made.base, 'text.jsonl'), spoken)
  tell('a log that is none', made.remnant('teardown', '--transcript', join(made.base, 'text.jsonl'), '--here', '--json'))
  for (const verb of ['distill', 'canonical']) tell(`${verb} of what it can not read`, made.run(['git', 'remnant', verb], { input: spoken.replaceAll(/^/gm, 'x ') }))
  tell('an option that is not known', made.remnant('teardown', `--password=${shapes.find(({ name }) => name === '--password')?.secret}`))
  made.write('.remnants/config.json', JSON.stringify({ schema: 'git-remnant/config/1', ambient: [spoken], [spoken]: spoken }))
  tell('a configuration that is refused', made.remnant('resolve'))
  made.run(['rm', '.remnants/config.json'])
  const [key] = shapes.filter(({ name }) => name === 'GitHub, classic').map(({ text }) => `file:conf/${text}`)
  made.write('.git/remnant/config.json', JSON.stringify({ schema: 'git-remnant/config/1', ambient: [key] }))
  tell('a key that holds a secret', made.remnant('teardown', '--transcript', join(made.base, 'codex.jsonl'), '--here'))
  made.run(['rm', '.git/remnant/config.json'])

  // Journals: of each host, of our own wrapper, and what was declared and intended.
  const agent = join(made.installation, 'dist/agent.cjs')
  for (const [host, event, payload] of HOSTS)
    for (const [i, command] of [`node check.mjs ${host}`, ...shapes.filter((_, n) => n % 40 === HOSTS.findIndex(([id]) => id === host)).map(({ typed }) => `npm test -- ${typed}`)].slice(0, 2).entries())
      tell(`the hook of ${host}`, made.run(['node', agent, host, event], { input: JSON.stringify(payload(made.dir, command, 1, OUTPUT, `call_${host}${i}`.replace('-', ''))) }))
  const journals = readdirSync(join(made.dir, '.git/remnant/journals'))
  expect(journals).toHaveLength(HOSTS.length)
  for (const name of journals) expect(statSync(join(made.dir, '.git/remnant/journals', name)).mode & 0o777).toBe(0o600)
  const env = { GIT_REMNANT_SESSION: 'a-named-session' }
  made.run(['git', 'remnant', 'run', '--', 'node', 'check.mjs'], { env })
  made.run(['git', 'remnant', 'run', '--', 'node', 'check.mjs', '--password', shapes.find(({ name }) => name === '--password')?.secret as string], { env })
  made.run(['git', 'remnant', 'intent', '--', `npm publish --otp ${shapes.find(({ name }) => name === '--otp')?.secret}`], { env })
  for (const name of ['GitHub, classic', 'password after a colon', 'RSA key']) {
    const { text } = shapes.find((shape) => shape.name === name) as Planted
    tell(`claim, ${name}`, made.run(['git', 'remnant', 'claim', `The service takes ${text} from its callers.`, '--effect', `use path ${text}`, '--gate', text], { env }))
  }
  expect(leaksIn(heldIn(made)).length).toBeGreaterThan(0) // they wait, for their owner's eyes alone
  tell('teardown of journals', made.run(['git', 'remnant', 'teardown', '--explain'], { env }))
  expect(existsSync(join(made.dir, '.git/remnant/journals')) ? readdirSync(join(made.dir, '.git/remnant/journals')) : []).toEqual([])
  expect(readdirSync(join(made.dir, '.git/remnant/sealed')).length).toBeGreaterThan(0)

  made.run(['git', 'remnant', 'run', '--', 'npm', 'test'], { env })
  tell('teardown of what went on', made.run(['git', 'remnant', 'teardown', '--explain', '--json'], { env }))

  // What is said of it afterwards.
  const [digest = ''] = remnantsOf(made)
  for (const words of [['why', digest], ['why', digest, '--json'], ['show', digest], ['show', digest, '--json'], ['brief', '--budget', '9000'], ['list', '--json'], ['log'], ['resolve', '--json']]) tell(words.join(' '), made.remnant(...words))
  for (const words of [['gate'], ['reprobe']]) tell(words.join(' '), made.remnant(...words, '--json'))

  expect(heldIn(made).get('the objects')).toContain(`"session_id":"${SESSION}"`)
  expect(leaksIn(said)).toEqual([])
  expect(leaksIn(heldIn(made))).toEqual([])
}, 300_000)
