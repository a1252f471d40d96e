import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf } from '../clone.ts'

const BROKEN = 'exports.sum = (a, b) => a - b\n'
const WHOLE = 'exports.sum = (a, b) => a + b\n'
const TEST = "require('node:test').test('adds', () => require('node:assert').strictEqual(require('../sum.js').sum(1, 2), 3))\n"
const GATE = 'node --test test/sum.test.js'
const SESSION = '5e55105e-0000-4000-8000-000000000001'

/** A session of Claude Code in which the gate really was run red, the file edited, and the gate run green, and a cause declared. */
function session(on: Clone): string {
  const lines: object[] = []
  const at = (): string => new Date(Date.UTC(2026, 5, 1, 10, 0, lines.length)).toISOString()
  const envelope = () => ({ uuid: `u${lines.length}`, sessionId: SESSION, cwd: on.dir, version: '2.1.100', timestamp: at() })
  const call = (id: string, name: string, input: object): void => void lines.push({ ...envelope(), type: 'assistant', message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] } })
  const result = (id: string, block: object, toolUseResult: unknown): void =>
    void lines.push({ ...envelope(), type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...block }] }, toolUseResult })
  const ran = (id: string, command: string): void => {
    const { status, stdout, stderr } = on.run(['sh', '-c', command])
    const output = `${stdout}${stderr}`.trimEnd()
    call(id, 'Bash', { command })
    if (status === 0) result(id, { content: output, is_error: false }, { stdout: output, stderr: '', interrupted: false })
    else result(id, { content: `Exit code ${status}\n${output}`, is_error: true }, `Error: Exit code ${status}\n${output}`)
  }
  ran('toolu_red', GATE)
  call('toolu_edit', 'Edit', { file_path: join(on.dir, 'sum.js') })
  on.write('sum.js', WHOLE)
  result('toolu_edit', { content: 'done' }, { filePath: join(on.dir, 'sum.js'), originalFile: BROKEN, oldString: '-', newString: '+' })
  ran('toolu_green', GATE)
  ran('toolu_cause', "git remnant claim --root-cause 'The function `sum` subtracts its second argument.'")
  const path = join(on.base, 'session.jsonl')
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

function broken(): Clone {
  const on = clone()
  for (const [path, text] of [['sum.js', BROKEN], ['test/sum.test.js', TEST]] as const) on.write(path, text)
  on.git('add', '-A')
  on.git('commit', '-qm', 'broken')
  return on
}

const commit = (on: Clone): void => {
  on.git('add', '-A')
  on.git('commit', '-qm', 'fix')
}
const documentOf = (on: Clone, ...words: string[]) => JSON.parse(on.remnant(...words, '--json').stdout)

describe('a residual that is shown', () => {
  it('is raised where it is sealed already: by prove, and for that claim alone', () => {
    const on = broken()
    const log = session(on)
    const first = on.remnant('teardown', '--transcript', log, '--here', '--explain')
    expect(first.stdout).toContain('1 residual')
    expect(first.stdout).toMatch(new RegExp(`kept [0-9a-f]{12} {2}debug residual\n {2}The function \`sum\` subtracts.*\n {2}proof {5}claude-code record toolu_green \\(${log}, line 6\\)`))
    expect(first.stdout).toMatch(/outlived {2}1 that failed, the last one in record toolu_red \(.*, line 2\)/)
    expect(first.stdout).toContain(`  declared  record toolu_cause (${log}, line 8)`)
    commit(on)
    const shown = documentOf(on, 'prove', '--gate', GATE)
    expect([shown.outcome, shown.claims.length]).toEqual(['PROVEN', 1])
    const remnant = JSON.parse(on.git('show', `${shown.sealed.ref}:.remnants/${shown.sealed.digest.slice(0, 2)}/${shown.sealed.digest}.json`))
    expect(remnant.debug_residuals).toMatchObject([{ claim_id: shown.claims[0], proof: 'PROVEN', verification_receipt: { strength: 'reproduced' } }])
    expect(remnant.supersedes).toMatchObject([[expect.any(String), shown.claims]])
    const why = on.remnant('why', shown.claims[0], '--transcript', log).stdout
    expect(why).toContain('  proof     PROVEN')
    expect(why).toContain(`  noted     PROVEN on commit ${on.git('rev-parse', 'HEAD').slice(0, 12)}, by "prove" in this clone`)
    expect(why).toContain(`  log       ${log}, line 6`)
    expect(why).toContain(`  here      answered by remnant ${shown.sealed.digest.slice(0, 12)}`)
    expect(why).toContain('  here      holds (')
  }, 60_000)

  it('is taken up by a later teardown of its session', () => {
    const on = broken()
    const log = session(on)
    commit(on)
    expect(documentOf(on, 'prove', '--gate', GATE)).toMatchObject({ outcome: 'PROVEN', claims: [], sealed: null })
    const { ref, digest } = documentOf(on, 'teardown', '--transcript', log, '--here')
    expect(JSON.parse(on.git('show', `${ref}:.remnants/${digest.slice(0, 2)}/${digest}.json`)).debug_residuals).toMatchObject([
      { proof: 'PROVEN', verification_receipt: { host: 'claude-code', record_id: 'toolu_green', strength: 'reproduced' } },
    ])
  }, 60_000)

  it('is raised by the last attempt alone where the one before was committed by itself, and known in both as one commit', () => {
    const on = broken()
    const log = join(on.base, 'attempts.jsonl')
    const lines: string[] = []
    const note = (record: Record<string, unknown>): void => {
      const plain = { schema: 'git-remnant/observation/1', host: 'claude-code', session: 'attempts', record_id: `call-${lines.length}`, at: `2026-06-01T10:0${lines.length}:00Z`, kind: 'command', folder: '.', head: null, command: null }
      lines.push(JSON.stringify({ ...plain, outcome: { is: 'unknown' }, output: null, edits: [], declared: null, keys: {}, ...record }))
    }
    const run = (): void => {
      const { status, stdout } = on.run(GATE.split(' '))
      note({ command: GATE, outcome: { is: 'code', code: status }, output: stdout })
    }
    const attempt = (text: string): void => {
      const before = on.git('hash-object', 'sum.js')
      on.write('sum.js', text)
      note({ kind: 'edit', edits: [{ path: 'sum.js', before, after: on.git('hash-object', 'sum.js') }] })
    }
    run()
    attempt('exports.sum = (a, b) => a * b\n')
    run()
    commit(on)
    attempt(WHOLE)
    run()
    note({ command: "git remnant claim --root-cause 'The function `sum` subtracts its second argument.'", outcome: { is: 'code', code: 0 }, output: 'admitted' })
    writeFileSync(log, `${lines.join('\n')}\n`)
    on.remnant('teardown', '--transcript', log, '--here')
    commit(on)
    const shown = documentOf(on, 'prove', '--gate', GATE)
    expect([shown.outcome, shown.claims.length, shown.sealed === null]).toEqual(['PROVEN', 1, false])
    expect(documentOf(on, 'why', shown.claims[0]).claims[0]).toMatchObject({ noted: [{ outcome: 'PROVEN', commit: on.git('rev-parse', 'HEAD') }] })
    on.git('reset', '--soft', '-q', 'HEAD~2')
    commit(on)
    expect(documentOf(on, 'prove', '--gate', GATE)).toMatchObject({ outcome: 'PROVEN', claims: shown.claims })
  }, 60_000)

  it('stays what the session recorded where prove shows anything else, and why says what it showed', () => {
    const on = broken()
    const log = session(on)
    on.write('test/sum.test.js', TEST.replace(', 3)', ', 4)'))
    commit(on)
    expect(documentOf(on, 'prove', '--gate', GATE)).toMatchObject({ outcome: 'STILL_RED', sealed: null })
    on.git('reset', '--soft', '-q', 'HEAD~1')
    on.write('test/sum.test.js', TEST)
    const { digest } = documentOf(on, 'teardown', '--transcript', log, '--here')
    commit(on)
    expect(documentOf(on, 'why', digest).claims.find(({ kind }: { kind: string }) => kind === 'debug_residuals')).toMatchObject({ proof: null, noted: [{ outcome: 'STILL_RED' }] })
    expect(remnantsOf(on)).toHaveLength(1)
  }, 60_000)
})
