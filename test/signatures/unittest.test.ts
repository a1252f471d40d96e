import { describe, expect, it } from 'vitest'
import unittest from '../../src/signatures/unittest.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `FE.
======================================================================
ERROR: test_b (ut.T.test_b)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/ut.py", line 4, in test_b
    def test_b(self): raise ValueError("bad")
ValueError: bad

======================================================================
FAIL: test_a (ut.T.test_a)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/ut.py", line 3, in test_a
    def test_a(self): self.assertEqual(1, 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 3 tests in 0.001s

FAILED (failures=1, errors=1)
`
const loading = (name: string, thrown: string) => `E
======================================================================
ERROR: ${name} (unittest.loader._FailedTest.${name})
----------------------------------------------------------------------
ImportError: Failed to import test module: ${name}
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/loader.py", line 162, in loadTestsFromName
    module = __import__(module_name)
             ^^^^^^^^^^^^^^^^^^^^^^^
${thrown.includes(': ') ? thrown : `ModuleNotFoundError: No module named '${thrown}'`}


----------------------------------------------------------------------
Ran 1 test in 0.004s

FAILED (errors=1)
`
const LONG = `======================================================================
ERROR: test_own (test_a.A.test_own)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/test_a.py", line 16, in test_own
    raise Trouble()
test_a.A.test_own.<locals>.Trouble

======================================================================
FAIL: test_dict (test_a.A.test_dict)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/test_a.py", line 6, in test_dict
    self.assertEqual({'a': 1, 'b': [1,2]}, {'a': 2, 'b': [1,3]})
AssertionError: {'a': 1, 'b': [1, 2]} != {'a': 2, 'b': [1, 3]}
- {'a': 1, 'b': [1, 2]}
?       ^           ^

+ {'a': 2, 'b': [1, 3]}
?       ^           ^


======================================================================
UNEXPECTED SUCCESS: test_xf (test_a.A.test_xf)
----------------------------------------------------------------------
Ran 9 tests in 0.002s

FAILED (failures=1, errors=1, unexpected successes=1)
`

describe('unittest', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['python -m unittest', 'python3 -m unittest discover -s tests', 'uv run python -m unittest', 'coverage run -m unittest']) expect(knowing(line)).toEqual(['unittest'])
  })

  it.each([
    ['python3 -m unittest', true, ['tool:p/python3']],
    ['python3 -m unittest tests/test_a.py', true, ['tool:p/python3', 'exists:p/tests/test_a.py']],
    ['python3 -m unittest -v tests.test_a.TestA.test_b', true, ['tool:p/python3', 'exists:p/tests/test_a.py', 'exists:p/tests/test_a/__init__.py']],
    ['python3 -m unittest tests.x', true, ['tool:p/python3', 'exists:p/tests.py', 'exists:p/tests/__init__.py', 'exists:p/tests/x.py', 'exists:p/tests/x/__init__.py']],
    ['python3 -m unittest discover -s tests/unit -p test_*.py', true, ['tool:p/python3', 'exists:p/tests/unit']],
    ['python3 -m unittest discover tests', true, ['tool:p/python3', 'exists:p/tests']],
    ['python3 -m unittest --help', false, ['tool:p/python3']],
  ])('verifies with %s: %s', (line, verifies, keys) => {
    expect(unittest.knows(typed(line, 'p'))).toEqual({ verifies, readsSources: true, delegates: false, keys })
  })

  it.each([
    ['passed', '.\n------\nRan 1 test in 0.000s\n\nOK\n', { passed: true }],
    ['passed, some skipped', 'Ran 5 tests in 0.1s\n\nOK (skipped=1)\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['passed against expectation', LONG, { passed: false }],
    ['none ran', 'Ran 0 tests in 0.000s\n\nOK\n', null],
    ['none ran, newer', 'Ran 0 tests in 0.000s\n\nNO TESTS RAN\n', null],
    ['all skipped', 'Ran 2 tests in 0.1s\n\nOK (skipped=2)\n', null],
    ['cut short', 'Ran 5 tests in 0.1s\n', null],
    ['an OK of another', 'OK\n', null],
    ['an earlier run too', `${RED}Ran 1 test in 0.000s\n\nOK\n`, null],
  ])('closes: %s', (_, output, summary) => {
    expect(unittest.summary(output)).toEqual(summary)
  })

  it('names failed tests with their exceptions, sorted', () => {
    expect(failureOf(unittest, 'python3 -m unittest', RED)).toEqual({ class: 'red', lines: ['ERROR: test_b (ut.T.test_b)', 'ValueError: bad', 'FAIL: test_a (ut.T.test_a)', 'AssertionError: 1 != 2'], keys: [] })
  })

  it('reads exceptions of any name, where long values differ, and what passed against expectation', () => {
    expect(failureOf(unittest, 'python3 -m unittest', LONG).lines).toEqual([
      'ERROR: test_own (test_a.A.test_own)', 'test_a.A.test_own.<locals>.Trouble',
      'FAIL: test_dict (test_a.A.test_dict)', "AssertionError: {'a': 1, 'b': [1, 2]} != {'a': 2, 'b': [1, 3]}", "- {'a': 1, 'b': [1, 2]}", "+ {'a': 2, 'b': [1, 3]}",
      'UNEXPECTED SUCCESS: test_xf (test_a.A.test_xf)',
    ])
  })

  it.each([
    ['python3 -m unittest nope', loading('nope', 'nope'), 'path-missing', ['absent:p/nope.py', 'absent:p/nope/__init__.py']],
    ['python3 -m unittest pkg.sub.Case', loading('pkg', 'pkg.sub'), 'path-missing', ['absent:p/pkg/sub.py', 'absent:p/pkg/sub/__init__.py']],
    ['python3 -m unittest test_a', loading('test_a', 'requests'), null, []],
    ['python3 -m unittest', loading('test_a', 'test_a'), null, []],
    ['python3 -m unittest', loading('test_a', "ImportError: cannot import name 'discount' from 'shop.cart' (/repo/shop/cart.py)"), 'red', []],
    ['python3 -m unittest', loading('test_a', "AttributeError: module 'shop' has no attribute 'discount'"), 'red', []],
    ['python3 -m unittest', loading('test_a', 'IndentationError: unexpected indent'), 'red', []],
    ['python3 -m unittest', loading('test_a', "ImportError: cannot import name 'x' from 'requests' (/repo/.venv/lib/python3.11/site-packages/requests/__init__.py)"), null, []],
    ['python3 -m unittest', loading('test_a', 'ImportError: libssl.so.1.1: cannot open shared object file: No such file or directory'), null, []],
    ['python3 -m unittest discover -s nope', "Traceback (most recent call last):\n  File \"x\", line 1, in y\nImportError: Start directory is not importable: 'nope'\n", 'path-missing', ['absent:p/nope']],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(unittest, line, output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('passes over the network, and says nothing without its rules', () => {
    expect(unittest.failure(ended('python3 -m unittest', RED.replace(/=+\nFAIL[^]*?(?=-{60,}\nRan)/, '').replace('ValueError: bad', 'ConnectionRefusedError: [Errno 111] Connection refused')))).toBe('transient')
    expect(unittest.failure(ended('npm test', 'FAIL: test_a (ut.T.test_a)\nAssertionError: 1 != 2\n'))).toBeNull()
  })

  it('gives one signature under another path and line', () => {
    expect(settled(failureOf(unittest, 'python3 -m unittest', RED.replaceAll('/repo', '/home/x').replaceAll('line 3', 'line 30')))).toEqual(settled(failureOf(unittest, 'python3 -m unittest', RED)))
  })
})
