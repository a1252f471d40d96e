import { describe, expect, it } from 'vitest'
import python from '../../src/signatures/python.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const thrown = (words: string) => `Traceback (most recent call last):\n  File "/repo/j.py", line 1, in <module>\n    import json; json.loads("{")\n${words}\n`

describe('python', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['python3 x.py', 'python3 -m mypkg.tool', 'uv run x.py']) expect(knowing(line)).toEqual(['python'])
    for (const line of ['pytest', 'python3 -m pytest', 'python3 -m unittest', 'python3 -m pip install x']) expect(python.knows(typed(line))).toBeNull()
  })

  it.each([
    ['python3 -m doctest lib.py', true, ['tool:p/python3', 'file:p/lib.py']],
    ['python3 --version', true, ['tool:p/python3']],
    ['uv run --active python -m compileall -q src', true, ['tool:p/uv', 'file:p/pyproject.toml', 'file:p/uv.lock', 'file:pyproject.toml', 'file:uv.lock']],
    ['uv run python x.py', false, ['tool:p/uv', 'file:p/pyproject.toml', 'file:p/uv.lock', 'file:pyproject.toml', 'file:uv.lock', 'file:p/x.py']],
    ['python3 run_tests.py', true, ['tool:p/python3', 'file:p/run_tests.py']],
    ['python3 manage.py test', true, ['tool:p/python3', 'file:p/manage.py']],
    ['python3 manage.py migrate', false, ['tool:p/python3', 'file:p/manage.py']],
    ['python3 tools/x.py data.json', false, ['tool:p/python3', 'file:p/tools/x.py', 'file:p/data.json']],
    ['python3 -c pass', false, ['tool:p/python3']],
    ['python3 -m http.server', false, ['tool:p/python3']],
  ])('verifies with %s: %s', (line, verifies, keys) => {
    expect(python.knows(typed(line, 'p'))).toMatchObject({ verifies, keys })
  })

  it.each([['run_tests.py', true], ['manage.py test', true], ['tests/sums.py', true], ['manage.py migrate', false], ['tools/x.py', false]])('hands over to a test runner in %s: %s', (words, delegates) => {
    expect(python.knows(typed(`python3 ${words}`))?.delegates).toBe(delegates)
  })

  it('has no closing lines of its own', () => {
    expect(python.summary()).toBeNull()
  })

  it('says which exception ended the program, and where that lies', () => {
    expect(failureOf(python, 'python3 j.py', thrown('ValueError: bad'))).toEqual({ class: 'red', lines: ['File "/repo/j.py", in <module>', 'ValueError: bad'], keys: [] })
    expect(failureOf(python, 'python3 j.py', thrown('mypkg.errors.Calamity')).lines).toEqual(['File "/repo/j.py", in <module>', 'mypkg.errors.Calamity'])
    const deep = thrown('json.decoder.JSONDecodeError: Expecting value').replace('\njson.', '\n  File "/usr/lib/python3.11/json/decoder.py", line 353, in raw_decode\n    raise\njson.')
    expect(failureOf(python, 'python3 j.py', deep).lines).toEqual(['File "/repo/j.py", in <module>', 'json.decoder.JSONDecodeError: Expecting value'])
  })

  it.each([
    ['python3 j.py', thrown('json.decoder.JSONDecodeError: Expecting value: line 1 column 2 (char 1)'), 'red', []],
    ['python3 s.py', '  File "/repo/s.py", line 1\n    def f(: pass\n          ^\nSyntaxError: invalid syntax\n', 'red', []],
    ['python3 j.py', thrown("ModuleNotFoundError: No module named 'nopemod'"), null, []],
    ['python3 j.py', thrown("ImportError: cannot import name 'discount' from 'shop.cart' (/repo/shop/cart.py)"), 'red', []],
    ['python3 j.py', thrown("ImportError: cannot import name 'foo' from 'json' (/usr/lib/python3.11/json/__init__.py)"), null, []],
    ['python3 -m nope', '/usr/bin/python3: No module named nope\n', null, []],
    ['python3 j.py', thrown("PermissionError: [Errno 13] Permission denied: '/srv/x'"), 'denied', ['privilege']],
    ['python3 j.py', thrown("FileNotFoundError: [Errno 2] No such file or directory: 'conf/x.json'"), 'red', ['absent:p/conf/x.json']],
    ['python3 nope.py', "/usr/bin/python3: can't open file '/repo/p/nope.py': [Errno 2] No such file or directory\n", 'path-missing', ['absent:p/nope.py']],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(python, line, output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('says in which file the syntax is wrong', () => {
    expect(failureOf(python, 'python3 s.py', '  File "/repo/s.py", line 1\n    def f(: pass\n          ^\nSyntaxError: invalid syntax\n').lines).toEqual(['File "/repo/s.py"', 'SyntaxError: invalid syntax'])
  })

  it('passes over the network', () => {
    expect(python.failure(ended('python3 j.py', thrown('requests.exceptions.ConnectionError: HTTPSConnectionPool(host=x)')))).toBe('transient')
  })

  it('finds no failure in a log that it printed', () => {
    expect(python.failure(ended('python3 j.py', 'ValueError: quoted\n'))).toBeNull()
    expect(python.failure(ended('python3 j.py', `${thrown('ValueError: caught')}then\nwent\non\nfine\n`))).toBeNull()
  })

  it('gives one signature under another path and line', () => {
    const output = thrown('ValueError: bad')
    expect(settled(failureOf(python, 'python3 j.py', output.replaceAll('/repo', '/home/x').replaceAll('line 1', 'line 30')))).toEqual(settled(failureOf(python, 'python3 j.py', output)))
  })
})
