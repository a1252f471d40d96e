import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolchains } from '../src/signatures.ts'
import { commandOf } from '../src/model/command.ts'
import { Key } from '../src/model/key.ts'

const LINES = [
  'npx jest src/a.test.js', 'npx vitest run', 'node --test', 'npx tsc -p x.json', 'npx eslint .', 'python3 -m pytest tests', 'python3 x.py', 'cargo test', 'go test ./...',
  'npm test', 'pnpm -r test', 'yarn lint', 'make test', 'node x.js', './x.sh', 'bash x.sh < in', 'git push', 'npx mocha', 'python3 -m unittest', 'rustc x.rs', 'gcc -c x.c', 'mvn test',
  './gradlew test', 'cmake --build b', 'pip install x', 'mypy .', 'ruff check .', 'npx prettier --check .', 'npx biome ci',
]
const word = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('npx', 'npm', 'run', 'test', '-m', '--', 'node', '--config', 'a/b.ts', '..', '/x', 'python3', '-p', '<', 'yarn', 'exec', '@a/b', 'x@1'))

describe('toolchains', () => {
  it('are asked in an order that does not hide one behind the fallback', () => {
    expect(LINES.filter((line) => !/^\.\/x|^bash/.test(line)).map((line) => toolchains.slice(0, -1).some((one) => one.knows(commandOf(line.split(' '))) !== null))).not.toContain(false)
  })

  it('give keys that are keys, from any folder and for any words, and never throw', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 7 }), fc.constantFrom('.', 'packages/a', '..', '/srv/x', 'C:/x', '../y'), (argv, folder) => {
        for (const one of toolchains) {
          const keys = one.knows(commandOf(argv, { folder }))?.keys ?? []
          expect(keys.filter((key) => !Key.safeParse(key).success)).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('give keys that are keys for every failure, from outside the repository too', () => {
    const outputs = ["Error: Cannot find module 'lodash'\n    at x\n", 'sh: 1: foo: not found\n', 'error: could not find `Cargo.toml` in `/x`\n', 'npm error Missing script: "x"\n', 'bash: line 1: ./x.sh: Permission denied\n']
    for (const folder of ['..', '/srv/x', '../y', 'a/b'])
      for (const line of LINES)
        for (const output of outputs)
          for (const one of toolchains) {
            const failure = one.failure({ command: commandOf(line.split(' '), { folder }), code: 127, output })
            if (failure !== null && failure !== 'transient') expect(failure.keys.filter((key) => !Key.safeParse(key).success)).toEqual([])
          }
  })

  it('find neither a summary nor a failure in an output without one', () => {
    for (const output of ['', '\n', 'hello\n', '# Notes\n\nThe tests failed with an error, then 12 passed.\n', JSON.stringify({ error: 'Error: failed', tests: 'FAIL' }, null, 2)])
      for (const one of toolchains) {
        expect(one.summary(output)).toBeNull()
        const failure = one.failure({ command: commandOf(['cat', 'notes.md']), code: 1, output })
        // The fallback gives the last words of any program, of no class.
        if (one === toolchains.at(-1) && output.trim() !== '') expect(failure).toMatchObject({ class: null, keys: [] })
        else expect(failure).toBeNull()
      }
  })

  it('let no two of them read one output as their own closing lines', () => {
    const closings = ['PASS a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nTime:        1 s\n', ' Test Files  1 passed (1)\n      Tests  2 passed (2)\n   Duration  1.11s\n', '1 passed in 0.1s\n', 'Ran 1 test in 0.1s\n\nOK\n', 'ok  \texample.org/a\t0.1s\n',
      '  2 passing (3ms)\n\n', '100% tests passed, 0 tests failed out of 1\n\nTotal Test time (real) =   0.00 sec\n', '[INFO] BUILD SUCCESS\n[INFO] Finished at: 2026-06-01T10:00:00Z\n', 'BUILD SUCCESSFUL in 3s\n2 actionable tasks: 2 executed\n',
      'Success: no issues found in 3 source files\n', 'All checks passed!\n', 'All matched files use Prettier code style!\n', 'Checked 3 files in 12ms. No fixes applied.\n',
    ]
    for (const output of closings) expect(toolchains.filter((one) => one.summary(output) !== null)).toHaveLength(1)
  })

  it.each([
    ['spaces', ' '.repeat(200_000)], ['a long word', 'E'.repeat(200_000)], ['dots', `● ${'. '.repeat(100_000)}`], ['colons', 'a: '.repeat(70_000)], ['brackets', '('.repeat(200_000)],
    ['headings', ' FAIL  a\n'.repeat(20_000)], ['blocks', 'not ok 1 - a\n  ---\n'.repeat(10_000)], ['stars', `${'*'.repeat(100)}\n`.repeat(2000)], ['rules', `${'='.repeat(30)}\nFAIL: a\n`.repeat(5000)],
    ['errors', `error[E0001]: a\n`.repeat(10_000)], ['places', 'a.ts(1,1): error TS1: x\n'.repeat(10_000)], ['test logs', '---- a stdout ----\n'.repeat(5000)], ['go', '--- FAIL: a\n'.repeat(10_000)],
    ['npm', 'npm error 404 a\n'.repeat(10_000)], ['mocha', `  1 passing (1ms)\n  9 failing\n${'  1) a\n'.repeat(20_000)}`], ['frames', `${'  File "a", line 1, in a\n'.repeat(20_000)}`], ['sections', `${'___ a ___\nE   a\n'.repeat(5000)}=== short test summary info ===\n${'FAILED a::a - b\n'.repeat(5000)}`],
    ['subtests', `# Subtest: a\n    not ok 1 - a\n      ---\n`.repeat(10_000)], ['Maven', '[ERROR] a -> [Help 1]\n'.repeat(10_000)], ['CMake', 'CMake Error at a:1 (b):\n  c\n'.repeat(10_000)], ['names', 'a: b: '.repeat(50_000)], ['links', 'a.c:(.text+0xa): undefined reference to `b\n'.repeat(10_000)],
  ])('read hostile output in linear time: %s', (_, output) => {
    const started = performance.now()
    for (const one of toolchains) {
      one.summary(output)
      one.failure({ command: commandOf(['npm', 'test']), code: 1, output })
    }
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
