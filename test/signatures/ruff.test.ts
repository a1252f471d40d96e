import { describe, expect, it } from 'vitest'
import ruff from '../../src/signatures/ruff.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const CONCISE = 'src/b.py:4:12: F401 [*] `os` imported but unused\nsrc/a.py:1:1: E722 Do not use bare `except`\nFound 2 errors.\n[*] 1 fixable with the `--fix` option.\n'
const FULL = 'F401 [*] `os` imported but unused\n --> src/b.py:4:12\n  |\n4 | import os\n  |        ^^\n  |\nhelp: Remove unused import: `os`\n\nE722 Do not use bare `except`\n --> src/a.py:1:1\n  |\n\nFound 2 errors.\n[*] 1 fixable with the `--fix` option.\n'
const OLDER = 'src/b.py:4:12: F401 [*] `os` imported but unused\n  |\n4 | import os\n  |        ^^ F401\n  |\n  = help: Remove unused import: `os`\n\nFound 1 error.\n'

describe('ruff', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['ruff check .', 'uvx ruff check', 'python3 -m ruff check']) expect(knowing(line)).toEqual(['ruff'])
  })

  it.each([['ruff check src/a.py', true], ['ruff --version', true], ['ruff check --fix', false], ['ruff check --exit-zero', false], ['ruff clean', false]])('verifies with %s: %s', (line, verifies) => {
    expect(ruff.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on its configuration up to the root', () => {
    expect(ruff.knows(typed('ruff check a.py', 'p'))?.keys).toEqual(['tool:p/ruff', 'file:p/pyproject.toml', 'file:p/ruff.toml', 'file:p/.ruff.toml', 'file:pyproject.toml', 'file:ruff.toml', 'file:.ruff.toml', 'file:p/a.py'])
  })

  it.each([['passed', 'All checks passed!\n', { passed: true }], ['formatted', '3 files already formatted\n', null], ['failed', CONCISE, { passed: false }], ['nothing', 'warning: No Python files found\n', null]])('closes: %s', (_, output, summary) => {
    expect(ruff.summary(output)).toEqual(summary)
  })

  it.each([
    ['concise', CONCISE, ['src/a.py: E722 Do not use bare `except`', 'src/b.py: F401 `os` imported but unused']],
    ['full', FULL, ['src/a.py: E722 Do not use bare `except`', 'src/b.py: F401 `os` imported but unused']],
    ['full, older', OLDER, ['src/b.py: F401 `os` imported but unused']],
    ['of its configuration', 'ruff failed\n  Cause: Failed to load configuration `/repo/ruff.toml`\n  Cause: Failed to parse /repo/ruff.toml\n', ['ruff failed', 'Cause: Failed to load configuration `/repo/ruff.toml`', 'Cause: Failed to parse /repo/ruff.toml']],
  ])('says each finding with its file and rule, without its place: %s', (_, output, lines) => {
    expect(failureOf(ruff, 'ruff check', output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds none in other words', () => {
    expect(ruff.failure(ended('ruff check --bogus', "error: unexpected argument '--bogus' found\n", 2))).toBeNull()
    expect(ruff.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
  })
})
