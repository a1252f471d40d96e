import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../../src/base/canonical.ts'
import reads from '../../../src/probes/reads.ts'
import { type Ground, ground, valueOf } from '../ground.ts'

type Files = Readonly<Record<string, string>>

const value = (at: Ground, argv: readonly string[]): Promise<string> => valueOf(reads, canonical(['.', ...argv]), at.world())
const TAKES = 'unreadable: it reads its standard input'
/** It ends well where it is given `ok`. */
const PY = 'import sys\nsys.exit(0 if "ok" in sys.stdin.read() else 1)\n'

const ended = (at: Ground, [program = '', ...args]: readonly string[], input: string): number | null => spawnSync('sh', ['-c', 'printf %s "$0" | "$@"', input, program, ...args], { cwd: at.top, env: { PATH: process.env['PATH'], HOME: at.home } }).status

describe('reads, of standard input', () => {
  it.each<[string, Files, readonly string[]]>([
    ['sys.stdin', { 'a.py': PY }, ['python3', 'a.py']],
    ['a stdin that is imported', { 'a.py': 'from sys import stdin, exit\nexit(0 if "ok" in stdin.read() else 1)\n' }, ['python3', 'a.py']],
    ['input()', { 'a.py': 'import sys\nsys.exit(0 if input() == "ok" else 1)\n' }, ['python3', 'a.py']],
    ['input() in a text', {}, ['python3', '-c', 'assert input() == "ok"']],
    ['input() of a module', { 'lib.py': 'def ask():\n    return input()\n', 'a.py': 'import lib\nassert lib.ask() == "ok"\n' }, ['python3', 'a.py']],
    ['fileinput', { 'a.py': 'import fileinput\nassert next(fileinput.input()).strip() == "ok"\n' }, ['python3', 'a.py']],
    ['open(0)', { 'a.py': 'assert "ok" in open(0).read()\n' }, ['python3', 'a.py']],
    ['a device that is opened', { 'a.py': 'assert "ok" in open("/dev/stdin").read()\n' }, ['python3', 'a.py']],
    ['a test of unittest', { 'test_a.py': 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(input(), "ok")\n' }, ['python3', '-m', 'unittest', 'test_a']],
    ['process.stdin', { 'a.mjs': "let all = ''\nfor await (const one of process.stdin) all += one\nprocess.exit(all.includes('ok') ? 0 : 1)\n" }, ['node', 'a.mjs']],
    ['a stdin of node:process', { 'a.mjs': "import { exit, stdin } from 'node:process'\nlet all = ''\nfor await (const one of stdin) all += one\nexit(all.includes('ok') ? 0 : 1)\n" }, ['node', 'a.mjs']],
    ['a stdin that is taken apart', { 'a.mjs': "const { stdin } = process\nlet all = ''\nfor await (const one of stdin) all += one\nprocess.exit(all.includes('ok') ? 0 : 1)\n" }, ['node', 'a.mjs']],
    ['readFileSync(0)', {}, ['node', '-e', "process.exit(require('fs').readFileSync(0, 'utf8').includes('ok') ? 0 : 1)"]],
    ['readFileSync(0) of a name', { 'a.cjs': "const { readFileSync } = require('fs')\nprocess.exit(readFileSync(0, 'utf8').includes('ok') ? 0 : 1)\n" }, ['node', 'a.cjs']],
    ['a device that Node reads', { 'a.cjs': "const fs = require('fs')\nprocess.exit(fs.readFileSync('/dev/stdin', 'utf8').includes('ok') ? 0 : 1)\n" }, ['node', 'a.cjs']],
    ['a program that is handed it', { 'a.cjs': "const { execFileSync } = require('child_process')\nexecFileSync('grep', ['-q', 'ok'], { stdio: 'inherit' })\n" }, ['node', 'a.cjs']],
    ['read of a shell', { 'a.sh': 'read -r line\n[ "$line" = ok ]\n' }, ['sh', 'a.sh']],
    ['a loop that reads', { 'a.sh': 'while read -r line; do [ "$line" = ok ] || exit 1; done\n' }, ['sh', 'a.sh']],
    ['grep without a file', {}, ['grep', '-q', 'ok']],
    ['grep with options of two words', {}, ['grep', '-A', '2', '-q', 'ok']],
    ['grep of a dash', {}, ['grep', '-q', 'ok', '-']],
    ['awk', {}, ['awk', '-F', ':', '$1 != "ok" { exit 1 }']],
    ['awk with variables', {}, ['awk', '-v', 'x=ok', '$1 != x { exit 1 }']],
    ['a device in words', {}, ['grep', '-q', 'ok', '/dev/stdin']],
    ['xargs', {}, ['xargs', 'test', 'ok', '=']],
    ['a pipe in a script', { 'a.sh': 'cat | sort | grep -q ok\n' }, ['sh', 'a.sh']],
    ['what a script runs first', { 'a.sh': 'grep -q ok | cat\ngrep -q ok\n' }, ['sh', 'a.sh']],
    ['what a script puts into a variable', { 'a.sh': 'X=$(cat)\n[ "$X" = ok ]\n' }, ['sh', 'a.sh']],
    ['what is no standard input', { 'd': 'x', 'a.sh': 'grep -q ok 3< d\n' }, ['sh', 'a.sh']],
    ['a script of npm', { 'package.json': '{"scripts":{"check":"grep -q ok"}}' }, ['npm', 'run', '-s', 'check']],
    ['a recipe', { Makefile: 'check:\n\t@grep -q ok\n' }, ['make', 'check']],
    ['a script of Perl', { 'a.pl': 'exit(<STDIN> eq "ok\\n" ? 0 : 1);\n' }, ['perl', 'a.pl']],
    ['cmp with one file', { 'd': 'ok\n' }, ['cmp', 'd']],
    ['tr', { 'a.sh': '[ "$(tr a-z A-Z)" = OK ]\n' }, ['sh', 'a.sh']],
  ])('can not be told: %s', async (_, files, argv) => {
    const at = ground(files)
    if (!['what a script runs first', 'xargs'].includes(_)) expect([ended(at, argv, 'ok\n'), ended(at, argv, 'no\n') === 0]).toEqual([0, false])
    expect(await value(at, argv)).toBe(TAKES)
  })

  it.each<readonly string[]>([['python3'], ['python3', '-'], ['node'], ['node', '-'], ['sh'], ['bash', '-s'], ['cat'], ['sort', '-k', '2'], ['wc', '-l'], ['sed', '-n', 'p'], ['sed', '-e', 's/a/b/'], ['head', '-n', '1'], ['tail', '-5'], ['cut', '-d', ',', '-f', '1'], ['uniq', '-c'], ['env', 'A=1', 'cat'], ['timeout', '5', 'cat'], ['tee', 'x'], ['jq', '.a'], ['bc'], ['[', '-t', '0', ']'], ['cat', 'd', '-']])('can not be told: %s %s %s %s %s', async (...argv) => {
    expect(await value(ground({ d: '' }), argv.filter((word) => word !== undefined))).toBe(TAKES)
  })

  it.each<[string, Files, readonly string[]]>([
    ['a file', { d: '1\n' }, ['sort', '-k', '2', 'd']],
    ['a pattern and a file', { d: '1\n' }, ['grep', '-A', '2', '1', 'd']],
    ['a pattern in a folder', { 'd/e': '1\n' }, ['grep', '-r', '1']],
    ['a version', {}, ['sort', '--version']],
    ['a text of awk that reads nothing', {}, ['awk', 'BEGIN { print 1 }']],
    ['a file that feeds it', { d: '1\n' }, ['python3', '<', 'd']],
    ['a pipe', { d: 'ok\n', 'a.sh': 'cat d | tr a b | while read -r x; do cat; done\n' }, ['sh', 'a.sh']],
    ['a loop over a file', { d: 'ok\n', 'a.sh': 'while read -r x; do echo "$x"; done < d\n' }, ['sh', 'a.sh']],
    ['a text that feeds it', { 'a.sh': 'cat <<END\nx\nEND\n', 'b.sh': '' }, ['sh', 'a.sh']],
    ['a file from here on', { d: '', 'a.sh': 'exec < d\nread x\ncat\n' }, ['sh', 'a.sh']],
    ['a function that is fed', { d: '', 'a.sh': 'count() { wc -l; }\ncount < d\n' }, ['sh', 'a.sh']],
    ['a script that is fed', { d: '', 'b.py': PY, 'a.sh': 'python3 b.py < d\n' }, ['sh', 'a.sh']],
    ['a parameter of the name', { 'a.py': 'def run(input):\n    return input\nrun(1)\n' }, ['python3', 'a.py']],
    ['the input of another program', { 'a.cjs': "const { spawn } = require('child_process')\nconst p = spawn('cat', [])\np.stdin.end()\n" }, ['node', 'a.cjs']],
    ['tests that pytest runs', { 'test_a.py': 'def test_a():\n    input()\n' }, ['pytest', 'test_a.py']],
    ['a package that could', { 'a.cjs': "require('x')\n", 'node_modules/x/index.js': 'process.stdin\n' }, ['node', 'a.cjs']],
  ])('can be told: %s', async (_, files, argv) => {
    expect(await value(ground(files), argv)).toMatch(/^[\da-f]{64}$/)
  })
})
