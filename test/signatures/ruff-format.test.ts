import { describe, expect, it } from 'vitest'
import ruffFormat from '../../src/signatures/ruff-format.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe('ruff format', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['ruff format --check .', 'uvx ruff format', 'uv run ruff format --diff', 'python3 -m ruff format --check']) expect(knowing(line)).toEqual(['ruff-format'])
  })

  it.each([['ruff format --check .', true], ['ruff format --diff a.py', true], ['ruff format .', false], ['ruff format --check --help', false]])('verifies with %s: %s', (line, verifies) => {
    expect(ruffFormat.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on its configuration up to the root', () => {
    expect(ruffFormat.knows(typed('ruff format --check a.py', 'p'))?.keys).toEqual(['tool:p/ruff', 'file:p/pyproject.toml', 'file:p/ruff.toml', 'file:p/.ruff.toml', 'file:pyproject.toml', 'file:ruff.toml', 'file:.ruff.toml', 'file:p/a.py'])
  })

  it.each([
    ['formatted', '3 files already formatted\n', { passed: true }],
    ['unformatted', 'Would reformat: a.py\n1 file would be reformatted, 2 files already formatted\n', { passed: false }],
    ['the words of the linter', 'All checks passed!\n', null],
    ['a count that is no end', '3 files already formatted\nerror: Failed to parse a.py\n', null],
    ['nothing', 'warning: No Python files found\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(ruffFormat.summary(output)).toEqual(summary)
  })

  it('says each file, and what stopped it', () => {
    expect(failureOf(ruffFormat, 'ruff format --check', 'Would reformat: b.py\nWould reformat: a.py\n2 files would be reformatted\n')).toEqual({ class: 'red', lines: ['Would reformat: b.py', 'Would reformat: a.py'], keys: [] })
    expect(ruffFormat.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
  })
})
