import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import { absentPath, closing, failed, isPassing, lasting, npmPackage, packageKeys, passes, telling } from '../../src/model/ending.ts'

const linesOf = (failure: ReturnType<typeof failed>): readonly string[] => (failure === null || failure === 'transient' ? [] : failure.lines)
const ending = (output: string, code: number | null = 1, line = 'tool run') => ({ command: commandOf(line.split(' ')), code, output })

describe('a failure', () => {
  it('says each line once, with single spaces, bounded in number and length', () => {
    const failure = failed(ending(''), 'red', ['  a   b ', 'a b', '', ...Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(400)}`)])
    expect(failure).toMatchObject({ class: 'red', keys: [] })
    const lines = linesOf(failure)
    expect(lines[0]).toBe('a b')
    expect(lines.length).toBeLessThanOrEqual(12)
    expect(Math.max(...lines.map((line) => line.length))).toBe(300)
    expect(lines.join('').length).toBeLessThanOrEqual(1700)
  })

  it('is nothing without a line, and cuts no character in two', () => {
    expect(failed(ending(''), 'red', ['', '  '])).toBeNull()
    expect(linesOf(failed(ending(''), 'red', [`${'x'.repeat(299)}😀`]))[0]?.isWellFormed()).toBe(true)
  })

  it('passes with its command, whatever the lines say', () => {
    expect(failed(ending('', 137), 'red', ['FAIL a'])).toBe('transient')
  })
})

describe('what befell a command passes', () => {
  it.each([124, 130, 134, 137, 139, 143, -9])('with status %i', (code) => {
    expect(passes(ending('', code))).toBe(true)
  })

  it.each([1, 2, 101, 126, 127, 128, 129, 254, 255, null])('not with status %s alone', (code) => {
    expect(passes(ending('', code))).toBe(false)
  })

  it.each([
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    '    FetchError: request to https://api.example/x failed, reason: getaddrinfo ENOTFOUND api.example',
    'Error: getaddrinfo EAI_AGAIN api.example',
    "  code: 'ECONNRESET',",
    'npm error code ETIMEDOUT',
    'npm error network request to https://registry.example/x failed',
    'curl: (6) Could not resolve host: api.example',
    "fatal: unable to access 'https://git.example/r.git/': Could not resolve host: git.example",
    'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502',
    'ssh: connect to host git.example port 22: Connection timed out',
    'requests.exceptions.ConnectionError: HTTPSConnectionPool',
    'E   ConnectionRefusedError: [Errno 111] Connection refused',
    '    client_test.go:9: dial tcp 127.0.0.1:80: connect: connection refused',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'RangeError: Array buffer: JavaScript heap out of memory',
    'MemoryError',
    'Killed',
    'bash: line 1: 12345 Killed                  node x.js',
    'make: *** [Makefile:19: sig] Killed',
    'panic: test timed out after 10m0s',
    'cp: error writing b: No space left on device',
    'Error: ENOSPC: no space left on device, write',
    'OSError: [Errno 28] No space left on device',
    'touch: cannot touch x: Read-only file system',
    'Error: listen EPERM: operation not permitted 127.0.0.1:80',
    'HTTP 429: Too Many Requests',
    'gh: API rate limit exceeded for user',
    "error: process didn't exit successfully: `target/debug/x` (signal: 9, SIGKILL: kill)",
    'c++: fatal error: Killed signal terminated program cc1plus',
  ])('as the tool says: %s', (line) => {
    expect(isPassing(line)).toBe(true)
    expect(passes(ending(`some output\n${line}\n`))).toBe(true)
  })

  it.each([
    "AssertionError: expected 'ok' to equal 'ETIMEDOUT'",
    '    Expected: "connect ECONNREFUSED 127.0.0.1:1"',
    "    expect(received).toBe('rate limit exceeded')",
    ' ✓ retries on ECONNRESET 3ms',
    ' ✓ kills the child on SIGTERM 5ms',
    'ok 3 - reports a timeout',
    'test net::timeout_is_error ... ok',
    'src/a.ts: error TS2322: ENOTFOUND',
    'Error: the disk quota is wrong',
  ])('not because a text holds the word: %s', (line) => {
    expect(isPassing(line)).toBe(false)
  })

  it('only in its last words', () => {
    expect(passes(ending(`Error: connect ECONNREFUSED 127.0.0.1:1\n${'later\n'.repeat(40)}`))).toBe(false)
  })

  it('where all failed tests only ran into it', () => {
    expect(lasting([['FAIL a', 'Error: Test timed out in 50ms.']])).toBe('transient')
    expect(lasting([['FAIL a', 'Error: Test timed out in 50ms.'], ['FAIL b', 'boom']])).toEqual(['FAIL b', 'boom'])
    expect(lasting([])).toEqual([])
  })
})

describe('an output', () => {
  it('closes with its last lines that are not blank', () => {
    expect(closing('a\n\nb\n \nc\n\n', 2)).toEqual(['b', 'c'])
    expect(closing('', 3)).toEqual([])
  })

  it('tells of a failure by its error lines, else by its last words', () => {
    expect(telling('ok\nError: boom\n    at x (a.js:1:1)\nbye\n')).toEqual(['Error: boom'])
    expect(telling('one\nmismatch in b\n')).toEqual(['mismatch in b'])
    expect(telling('cp: cannot stat x: No such file or directory\n/usr/bin/tar: x: Cannot open: gone\nhint: cannot is a word\nbye\n')).toEqual(['cp: cannot stat x: No such file or directory', '/usr/bin/tar: x: Cannot open: gone'])
    expect(telling('> app@1.0.0 test\n> x\n')).toEqual([])
  })

  it('is read in linear time, however hostile', () => {
    const started = performance.now()
    for (const text of ['E'.repeat(100_000), ' '.repeat(100_000), 'a: '.repeat(40_000), `${'Error'.repeat(20_000)}\n`.repeat(3), '\n'.repeat(100_000)]) passes(ending(text))
    expect(performance.now() - started).toBeLessThan(1500)
  })
})

describe('an npm package', () => {
  it.each([
    ['lodash', 'lodash'], ['lodash/fp', 'lodash'], ['@a/b/c', '@a/b'], ['./x', null], ['../x', null], ['/x', null], ['node:fs', null],
    ['@/components/x', null], ['~/x', null], ['#x', null], ['src/x', null], ['virtual:x', null], ['fs/promises', null], ['', null],
  ])('is named by %s as %s', (specifier, name) => {
    expect(npmPackage(specifier)).toBe(name)
  })

  it('is missed from the lockfile and from the folders above', () => {
    expect(packageKeys('p/a', 'lodash')).toEqual(['lock:npm/lodash', 'absent:p/a/node_modules/lodash', 'absent:p/node_modules/lodash', 'absent:node_modules/lodash'])
  })
})

describe('a path that is missed', () => {
  it('is one that the command names', () => {
    expect(absentPath(ending('', 1, 'node nope.js'), '/repo/nope.js')).toEqual(['absent:nope.js'])
    expect(absentPath(ending('', 1, 'tsc --project=conf/x.json'), '/repo/conf/x.json')).toEqual(['absent:conf/x.json'])
    expect(absentPath(ending('', 1, 'node nope.js'), '/repo/else.js')).toEqual([])
    expect(absentPath(ending('', 1, 'cat /etc/x'), '/etc/x')).toEqual([])
  })
})
