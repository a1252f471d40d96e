import { describe, expect, it } from 'vitest'
import eslint from '../../src/signatures/eslint.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `
/repo/src/a.js
   1:7   error    'x' is assigned a value but never used  no-unused-vars
   9:1   warning  Unexpected console statement            no-console
  12:10  error    'x' is assigned a value but never used  no-unused-vars

/repo/src/b.js
  3:1  error  Parsing error: Unexpected token }

✖ 4 problems (3 errors, 1 warning)

`
const oops = (words: string) => `\nOops! Something went wrong! :(\n\nESLint: 9.30.0\n\n${words}\n`

describe('eslint', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['npx eslint .', 'eslint src/a.js', 'pnpm exec eslint .']) expect(knowing(line)).toEqual(['eslint'])
  })

  it('rests on its configuration up to the root', () => {
    const keys = eslint.knows(typed('npx eslint . -c lint.config.js', 'p'))?.keys
    expect(keys).toEqual(expect.arrayContaining(['tool:p/eslint', 'lock:npm/eslint', 'file:p/eslint.config.js', 'file:eslint.config.ts', 'file:.eslintrc', 'file:p/.eslintrc.yml', 'file:p/lint.config.js']))
  })

  it.each([['eslint .', true], ['eslint . --fix-dry-run', true], ['eslint --version', true], ['eslint . --fix', false], ['eslint --init', false], ['eslint --print-config a.js', false]])('verifies with %s: %s', (line, verifies) => {
    expect(eslint.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['errors', RED, { passed: false }],
    ['warnings alone', '/repo/a.js\n  1:1  warning  x  y\n\n✖ 1 problem (0 errors, 1 warning)\n', { passed: true }],
    ['too many warnings', '✖ 1 problem (0 errors, 1 warning)\n\nESLint found too many warnings (maximum: 0).\n', { passed: false }],
    ['silence', '', null],
    ['a number in other words', 'we had 4 problems (3 errors, 1 warning)\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(eslint.summary(output)).toEqual(summary)
  })

  it('says each error of each file once, with its rule', () => {
    expect(settled(failureOf(eslint, 'npx eslint .', RED))).toEqual(["a.js: error 'x' is assigned a value but never used no-unused-vars", 'b.js: error Parsing error: Unexpected token }'])
    expect(failureOf(eslint, 'npx eslint .', RED).class).toBe('red')
  })

  it.each([
    [oops(`ESLint couldn't find the plugin "eslint-plugin-x".`), 'dependency', ['lock:npm/eslint-plugin-x', 'absent:node_modules/eslint-plugin-x']],
    [oops(`ESLint couldn't find the config "airbnb" to extend from.`), 'dependency', ['lock:npm/eslint-config-airbnb', 'absent:node_modules/eslint-config-airbnb']],
    [oops(`Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@eslint/js' imported from /repo/eslint.config.js`), 'dependency', ['lock:npm/@eslint/js', 'absent:node_modules/@eslint/js']],
    [oops("ESLint couldn't find an eslint.config.(js|mjs|cjs) file."), 'path-missing', ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `absent:eslint.config.${end}`)],
    [oops('No files matching the pattern "nope/**" were found.'), 'red', []],
  ])('tells classes apart', (output, kind, keys) => {
    expect(failureOf(eslint, 'npx eslint .', output, 2)).toMatchObject({ class: kind, keys })
  })

  it('finds no failure in other words', () => {
    expect(eslint.failure(ended('npx eslint .', '  1:1  error  quoted  rule\n'))).toBeNull()
  })
})
