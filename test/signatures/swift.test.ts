import { describe, expect, it } from 'vitest'
import swift from '../../src/signatures/swift.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("Swift", () => {
  it.each(["swift test", "swift build -c release", "xcodebuild test -scheme App"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["swift"])
  })

  it.each<[string, boolean]>([
    ["swift test --parallel", true],
    ["swift build", true],
    ["swift run", false],
    ["xcodebuild -scheme App build", true],
    ["xcodebuild archive", false],
    ["swift --version", true],
    ["swift package update", false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(swift.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(swift.knows(typed("swift test", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/swift", "file:p/Package.swift", "file:Package.resolved"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n", { passed: true }],
    ["passed, both kinds", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n◇ Test run started.\n✔ Test run with 2 tests passed after 0.001 seconds.\n", { passed: true }],
    ["passed, the newer kind", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 0 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' passed at 2026-01-01 10:00:00.100.\n\t Executed 0 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n✔ Test run with 2 tests in 1 suite passed after 0.001 seconds.\n", { passed: true }],
    ["one of two kinds failed", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n✘ Test run with 2 tests failed after 0.001 seconds with 1 issue.\n", { passed: false }],
    ["the end of a run alone", "✔ Test run with 2 tests passed after 0.001 seconds.\n", null],
    ["nothing ran", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 0 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' passed at 2026-01-01 10:00:00.100.\n\t Executed 0 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n", null],
    ["failed", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' failed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n", { passed: false }],
    ["crashed", "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\nTest Suite 'CartTests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' passed at 2026-01-01 10:00:00.100.\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nerror: Exited with unexpected signal code 11\n", { passed: false }],
    ["built", "Compiling App main.swift\nBuild complete! (1.23s)\n", { passed: true }],
    ["built, and went on", "Build complete! (1.23s)\nmore\n", null],
    ["Xcode passed", "** TEST SUCCEEDED **\n\n", { passed: true }],
    ["Xcode failed", "** BUILD FAILED **\n\n", { passed: false }],
  ])('closes: %s', (_, output, summary) => {
    expect(swift.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["swift test", "/w/Tests/CartTests.swift:7: error: CartTests.testAdds : XCTAssertEqual failed: (\"1\") is not equal to (\"2\")\n", ["CartTests.testAdds : XCTAssertEqual failed: (\"1\") is not equal to (\"2\")"]],
    ["swift build", "/w/Sources/main.swift:3:5: error: cannot find 'x' in scope\nerror: fatalError\n", ["error: cannot find 'x' in scope"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(swift, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(swift.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(swift.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
