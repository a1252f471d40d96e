import { describe, expect, it } from 'vitest'
import golangciLint from '../../src/signatures/golangci-lint.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("golangci-lint", () => {
  it.each(["golangci-lint run", "golangci-lint run ./..."])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["golangci-lint"])
  })

  it.each<[string, boolean]>([
    ["golangci-lint run", true],
    ["golangci-lint run --fix", false],
    ["golangci-lint run --issues-exit-code=0", false],
    ["golangci-lint fmt", false],
    ["golangci-lint --version", true],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(golangciLint.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(golangciLint.knows(typed("golangci-lint run -c ci.yml", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/golangci-lint", "file:p/.golangci.yml", "file:go.mod", "file:p/ci.yml"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "0 issues.\n", { passed: true }],
    ["failed", "internal/b.go:12:2: Error return value of `f.Close` is not checked (errcheck)\n\tf.Close()\n\t^\ninternal/a.go:3:1: unused variable x (unused)\n2 issues:\n* errcheck: 1\n* unused: 1\n", { passed: false }],
    ["went on", "0 issues.\nlevel=error msg=\"x\"\n", null],
    ["silent", "", null],
  ])('closes: %s', (_, output, summary) => {
    expect(golangciLint.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["golangci-lint run", "internal/b.go:12:2: Error return value of `f.Close` is not checked (errcheck)\n\tf.Close()\n\t^\ninternal/a.go:3:1: unused variable x (unused)\n2 issues:\n* errcheck: 1\n* unused: 1\n", ["internal/a.go: unused variable x (unused)", "internal/b.go: Error return value of `f.Close` is not checked (errcheck)"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(golangciLint, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(golangciLint.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(golangciLint.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
