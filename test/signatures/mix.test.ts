import { describe, expect, it } from 'vitest'
import mix from '../../src/signatures/mix.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("Mix", () => {
  it.each(["mix test", "mix test test/a_test.exs:12", "mix format --check-formatted", "mix credo"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["mix"])
  })

  it.each<[string, boolean]>([
    ["mix test", true],
    ["mix compile --warnings-as-errors", true],
    ["mix format", false],
    ["mix format --check-formatted", true],
    ["mix test --stale", false],
    ["mix deps.get", false],
    ["mix phx.server", false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(mix.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(mix.knows(typed("mix test test/a_test.exs:3", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/mix", "file:p/mix.exs", "file:mix.lock", "exists:p/test/a_test.exs"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "...\nFinished in 0.03 seconds (0.00s async, 0.03s sync)\n3 tests, 0 failures\n\nRandomized with seed 1\n", { passed: true }],
    ["passed, of several kinds", "1 doctest, 2 properties, 3 tests, 0 failures, 1 skipped\n", { passed: true }],
    ["failed", "  1) test adds (CartTest)\n     test/cart_test.exs:5\n     Assertion with == failed\n     code:  assert 1 == 2\n     left:  1\n     right: 2\n\nFinished in 0.03 seconds (0.00s async, 0.03s sync)\n3 tests, 1 failure\n", { passed: false }],
    ["its measure was not reached", "3 tests, 0 failures\nCoverage test failed, threshold not met:\n", { passed: false }],
    ["an umbrella", "==> a\n3 tests, 0 failures\n==> b\n2 tests, 0 failures\n", null],
    ["nothing ran", "0 tests, 0 failures\n", null],
    ["stopped behind", "3 tests, 0 failures\n** (Mix) x\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(mix.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["mix test", "  1) test adds (CartTest)\n     test/cart_test.exs:5\n     Assertion with == failed\n     code:  assert 1 == 2\n     left:  1\n     right: 2\n\nFinished in 0.03 seconds (0.00s async, 0.03s sync)\n3 tests, 1 failure\n", ["test adds (CartTest)", "Assertion with == failed"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(mix, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(mix.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(mix.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
