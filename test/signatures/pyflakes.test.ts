import { describe, expect, it } from 'vitest'
import pyflakes from '../../src/signatures/pyflakes.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe('pyflakes', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['pyflakes src', '.venv/bin/python -m pyflakes src tests', 'flake8', 'uv run flake8 src']) expect(knowing(line)).toEqual(['pyflakes'])
  })

  it.each([
    ['pyflakes src', true, ['tool:pyflakes', 'exists:src']],
    ['flake8 --config ci.cfg src', true, ['tool:flake8', 'file:ci.cfg', 'exists:src']],
    ['flake8', true, ['tool:flake8', 'file:.flake8', 'file:setup.cfg', 'file:tox.ini']],
    // Without a path it waits for a text.
    ['pyflakes', false, ['tool:pyflakes']],
    ['flake8 --exit-zero', false, ['tool:flake8', 'file:.flake8', 'file:setup.cfg', 'file:tox.ini']],
    ['pyflakes --version', true, ['tool:pyflakes']],
  ])('verifies with %s: %s', (line, verifies, keys) => {
    expect(pyflakes.knows(typed(line))).toMatchObject({ verifies, delegates: false, keys })
  })

  it('closes with no words: silence is nobody\'s', () => {
    expect(pyflakes.summary()).toBeNull()
  })

  it('says each finding with its file, sorted, without its place', () => {
    const red = "src/b.py:4:1: 'os' imported but unused\nsrc/a.py:12:5: undefined name 'x'\n"
    const lines = ["src/a.py: undefined name 'x'", "src/b.py: 'os' imported but unused"]
    expect(failureOf(pyflakes, 'pyflakes src', red)).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(pyflakes, 'pyflakes src', red.replace(':4:1:', ':40:').replace(':12:5:', ':1:2:')).lines).toEqual(lines)
    expect(failureOf(pyflakes, 'flake8', "a.py:1:1: F401 'os' imported but unused\n").lines).toEqual(["a.py: F401 'os' imported but unused"])
  })

  it('finds none in other words', () => {
    expect(pyflakes.failure(ended('pyflakes nope.py', 'nope.py: No such file or directory\n'))).toBeNull()
  })
})
