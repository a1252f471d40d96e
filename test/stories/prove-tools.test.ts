import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import prove from '../../src/commands/prove.ts'
import { ephemera } from '../../src/ephemera.ts'
import { openProcesses } from '../../src/host/processes.ts'
import type { World } from '../../src/model/probe.ts'
import { mutations } from '../../src/mutations.ts'
import { toolchains } from '../../src/signatures.ts'
import { given, stage } from '../stage.ts'

type Files = Readonly<Record<string, string>>

const asked = new Map<string, boolean>()
const has = (program: string): boolean => {
  if (!asked.has(program)) asked.set(program, spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)
  return asked.get(program) === true
}

async function proven(gate: string, before: Files, fix: Files): Promise<{ outcome: string; runs: string; reason: string }> {
  const world = async (): Promise<World> => ({ rootCommit: async () => 'a'.repeat(40) }) as unknown as World
  const on = stage({ files: before, sets: { toolchains, ephemera, mutations }, host: { processes: openProcesses(), world } })
  for (const [path, text] of Object.entries(fix)) on.write(path, text)
  on.git('add', '-A')
  on.git('commit', '-q', '-m', 'fix')
  const { data, text = '' } = await prove.run(given({ gate }), on.host)
  const { outcome, red, green } = data as { outcome: string; red: { runs: { result: string }[] }; green: { runs: { result: string }[] } }
  return { outcome, runs: [red, green].map(({ runs }) => runs.map(({ result }) => result).join(' ')).join(' | '), reason: /^ {2}reason {2}(.*)$/m.exec(text)?.[1] ?? '' }
}

const PYTHON = { wrong: 'def add(a, b):\n    return a - b\n', right: 'def add(a, b):\n    return a + b\n', more: 'def add(a, b):\n    return a + b\n\n\ndef times(a, b):\n    return a * b\n' }
const unit = (name: string, call: string): string => `import unittest\nfrom calc import ${name}\n\n\nclass Sums(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(${call}, 5)\n`
const py = (name: string, call: string): string => `from calc import ${name}\n\n\ndef test_it():\n    assert ${call} == 5\n`

const CARGO = { 'Cargo.toml': '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n', '.gitignore': 'target\n' }
const rust = (body: string, test: string): string => `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n${test}`
const RUST_TEST = "use small::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(2, 3), 5);\n}\n"

const MAKE = { Makefile: '.PHONY: test\ntest: calc.c test/test.c\n\t@cc -o t calc.c test/test.c\n\t@./t\n', '.gitignore': 't\n' }
const c = (call: string): string => `#include <stdio.h>\nint ${call.split('(')[0]}(int, int);\nint main(void) {\n    if (${call} != 5) {\n        fprintf(stderr, "error: ${call} is not 5\\n");\n        return 1;\n    }\n    return 0;\n}\n`

const INFRA = 'INFRA_FAILURE'
const PROVEN = { outcome: 'PROVEN', runs: 'red red | green green' }

/** What must be here, the gate, what was before, the fix, and what is shown. */
const cases: readonly [string, string, string, Files, Files, object][] = [
  ['unittest: a failing assertion', 'python3', 'python3 -m unittest', { 'calc.py': PYTHON.wrong }, { 'calc.py': PYTHON.right, 'test_calc.py': unit('add', 'add(2, 3)') }, PROVEN],
  ['unittest: a name that only the fix has', 'python3', 'python3 -m unittest', { 'calc.py': PYTHON.right }, { 'calc.py': PYTHON.more, 'test_calc.py': unit('times', 'times(1, 5)') }, { outcome: INFRA }],
  ['unittest: a module that only the fix has', 'python3', 'python3 -m unittest', { 'README.md': 'x\n' }, { 'calc.py': PYTHON.right, 'test_calc.py': unit('add', 'add(2, 3)') }, { outcome: INFRA }],
  ['pytest: a failing assertion', 'pytest', 'pytest -q', { 'calc.py': PYTHON.wrong }, { 'calc.py': PYTHON.right, 'test_calc.py': py('add', 'add(2, 3)') }, PROVEN],
  ['pytest: tests that can not be collected', 'pytest', 'pytest -q', { 'calc.py': PYTHON.right }, { 'calc.py': PYTHON.more, 'test_calc.py': py('times', 'times(1, 5)') }, { outcome: INFRA }],
  ['pytest: no test at all', 'pytest', 'pytest -q', { 'calc.py': PYTHON.wrong }, { 'calc.py': PYTHON.right }, { outcome: INFRA, reason: 'it found no tests' }],
  ['cargo: a failing assertion', 'cargo', 'cargo test --offline', { ...CARGO, 'src/lib.rs': rust('a - b', '') }, { 'src/lib.rs': rust('a + b', ''), 'tests/sums.rs': RUST_TEST }, PROVEN],
  ['cargo: a test that does not compile on the parent', 'cargo', 'cargo test --offline', { ...CARGO, 'src/lib.rs': '' }, { 'src/lib.rs': rust('a + b', ''), 'tests/sums.rs': RUST_TEST }, { outcome: INFRA }],
  ['make: a test program that fails', 'make', 'make test', { ...MAKE, 'calc.c': 'int add(int a, int b) { return a - b; }\n' }, { 'calc.c': 'int add(int a, int b) { return a + b; }\n', 'test/test.c': c('add(2, 3)') }, PROVEN],
  ['make: a test program that does not link on the parent', 'make', 'make test', { ...MAKE, 'calc.c': 'int nothing;\n' }, { 'calc.c': 'int add(int a, int b) { return a + b; }\n', 'test/test.c': c('add(2, 3)') }, { outcome: INFRA }],
  ['make: a target that is not there on the parent', 'make', 'make test', { 'calc.c': 'int add(int a, int b) { return a + b; }\n' }, { ...MAKE, 'test/test.c': c('add(2, 3)') }, { outcome: INFRA }],
  ['make: a target that is up to date, so that nothing is checked', 'make', 'make test', { Makefile: 'test: calc.c\n\t@false\n', 'calc.c': 'x\n', 'test/README.md': 'x\n' }, { 'calc.c': 'y\n' }, { outcome: INFRA, reason: 'it found no tests' }],
]

describe('prove', () => {
  for (const [title, program, gate, before, fix, expected] of cases)
    // Without the program there is nothing to show.
    it.skipIf(!has(program))(title, async () => expect(await proven(gate, before, fix)).toMatchObject(expected), 120_000)
})
