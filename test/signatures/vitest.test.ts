import { describe, expect, it } from 'vitest'
import vitest from '../../src/signatures/vitest.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const closing = (files: string, tests: string, more = '') => `
 RUN  v4.1.12 /repo

 Test Files  ${files}
      Tests  ${tests}
${more}   Start at  21:42:44
   Duration  1.11s (transform 65ms, setup 0ms, import 82ms, tests 68ms, environment 0ms)

`

const RED = `
 RUN  v4.1.12 /repo

 ❯ src/a.test.ts (4 tests | 3 failed) 65ms
   ✓ adds 2ms
     × subtracts 7ms
     × throws 1ms
     × slow 54ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 3 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/a.test.ts > math > throws
TypeError: boom
 ❯ src/a.test.ts:4:31
      4|  test('throws', () => { throw new TypeError('boom') })
       |                               ^

 FAIL  src/a.test.ts > math > subtracts
AssertionError: expected 2 to be 1 // Object.is equality

- Expected
+ Received

- 1
+ 2

 FAIL  src/a.test.ts > math > slow
Error: Test timed out in 50ms.
If this is a long-running test, pass a timeout value as the last argument or configure it globally with "testTimeout".

${closing('1 failed (1)', '3 failed | 1 passed (4)')}`

const MISSING = `
⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/b.test.ts [ src/b.test.ts ]
Error: Cannot find package 'lodash' imported from /repo/src/b.test.ts
 ❯ src/b.test.ts:1:32

${closing('1 failed (1)', 'no tests')}`

describe('vitest', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['npx vitest run', 'vitest', 'pnpm vitest', 'node_modules/.bin/vitest run x.test.ts']) expect(knowing(line)).toEqual(['vitest'])
    for (const line of ['npm test', 'npx jest', 'vite build']) expect(vitest.knows(typed(line))).toBeNull()
  })

  it('rests on its configuration, its lockfile entry and the files it is given', () => {
    const keys = vitest.knows(typed('npx vitest run src/a.test.ts --config unit.config.ts', 'packages/a'))?.keys
    expect(keys).toEqual(expect.arrayContaining(['tool:packages/a/vitest', 'lock:npm/vitest', 'file:packages/a/vitest.config.ts', 'file:packages/a/vite.config.mjs', 'file:packages/a/src/a.test.ts', 'file:packages/a/unit.config.ts']))
  })

  it.each([
    ['vitest', true], ['vitest run', true], ['vitest --run', true], ['vitest --watch=false', true], ['vitest --version', true],
    ['vitest watch', false], ['vitest --watch', false], ['vitest run -u', false], ['vitest list', false], ['vitest --ui', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(vitest.knows(typed(line))).toMatchObject({ verifies, delegates: false })
  })

  it.each([
    ['all passed', closing('1 passed (1)', '12 passed (12)'), { passed: true }],
    ['some skipped', closing('1 passed (1)', '1 passed | 1 skipped (2)'), { passed: true }],
    ['some failed', RED, { passed: false }],
    ['a file failed', MISSING, { passed: false }],
    ['an error of types', closing('1 passed (1)', '2 passed (2)', 'Type Errors  1 error\n'), { passed: false }],
    ['an error outside any test', closing('1 passed (1)', '2 passed (2)', '     Errors  1 error\n'), { passed: false }],
    ['too little covered', `${closing('1 passed (1)', '2 passed (2)')}ERROR: Coverage for lines (50%) does not meet global threshold (90%)\n`, { passed: false }],
    ['all skipped', closing('1 skipped (1)', '2 skipped (2)'), null],
    ['no tests', closing('no tests', 'no tests'), null],
    ['none found', 'No test files found, exiting with code 1\n', null],
    ['cut short', closing('1 passed (1)', '12 passed (12)').slice(0, 60), null],
    ['quoted long before the end', closing('1 passed (1)', '12 passed (12)') + 'more\n'.repeat(50), null],
    ['an earlier run too', closing('1 failed (1)', '1 failed (1)') + closing('1 passed (1)', '12 passed (12)'), null],
    ['nothing', '', null],
  ])('closes: %s', (_, output, summary) => {
    expect(vitest.summary(output)).toEqual(summary)
  })

  it('names failed tests and what they say, whatever the order, without those that timed out', () => {
    expect(failureOf(vitest, 'npx vitest run', RED)).toEqual({
      class: 'red',
      lines: ['FAIL src/a.test.ts > math > subtracts', 'AssertionError: expected 2 to be 1 // Object.is equality', 'FAIL src/a.test.ts > math > throws', 'TypeError: boom'],
      keys: [],
    })
  })

  it('tells a missing package from a failed test', () => {
    expect(failureOf(vitest, 'npx vitest run', MISSING)).toEqual({
      class: 'dependency',
      lines: ["Error: Cannot find package 'lodash'"],
      keys: ['lock:npm/lodash', 'absent:node_modules/lodash'],
    })
    expect(failureOf(vitest, 'npx vitest run', RED + MISSING)).toMatchObject({ class: 'red', keys: ['lock:npm/lodash', 'absent:node_modules/lodash'] })
    expect(failureOf(vitest, 'npx vitest run --environment jsdom', " MISSING DEPENDENCY  Cannot find dependency 'jsdom'\n")).toMatchObject({ class: 'dependency', keys: ['lock:npm/jsdom', 'absent:node_modules/jsdom'] })
  })

  it('misses a configuration that the command names', () => {
    const output = 'failed to load config from /repo/nope.ts\n\nError: Build failed with 1 error:\n\n[UNRESOLVED_ENTRY] Cannot resolve entry module nope.ts.\n'
    expect(failureOf(vitest, 'npx vitest run --config nope.ts', output)).toMatchObject({ class: 'path-missing', keys: ['absent:nope.ts'] })
  })

  it('passes over what only timed out or lacked the network', () => {
    const failing = (message: string) => ` FAIL  src/a.test.ts > a\n${message}\n${closing('1 failed (1)', '1 failed (1)')}`
    expect(vitest.failure(ended('npx vitest run', failing('Error: Test timed out in 50ms.')))).toBe('transient')
    expect(vitest.failure(ended('npx vitest run', failing('Error: connect ECONNREFUSED 127.0.0.1:5432')))).toBe('transient')
    expect(failureOf(vitest, 'npx vitest run', failing("AssertionError: expected 'x' to be 'ETIMEDOUT'")).class).toBe('red')
    expect(vitest.failure(ended('npx vitest run', RED, 137))).toBe('transient')
  })

  it('tells of errors outside any test, and of none at all', () => {
    expect(failureOf(vitest, 'npx vitest run', '⎯⎯⎯⎯⎯ Uncaught Exception ⎯⎯⎯⎯⎯\nError: late\n ❯ x').lines).toEqual(['Error: late'])
    expect(vitest.failure(ended('npx vitest run', 'an error in a file that was read\n'))).toBeNull()
  })

  it('gives one signature under another path and time', () => {
    const again = RED.replaceAll('/repo', '/home/dev/other').replaceAll('a.test.ts:4:31', 'a.test.ts:9:1').replaceAll('65ms', '7s')
    expect(settled(failureOf(vitest, 'npx vitest run', again))).toEqual(settled(failureOf(vitest, 'npx vitest run', RED)))
  })
})
