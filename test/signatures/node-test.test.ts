import { describe, expect, it } from 'vitest'
import nodeTest from '../../src/signatures/node-test.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const counts = (mark: string, pass: number, fail: number, cancelled = 0) =>
  ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms']
    .map((name) => `${mark} ${name} ${{ tests: pass + fail + cancelled, pass, fail, cancelled, duration_ms: 132.720681 }[name] ?? 0}\n`)
    .join('')

const TAP = `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1.230172
  ...
# Subtest: subtracts
not ok 2 - subtracts
  ---
  duration_ms: 1.226057
  location: '/repo/test/a.test.js:3:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    
    2 !== 1
    
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 1
  actual: 2
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (/repo/test/a.test.js:3:30)
  ...
# Subtest: throws
not ok 3 - throws
  ---
  duration_ms: 0.16246
  location: '/repo/test/a.test.js:4:1'
  failureType: 'testCodeFailure'
  error: 'boom at 12'
  code: 'ERR_TEST_FAILURE'
  name: 'TypeError'
  stack: |-
    TestContext.<anonymous> (/repo/test/a.test.js:4:26)
  ...
1..3
${counts('#', 1, 2)}`

const SPEC = `✔ adds (1.38183ms)
✖ subtracts (1.292945ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

${counts('ℹ', 1, 2)}
✖ failing tests:

test at test/a.test.js:3:1
✖ subtracts (1.292945ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  2 !== 1
  
      at TestContext.<anonymous> (/repo/test/a.test.js:3:30)
    code: 'ERR_ASSERTION',

test at test/a.test.js:4:1
✖ throws (0.123045ms)
  TypeError [Error]: boom at 12
      at TestContext.<anonymous> (/repo/test/a.test.js:4:26)
`

const TIMED_OUT = `not ok 1 - slow
  ---
  duration_ms: 22.874805
  failureType: 'testTimeoutFailure'
  error: 'test timed out after 20ms'
  code: 'ERR_TEST_FAILURE'
  ...
${counts('#', 1, 0, 1)}`

const MISSING = `TAP version 13
# node:internal/modules/cjs/loader:1210
# Error: Cannot find module 'lodash'
# Require stack:
# - /repo/u.test.js
# Node.js v20.20.2
not ok 1 - /repo/u.test.js
  ---
  failureType: 'testCodeFailure'
  exitCode: 1
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..1
${counts('#', 0, 1)}`

describe('node --test', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['node --test', 'node --import tsx --test test/a.test.ts', '/usr/bin/node --test']) expect(knowing(line)).toEqual(['node-test'])
    for (const line of ['node test.js', 'npm test']) expect(nodeTest.knows(typed(line))).toBeNull()
  })

  it('rests on node and the files that it is given', () => {
    expect(nodeTest.knows(typed('node --test test/a.test.js', 'p'))).toEqual({ verifies: true, readsSources: true, delegates: false, keys: ['tool:p/node', 'exists:p/test/a.test.js'] })
    expect(nodeTest.knows(typed('node --import ./setup.mjs --test --test-name-pattern adds test', 'p'))?.keys).toEqual(['tool:p/node', 'file:p/setup.mjs', 'exists:p/test'])
    expect(nodeTest.knows(typed('node --test --watch'))?.verifies).toBe(false)
  })

  it.each([
    ['all passed, TAP', counts('#', 3, 0), { passed: true }],
    ['all passed, spec', counts('ℹ', 3, 0), { passed: true }],
    ['failed, TAP', TAP, { passed: false }],
    ['failed, spec', SPEC, { passed: false }],
    ['failed, with a long list behind', SPEC + '      at x\n'.repeat(60), { passed: false }],
    ['too little covered', `${counts('#', 3, 0)}# start of coverage report\n# end of coverage report\n# Error: 50.00% line coverage does not meet threshold of 90%.\n`, { passed: false }],
    ['cancelled', TIMED_OUT, { passed: false }],
    ['no tests', counts('#', 0, 0), null],
    ['cut short', counts('#', 3, 0).slice(0, 40), null],
    ['without the time', counts('#', 3, 0).replace(/# duration.*\n/, ''), null],
    ['quoted long before the end', counts('#', 3, 0) + 'x\n'.repeat(50), null],
    ['an earlier run too', counts('#', 1, 1) + counts('#', 3, 0), null],
  ])('closes: %s', (_, output, summary) => {
    expect(nodeTest.summary(output)).toEqual(summary)
  })

  it('says the same in both of its formats', () => {
    const lines = ['✖ subtracts (test/a.test.js)', 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 1', '✖ throws (test/a.test.js)', 'TypeError: boom at 12']
    expect(failureOf(nodeTest, 'node --test', TAP.replaceAll('/repo/', ''))).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(nodeTest, 'node --test', SPEC)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('tells tests of one name apart by their file and by the groups that they stand in', () => {
    const grouped = TAP.replace(/# Subtest: subtracts\n([^]*?)# Subtest: throws/, (block) => `# Subtest: arithmetic\n${block.replace(/^(?=.)/gm, '    ').replace(/    # Subtest: throws$/, '# Subtest: throws')}`)
    expect(failureOf(nodeTest, 'node --test', grouped).lines.slice(0, 2)).toEqual(['✖ arithmetic > subtracts (/repo/test/a.test.js)', 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 2 !== 1'])
    expect(failureOf(nodeTest, 'node --test', TAP.replaceAll('a.test.js', 'b.test.js')).lines[0]).toBe('✖ subtracts (/repo/test/b.test.js)')
  })

  it('misses a package', () => {
    expect(failureOf(nodeTest, 'node --test u.test.js', MISSING)).toEqual({ class: 'dependency', lines: ["Error: Cannot find module 'lodash'"], keys: ['lock:npm/lodash', 'absent:node_modules/lodash'] })
  })

  it('misses a file that the command names', () => {
    expect(failureOf(nodeTest, 'node --test nope', "Could not find '/repo/nope'\n")).toEqual({ class: 'path-missing', lines: ["Could not find 'nope'"], keys: ['absent:nope'] })
  })

  it('passes over time-outs', () => {
    expect(nodeTest.failure(ended('node --test', TIMED_OUT))).toBe('transient')
  })

  it('leaves failures that are expected aside', () => {
    expect(nodeTest.failure(ended('node --test', 'not ok 1 - later # TODO\n  ---\n  error: \'x\'\n  ...\n'))).toBeNull()
  })

  it('gives one signature under another path, line and time', () => {
    const again = TAP.replaceAll('/repo', '/home/dev/other').replaceAll(':3:30', ':13:3').replaceAll('1.226057', '77')
    expect(settled(failureOf(nodeTest, 'node --test', again))).toEqual(settled(failureOf(nodeTest, 'node --test', TAP)))
  })
})
