import { describe, expect, it } from 'vitest'
import { distilled, kept, ran } from './session.ts'

const GREEN = 'PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n'
const PUSHED = 'To github.com:dev/clockwork.git\n   1a2b3c4..5d6e7f8  main -> main\n'
const GATE = 'invariant `npm test` is a gate of `.` [recorded]'
const PYTEST = '...                                 [100%]\n3 passed in 0.10s\n'
const PYTESTED = 'invariant `pytest -q` is a gate of `.` [summary]'
const DONE = 'done git push origin main = refs/heads/main'
/** It took a minute, as the log's times say. */
const timed = { began: '2026-06-01T09:59:00.000Z' }

const rows: readonly [string, string, string, readonly string[]][] = [
  // what stands before a gate in its own text had ended when it began
  ['an edit in place, then the gate', "sed -i 's/a/b/' src/a.js && npm test", GREEN, [GATE]],
  ['a file that is written, then the gate', "cat > src/a.js <<'END'\nx\nEND\nnpm test", GREEN, [GATE]],
  ['a script that may do anything, then the gate', 'python3 - <<END\nx\nEND\nnpm test', GREEN, [GATE]],
  ['what goes on behind while the gate runs', 'node gen.js & npm test', GREEN, []],
  ['a gate, then an edit in place', "npm test && sed -i 's/a/b/' package.json", GREEN, []],
  ['a gate, then a file that is written', 'npm test; cat x > package.json', GREEN, []],
  ['a gate that logs into a file', 'npm test > log.txt 2>&1; echo "exit: $?"; tail -2 log.txt', 'exit: 0\nx\ny\n', [GATE.replace('recorded', 'summary')]],
  // a push among what can't be taken for its words
  ['a commit and a push whose status a pipe hides', 'git add -A\ngit commit -q -m x\ngit push origin main 2>&1 | tail -3', PUSHED, [DONE]],
  ['a push behind a commit', 'git add a && git commit -m x && git push origin main 2>&1 | tail -5', `[main 5d6e7f8] x\n 1 file changed\n${PUSHED}`, [DONE]],
  ['a push beside what prints a text', 'git log -3; git push origin main 2>&1 | tail -3', PUSHED, []],
  ['a push before what asks for a pull request', 'git push origin main && gh pr create --fill --repo dev/clockwork', `${PUSHED}https://github.com/dev/clockwork/pull/3\n`, ['done gh pr create --fill --repo dev/clockwork = pull/3', DONE]],
  ['a push before what shows one', 'git push origin main && gh pr view 3', PUSHED, []],
  ['two pushes', 'git push origin main 2>&1 | tail -3; git push backup main 2>&1 | tail -3', PUSHED, []],
  ['a push of which one line is left', 'git push origin main 2>&1 | tail -1', PUSHED, []],
  // tests among what can't have printed their closing lines
  ['tests as one line of a script', 'ruff format src\nruff check src\npytest -q\npython -m compileall -q src\ngit diff --check', `4 files left unchanged\nAll checks passed!\n${PYTEST}`, [PYTESTED]],
  ['tests, and then a look at the tree', 'pytest -q; git status --short', `${PYTEST} M src/a.py\n`, [PYTESTED]],
  ['tests that failed, as one line of a script', 'pytest -q; git status --short', '.F\n1 failed, 2 passed in 0.10s\n M src/a.py\n', []],
  ['tests after a file that may hold the same words', 'cat old.log; pytest -q; git status --short', PYTEST, []],
  ['tests beside a program that may print the same words', 'python3 report.py\npytest -q\ngit status --short', PYTEST, []],
  ['two runs of tests', 'pytest -q tests/a; pytest -q tests/b; git status --short', PYTEST, []],
  ['tests whose closing line stands there twice', 'pytest -q; git status --short', `${PYTEST}x\n${PYTEST}`, []],
  ['tests of which a part is left', 'pytest -q | grep passed; git status --short', PYTEST, []],
  ['tests in an output that was cut', 'pytest -q; git status --short', `…12 lines truncated…\n${PYTEST}`, []],
  ['tests in words of the reader', 'echo "3 passed in 0.10s"; pytest -q; git status --short', PYTEST, []],
  ['tests beside words that the shell worked out', 'pytest -q; echo "rest: $(cat x)"; git status --short', `${PYTEST}rest: 1\n`, []],
  ['tests that go on behind', 'pytest -q & git status --short; git add a', PYTEST, []],
  ['tests that passed, and a measure that was not reached', 'pytest -q; git status --short', `FAIL Required test coverage of 90% not reached. Total coverage: 12.00%\n${PYTEST}`, []],
  ['tests of another kind', '.venv/bin/python -m unittest discover -s tests\ngit diff --check', 'test_a (t.A.test_a) ... ok\n\n----------------------------------------------------------------------\nRan 7 tests in 0.003s\n\nOK\n', ['invariant `.venv/bin/python -m unittest discover -s tests` is a gate of `.` [summary]']],
  // the few lines that end an output
  ['tests whose last line decides', 'python3 -m unittest discover -s tests 2>&1 | tail -3', 'Ran 29 tests in 0.4s\n\nOK\n', ['invariant `python3 -m unittest discover -s tests` is a gate of `.` [summary]']],
  ['tests that failed, by their last line', 'python3 -m unittest discover -s tests 2>&1 | tail -3', 'Ran 29 tests in 0.4s\n\nFAILED (failures=3, errors=2)\n', []],
  ['tests of which a line above may say otherwise', 'npm test 2>&1 | tail -3', 'Tests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n', []],
  ['tests of which two lines are left', 'pytest -q 2>&1 | tail -2', '...\n3 passed in 0.1s\n', []],
]

describe('a text of several commands', () => {
  it.each(rows)('says what it proves: %s', async (_, command, output, expected) => {
    expect(kept(await distilled([ran(command, 0, output, timed)]))).toEqual(expected)
  })
})

describe('tests among others, where the whole failed', () => {
  it.each([
    ['for certain by another', 'pytest -q; which lost', [PYTESTED]],
    ['and nobody can say by whom', 'set -e\npytest -q\ngit status --short', []],
  ])('%s', async (_, command, expected) => {
    expect(kept(await distilled([ran(command, 1, PYTEST, timed)]))).toEqual(expected)
  })
})

describe('a command of which nothing ran', () => {
  it.each([
    ['npm error Missing script: "no-such"\n'],
    ["npm error code ENOENT\nnpm error syscall open\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open 'package.json'\n"],
    ['(eval):1: command not found: npm\n'],
  ])('has changed nothing: %s', async (output) => {
    expect(kept(await distilled([ran('node --no-such-option', 9, 'node: bad option: --no-such-option\n'), ran('npm run no-such', 1, output)]))).toContain('usage node --no-such-option')
  })

  it.each([
    ['git no-such', "git: 'no-such' is not a git command. See 'git --help'.\n", true],
    ['node --nothing x.js', 'node: bad option: --nothing\n', true],
    // An alias, and a program of the repository, that came upon the same.
    ['git mine', "git: 'no-such' is not a git command. See 'git --help'.\n", false],
    ['git mine', "made x\ngit: 'mine' is not a git command. See 'git --help'.\n", false],
    ['node scripts/gen.js --nothing', 'node: bad option: --nothing\n', false],
  ])('whose own words it does not know: %s', async (command, output, nothing) => {
    expect(kept(await distilled([ran('node --no-such-option', 9, 'node: bad option: --no-such-option\n'), ran(command, 1, output)])).includes('usage node --no-such-option')).toBe(nothing)
  })
})
