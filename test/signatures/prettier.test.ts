import { describe, expect, it } from 'vitest'
import prettier from '../../src/signatures/prettier.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const RED = 'Checking formatting...\n[warn] src/b.ts\n[warn] src/a.ts\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n'
const BROKEN = 'Checking formatting...\n[error] src/a.ts: SyntaxError: Declaration or statement expected. (1:11)\n[error] > 1 | const a = = 1\n[error]     |           ^\n[error]   2 |\nError occurred when checking code style in the above file.\n'

describe('prettier', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['prettier --check .', 'npx prettier -l src', 'pnpm exec prettier --check .']) expect(knowing(line)).toEqual(['prettier'])
  })

  it.each([['prettier --check .', true], ['prettier -c .', true], ['prettier --list-different src', true], ['prettier --version', true], ['prettier .', false], ['prettier --write .', false], ['prettier --check --write .', false]])('verifies with %s: %s', (line, verifies) => {
    expect(prettier.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on its configuration and its package', () => {
    expect(prettier.knows(typed('npx prettier --check a.ts', 'p'))?.keys).toEqual(expect.arrayContaining(['tool:p/prettier', 'file:p/.prettierrc', 'file:prettier.config.mjs', 'file:.editorconfig', 'file:p/.prettierignore', 'lock:npm/prettier', 'file:p/a.ts']))
  })

  it.each([
    ['passed', 'Checking formatting...\nAll matched files use Prettier code style!\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['broken', BROKEN, { passed: false }],
    ['began', 'Checking formatting...\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(prettier.summary(output)).toEqual(summary)
  })

  it('names the files that it would write otherwise, and those that it can not read', () => {
    expect(failureOf(prettier, 'prettier --check .', RED)).toEqual({ class: 'red', lines: ['not formatted: src/b.ts', 'not formatted: src/a.ts'], keys: [] })
    expect(failureOf(prettier, 'prettier --check .', BROKEN)).toEqual({ class: 'red', lines: ['src/a.ts: SyntaxError: Declaration or statement expected.'], keys: [] })
    expect(failureOf(prettier, 'prettier --check nope', '[error] No files matching the pattern were found: "nope".\n', 2).lines).toEqual(['No files matching the pattern were found: "nope".'])
  })

  it('says nothing of what others log as an error', () => {
    expect(prettier.failure(ended('npm test', '[error] the queue is full\n[warn] retrying\n'))).toBeNull()
  })
})
