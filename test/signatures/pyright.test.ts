import { describe, expect, it } from 'vitest'
import pyright from '../../src/signatures/pyright.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("pyright", () => {
  it.each(["pyright", "npx pyright src", "uv run basedpyright", "python3 -m pyright"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["pyright"])
  })

  it.each<[string, boolean]>([
    ["pyright src/a.py", true],
    ["pyright --version", true],
    ["pyright --watch", false],
    ["pyright --createstub x", false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(pyright.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(pyright.knows(typed("pyright src/a.py", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/pyright", "file:p/pyrightconfig.json", "file:pyproject.toml", "file:p/src/a.py"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "0 errors, 0 warnings, 0 informations \n", { passed: true }],
    ["passed, newer", "0 errors, 0 warnings, 0 notes\n", { passed: true }],
    ["failed", "/w/src/b.py\n  /w/src/b.py:3:12 - error: Type \"str\" is not assignable to \"int\" (reportReturnType)\n/w/src/a.py\n  /w/src/a.py:1:8 - error: Import \"x\" could not be resolved (reportMissingImports)\n2 errors, 0 warnings, 0 informations \n", { passed: false }],
    ["warnings, which may fail it", "0 errors, 2 warnings, 0 informations \n", null],
    ["went on", "0 errors, 0 warnings, 0 informations \nmore\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(pyright.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["pyright", "/w/src/b.py\n  /w/src/b.py:3:12 - error: Type \"str\" is not assignable to \"int\" (reportReturnType)\n/w/src/a.py\n  /w/src/a.py:1:8 - error: Import \"x\" could not be resolved (reportMissingImports)\n2 errors, 0 warnings, 0 informations \n", ["/w/src/a.py: Import \"x\" could not be resolved (reportMissingImports)", "/w/src/b.py: Type \"str\" is not assignable to \"int\" (reportReturnType)"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(pyright, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(pyright.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(pyright.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
