import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/canonical.ts'
import { clone } from '../../clone.ts'

const SESSION = '0199c0de-0000-7000-8000-000000000001'
const NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."

/** A session that was about to publish, and of which the hooks heard no more; `told`: what its own log says of that call. */
function about(told: { readonly content: string; readonly isError: boolean; readonly toolUseResult: Json } | null, place: 'own' | 'elsewhere' = 'own') {
  const made = clone()
  made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
  expect(made.remnant('init', '--agent', 'claude').status).toBe(0)
  const path = place === 'own' ? join(made.base, 'home/.claude/projects', made.dir.replace(/[^A-Za-z0-9]/g, '-'), `${SESSION}.jsonl`) : join(made.base, `${SESSION}.jsonl`)
  const common = { session_id: SESSION, transcript_path: path, cwd: made.dir, permission_mode: 'default', hook_event_name: 'PreToolUse', tool_name: 'Bash' }
  const hook = made.run([join(made.installation, 'hooks/guard'), 'claude', 'PreToolUse'], { input: JSON.stringify({ ...common, tool_input: { command: 'npm publish' }, tool_use_id: 'call-1' }) })
  expect(hook).toEqual({ status: 0, stdout: '', stderr: '' })
  const line = { parentUuid: null, isSidechain: false, userType: 'external', cwd: made.dir, sessionId: SESSION, version: '2.1.178', gitBranch: 'main', timestamp: new Date().toISOString() }
  const asks = { ...line, uuid: 'u-1', type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id: 'call-1', name: 'Bash', input: { command: 'npm publish' } }] } }
  const result = told && { ...line, uuid: 'u-2', type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: told.content, is_error: told.isError }] }, toolUseResult: told.toolUseResult }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, [asks, ...(result === null ? [] : [result])].map((one) => `${JSON.stringify(one)}\n`).join(''))
  return made
}

const refused = { content: NO, isError: true, toolUseResult: 'User rejected tool use' }
const broken = { content: '[Request interrupted by user for tool use]', isError: true, toolUseResult: 'Error: x' }
const through = { content: '+ demo@1.0.0', isError: false, toolUseResult: { stdout: '+ demo@1.0.0', stderr: '', interrupted: false, isImage: false } }

describe('a mutation that was about to be made and of which no hook told the end', () => {
  it.each<[string, Parameters<typeof about>, string[]]>([
    ['is nothing where the log says that a person refused it', [refused], []],
    ['is done where the log says so', [through], ['code']],
    ['is of unknown outcome where it was broken off', [broken], ['unknown']],
    ['is of unknown outcome where the log has no result either', [null], ['unknown']],
    ['is of unknown outcome where the log lies where its host keeps none', [refused, 'elsewhere'], ['unknown']],
  ])('%s', (_, args, expected) => {
    const made = about(...args)
    const { stdout } = made.remnant('teardown', '--json')
    const { digest } = JSON.parse(stdout) as { digest: string | null }
    const deeds = digest === null ? [] : (JSON.parse(made.run(['git', 'cat-file', 'blob', `refs/remnants/${digest}:.remnants/${digest.slice(0, 2)}/${digest}.json`]).stdout) as { non_idempotent_commits: { outcome: { is: string } }[] }).non_idempotent_commits
    expect(deeds.map(({ outcome }) => outcome.is).map((is) => (is === 'success' ? 'code' : is))).toEqual(expected)
  })

  it('is looked up by a typed teardown alone: a hook acts on the journal', () => {
    const made = about(refused)
    const start = { session_id: 's2', transcript_path: '/nowhere/t.jsonl', cwd: made.dir, hook_event_name: 'SessionStart', source: 'startup' }
    const { stdout } = made.run([join(made.installation, 'hooks/guard'), 'claude', 'SessionStart'], { input: JSON.stringify(start) })
    expect(stdout).toContain('attempted, outcome unknown: npm demo, demo@1.0.0')
  })
})
