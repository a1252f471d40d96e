import { describe, expect, it } from 'vitest'
import black from '../../src/signatures/black.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("black", () => {
  it.each(["black --check .", "uvx black --check src", "python3 -m black --check ."])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["black"])
  })

  it.each<[string, boolean]>([
    ["black --check src", true],
    ["black --check --diff .", true],
    ["black .", false],
    ["black --version", true],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(black.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(black.knows(typed("black --check a.py", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/black", "file:p/pyproject.toml", "file:pyproject.toml", "file:p/a.py"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", "All done! ✨ 🍰 ✨\n3 files would be left unchanged.\n", { passed: true }],
    ["failed", "would reformat a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted, 2 files would be left unchanged.\n", { passed: false }],
    ["could not read one", "error: cannot format b.py: Cannot parse\n\nOh no! 💥 💔 💥\n2 files would be left unchanged, 1 file would fail to reformat.\n", { passed: false }],
    ["wrote", "reformatted a.py\n\nAll done! ✨ 🍰 ✨\n1 file reformatted, 2 files left unchanged.\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(black.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["black --check .", "would reformat b.py\nwould reformat a.py\n\nOh no! 💥 💔 💥\n2 files would be reformatted.\n", ["would reformat a.py", "would reformat b.py"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(black, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(black.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(black.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
