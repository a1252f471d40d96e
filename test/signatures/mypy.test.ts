import { describe, expect, it } from 'vitest'
import mypy from '../../src/signatures/mypy.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const RED = 'src/b.py:3: error: Incompatible return value type (got "str", expected "int")  [return-value]\nsrc/a.py:12:5: error: Name "x" is not defined  [name-defined]\nsrc/a.py:13: note: See https://mypy.example/x\nFound 2 errors in 2 files (checked 5 source files)\n'
const missing = 'a.py:1: error: Cannot find implementation or library stub for module named "nope"  [import-not-found]\n'

describe('mypy', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['mypy .', 'python3 -m mypy src', 'uv run mypy src', 'poetry run mypy']) expect(knowing(line)).toEqual(['mypy'])
  })

  it.each([
    ['mypy src/a.py', true, ['tool:p/mypy', 'file:p/mypy.ini', 'file:p/.mypy.ini', 'file:p/pyproject.toml', 'file:p/setup.cfg', 'file:p/src/a.py']],
    ['mypy --config-file ci.ini src', true, ['tool:p/mypy', 'file:p/ci.ini']],
    ['mypy --install-types', false, ['tool:p/mypy', 'file:p/mypy.ini', 'file:p/.mypy.ini', 'file:p/pyproject.toml', 'file:p/setup.cfg']],
  ])('verifies with %s: %s', (line, verifies, keys) => {
    expect(mypy.knows(typed(line, 'p'))).toMatchObject({ verifies, delegates: false, keys })
  })

  it.each([['passed', 'Success: no issues found in 3 source files\n', { passed: true }], ['failed', RED, { passed: false }], ['cut short', 'a.py:1: error: x  [y]\n', null], ['went on', 'Success: no issues found in 1 source file\nmore\n', null]])('closes: %s', (_, output, summary) => {
    expect(mypy.summary(output)).toEqual(summary)
  })

  it('says each error with its file, sorted, without its line', () => {
    const lines = ['src/a.py: error: Name "x" is not defined [name-defined]', 'src/b.py: error: Incompatible return value type (got "str", expected "int") [return-value]']
    expect(failureOf(mypy, 'mypy src', RED)).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(mypy, 'mypy src', RED.replace(':3:', ':33:').replace(':12:5:', ':1:')).lines).toEqual(lines)
  })

  it.each([
    ['mypy nope.py', "mypy: can't read file 'nope.py': No such file or directory\n", 'path-missing', ['absent:p/nope.py']],
    ['mypy --config-file nope.ini .', "mypy: error: Cannot find config file 'nope.ini'\n", 'path-missing', ['absent:p/nope.ini']],
    ['mypy a.py', missing, null, []],
    ['mypy a.py', missing + RED, 'red', []],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(mypy, line, output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('leaves unknown options to the fallback', () => {
    expect(mypy.failure(ended('mypy --bogus', 'usage: mypy [-h] [-v]\nmypy: error: unrecognized arguments: --bogus\n', 2))).toBeNull()
  })
})
