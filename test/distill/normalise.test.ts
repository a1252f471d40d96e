import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rootRelative, signatureOf } from '../../src/distill/normalise.ts'
import { screen } from '../../src/distill/screen.ts'
import { ephemera } from '../../src/ephemera.ts'
import type { SessionWorld } from '../../src/model/ephemeron.ts'

const HERE: SessionWorld = { session: 'session-7f3a', root: '/home/anna/clockwork' }
const THERE: SessionWorld = { session: 'session-90cc', root: '/tmp/build-8xk2/checkout' }
const WINDOWS: SessionWorld = { session: 'session-1111', root: 'C:\\Users\\bob\\clockwork' }

const signed = async (text: string, session: SessionWorld = HERE): Promise<string | null> => (await signatureOf(text.split('\n'), session, ephemera))?.signature ?? null

/** One fault, twice: as it was seen here, and as it was seen elsewhere. */
const SAME: readonly (readonly [string, string, string])[] = [
  ['tsc', "src/index.ts(12,5): error TS2304: Cannot find name 'foo'.", "src/index.ts(99,1): error TS2304: Cannot find name 'foo'."],
  ['tsc, absolute', "/home/anna/clockwork/src/index.ts:12:5 - error TS2304: Cannot find name 'foo'.", "/tmp/build-8xk2/checkout/src/index.ts:7:1 - error TS2304: Cannot find name 'foo'."],
  ['tsc, pretty', "\x1b[96msrc/index.ts\x1b[0m:\x1b[93m12\x1b[0m:\x1b[93m5\x1b[0m - \x1b[91merror\x1b[0m TS2304: Cannot find name 'foo'.", "src/index.ts:3:9 - error TS2304: Cannot find name 'foo'."],
  ['tsc, count', 'Found 2 errors in the same file, starting at: src/index.ts:12', 'Found 3 errors in the same file, starting at: src/index.ts:8'],
  ['pytest', 'FAILED tests/test_a.py::test_adds - assert 1 == 2\n=== 1 failed, 12 passed in 0.35s ===', 'FAILED tests/test_a.py::test_adds - assert 1 == 2\n=== 1 failed, 14 passed in 1.02s ==='],
  ['pytest, location', 'tests/test_a.py:12: AssertionError', 'tests/test_a.py:98: AssertionError'],
  ['pytest, traceback', 'File "/home/anna/clockwork/src/a.py", line 12, in add', 'File "/tmp/build-8xk2/checkout/src/a.py", line 40, in add'],
  ['pytest, object', 'E   AssertionError: <Foo object at 0x7f3a1b2c3d40> is None', 'E   AssertionError: <Foo object at 0x7f9900aa1230> is None'],
  ['pytest, temporary', "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pytest-of-anna/pytest-0/test_x0/settings.json'", "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/pytest-of-bob/pytest-31/test_x0/settings.json'"],
  ['cargo', 'error[E0308]: mismatched types\n  --> src/main.rs:4:9\n   |\n4  |     let x: i32 = "a";', 'error[E0308]: mismatched types\n  --> src/main.rs:40:9\n   |\n40 |     let x: i32 = "a";'],
  ['cargo, summary', 'error: could not compile `my_crate` (lib) due to 2 previous errors', 'error: could not compile `my_crate` (lib) due to 3 previous errors'],
  ['cargo, test', "thread 'tests::adds' panicked at src/lib.rs:12:9:", "thread 'tests::adds' panicked at src/lib.rs:55:9:"],
  ['cargo, result', 'test result: FAILED. 3 passed; 1 failed; finished in 0.00s', 'test result: FAILED. 5 passed; 1 failed; finished in 0.12s'],
  ['npm', 'npm error A complete log of this run can be found in: /home/anna/.npm/_logs/2026-06-01T10_22_31_123Z-debug-0.log', 'npm error A complete log of this run can be found in: /Users/bob/.npm/_logs/2026-07-09T01_02_03_004Z-debug-0.log'],
  ['npm, path', 'npm error path /home/anna/clockwork/package.json', 'npm error path /tmp/build-8xk2/checkout/package.json'],
  ['node', 'node:internal/modules/cjs/loader:1080\n  throw err;\nError: Cannot find module \'left-pad\'\nRequire stack:\n- /home/anna/clockwork/src/a.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1080:15)', 'node:internal/modules/cjs/loader:1080\n  throw err;\nError: Cannot find module \'left-pad\'\nRequire stack:\n- /tmp/build-8xk2/checkout/src/a.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1234:12)'],
  ['node, module URL', "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/anna/clockwork/dist/a.js' imported from file:///home/anna/clockwork/src/b.js", "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/build-8xk2/checkout/dist/a.js' imported from file:///tmp/build-8xk2/checkout/src/b.js"],
  ['node, warning', '(node:1234) Warning: x is deprecated', '(node:99) Warning: x is deprecated'],
  ['node, port', 'Error: listen EADDRINUSE: address already in use :::49200', 'Error: listen EADDRINUSE: address already in use :::50111'],
  ['node --test', 'not ok 3 - adds\n  duration_ms: 12.5\n# tests 12\n# fail 1', 'not ok 5 - adds\n  duration_ms: 0.8\n# tests 14\n# fail 1'],
  ['jest', 'FAIL test/a.test.ts (5.2 s)\n  ● adds › two numbers\n    > 12 |   expect(add(1)).toBe(2)\n      at Object.<anonymous> (test/a.test.ts:12:20)\nTests: 1 failed, 3 passed, 4 total\nTime: 2.1 s', 'FAIL test/a.test.ts (3.9 s)\n  ● adds › two numbers\n    > 40 |   expect(add(1)).toBe(2)\n      at Object.<anonymous> (test/a.test.ts:40:20)\nTests: 1 failed, 5 passed, 6 total\nTime: 9 s'],
  ['vitest', ' FAIL  test/a.test.ts > adds > two numbers\nAssertionError: expected 1 to be 2\n ❯ test/a.test.ts:12:20\n Tests  1 failed | 3 passed (4)\n Duration  351ms', ' FAIL  test/a.test.ts > adds > two numbers\nAssertionError: expected 1 to be 2\n ❯ test/a.test.ts:90:20\n Tests  1 failed | 9 passed (10)\n Duration  1.20s'],
  ['eslint', '/home/anna/clockwork/src/a.ts\n  12:5  error  \'x\' is never used  no-unused-vars\n✖ 1 problem (1 error, 0 warnings)', '/tmp/build-8xk2/checkout/src/a.ts\n  80:1  error  \'x\' is never used  no-unused-vars\n✖ 1 problem (1 error, 0 warnings)'],
  ['go', '--- FAIL: TestAdds (0.00s)\n    a_test.go:12: got 1, want 2\nFAIL\tacme.dev/a\t0.012s', '--- FAIL: TestAdds (0.03s)\n    a_test.go:31: got 1, want 2\nFAIL\tacme.dev/a\t0.090s'],
  ['go, panic', 'panic: boom [recovered]\ngoroutine 7 [running]:\nmain.run(0xc000012345)\n\t/home/anna/clockwork/main.go:12 +0x1d', 'panic: boom [recovered]\ngoroutine 7 [running]:\nmain.run(0xc0000fff45)\n\t/tmp/build-8xk2/checkout/main.go:44 +0x3a'],
  ['a UUID', 'run 1b2c3d4e-0000-4000-8000-00000000abcd failed', 'run 99999999-1111-4222-8333-444444444444 failed'],
  ['a session', 'log of session-7f3a is gone', 'log of session-90cc is gone'],
  ['a process', 'pid 1234 was killed', 'pid 99 was killed'],
  ['an installation', 'at /usr/lib/node_modules/npm/lib/cli.js:12:3', 'at /opt/node/lib/node_modules/npm/lib/cli.js:12:3'],
  ['a time', '[10:22:31] build failed at 2026-06-01T10:22:31Z', '[01:02:03] build failed at 2027-01-02T03:04:05Z'],
  ['a container', 'root@3f2a1b4c5d6e: no such file', 'root@99aa88bb77cc: no such file'],
  ['a progress line', '\r 10% building\r 90% building\rbuild failed', 'build failed'],
  ['repeated lines', 'a is broken\na is broken\n\nb is broken', 'a is broken\nb is broken\na is broken'],
  ['white space', '  a   is\tbroken  ', 'a is broken'],
]

/** Two faults that look alike. */
const DIFFERENT: readonly (readonly [string, string, string])[] = [
  ['the file', 'src/a.ts(12,5): error TS2304: x', 'src/b.ts(12,5): error TS2304: x'],
  ['the folder', 'src/a/index.ts:1:1 - error', 'src/b/index.ts:1:1 - error'],
  ['a file of the repository, absolute', '/home/anna/clockwork/src/a.ts is missing', '/home/anna/clockwork/lib/a.ts is missing'],
  ['a file elsewhere', '/etc/app/a.conf is missing', '/etc/app/b.conf is missing'],
  ['a package’s file', 'at /opt/node_modules/foo/index.js:1:1', 'at /opt/node_modules/bar/index.js:1:1'],
  ['a file in a home', '/home/anna/.npmrc is missing', '/home/anna/.netrc is missing'],
  ['a temporary file', '/tmp/x1/settings.json is missing', '/tmp/x1/schema.json is missing'],
  ['the error code', 'src/a.ts(12,5): error TS2304: x', 'src/a.ts(12,5): error TS2322: x'],
  ['the error code of rustc', 'error[E0308]: mismatched types', 'error[E0382]: mismatched types'],
  ['the system error', 'Error: ENOENT: a.json', 'Error: EACCES: a.json'],
  ['the exit status', 'exited with code 1', 'exited with code 2'],
  ['the HTTP status', 'GET /users 404', 'GET /users 500'],
  ['a Windows status', 'exited with 0xC0000005', 'exited with 0xC0000409'],
  ['the message', "Cannot find name 'foo'", "Cannot find name 'bar'"],
  ['the test', 'FAILED tests/a.py::test_adds', 'FAILED tests/a.py::test_subtracts'],
  ['the test of jest', '● adds › two numbers', '● adds › three numbers'],
  ['the expected value', 'expected 1 to be 2', 'expected 1 to be 3'],
  ['the expected number', 'expected 2 errors', 'expected 3 errors'],
  ['the module', "Cannot find module 'left-pad'", "Cannot find module 'right-pad'"],
  ['the version', 'requires node 18.1.0', 'requires node 20.1.0'],
  ['the wanted version', 'peer react@"^17.0.0" from x', 'peer react@"^18.0.0" from x'],
  ['the lasting port', 'connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:6379'],
  ['the host', 'getaddrinfo ENOTFOUND db.acme.dev', 'getaddrinfo ENOTFOUND cache.acme.dev'],
  ['the rule', "1:1 error 'x' is never used no-unused-vars", "1:1 error 'x' is never used no-undef"],
  ['the option', 'unknown option --foo', 'unknown option --bar'],
  ['the limit', 'timeout of 5000ms exceeded', 'timeout of 100ms exceeded'],
  ['the letter case', "Cannot find name 'foo'", "Cannot find name 'Foo'"],
  ['a sign', 'expected + but got -', 'expected - but got +'],
]

describe('a signature', () => {
  it.each(SAME)('is the same for one fault of %s', async (_, here, there) => {
    const signature = await signed(here, HERE)
    expect(signature).not.toBeNull()
    expect(await signed(there, THERE)).toBe(signature)
  })

  it.each(DIFFERENT)('tells faults apart by %s', async (_, one, other) => {
    expect(await signed(one)).not.toBeNull()
    expect(await signed(one)).not.toBe(await signed(other))
  })

  it.each([
    ['src/index.ts(12,5): error TS2304: Cannot find name "foo".', 'src/index.ts(<line>): error TS2304: Cannot find name "foo".'],
    ['/home/anna/clockwork/src/a.ts:12:5', 'src/a.ts:<line>'],
    ['cd /home/anna/clockwork failed', 'cd . failed'],
    ['/home/anna/clockwork-2/src/a.ts is missing', '<home>/clockwork-2/src/a.ts is missing'],
    ['=== 1 failed, 12 passed in 0.35s ===', '=== <count> failed, <count> passed in <duration> ==='],
    ['listen on localhost:49152 by pid 77', 'listen on localhost:<port> by pid <pid>'],
    ['at /usr/lib/node/a.js:1:2', 'at <path>/a.js:<line>'],
    [`token ${'ghp' + '_' + 'a9Zk3Lq7Wm2Xv8Bn5Rt1Yc6Hd4Jf0Gs2Pq8Z'} refused`, 'token <secret> refused'],
  ])('of %j is %j', async (text, signature) => expect(await signed(text)).toBe(signature))

  it('knows the repository by all spellings of its folder', async () => {
    const lines = ['C:\\Users\\bob\\clockwork\\src/a.ts is missing', 'C:/Users/bob/clockwork/src/a.ts is missing', 'c:\\Users\\bob\\clockwork\\src/a.ts is missing', '/c/Users/bob/clockwork/src/a.ts is missing']
    for (const line of lines) expect(await signed(line, WINDOWS)).toBe('src/a.ts is missing')
    expect(await signed('/private/tmp/build-8xk2/checkout/src/a.ts is missing', THERE)).toBe('src/a.ts is missing')
    expect(await signed('/tmp/x/a.ts is missing', { session: 's', root: '/private/tmp/x' })).toBe('a.ts is missing')
  })

  it('counts what it took out, sorted by kind', async () => {
    const { stripped } = (await signatureOf(['pid 77 and pid 78 at 10:22:31', '\x1b[31mred\x1b[0m'], HERE, ephemera)) ?? {}
    expect([...(stripped ?? [])]).toEqual([
      ['ansi', 2],
      ['process-id', 2],
      ['time', 1],
    ])
  })

  it.each([[['']], [[' ', '\t']], [['\x1b[0m']], [[]], [['---']]])('of %j is none', async (lines) => expect(await signatureOf(lines, HERE, ephemera)).toBeNull())

  it('ends with a whole line within 2,000 characters', async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `the file number-${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 40)} is broken`)
    const signature = (await signatureOf(lines, HERE, ephemera))?.signature ?? ''
    expect(signature.length).toBeLessThanOrEqual(2000)
    expect(signature.length).toBeGreaterThan(1900)
    for (const line of signature.split('\n')) expect(lines).toContain(line)
    expect((await signatureOf([`a ${'b'.repeat(5000)}`], HERE, ephemera))?.signature).toBe('a')
    expect((await signatureOf([`${'word '.repeat(1000)}`], HERE, ephemera))?.signature.length).toBeLessThanOrEqual(2000)
  })

  it('says nothing of a lone surrogate, and is well-formed', async () => {
    expect((await signed('a \ud800 b'))?.isWellFormed()).toBe(true)
  })

  it('reads a hostile output in little time', async () => {
    const started = performance.now()
    for (const piece of ['a', '/a', '1:', '\x1b[', 'eyJ', ' ', 'password=', '-----BEGIN PRIVATE' + ' KEY-----\n']) await signatureOf([piece.repeat(500_000)], HERE, ephemera)
    expect(performance.now() - started).toBeLessThan(8000)
  })
})

const piece = fc.oneof(
  fc.constantFrom('/tmp/x1/a.json', '/home/anna/clockwork/src/a.ts:1:2', '/usr/lib/x.so', '~/x', 'pid 77', '10:22:31', '2026-06-01', '1b2c3d4e-0000-4000-8000-00000000abcd', 'localhost:49152', '0x7ffe12345678', '1.2s', '12 passed', '33%', '[3/17]', 'line 12', '(12,5)', '\x1b[31m', '\r', '\n', '  ', '<path>', '<line>', '<', '>', ':', '/', 'TS2304', 'tenant=acme', '--otp 123456', 'password=', 'hunter' + '2', 'C:\\Users\\bob\\x', 'root@3f2a1b4c5d6e'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const output = fc.array(fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')), { maxLength: 8 })

describe('signatures of anything', () => {
  it('are their own signatures, and the same each time', () =>
    fc.assert(
      fc.asyncProperty(output, async (lines) => {
        const first = await signatureOf(lines, HERE, ephemera)
        expect(await signatureOf(lines, HERE, ephemera)).toEqual(first)
        if (first === null) return
        expect((await signatureOf(first.signature.split('\n'), HERE, ephemera))?.signature).toBe(first.signature)
      }),
      { numRuns: 200 },
    ))

  it('hold nothing that ends with the session, and no secret', () =>
    fc.assert(
      fc.asyncProperty(output, async (lines) => {
        const signature = (await signatureOf(lines, HERE, ephemera))?.signature ?? ''
        expect(await screen([{ field: 'signature', text: signature }], HERE, ephemera)).toEqual([])
      }),
      { numRuns: 200 },
    ))

  it('do not depend on the order of the set within a weight', () =>
    fc.assert(
      fc.asyncProperty(output, async (lines) => {
        const shown = await signatureOf(lines, HERE, ephemera)
        const veilsFirst = [...ephemera].sort((a, b) => a.weight.localeCompare(b.weight))
        expect((await signatureOf(lines, HERE, veilsFirst))?.signature).toBe(shown?.signature)
      }),
      { numRuns: 50 },
    ))
})

describe('paths under the repository', () => {
  it.each([
    ['/home/anna/clockwork/src/a.ts', 'src/a.ts'],
    ['cat "/home/anna/clockwork/a b.txt"', 'cat "a b.txt"'],
    ['/home/anna/clockwork', '.'],
    ['/home/anna/clockwork/', './'],
    ['in /home/anna/clockwork.', 'in ..'],
    ['-I/home/anna/clockwork/include', '-Iinclude'],
    ['file:///home/anna/clockwork/a.js', 'a.js'],
    ['/home/anna/clockworks/a', '/home/anna/clockworks/a'],
    ['/home/anna/clockwork-2', '/home/anna/clockwork-2'],
    ['/home/anna/clockwork.git', '/home/anna/clockwork.git'],
    ['/mnt/home/anna/clockwork/a', '/mnt/home/anna/clockwork/a'],
  ])('%j becomes %j', (text, relative) => expect(rootRelative(text, HERE)).toBe(relative))

  it('stay as they are where no root is known, or it is the whole disk', () => {
    for (const root of [null, '/', 'C:\\']) expect(rootRelative('/home/anna/x C:\\x', { session: 's', root })).toBe('/home/anna/x C:\\x')
  })
})

describe('a folder whose name holds an apostrophe or a space', () => {
  const at = (root: string): SessionWorld => ({ session: 's', root })
  it.each([
    ['above the repository', "npm error log: /tmp/remnant's clone-8xk2/home/.npm/_logs/debug.log", at("/tmp/remnant's clone-8xk2/work"), 'npm error log: <tmp>/debug.log'],
    ['of the repository itself', "/tmp/remnant's clone-8xk2/work/src/a.ts is missing", at("/tmp/remnant's clone-8xk2/work"), 'src/a.ts is missing'],
    ['of a home', '/home/Jane Doe/.npmrc is missing', at('/home/Jane Doe/clockwork'), '<home>/.npmrc is missing'],
    ['of a home on Windows', 'C:\\Users\\Jane Doe\\.npmrc is missing', at('C:\\Users\\Jane Doe\\clockwork'), '<home>/.npmrc is missing'],
    ["of somebody else's home", "'/home/o'brien/.npmrc' is missing", at('/srv/clockwork'), "'<home>/.npmrc' is missing"],
    ['that is temporary, and another', "EACCES: '/tmp/anna's/x1' and '/tmp/y'", at('/srv/clockwork'), "EACCES: '<tmp>' and '<tmp>'"],
  ])('%s is taken as a whole', async (_, text, session, signature) => expect(await signed(text, session)).toBe(signature))
})
