import { describe, expect, it } from 'vitest'
import { distilled, kept, ran } from './session.ts'

const GREEN = 'PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n'
const PUSHED = 'To github.com:dev/clockwork.git\n   1a2b3c4..5d6e7f8  main -> main\n'
const CLIPPY = '    Checking clockwork v0.1.0\nwarning: unused variable: `x`\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 6.83s\n'
const VITEST = ' ✓ a.test.ts (3 tests) 2ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Start at  10:00:00\n   Duration  300ms\n'
const GATE = 'invariant `npm test` is a gate of `.` [recorded]'
const PYTEST = '...                                 [100%]\n3 passed in 0.10s\n'
const PYTESTED = 'invariant `pytest -q` is a gate of `.` [summary]'
const RUFFED = 'invariant `ruff check src` is a gate of `.` [summary]'
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
  ['tests as one line of a script', 'ruff format src\nruff check src\npytest -q\npython -m compileall -q src\ngit diff --check', `4 files left unchanged\nAll checks passed!\n${PYTEST}`, [PYTESTED, RUFFED]],
  ['tests, and then a look at the tree', 'pytest -q; git status --short', `${PYTEST} M src/a.py\n`, [PYTESTED]],
  ['tests that failed, as one line of a script', 'pytest -q; git status --short', '.F\n1 failed, 2 passed in 0.10s\n M src/a.py\n', []],
  ['tests after a file that may hold the same words', 'cat old.log; pytest -q; git status --short', PYTEST, []],
  ['tests beside a program that may print the same words', 'python3 report.py\npytest -q\ngit status --short', PYTEST, []],
  ['two runs of tests', 'pytest -q tests/a; pytest -q tests/b; git status --short', PYTEST, []],
  ['tests whose closing line stands there twice', 'pytest -q; git status --short', `${PYTEST}x\n${PYTEST}`, []],
  ['tests of which a part is left', 'pytest -q | grep passed; git status --short', PYTEST, []],
  ['tests in an output that was cut', 'pytest -q; git status --short', `…12 lines truncated…\n${PYTEST}`, []],
  ['tests in an output that was folded', 'pytest -q; git status --short', `.F\n… +120 lines (ctrl+r to expand)\n${PYTEST}`, []],
  ['tests in an output that was elided', 'pytest -q; git status --short', `.F\n<elided_chars>\n123 characters elided\n</elided_chars>\n${PYTEST}`, []],
  ['tests beside a script that writes by another name', "python3 - <<'END'\nfrom os import write\nwrite(1, open('x', 'rb').read())\nEND\npytest -q | tail -2", PYTEST, []],
  ['tests beside a script whose last words are a file', "python3 - <<'END'\nfrom sys import exit as end\nend(open('x').read())\nEND\npytest -q | tail -2", PYTEST, []],
  ['tests in words of the reader', 'echo "3 passed in 0.10s"; pytest -q; git status --short', PYTEST, []],
  ['tests beside words that the shell worked out', 'pytest -q; echo "rest: $(cat x)"; git status --short', `${PYTEST}rest: 1\n`, []],
  ['tests that go on behind', 'pytest -q & git status --short; git add a', PYTEST, []],
  ['tests that passed, and a measure that was not reached', 'pytest -q; git status --short', `FAIL Required test coverage of 90% not reached. Total coverage: 12.00%\n${PYTEST}`, []],
  ['tests of another kind', '.venv/bin/python -m unittest discover -s tests\ngit diff --check', 'test_a (t.A.test_a) ... ok\n\n----------------------------------------------------------------------\nRan 7 tests in 0.003s\n\nOK\n', ['invariant `.venv/bin/python -m unittest discover -s tests` is a gate of `.` [summary]']],
  // the few lines that end an output
  ['tests whose last line decides', 'python3 -m unittest discover -s tests 2>&1 | tail -3', 'Ran 29 tests in 0.4s\n\nOK\n', ['invariant `python3 -m unittest discover -s tests` is a gate of `.` [summary]']],
  ['tests that failed, by their last line', 'python3 -m unittest discover -s tests 2>&1 | tail -3', 'Ran 29 tests in 0.4s\n\nFAILED (failures=3, errors=2)\n', []],
  ['tests of which a line above may say otherwise', 'npm test 2>&1 | tail -3', 'Tests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n', []],
  ['tests above whose counts a word on coverage may be cut off', 'npx jest --coverage 2>&1 | tail -5', `\n${GREEN.slice(GREEN.indexOf('Test Suites'))}`, []],
  ['tests whose word on coverage was thrown away', 'npx vitest run --coverage 2>/dev/null | tail -20', VITEST, []],
  ['tests in a group whose errors were thrown away', '{ npx vitest run --coverage | tail -20; } 2>/dev/null', VITEST, []],
  ['tests behind a word that throws away all errors', 'exec 2>/dev/null; npx vitest run --coverage | tail -20', VITEST, []],
  ['tests in a shell whose errors were thrown away', "bash -c 'npx vitest run --coverage' 2>/dev/null | tail -20", VITEST, []],
  ['tests in a group that shows its errors before', '{ npx vitest run --coverage 2>&1 | tail -20; } 2>/dev/null', VITEST, ['invariant `npx vitest run --coverage` is a gate of `.` [summary]']],
  ['tests of a script whose errors were thrown away', 'npm test 2>/dev/null | tail -20', VITEST, []],
  ['tests whose errors stand in the log too', 'npx vitest run --coverage | tail -20', VITEST, ['invariant `npx vitest run --coverage` is a gate of `.` [summary]']],
  ['tests whose last line decides, without its errors', 'pytest -q 2>/dev/null | tail -2', PYTEST, [PYTESTED]],
  ['tests handed on to a runner that goes on', 'npm test -- --continue 2>&1 | tail -6', GREEN, []],
  ['tests of packages that a variable asks for', 'npm_config_workspaces=true npm test 2>&1 | tail -6', GREEN, []],
  ['tests of many packages, the last of which passed', 'npm test --workspaces 2>&1 | tail -6', GREEN, []],
  ['tests of two packages, the last of which passed', 'npm test -w a -w b 2>&1 | tail -6', GREEN, []],
  ['tests of many packages in which a failure ends nothing', 'pnpm -r --no-bail test 2>&1 | tail -6', GREEN, []],
  ['tests of packages of which one failed, in a line above', 'npm test 2>&1 | tail -30', `npm error Lifecycle script \`test\` failed with error:\nnpm error code 1\n\n> b@1.0.0 test\n> jest\n\n${GREEN}`, []],
  ['steps that go on behind one that failed', 'make -k lint test 2>&1 | tail -2', PYTEST, []],
  ['steps at a time of which another may have failed', 'make -j4 lint test 2>&1 | tail -2', PYTEST, []],
  ['steps of which one failed, in a line above', 'make test 2>&1 | tail -6', `make[1]: *** [Makefile:3: lint] Error 1\n${PYTEST}`, []],
  ['steps of which each ends all', 'make lint test 2>&1 | tail -6', PYTEST, ['invariant `make lint test` is a gate of `.` [summary]']],
  ['tests of which two lines are left', 'pytest -q 2>&1 | tail -2', '...\n3 passed in 0.1s\n', [PYTESTED]],
  ['tests of which one line is left', 'pytest -q 2>&1 | tail -1', '3 passed in 0.1s\n', []],
  ['tests whose measure was not reached, by two lines', 'pytest -q 2>&1 | tail -2', 'FAIL Required test coverage of 90% not reached. Total coverage: 12.00%\n3 passed in 0.1s\n', []],
  ['tests whose list hides what stands above it', 'pytest -q -rs 2>&1 | tail -3', 'SKIPPED [1] a.py:3: slow\nSKIPPED [1] b.py:3: slow\n3 passed, 2 skipped in 0.1s\n', []],
  ['tests whose list is all there', 'pytest -q -rs 2>&1 | tail -5', '...ss [100%]\n=========================== short test summary info ============================\nSKIPPED [1] a.py:3: slow\nSKIPPED [1] b.py:3: slow\n3 passed, 2 skipped in 0.1s\n', ['invariant `pytest -q -rs` is a gate of `.` [summary]']],
  // several checks, each in words of its own
  ['tests beside a linter that failed', 'ruff check src | tail -2; pytest -q | tail -3', `Found 1 error.\n[*] 1 fixable with the \`--fix\` option.\n${PYTEST}`, [PYTESTED]],
  ['a linter, and a checker that closes in its words', 'ruff check src | tail -2; ty check src | tail -2', 'ruff failed\n  Cause: Failed to parse pyproject.toml\nAll checks passed!\n', []],
  ['tests of many lines behind what only finds', 'npx tsc --noEmit; npx jest 2>&1 | tail -20', GREEN, ['invariant `npx jest` is a gate of `.` [summary]']],
  ['tests of many lines behind what runs others', 'npm run lint; npx jest 2>&1 | tail -20', GREEN, []],
  ['a linter of many lines behind what only puts files in order', 'cargo fmt && cargo clippy --all-targets 2>&1 | tail -60', CLIPPY, ['invariant `cargo clippy --all-targets` is a gate of `.` [summary]']],
  ['a linter that was refused behind what only puts files in order', 'cargo fmt && cargo clippy --all-targets 2>&1 | tail -60', 'error: could not compile `clockwork` (lib) due to 1 previous error\n', []],
  ['a linter whose last line is not its closing one', 'cargo fmt && cargo clippy --all-targets 2>&1 | tail -60', `${CLIPPY}error: x\n`, []],
  ['a linter behind what builds in its very words', 'cargo build; cargo clippy --all-targets 2>&1 | tail -60', CLIPPY, []],
  ['a linter behind what shows how files would be put in order', 'cargo fmt --check; cargo clippy --all-targets 2>&1 | tail -60', CLIPPY, []],
  ['a quiet check that words follow', "pytest -q 2>&1 | tail -1; .venv/bin/python -m pyflakes src && echo clean", '3 passed in 0.1s\nclean\n', ['invariant `.venv/bin/python -m pyflakes src` is a gate of `.` [recorded]']],
  ['a quiet check whose status nobody kept', '.venv/bin/python -m pyflakes src; echo clean', 'clean\n', []],
  ['a quiet check that words follow where it fails', '.venv/bin/python -m pyflakes src || echo clean', 'clean\n', []],
  ['a script of a manager that keeps still', 'pnpm -s typecheck && echo TYPES OK', '$ tsc\nTYPES OK\n', ['invariant `pnpm -s typecheck` is a gate of `.` [recorded]']],
  ['tests of many lines behind other tests', 'pytest -q; npx jest 2>&1 | tail -20', GREEN, []],
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

describe('a list of checks of which one failed', () => {
  const FORMATTED = '4 files already formatted\n'
  const FOUND = 'Found 1 error.\n'
  it.each([
    ['the ones before the one whose words stand there', 'pytest -q && ruff check src && ruff format --check src && uv build', `${PYTEST}All checks passed!\n${FORMATTED}error: Failed to build\n`, [PYTESTED, RUFFED]],
    ['the one before it, which says nothing where it passes', 'npx tsc --noEmit && pytest -q', '.F\n1 failed, 2 passed in 0.10s\n', ['invariant `npx tsc --noEmit` is a gate of `.` [summary]']],
    ['the ones before it in a shell of their own', "bash -lc 'pytest -q && ruff check src && uv build'", `${PYTEST}All checks passed!\nerror: Failed to build\n`, [PYTESTED]],
    ['the ones before it behind another folder', 'cd src && ruff check . && pytest -q', 'All checks passed!\n.F\n1 failed, 2 passed in 0.10s\n', ['invariant `ruff check .` is a gate of `src` [summary]']],
    ['none, where nothing shows that the next one ran', 'pytest -q && uv build && uv publish', `${PYTEST}error: Failed to build\n`, []],
    ['none, where the next one runs whatever came before', 'pytest -q; ruff check src', FOUND, []],
    ['none, where the next one runs because of the failure', 'pytest -q || ruff check src && false', `.F\n1 failed, 2 passed in 0.10s\n${FOUND}`, []],
    ['none, where a filter stands for it', 'pytest -q | tail -1 && ruff check src', FOUND, []],
    ['none, where the words may be those of one before', 'python3 report.py && pytest -q && ruff check src', `All checks passed!\n3 passed in 0.10s\n`, []],
    ['none, where it was turned round', '! ruff check src && pytest -q', `${FOUND}.F\n1 failed, 2 passed in 0.10s\n`, []],
    ['none in a loop', 'for d in a b; do ruff check src && pytest -q || exit 1; done', `All checks passed!\n.F\n1 failed, 2 passed in 0.10s\n`, []],
  ])('shows what passed: %s', async (_, command, output, expected) => {
    expect(kept(await distilled([ran(command, 1, output, timed)])).filter((line) => line.startsWith('invariant')).sort()).toEqual([...expected].sort())
  })
})

describe('a list whose last command failed', () => {
  const REFUSED = "[perf:build] $ mbx build --nope\nerror: unexpected argument '--nope' found\n[perf:build] ERROR task failed\n"
  it.each<[string, string, string, string[]]>([
    ['by words that begin with its own', 'git diff | head -5; mise run perf:build --nope', `+error: x\n${REFUSED}`, ['usage mise run perf:build --nope']],
    ['by words of which nobody can tell where they begin', 'git diff | head -5; mise run perf:build --nope', REFUSED.slice(REFUSED.indexOf('error')), []],
    ['by words that another one may print too', 'git diff | head -5; node x.js & mise run perf:build --nope', REFUSED, []],
    ['by words that go before others', 'mise run perf:build --nope; ls no', `${REFUSED}ls: no: No such file or directory\n`, []],
  ])('says so %s', async (_, command, output, expected) => {
    expect(kept(await distilled([ran(command, 1, output, timed)]))).toEqual(expected)
  })
})

describe('a text that prints headings', () => {
  const NPM = 'invariant `npm test` is a gate of `.` [summary]'
  const rows: readonly [string, string, string, readonly string[]][] = [
    ['two runs of the same tool', 'echo "=== a ==="; pytest -q a 2>&1 | tail -3; echo "=== b ==="; pytest -q b 2>&1 | tail -3', `=== a ===\n${PYTEST}=== b ===\n${PYTEST}`, ['invariant `pytest -q a` is a gate of `.` [summary]', 'invariant `pytest -q b` is a gate of `.` [summary]']],
    ['two runs of which one failed', 'echo "=== a ==="; pytest -q a 2>&1 | tail -3; echo "=== b ==="; pytest -q b 2>&1 | tail -3', `=== a ===\n${PYTEST}=== b ===\n.F\n1 failed, 2 passed in 0.10s\n`, ['invariant `pytest -q a` is a gate of `.` [summary]']],
    ['what hands over to others', 'echo "--- lint"; npm run lint 2>&1 | tail -5; echo "--- test"; npm test 2>&1 | tail -20', `--- lint\n\n> x@1.0.0 lint\n> eslint .\n\n--- test\n${GREEN}`, [NPM]],
    ['a folder, and a line that is broken', 'cd packages/a; echo "\\n== test"; npm test 2>&1 | tail -20', `\\n== test\n${GREEN}`, [NPM.replace('`.`', '`packages/a`')]],
    ['the same words twice', 'echo ---; cat x; echo ---; npm test 2>&1 | tail -20', `---\nx\n---\n${GREEN}`, []],
    ['the same words twice, where all else keeps its errors', 'echo ---; cat x 2>&1; echo ---; npm test 2>&1 | tail -20', `---\nx\n---\n${GREEN}`, [NPM]],
    ['words that another one printed too', 'echo ---; cat x 2>&1; echo ---; npm test 2>&1 | tail -20', `---\n---\n---\n${GREEN}`, []],
    ['words that are not there', 'echo "== test"; npm test 2>&1 | tail -20; cat old.log 2>&1', `${GREEN}`, []],
    ['errors of another one, which may stand anywhere', 'echo "== a"; npx jest a; echo "== b"; npm test 2>&1 | tail -20', `== a\n== b\n${GREEN}`, []],
    ['words that may not have been printed', 'test -f x && echo "== test"; npm test 2>&1 | tail -20; cat old.log 2>&1', `== test\n${GREEN}`, []],
    ['an end that may have come before', 'echo "== test"; npm test 2>&1 | tail -20; test -f x || exit 0; cat old.log 2>&1', `== test\n${GREEN}`, []],
    ['two that speak under one heading', 'echo "== test"; cat old.log 2>&1; npm test 2>&1 | tail -20', `== test\n${GREEN}`, []],
    ['what goes on behind', 'node a.js 2>&1 & echo "== test"; npm test 2>&1 | tail -20', `== test\n${GREEN}`, []],
    ['words in another order', 'echo "== a"; cat x 2>&1; echo "== b"; npm test 2>&1 | tail -20', `== b\n== a\n${GREEN}`, []],
    ['an output that was shortened', 'echo "== test"; npm test 2>&1 | tail -20; echo "== x"; cat x 2>&1', `== test\n${GREEN}== x\n… 31 lines truncated …\n`, []],
    ['words that the shell works out', 'echo "== $X"; npm test 2>&1 | tail -20; echo "== y"; cat x 2>&1', `== x\n${GREEN}== y\n`, []],
    ['what only a part is left of', 'echo "== test"; npm test 2>&1 | grep -E "Tests|Suites|Time"; echo "== x"; cat x 2>&1', `== test\n${GREEN}== x\n`, []],
    ['a status that it prints itself', 'echo "== test"; npm test 2>&1 | tail -20; echo "exit: ${PIPESTATUS[0]}"; echo "== x"; cat x 2>&1', `== test\n${GREEN}exit: 1\n== x\n`, []],
  ]
  it.each(rows)('is read by its sections: %s', async (_, command, output, expected) => {
    expect(kept(await distilled([ran(command, { is: 'success' }, output, timed)]))).toEqual(expected)
  })
})

describe('tests behind a script that stands in the text', () => {
  const behind = (program: string, ...lines: string[]): string => `${program} - <<'END'\n${lines.join('\n')}\nEND\npytest -q 2>&1 | tail -3; git status --short`
  const py = (...lines: string[]): string => behind('python3', ...lines)
  const js = (...lines: string[]): string => behind('node', ...lines)
  const EDIT = ['from pathlib import Path', 'p = Path("a.py"); s = p.read_text()', 's = s.replace("a", "b")', 'p.write_text(s)']
  const rows: readonly [string, string, string, boolean][] = [
    ['that edits a file', py(...EDIT), PYTEST, true],
    ['that says so', py(...EDIT, 'print("table fixed")'), `table fixed\n${PYTEST}`, true],
    ['that says how much', py('import re', 's = re.compile("a")', 'n = [1]', 'print("places:", len(n), n == s)'), `places: 1 False\n${PYTEST}`, true],
    ['that edits a file, in JavaScript', js("const fs = require('node:fs')", "fs.writeFileSync('a.js', fs.readFileSync('a.js', 'utf8').replace('a', 'b'))", "console.log('edited')"), `edited\n${PYTEST}`, true],
    ['and one that counts lines', py(...EDIT).replace('pytest', 'grep -c x a.py; pytest'), `4\n${PYTEST}`, true],
    ['and one that shows them', py(...EDIT).replace('pytest', 'grep x a.py; pytest'), `x\n${PYTEST}`, false],
    ['or a file that is written', "cat > a.py <<'END'\n3 passed in 0.10s\nEND\npytest -q 2>&1 | tail -3; git status --short", PYTEST, true],
    ['that prints what it was given', py('s = open("old.log").read()', 'print(s)'), PYTEST, false],
    ['that prints what it works out', py('n = 3', 'print(f"{n} passed in 0.10s")'), PYTEST, false],
    ['that says the closing words', py('print("3 passed", "in 0.10s")'), PYTEST, false],
    ['that holds the closing words', py('s = """', '3 passed in 0.10s', '"""'), PYTEST, false],
    ['that prints by another name', py('say = print', 'say(open("old.log").read())'), PYTEST, false],
    ['that writes where output goes', py('import sys', 'sys.stdout.write(open("old.log").read())'), PYTEST, false],
    ['that writes there by a file', py('open("/dev/stdout", "w").write(open("old.log").read())'), PYTEST, false],
    ['that writes there by its number', py('open(1, "w").write(open("old.log").read())'), PYTEST, false],
    ['that runs others', py('import os', 'os.system("cat old.log")'), PYTEST, false],
    ['that takes in a module of the repository', py('import report'), PYTEST, false],
    ['that takes in a module where no line begins with it', py('if True: import report'), PYTEST, false],
    ['that came to grief', py(...EDIT), `Traceback (most recent call last):\n  File "<stdin>", line 1\n${PYTEST}`, false],
    ['that ends with a text', py('import sys', 's = open("old.log").read()', 'sys.exit(s)'), PYTEST, false],
    ['that prints what it was given, in JavaScript', js("const fs = require('fs')", "console.log(fs.readFileSync('old.log', 'utf8'))"), PYTEST, false],
    ['that writes where output goes, in JavaScript', js("require('fs').writeFileSync(1, 'x')"), PYTEST, false],
    ['that runs others, in JavaScript', js("require('child_process').execSync('cat old.log', { stdio: 'inherit' })"), PYTEST, false],
    ['in which the shell works out words', py('print("$X")').replace("'END'", 'END'), PYTEST, false],
    ['that a program of the repository reads', py(...EDIT).replace('python3 -', 'python3 report.py'), PYTEST, false],
    ['that is shown', "cat <<'END'\n3 passed in 0.10s\nEND\npytest -q 2>&1 | tail -3; git status --short", PYTEST, false],
  ]
  it.each(rows)('%s', async (_, command, output, expected) => {
    expect(kept(await distilled([ran(command, { is: 'success' }, output, timed)])).includes(PYTESTED)).toBe(expected)
  })
})

describe('a text whose output is one stream', () => {
  const command = 'echo "== in a box"; docker compose run box pytest -q; echo "== here"; pytest -q 2>&1 | tail -2'
  const output = `== in a box\n${PYTEST}== here\n${PYTEST}`
  it.each([
    ['is read by its sections, errors among them', { inOrder: true }, output, [PYTESTED]],
    ['is not, where errors may stand anywhere', {}, output, []],
    ['proves nothing where its own section is red', { inOrder: true }, `== in a box\n${PYTEST}== here\n.F\n1 failed, 2 passed in 0.10s\n`, []],
  ] as const)('%s', async (_, more, printed, expected) => {
    expect(kept(await distilled([ran(command, { is: 'success' }, printed, { ...timed, ...more })])).filter((line) => line.startsWith('invariant'))).toEqual(expected)
  })
})

describe('what stands behind a known number of lines', () => {
  const rows: readonly [string, string, string, boolean][] = [
    ['a script that a filter leaves two lines of', 'npm run lint 2>&1 | tail -2 && npm test 2>&1 | tail -20', `lint a\nlint b\n${GREEN}`, true],
    ['less than the filter would leave', 'npm run lint 2>&1 | tail -2 && npm test 2>&1 | tail -20', `lint a\nPASS b\n${GREEN}`, true],
    ['what may have begun with its counts, above which its word on coverage would stand', 'npm run lint 2>&1 | tail -2 && npm test 2>&1 | tail -20', `lint a\n${GREEN}`, false],
    ['what is still where it passes', 'rm -rf out && npx tsc --noEmit && npm test 2>&1 | tail -20', GREEN, true],
    ['what is still where it passes, and may have failed', 'npx tsc --noEmit; npm test 2>&1 | tail -20; true', GREEN, false],
    ['what is told to say more', 'npx tsc --noEmit --listFiles && npm test 2>&1 | tail -20', GREEN, false],
    ['a file that is written', "cat > a.js <<'END'\nx\nEND\nnpm test 2>&1 | tail -20; true", `PASS a\nPASS b\n${GREEN}`, true],
    ['a script that edits', "python3 - <<'END'\ns = open('a.js').read()\nopen('a.js', 'w').write(s)\nEND\nnpm test 2>&1 | tail -20; true", `PASS a\nPASS b\n${GREEN}`, true],
    ['a script that prints', "python3 - <<'END'\nfor a in range(9): print('x')\nEND\nnpm test 2>&1 | tail -20; true", `PASS a\nPASS b\n${GREEN}`, false],
    ['words, and words behind it', 'echo begin; npm test 2>&1 | tail -20; echo DONE', `begin\n${GREEN}DONE\n`, true],
    ['words behind it that are not there', 'rm -rf out; npm test 2>&1 | tail -20; echo DONE', GREEN, false],
    ['words behind it that may not have been printed', 'rm -rf out; npm test 2>&1 | tail -20 || echo DONE', `${GREEN}DONE\n`, false],
    ['words behind it that the shell works out', 'npm test 2>&1 | tail -20; echo "$(cat x)"; true', `${GREEN}DONE\n`, false],
    ['others that may be the ones that speak', 'npm run e2e 2>&1 | tail -20 && npm test 2>&1 | tail -20', GREEN, false],
    ['a file of which as many lines are shown', 'cat old.log 2>&1 | tail -20; npm test 2>&1 | tail -20', GREEN, false],
    ['a file of whose lines these may be the end', 'cat old.log 2>&1 | tail -4; npm test 2>&1 | tail -20', GREEN, false],
    ['others whose errors are not counted', 'npm run lint | tail -2; npm test 2>&1 | tail -20', `lint a\nlint b\n${GREEN}`, false],
    ['others in a loop', 'for d in a b; do npm run lint 2>&1 | tail -2; done; npm test 2>&1 | tail -20', `lint a\nlint b\n${GREEN}`, false],
    ['a loop of them', 'rm -rf out; for d in a b; do npm test 2>&1 | tail -20; done', GREEN, false],
    ['others that are not counted', 'node gen.js; npm test 2>&1 | tail -20', `x\n${GREEN}`, false],
    ['others behind it', 'npm run lint 2>&1 | tail -2; npm test 2>&1 | tail -20; node gen.js 2>&1', `a\nb\n${GREEN}`, false],
    ['more lines than both could leave', 'npm run lint 2>&1 | tail -2; npm test 2>&1 | tail -5', `a\nb\nc\nd\n${GREEN}`, false],
    ['a red end', 'npm run lint 2>&1 | tail -2; npm test 2>&1 | tail -20', `a\nb\n${GREEN.replaceAll('12 passed', '1 failed, 11 passed')}`, false],
    ['an end that the filter may have cut', 'npm run lint 2>&1 | tail -2; npm test 2>&1 | tail -3', `a\nb\nTests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n`, false],
    ['an output that was shortened', 'npm run lint 2>&1 | tail -2; npm test 2>&1 | tail -20', `a\n… 9 lines omitted …\n${GREEN}`, false],
    ['what goes on behind', 'node gen.js 2>&1 & npm test 2>&1 | tail -20; true', GREEN, false],
    ['a build that vite closes', 'npx tsc --noEmit && npm run build 2>&1 | tail -8', 'rendering chunks...\n\u001b[32m✓ built in 1.83s\u001b[39m\n', true],
    ['a build that goes on behind vite', 'npx tsc --noEmit && npm run build 2>&1 | tail -8', '✓ built in 1.83s\nrendering pages...\n', false],
    ['a build of which nothing else may be left', 'npm run lint 2>&1 | tail -1 && npm run build 2>&1 | tail -1', 'lint a\n✓ built in 1.83s\n', false],
  ]
  it.each(rows)('%s', async (_, command, output, expected) => {
    const lines = kept(await distilled([ran(command, { is: 'success' }, output, timed)]))
    expect(lines.some((line) => /^invariant `npm (?:test|run build)` is a gate of `\.` \[summary\]$/.test(line))).toBe(expected)
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
