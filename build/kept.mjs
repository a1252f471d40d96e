// Lets an agent's hook take place once, in a scratch repository where it has something to say, and keeps what V8 made of its code.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AT_ONCE } from './quick.mjs'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** Writes the file beside the code. Where there is no git there is none, and the hook is slower. */
export function keepCode() {
  const folder = mkdtempSync(join(tmpdir(), 'git-remnant-build-'))
  try {
    const run = (argv, input) => spawnSync(argv[0], argv.slice(1), { cwd: folder, env, input, encoding: 'utf8' })
    if (run(['git', 'init', '-q']).status !== 0) return
    run(['git', '-c', 'user.name=Build', '-c', 'user.email=build@example.org', 'commit', '-q', '--allow-empty', '-m', 'start'])
    mkdirSync(join(folder, '.git', 'remnant', 'journals'), { recursive: true })
    writeFileSync(join(folder, '.git', 'remnant', 'journals', `claude-code-${'0'.repeat(64)}.jsonl`), `${JSON.stringify({ ...OBSERVATION, worktree: folder })}\n`)
    run([process.execPath, join(dist, 'git-remnant.cjs'), 'teardown', '--here'])
    for (let i = 0; i < 2; i++) run([process.execPath, ...FLAGS, '-e', KEEPING, join(dist, 'agent.cjs'), 'claude', 'PreToolUse'], JSON.stringify({ ...PAYLOAD, cwd: folder }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:GIT_|NODE_|REMNANT)/.test(name)))

/** What hooks/guard starts Node with: what V8 keeps is good for the same flags alone. */
export const FLAGS = ['--no-rehash-snapshot']

/** The first time there is nothing kept, so an empty file stands in; what V8 refuses it compiles. */
const KEEPING = `
const fs = require('node:fs'), vm = require('node:vm'), file = ${JSON.stringify(join(dist, `${AT_ONCE}.cjs`))}
let script
vm.Script = class extends vm.Script { constructor(text, options) { super(text, options); if (options.filename === file) script = this } }
if (!fs.existsSync(file + '.kept')) fs.writeFileSync(file + '.kept', '')
process.on('exit', () => fs.writeFileSync(file + '.kept', script.createCachedData()))
require(process.argv[1])`

const OBSERVATION = {
  ...{ schema: 'git-remnant/observation/1', host: 'claude-code', session: 'build', record_id: 'call-1', at: '2026-01-01T00:00:00Z', kind: 'command' },
  ...{ folder: '.', head: null, command: 'absent-here --run', outcome: { is: 'code', code: 127 }, output: 'bash: line 1: absent-here: command not found\n' },
  ...{ edits: [], declared: null, keys: {} },
}

const PAYLOAD = {
  ...{ session_id: 'another', transcript_path: '/nowhere/session.jsonl', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'call-2' },
  tool_input: { command: 'absent-here --run' },
}
