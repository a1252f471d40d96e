import { describe, expect, it } from 'vitest'
import jest from '../../src/signatures/jest.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const closing = (suites: string, tests: string) => `
Test Suites: ${suites}
Tests:       ${tests}
Snapshots:   0 total
Time:        1.234 s, estimated 2 s
Ran all test suites.
`

const RED = ` FAIL  src/b.test.js
  ● throws

    TypeError: boom

      2 | test('throws', () => {
    > 3 |   throw new TypeError('boom')
        |         ^

      at Object.<anonymous> (src/b.test.js:3:9)

 FAIL  src/a.test.js
  ● Console

    console.error
      Error: expected noise

  ● math › subtracts

    expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 2

      3 | test('subtracts', () => {
    > 4 |   expect(3 - 1).toBe(1)
        |                 ^

      at Object.<anonymous> (src/a.test.js:4:17)
${closing('2 failed, 2 total', '2 failed, 1 passed, 3 total')}`

const MISSING = ` FAIL  src/a.test.js
  ● Test suite failed to run

    Cannot find module 'lodash' from 'src/a.js'

    Require stack:
      src/a.js

      at Resolver._throwModNotFoundError (node_modules/jest-resolve/build/resolver.js:427:11)
${closing('1 failed, 1 total', '0 total')}`

describe('jest', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['npx jest', 'jest --ci', 'yarn jest', 'node --experimental-vm-modules node_modules/.bin/jest']) expect(knowing(line)).toEqual(['jest'])
    expect(jest.knows(typed('npx vitest'))).toBeNull()
  })

  it('rests on its configuration up to the root, and its lockfile entry', () => {
    const keys = jest.knows(typed('npx jest src/a.test.js', 'p'))?.keys
    expect(keys).toEqual(expect.arrayContaining(['tool:p/jest', 'lock:npm/jest', 'file:p/jest.config.js', 'file:jest.config.json', 'file:p/package.json', 'file:p/src/a.test.js']))
  })

  it.each([
    ['npx jest', true], ['jest --watch=false', true], ['jest --version', true],
    ['jest --watch', false], ['jest --watchAll', false], ['jest -u', false], ['jest --updateSnapshot', false], ['jest --listTests', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(jest.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['all passed', `PASS a.test.js\n\n${closing('2 passed, 2 total', '12 passed, 12 total')}`, { passed: true }],
    ['counts above which the words on coverage may be cut off', closing('2 passed, 2 total', '12 passed, 12 total'), null],
    ['a file of which no coverage was taken', `PASS a.test.js\nJest: Coverage data for ./b.js was not found.\n\n${closing('2 passed, 2 total', '12 passed, 12 total')}`, null],
    ['one failed', closing('1 failed, 1 passed, 2 total', '1 failed, 12 passed, 13 total'), { passed: false }],
    ['a suite that never ran', closing('1 failed, 1 passed, 2 total', '5 passed, 5 total'), { passed: false }],
    ['too little covered', `Jest: "global" coverage threshold for lines (90%) not met: 50%\n${closing('1 passed, 1 total', '1 passed, 1 total')}`, { passed: false }],
    ['no tests', closing('0 total', '0 total'), null],
    ['all skipped', closing('1 skipped, 0 of 1 total', '3 skipped, 3 total'), null],
    ['no line of suites', closing('', '12 passed, 12 total').replace(/Test Suites.*\n/, ''), null],
    ['cut short', 'Test Suites: 2 passed, 2 total\nTests:       12 passed, 12 total\n', null],
    ['quoted long before the end', closing('2 passed, 2 total', '12 passed, 12 total') + 'x\n'.repeat(50), null],
    ['an earlier run too', closing('1 failed, 1 total', '1 failed, 1 total') + closing('1 passed, 1 total', '1 passed, 1 total'), null],
  ])('closes: %s', (_, output, summary) => {
    expect(jest.summary(output)).toEqual(summary)
  })

  it('names failed tests and what they say, whatever the order of files', () => {
    expect(failureOf(jest, 'npx jest', RED)).toEqual({
      class: 'red',
      lines: ['● math › subtracts', 'expect(received).toBe(expected) // Object.is equality', 'Expected: 1', 'Received: 2', '● throws', 'TypeError: boom'],
      keys: [],
    })
  })

  it.each([
    ['a module', MISSING, 'lodash'],
    ['an environment', '● Validation Error:\n\n  Test environment jest-environment-jsdom cannot be found. Make sure the testEnvironment configuration option points to an existing node module.\n', 'jest-environment-jsdom'],
    ['a preset', '● Validation Error:\n\n  Preset ts-jest not found.\n', 'ts-jest'],
  ])('misses the package of %s', (_, output, name) => {
    expect(failureOf(jest, 'npx jest', output)).toMatchObject({ class: 'dependency', keys: [`lock:npm/${name}`, `absent:node_modules/${name}`] })
  })

  it('calls a missing file of the sources red', () => {
    expect(failureOf(jest, 'npx jest', MISSING.replace("'lodash'", "'./x'"))).toMatchObject({ class: 'red', keys: [] })
  })

  it('misses a configuration', () => {
    const output = "Can't find a root directory while resolving a config file path.\nProvided path to resolve: nope.config.js\ncwd: /repo\n"
    expect(failureOf(jest, 'npx jest --config nope.config.js', output)).toMatchObject({ class: 'path-missing', keys: ['absent:nope.config.js'] })
  })

  it('leaves an unknown option to the fallback', () => {
    expect(jest.failure(ended('npx jest --foo', '● Unrecognized CLI Parameter:\n\n  Unrecognized option "foo".\n\n  CLI Options Documentation:\n'))).toBeNull()
  })

  it('passes over time-outs', () => {
    const output = RED.slice(0, RED.indexOf(' FAIL  src/a')).replace('TypeError: boom', 'thrown: "Exceeded timeout of 5000 ms for a test.')
    expect(jest.failure(ended('npx jest', output))).toBe('transient')
  })

  it('gives one signature under another path and time', () => {
    const again = RED.replaceAll('b.test.js:3:9', 'b.test.js:30:1').replace('1.234 s', '9 s')
    expect(settled(failureOf(jest, 'npx jest', again))).toEqual(settled(failureOf(jest, 'npx jest', RED)))
  })
})
