import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf } from '../clone.ts'

const GATE = 'node --test test/sum.test.js'
const BROKEN = 'exports.sum = (a, b) => a - b\n'
const WHOLE = 'exports.sum = (a, b) => a + b\n'
const TEST = `const { test } = require('node:test'), assert = require('node:assert'), { sum } = require('../sum.js')
test('adds', () => assert.strictEqual(sum(1, 2), 3))
`

/** A session's log of a real way from red to green: every output and blob in it is the machine's own. */
function debugged(on: Clone): string {
  const lines: string[] = []
  const note = (record: Record<string, unknown>): void => {
    const at = `2026-06-01T10:0${lines.length}:00Z`
    const plain = { schema: 'git-remnant/observation/1', host: 'claude-code', session: 'debugging', record_id: `call-${lines.length}`, at, kind: 'command', folder: '.', head: null, command: null }
    lines.push(JSON.stringify({ ...plain, outcome: { is: 'unknown' }, output: null, edits: [], declared: null, keys: {}, ...record }))
  }
  const run = (command: string): void => {
    const { status, stdout } = on.run(['env', '-u', 'NODE_TEST_CONTEXT', ...command.split(' ')])
    note({ command, outcome: { is: 'code', code: status }, output: stdout })
  }
  const edit = (path: string, text: string): void => {
    const before = on.git('hash-object', path)
    on.write(path, text)
    note({ kind: 'edit', edits: [{ path, before, after: on.git('hash-object', path) }] })
  }
  run(GATE)
  edit('sum.js', 'exports.sum = (a, b) => a * b\n')
  run(GATE)
  edit('sum.js', WHOLE)
  run(GATE)
  note({ command: "git remnant claim --root-cause 'The sum is computed by subtraction'", outcome: { is: 'code', code: 0 }, output: 'admitted' })
  return `${lines.join('\n')}\n`
}

const stateOf = (on: Clone): string[] =>
  ['status --porcelain --ignored', 'stash list', 'worktree list --porcelain', 'reflog', 'ls-files --stage', 'for-each-ref'].map((words) => on.git(...words.split(' ')))

describe('a debugging session', () => {
  it('ends as a residual whose fix a successor can prove, without a change of anything of the user\'s', () => {
    const on = clone()
    on.write('sum.js', BROKEN)
    on.git('add', '.')
    on.git('commit', '-qm', 'sum')
    on.write('test/sum.test.js', TEST)
    const log = join(on.base, 'session.jsonl')
    on.run(['tee', log], { input: debugged(on) })
    const teardown = on.remnant('teardown', '--transcript', log, '--here', '--json')
    expect(teardown.stderr).toBe('')
    expect(JSON.parse(teardown.stdout)).toMatchObject({ claims: { debug_residuals: 1, unresolved_handoffs: 0 } })
    const [digest = ''] = remnantsOf(on)
    const { debug_residuals } = JSON.parse(on.git('cat-file', '-p', `refs/remnants/${digest}:.remnants/${digest.slice(0, 2)}/${digest}.json`)) as { debug_residuals: { claim_id: string; falsified_branches: unknown[] }[] }
    expect(debug_residuals[0]?.falsified_branches).toHaveLength(1)
    on.git('add', '.')
    on.git('commit', '-qm', 'add')

    on.write('sum.js', 'exports.sum = null\n')
    on.git('add', 'sum.js')
    on.write('scratch.txt', 'x\n')
    const before = stateOf(on)
    const env = { GIT_INDEX_FILE: join(on.dir, '.git/index'), GIT_DIR: join(on.dir, '.git'), GIT_PREFIX: '' }
    const proved = on.run(['git', 'remnant', 'prove', '--gate', GATE, '--json'], { env })
    expect(proved.stderr).toBe('')
    expect(JSON.parse(proved.stdout)).toMatchObject({ schemaVersion: 1, outcome: 'PROVEN', claims: [debug_residuals[0]?.claim_id], sealed: null, red: { runs: [{ result: 'red' }, { result: 'red' }] }, green: { runs: [{ result: 'green' }, { result: 'green' }] } })
    expect(proved.status).toBe(0)
    expect(stateOf(on)).toEqual(before)
    // The commit is the residual's whole patch, both attempts; the work tree is not as it was sealed, so that it is noted and raises nothing here.
    const proofs = readFileSync(join(on.dir, '.git/remnant/proofs'), 'utf8').trim().split('\n')
    expect(proofs).toEqual([expect.stringContaining('PROVEN')])
    expect(proofs[0]).toContain(on.git('rev-parse', 'HEAD'))

    const vacuous = on.remnant('prove', '--gate', 'node --check sum.js')
    expect(vacuous.stdout).toMatch(/^VACUOUS {2}`node --check sum\.js`\n {2}parent {2}[0-9a-f]{12} {2}green, green\n {2}fix {5}[0-9a-f]{12} {2}green, green\n/)
    expect(vacuous.status).toBe(1)
  })

  it('has its errors said as any other verb\'s', () => {
    const on = clone()
    const root = on.remnant('prove', '--gate', 'npm test')
    expect(root.stderr).toMatch(/^git-remnant: commit "[0-9a-f]{12}" has no parent here on which the gate could be red\nhint: name a later commit/)
    expect(root.status).toBe(64)
  })
})
