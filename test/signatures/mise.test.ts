import { describe, expect, it } from 'vitest'
import mise from '../../src/signatures/mise.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe('mise', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['mise run test', 'mise r lint', 'mise install']) expect(knowing(line)).toEqual(['mise'])
  })

  it.each([
    ['mise run test', true],
    ['mise run test:ci', true],
    ['mise r --jobs 4 lint', true],
    ['mise --version', true],
    ['mise run deploy', false],
    ['mise run --dry-run test', false],
    ['mise run test ::: deploy', false],
    ['mise install', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(mise.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on its config and on the folders of its tasks', () => {
    expect(mise.knows(typed('mise run test'))).toMatchObject({ delegates: true, keys: expect.arrayContaining(['tool:mise', 'file:mise.toml', 'file:.mise.toml', 'tree:mise-tasks']) })
  })

  it.each([
    ['failed', 'FAIL\n[test:ci] ERROR task failed\n', { passed: false }],
    ['went on', '[test:ci] ERROR task failed\nmore\n', null],
    ['passed', '[lint] Finished in 7.8ms\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(mise.summary(output)).toEqual(summary)
  })

  it('tells what is its own of what others printed before', () => {
    const own = '[perf:build] $ mbx build --nope\nerror: unexpected argument \'--nope\' found\n[perf:build] ERROR task failed'
    expect(mise.own(ended('mise run perf:build --nope', `error: 3 rows\n[perf:build] $ old\n${own}\n`))).toBe(own)
    for (const output of [`${own}\nmore\n`, own.replace('[perf:build] $', '[other] $'), own.replace('ERROR task failed', 'Finished in 1s')]) expect(mise.own(ended('mise run perf:build --nope', output))).toBeNull()
  })

  it.each([
    ['mise run build --nope', '', 'usage'],
    // Not its word; a task that needs others, whose words these may be.
    ['mise run build --other', '', 'red'],
    ['mise run build --nope', '[deps] $ mbx deps --nope\n', 'red'],
  ])('knows an argument that the task does not take: %s', (line, before, kind) => {
    const printed = `${before}[build] $ mbx build --nope\nerror: unexpected argument '--nope' found\n\nUsage: mbx build\n[build] ERROR task failed\n`
    expect(failureOf(mise, line, printed).class).toBe(kind)
  })

  it('says what the task said, then which one stopped', () => {
    expect(failureOf(mise, 'mise run test', '[test] $ ./check\nerror: 3 rows are wrong\n[test] ERROR task failed\n', 1)).toEqual({ class: 'red', lines: ['error: 3 rows are wrong', '[test] ERROR task failed'], keys: [] })
    expect(failureOf(mise, 'mise run nope', 'mise ERROR no task nope found\n', 1)).toMatchObject({ class: 'usage' })
    expect(mise.failure(ended('mise run test', 'ok\n', 1))).toBeNull()
  })
})
