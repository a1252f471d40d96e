import { describe, expect, it } from 'vitest'
import rubocop from '../../src/signatures/rubocop.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("RuboCop", () => {
  it.each(["rubocop", "bundle exec rubocop lib", "bin/rubocop"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["rubocop"])
  })

  it.each<[string, boolean]>([
    ["bundle exec rubocop", true],
    ["rubocop -A", false],
    ["rubocop --autocorrect", false],
    ["rubocop --version", true],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(rubocop.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(rubocop.knows(typed("rubocop lib/a.rb", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/rubocop", "file:p/.rubocop.yml", "file:.rubocop.yml", "file:Gemfile.lock", "file:p/lib/a.rb"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "Inspecting 2 files\n..\n\n2 files inspected, no offenses detected\n", { passed: true }],
    ["failed", "Inspecting 2 files\nCW\n\nOffenses:\n\nlib/b.rb:3:1: C: [Correctable] Layout/EmptyLines: Extra blank line detected.\nlib/a.rb:1:1: W: Lint/UselessAssignment: Useless assignment to variable - x.\n\n2 files inspected, 2 offenses detected, 1 offense autocorrectable\n", { passed: false }],
    ["looked at nothing", "Inspecting 0 files\n\n\n0 files inspected, no offenses detected\n", null],
    ["went on", "2 files inspected, no offenses detected\nError: x\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(rubocop.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["rubocop", "Inspecting 2 files\nCW\n\nOffenses:\n\nlib/b.rb:3:1: C: [Correctable] Layout/EmptyLines: Extra blank line detected.\nlib/a.rb:1:1: W: Lint/UselessAssignment: Useless assignment to variable - x.\n\n2 files inspected, 2 offenses detected, 1 offense autocorrectable\n", ["lib/a.rb: Lint/UselessAssignment: Useless assignment to variable - x.", "lib/b.rb: Layout/EmptyLines: Extra blank line detected."]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(rubocop, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(rubocop.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(rubocop.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
