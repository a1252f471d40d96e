import { describe, expect, it } from 'vitest'
import playwright from '../../src/signatures/playwright.ts'
import { failureOf, knowing, typed } from './asking.ts'

const GREEN = 'Running 2 tests using 1 worker\n\n  ✓  1 a.spec.ts:3:5 › adds (40ms)\n  ✓  2 a.spec.ts:9:5 › takes away (1.2s)\n\n  2 passed (2.4s)\n'
const RED = `Running 2 tests using 1 worker

  ✓  1 a.spec.ts:3:5 › adds (40ms)
  ✘  2 a.spec.ts:9:5 › takes away (1.2s)


  1) a.spec.ts:9:5 › takes away ────────────────────────────────────

    Error: expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 2

        at /repo/a.spec.ts:10:21

  1 failed
    a.spec.ts:9:5 › takes away ────────────────────────────────────
  1 passed (2.4s)
`

describe('playwright', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['npx playwright test', 'pnpm exec playwright test a.spec.ts']) expect(knowing(line)).toEqual(['playwright'])
  })

  it.each([['npx playwright test', true], ['npx playwright test a.spec.ts --workers 2', true], ['npx playwright --version', true], ['npx playwright install', false], ['npx playwright test --list', false], ['npx playwright test --ui', false], ['npx playwright show-report', false]])(
    'verifies with %s: %s',
    (line, verifies) => {
      expect(playwright.knows(typed(line))?.verifies).toBe(verifies)
    },
  )

  it.each([
    ['passed', GREEN, { passed: true }],
    ['passed, with its report', `${GREEN}\nTo open last HTML report run:\n\n  npx playwright show-report\n\n`, { passed: true }],
    ['passed, some left out', GREEN.replace('  2 passed', '  1 skipped\n  1 passed'), { passed: true }],
    ['failed', RED, { passed: false }],
    ['failed, by its end', RED.split('\n').slice(-4).join('\n'), { passed: false }],
    ['the last line alone', '  1 passed (2.4s)\n', null],
    ['the last lines of a red end', RED.split('\n').slice(-3).join('\n'), null],
    ['passed at a second try', GREEN.replace('  2 passed', '  1 flaky\n    a.spec.ts:3:5 › adds ───\n  1 passed'), null],
    ['broken off', GREEN.replace('  2 passed', '  1 interrupted\n    a.spec.ts:3:5 › adds ───\n  1 passed'), { passed: false }],
    ['an error of no test', GREEN.replace('  2 passed', '  1 error was not a part of any test, see above for details\n  2 passed'), { passed: false }],
    ['went on', `${GREEN}more\n`, null],
    ['all left out', GREEN.replace('2 passed (2.4s)', '2 skipped'), null],
  ])('closes: %s', (_, output, summary) => {
    expect(playwright.summary(output)).toEqual(summary)
  })

  it('says each failed test with what it threw, without its line', () => {
    const lines = ['a.spec.ts › takes away', 'Error: expect(received).toBe(expected) // Object.is equality']
    expect(failureOf(playwright, 'npx playwright test', RED)).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(playwright, 'npx playwright test', RED.replaceAll(':9:5', ':90:1')).lines).toEqual(lines)
  })
})
