import { describe, expect, it } from 'vitest'
import ty from '../../src/signatures/ty.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const FULL = 'error[missing-argument]: No argument provided for required parameter `context` of function `capture`\n   --> src/app/ingest.py:494:25\n    |\n494 |     capture(\n    |     ^^^^^^^^\n    |\n\nFound 1 diagnostic\n'

describe('ty', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['ty check .', 'uvx ty check', 'uv run ty check src']) expect(knowing(line)).toEqual(['ty'])
  })

  it.each([['ty check', true], ['uvx ty check .', true], ['ty --version', true], ['ty check --watch', false], ['ty check --exit-zero', false], ['ty server', false]])('verifies with %s: %s', (line, verifies) => {
    expect(ty.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on its configuration up to the root', () => {
    expect(ty.knows(typed('ty check a.py', 'p'))?.keys).toEqual(['tool:p/ty', 'file:p/pyproject.toml', 'file:p/ty.toml', 'file:pyproject.toml', 'file:ty.toml', 'file:p/a.py'])
  })

  it.each([['passed, in the words of Ruff', 'All checks passed!\n', null], ['failed', FULL, { passed: false }], ['nothing', 'warning: No files\n', null]])('closes: %s', (_, output, summary) => {
    expect(ty.summary(output)).toEqual(summary)
  })

  it('says each finding with its file and rule, without its place', () => {
    const lines = ['src/app/ingest.py: missing-argument No argument provided for required parameter `context` of function `capture`']
    expect(failureOf(ty, 'ty check', FULL)).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(ty, 'ty check', 'src/app/ingest.py:494:25: error[missing-argument] No argument provided for required parameter `context` of function `capture`\nFound 1 diagnostic\n')).toEqual({ class: 'red', lines, keys: [] })
    expect(ty.failure(ended('ty check --bogus', "error: unexpected argument '--bogus' found\n", 2))).toBeNull()
  })
})
