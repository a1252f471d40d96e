import { describe, expect, it } from 'vitest'
import dart from '../../src/signatures/dart.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("Dart", () => {
  it.each(["dart test", "flutter test test/a_test.dart", "fvm flutter analyze", "dart format --set-exit-if-changed lib"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["dart"])
  })

  it.each<[string, boolean]>([
    ["flutter test", true],
    ["dart analyze", true],
    ["dart format lib", false],
    ["dart format --set-exit-if-changed lib", true],
    ["flutter test --update-goldens", false],
    ["flutter run", false],
    ["flutter --version", true],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(dart.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(dart.knows(typed("flutter test test/a_test.dart", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/flutter", "file:p/pubspec.yaml", "file:pubspec.lock", "exists:p/test/a_test.dart"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "00:03 +12: All tests passed!\n", { passed: true }],
    ["passed, some left out", "00:03 +12 ~1: All tests passed!\n", { passed: true }],
    ["failed", "00:01 +1: adds\n00:01 +1 -1: test/cart_test.dart: subtracts [E]\n  Expected: <1>\n    Actual: <2>\n00:02 +1 -1: Some tests failed.\n", { passed: false }],
    ["analysed", "Analyzing app...\nNo issues found! (ran in 1.2s)\n", { passed: true }],
    ["analysed and found", "  error • Undefined name • lib/a.dart:3:1 • undefined_identifier\n\n1 issue found. (ran in 1.2s)\n", { passed: false }],
    ["went on", "00:03 +12: All tests passed!\nmore\n", null],
    ["nothing ran", "00:00 +0: All tests passed!\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(dart.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["dart test", "00:01 +1: adds\n00:01 +1 -1: test/cart_test.dart: subtracts [E]\n  Expected: <1>\n    Actual: <2>\n00:02 +1 -1: Some tests failed.\n", ["test/cart_test.dart: subtracts"]],
    ["flutter analyze", "  error • Undefined name • lib/a.dart:3:1 • undefined_identifier\n\n1 issue found. (ran in 1.2s)\n", ["error: Undefined name • lib/a.dart • undefined_identifier"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(dart, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(dart.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(dart.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
