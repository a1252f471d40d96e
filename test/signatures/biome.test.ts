import { describe, expect, it } from 'vitest'
import biome from '../../src/signatures/biome.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const RED = `src/b.ts:1:7 lint/correctness/noUnusedVariables  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━

  × This variable x is unused.
  
  > 1 │ const x = 1
      │       ^

src/a.ts format ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  × Formatter would have printed the following content:

src/c.ts:3:1 lint/style/useConst ━━━━━━━━━━━━━━━━━━━━━

  ! This let declares a variable that is only assigned once.

Checked 3 files in 12ms. No fixes applied.
Found 2 errors.
Found 1 warning.
check ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  × Some errors were emitted while running checks.
`

describe('biome', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['biome check .', 'npx @biomejs/biome ci', 'npx biome lint src']) expect(knowing(line)).toEqual(['biome'])
  })

  it.each([['biome check .', true], ['biome ci', true], ['biome format src', true], ['biome --version', true], ['biome check --write .', false], ['biome migrate', false], ['biome start', false]])('verifies with %s: %s', (line, verifies) => {
    expect(biome.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on its configuration up to the root and its package', () => {
    expect(biome.knows(typed('npx biome check a.ts', 'p'))?.keys).toEqual(expect.arrayContaining(['tool:p/biome', 'file:p/biome.json', 'file:biome.jsonc', 'file:package.json', 'lock:npm/@biomejs/biome', 'file:p/a.ts']))
  })

  it.each([
    ['passed', 'Checked 3 files in 12ms. No fixes applied.\n', { passed: true }],
    ['passed, with warnings', 'Checked 3 files in 12ms. No fixes applied.\nFound 1 warning.\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['nothing checked', 'Checked 0 files in 1ms. No fixes applied.\n', null],
    ['went on', 'Checked 3 files in 12ms. No fixes applied.\nmore\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(biome.summary(output)).toEqual(summary)
  })

  it('says each error with its file and rule, sorted, without its place, and no warning', () => {
    const lines = ['src/a.ts: format: Formatter would have printed the following content:', 'src/b.ts: lint/correctness/noUnusedVariables: This variable x is unused.']
    expect(failureOf(biome, 'biome check', RED)).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(biome, 'biome check', RED.replace(':1:7', ':10:1')).lines).toEqual(lines)
  })

  it('finds none in other words', () => {
    expect(biome.failure(ended('npm test', 'src/a.ts:1:7 lint is fine\n'))).toBeNull()
  })
})
