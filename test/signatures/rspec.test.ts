import { describe, expect, it } from 'vitest'
import rspec from '../../src/signatures/rspec.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("RSpec", () => {
  it.each(["rspec", "bundle exec rspec spec/models", "bin/rspec spec/a_spec.rb:12"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["rspec"])
  })

  it.each<[string, boolean]>([
    ["bundle exec rspec", true],
    ["rspec --dry-run", false],
    ["rspec --version", true],
    ["rspec --bisect", false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(rspec.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(rspec.knows(typed("bundle exec rspec spec/a_spec.rb:3", 'p'))?.keys).toEqual(expect.arrayContaining(["file:p/.rspec", "file:.rspec", "file:Gemfile.lock", "exists:p/spec/a_spec.rb"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "...\n\nFinished in 0.02 seconds (files took 0.1 seconds to load)\n3 examples, 0 failures\n\nRandomized with seed 123\n\n", { passed: true }],
    ["passed, some left open", "3 examples, 0 failures, 1 pending\n", { passed: true }],
    ["failed", "Failures:\n\n  1) Cart adds\n     Failure/Error: expect(cart.total).to eq(3)\n\n       expected: 3\n            got: 4\n     # ./spec/cart_spec.rb:7:in `block'\n\nFinished in 0.02 seconds (files took 0.1 seconds to load)\n3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/cart_spec.rb:5 # Cart adds\n", { passed: false }],
    ["could not load", "0 examples, 0 failures, 1 error occurred outside of examples\n", { passed: false }],
    ["its measure was not reached", "3 examples, 0 failures\n\nLine coverage (80.00%) is below the expected minimum coverage (90.00%).\nSimpleCov failed with exit 2 due to a coverage related error\n", { passed: false }],
    ["nothing ran", "0 examples, 0 failures\n", null],
    ["several runs", "3 examples, 0 failures\n4 examples, 0 failures\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(rspec.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["rspec", "Failures:\n\n  1) Cart adds\n     Failure/Error: expect(cart.total).to eq(3)\n\n       expected: 3\n            got: 4\n     # ./spec/cart_spec.rb:7:in `block'\n\nFinished in 0.02 seconds (files took 0.1 seconds to load)\n3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/cart_spec.rb:5 # Cart adds\n", ["Cart adds", "Failure/Error: expect(cart.total).to eq(3)", "expected: 3"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(rspec, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(rspec.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(rspec.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
