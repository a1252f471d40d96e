import { describe, expect, it } from 'vitest'
import mocha from '../../src/signatures/mocha.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `

  sums
    1) adds
    2) deep
    3) own
    4) slow
    ✔ fine
    - later
    inner
      5) "before all" hook for "adds"


  1 passing (31ms)
  1 pending
  5 failing

  1) sums
       adds:

      AssertionError [ERR_ASSERTION]: sum is off

2 !== 3

      + expected - actual

      -2
      +3
      
      at Context.<anonymous> (test/a.js:3:29)
      at process.processImmediate (node:internal/timers:483:21)

  2) sums
       deep:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected

  {
+   a: 1,
-   a: 2,
  }
      + expected - actual

      at Context.<anonymous> (test/a.js:4:29)

  3) sums
       own:
     Error: own trouble
      at Context.<anonymous> (test/a.js:5:31)

  4) sums
       slow:
     Error: Timeout of 20ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/repo/test/a.js)
      at listOnTimeout (node:internal/timers:581:17)

  5) sums
       inner
         "before all" hook for "adds":
     Error: hook broke
      at Context.<anonymous> (test/a.js:10:102)



`
const stopped = (words: string) => `
 Exception during run: ${words}
Require stack:
- /repo/imp.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/repo/imp.js' ]
}
`
const GREEN = '\n\n  ✔ fine\n\n  2 passing (3ms)\n\n'

describe('mocha', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['mocha', 'npx mocha test', 'yarn mocha', 'node_modules/.bin/_mocha x.js', 'node node_modules/mocha/bin/mocha.js']) expect(knowing(line)).toEqual(['mocha'])
  })

  it('rests on its configuration, wherever it is found, and its package', () => {
    expect(mocha.knows(typed('npx mocha --config ci.yml test/a.js', 'p'))?.keys).toEqual(expect.arrayContaining(['tool:p/mocha', 'file:p/.mocharc.json', 'file:.mocharc.cjs', 'file:package.json', 'file:p/ci.yml', 'lock:npm/mocha', 'file:p/test/a.js']))
  })

  it.each([['mocha', true], ['mocha --grep sums', true], ['mocha --version', true], ['mocha --watch', false], ['mocha -w', false], ['mocha --dry-run', false], ['mocha --help', false]])('verifies with %s: %s', (line, verifies) => {
    expect(mocha.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['passed', GREEN, { passed: true }],
    ['passed, some pending', '  2 passing (3s)\n  1 pending\n\n', { passed: true }],
    ['passed, with a table of coverage', `${GREEN}----------|---------\nFile      | % Stmts \n----------|---------\nall files |     100\n----------|---------\n`, { passed: true }],
    ['failed', RED, { passed: false }],
    ['too little coverage', `${GREEN}ERROR: Coverage for lines (50%) does not meet global threshold (90%)\n`, { passed: false }],
    ['none ran', '  0 passing (1ms)\n\n', null],
    ['and then another', `${GREEN}> app@1.0.0 posttest\nsrc/a.ts(1,1): error TS2304: x\n`, null],
    ['twice', GREEN + GREEN, null],
    ['quoted', 'the suite printed 2 passing (3ms)\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(mocha.summary(output)).toEqual(summary)
  })

  it('names failed tests and hooks with their errors, without those that only took too long', () => {
    expect(failureOf(mocha, 'mocha', RED, 5)).toEqual({
      class: 'red',
      lines: [
        'sums › adds (test/a.js)', 'AssertionError [ERR_ASSERTION]: sum is off 2 !== 3',
        'sums › deep (test/a.js)', 'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal: + actual - expected { + a: 1, - a: 2, }',
        'sums › inner › "before all" hook for "adds" (test/a.js)', 'Error: hook broke',
        'sums › own (test/a.js)', 'Error: own trouble',
      ],
      keys: [],
    })
  })

  it.each([
    ['mocha imp.js', stopped("Error: Cannot find module 'left-pad'"), 'dependency', ["Error: Cannot find module 'left-pad'"], ['lock:npm/left-pad', 'absent:p/node_modules/left-pad', 'absent:node_modules/left-pad']],
    ['mocha imp.js', stopped("Error: Cannot find module './nope'"), 'red', ["Error: Cannot find module './nope'", '- /repo/imp.js'], []],
    ['mocha imp.js', stopped('Error: top broke'), 'red', ['Error: top broke'], []],
    ['mocha syn.js', ' Exception during run: /repo/syn.js:2\n\n\n\nSyntaxError: Unexpected end of input\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n', 'red', ['/repo/syn.js:2', 'SyntaxError: Unexpected end of input'], []],
    ['mocha nope.js', 'Error: No test files found: "nope.js"\n', 'path-missing', ['Error: No test files found: "nope.js"'], ['absent:p/nope.js']],
    ['mocha --config nope.json', "Error: Unable to read/parse nope.json: Error: ENOENT: no such file or directory, open 'nope.json'\n    at x\n", 'path-missing', ['Error: Unable to read/parse nope.json: Error: ENOENT'], ['absent:p/nope.json']],
    ['mocha --require nope', "\n✖ ERROR: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /repo/node_modules/mocha/lib/nodejs/esm-utils.cjs\n", 'dependency', ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope'"], ['lock:npm/nope', 'absent:p/node_modules/nope', 'absent:node_modules/nope']],
  ])('tells what kept it from starting: %s', (line, output, kind, lines, keys) => {
    expect(failureOf(mocha, line, output, 1, 'p')).toEqual({ class: kind, lines, keys })
  })

  it('passes over time-outs, and says nothing of what it does not know', () => {
    expect(mocha.failure(ended('mocha', RED.replace(/^ {2}5 failing$/m, '  1 failing').replace(/^ {2}1\) sums[^]*?(?=^ {2}4\))/m, '').replace(/^ {2}5\) sums[^]*/m, '')))).toBe('transient')
    expect(mocha.failure(ended('npm test', '✖ ERROR: a test of that name (1ms)\n'))).toBeNull()
  })

  it('gives one signature under another path, line and time', () => {
    expect(settled(failureOf(mocha, 'mocha', RED.replaceAll('a.js:3', 'a.js:30').replace('31ms', '2s')))).toEqual(settled(failureOf(mocha, 'mocha', RED)))
  })
})
