import { describe, expect, it } from 'vitest'
import pytest from '../../src/signatures/pytest.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0
rootdir: /repo
collected 4 items

tests/test_a.py .FFs                                                     [100%]

=================================== FAILURES ===================================
___________________________________ test_bad ___________________________________

>       assert x == 1, "x is wrong"
E       AssertionError: x is wrong
E       assert 2 == 1

tests/test_a.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_bad - AssertionError: x is wrong
FAILED tests/test_a.py::TestK::test_key - KeyError: 'name'
==================== 2 failed, 1 passed, 1 skipped in 0.83s ====================
`

const UNIMPORTABLE = `==================================== ERRORS ====================================
_______________________ ERROR collecting tests/test_c.py _______________________
ImportError while importing test module '/repo/tests/test_c.py'.
tests/test_c.py:1: in <module>
    import nopemod
E   ModuleNotFoundError: No module named 'nopemod'
=========================== short test summary info ============================
ERROR tests/test_c.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.80s
`

describe('pytest', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['pytest -q', 'python3 -m pytest tests', 'uv run pytest', 'poetry run pytest -x', 'coverage run -m pytest']) expect(knowing(line)).toEqual(['pytest'])
    expect(pytest.knows(typed('python3 -m unittest'))).toBeNull()
  })

  it.each([
    ['pytest tests/test_a.py::test_x', ['tool:p/pytest', 'file:p/pytest.ini', 'file:pyproject.toml', 'file:p/conftest.py', 'exists:p/tests/test_a.py']],
    ['pytest -k adds tests/unit -c ci.ini', ['tool:p/pytest', 'file:p/ci.ini', 'exists:p/tests/unit']],
    ['python3 -m pytest', ['tool:p/python3', 'file:p/tox.ini']],
    ['uv run pytest', ['tool:p/uv', 'file:p/uv.lock', 'file:uv.lock']],
  ])('rests on its configuration up to the root: %s', (line, keys) => {
    expect(pytest.knows(typed(line, 'p'))?.keys).toEqual(expect.arrayContaining(keys))
  })

  it.each([['pytest', true], ['pytest --version', true], ['pytest --collect-only', false], ['pytest --fixtures', false], ['pytest --snapshot-update', false]])('verifies with %s: %s', (line, verifies) => {
    expect(pytest.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['passed', '============================== 1 passed in 0.67s ===============================\n', { passed: true }],
    ['passed, quietly', '.                                                                        [100%]\n1 passed in 0.66s\n', { passed: true }],
    ['passed after a minute', '12 passed, 3 warnings in 75.02s (0:01:15)\n', { passed: true }],
    ['expected to fail', '1 xfailed, 2 passed in 0.1s\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['unimportable', UNIMPORTABLE, { passed: false }],
    ['too little covered', 'FAIL Required test coverage of 90% not reached. Total coverage: 50.00%\n=== 3 passed in 0.1s ===\n', { passed: false }],
    ['interrupted by hand', '!!!!!!!!!! KeyboardInterrupt !!!!!!!!!!\n1 passed in 0.2s\n', null],
    ['nothing ran', '============================ no tests ran in 0.69s =============================\n', null],
    ['nothing selected', '============================ 1 deselected in 0.68s =============================\n', null],
    ['all skipped', '3 skipped in 0.01s\n', null],
    ['dots alone', '.                                                                        [100%]\n', null],
    ['quoted in a sentence', 'it said 12 passed in 0.5s yesterday\n', null],
    ['quoted long before the end', `1 passed in 0.66s\n${'x\n'.repeat(50)}`, null],
    ['an earlier run too', `${RED}1 passed in 0.66s\n`, null],
  ])('closes: %s', (_, output, summary) => {
    expect(pytest.summary(output)).toEqual(summary)
  })

  it('names failed tests with their errors, sorted', () => {
    expect(failureOf(pytest, 'pytest', RED)).toEqual({ class: 'red', lines: ["FAILED tests/test_a.py::TestK::test_key - KeyError: 'name'", 'FAILED tests/test_a.py::test_bad', 'AssertionError: x is wrong assert 2 == 1'], keys: [] })
  })

  it('names what was thrown where there is no summary', () => {
    expect(failureOf(pytest, 'pytest --no-summary', 'E       AssertionError: x is wrong\nE       assert 2 == 1\n\n=== 1 failed in 0.1s ===\n').lines).toEqual(['AssertionError: x is wrong', 'assert 2 == 1'])
  })

  it('does not classify a module that is missing, since no key sees installed packages', () => {
    expect(failureOf(pytest, 'pytest', UNIMPORTABLE, 2)).toEqual({ class: null, lines: ["ModuleNotFoundError: No module named 'nopemod'"], keys: [] })
  })

  it.each([
    ["ImportError: cannot import name 'discount' from 'shop.cart' (/repo/shop/cart.py)", 'red'],
    ['IndentationError: unexpected indent', 'red'],
    ["AttributeError: module 'shop' has no attribute 'discount'", 'red'],
    ["ImportError: cannot import name 'x' from 'requests' (/usr/lib/python3/dist-packages/requests/__init__.py)", null],
  ])('tells a fault of the repository from one of what is installed, at collection: %s', (thrown, kind) => {
    expect(failureOf(pytest, 'pytest', UNIMPORTABLE.replace("ModuleNotFoundError: No module named 'nopemod'", thrown), 2)).toMatchObject({ class: kind, keys: [] })
  })

  it('misses a file that the command names', () => {
    expect(failureOf(pytest, 'pytest -v nope/', 'collecting ... ERROR: file or directory not found: nope/\n\ncollected 0 items\n', 4, 'p')).toMatchObject({ class: 'path-missing', keys: ['absent:p/nope'], lines: ['ERROR: file or directory not found: nope/'] })
    expect(() => failureOf(pytest, 'pytest -v nope/', 'collecting ... said: ERROR: file or directory not found: nope/\n', 4, 'p')).toThrow('no failure but null')
    expect(failureOf(pytest, 'pytest nope.py', 'ERROR: file or directory not found: nope.py\n\n', 4, 'p')).toMatchObject({ class: 'path-missing', keys: ['absent:p/nope.py'] })
  })

  it('leaves unknown options to the fallback, and other words alone', () => {
    expect(pytest.failure(ended('pytest --foo', 'ERROR: usage: pytest [options] [file_or_dir]\npytest: error: unrecognized arguments: --foo\n', 4))).toBeNull()
    expect(pytest.failure(ended('pytest', 'FAILED to read the log\n'))).toBeNull()
  })

  it('passes over time-outs', () => {
    expect(pytest.failure(ended('pytest', '=========================== short test summary info ============================\nFAILED tests/test_a.py::test_x - Failed: Timeout >1.0s\n1 failed in 1.1s\n'))).toBe('transient')
  })

  it('gives one signature under another path and time', () => {
    const again = RED.replaceAll('/repo', '/home/dev/x').replaceAll('test_a.py:5', 'test_a.py:50').replace('0.83s', '9.1s')
    expect(settled(failureOf(pytest, 'pytest', again))).toEqual(settled(failureOf(pytest, 'pytest', RED)))
  })
})
