import { describe, expect, it } from 'vitest'
import deno from '../../src/signatures/deno.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("Deno", () => {
  it.each(["deno test", "deno check main.ts", "deno fmt --check", "deno lint"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["deno"])
  })

  it.each<[string, boolean]>([
    ["deno test -A", true],
    ["deno fmt --check", true],
    ["deno fmt", false],
    ["deno lint --fix", false],
    ["deno test --no-run", false],
    ["deno --version", true],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(deno.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(deno.knows(typed("deno test a_test.ts", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/deno", "file:p/deno.json", "file:deno.lock", "exists:p/a_test.ts"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "running 2 tests from ./a_test.ts\nadds ... ok (1ms)\n\nok | 2 passed | 0 failed (12ms)\n", { passed: true }],
    ["passed, with steps", "ok | 2 passed (3 steps) | 0 failed | 1 ignored (1s)\n", { passed: true }],
    ["failed", " ERRORS \n\nadds => ./cart_test.ts:5:6\nerror: AssertionError: Values are not equal.\n\n FAILURES \n\nadds => ./cart_test.ts:5:6\n\nFAILED | 1 passed | 1 failed (12ms)\n\nerror: Test failed\n", { passed: false }],
    ["nothing ran", "ok | 0 passed | 0 failed (2ms)\n", null],
    ["went on", "ok | 2 passed | 0 failed (12ms)\nmore\n", null],
    ["not formatted", "from a.ts:\n\nerror: Found 1 not formatted file in 3 files\n", { passed: false }],
  ])('closes: %s', (_, output, summary) => {
    expect(deno.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["deno test", " ERRORS \n\nadds => ./cart_test.ts:5:6\nerror: AssertionError: Values are not equal.\n\n FAILURES \n\nadds => ./cart_test.ts:5:6\n\nFAILED | 1 passed | 1 failed (12ms)\n\nerror: Test failed\n", ["adds => ./cart_test.ts"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(deno, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(deno.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(deno.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
