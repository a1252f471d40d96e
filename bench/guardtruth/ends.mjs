/**
 * Dead ends by kind of project: `command` fails in `files`; each fix is a change after which it may well succeed. `class` is what the
 * failure is, for the table; what the product takes it for is its own affair. `twice`: it has to be seen twice to be kept.
 */

const script = (name) => `#!/bin/sh\necho ${name} done\n`
const json = (value) => `${JSON.stringify(value, null, 2)}\n`
/** A program on PATH, outside the repository. */
const installed = (name, text = script(name)) => ['the program is installed', (h) => h.put(`${h.bin}/${name}`, text)]
const file = (path, text, what = `${path} is written`) => [what, (h) => h.put(path, text)]
/** Ways in which the same words find a program after all, though no folder of PATH has it. */
const inWords = (name) => [
  ['PATH is set before the command', (h) => h.put(`tools/${name}`, script(name)), null, null, (c) => `PATH="$PWD/tools:$PATH" ${c}`],
  ['PATH is exported first', (h) => h.put(`tools/${name}`, script(name)), null, null, (c) => `export PATH="$PWD/tools:$PATH"; ${c}`],
  ['PATH comes from a file that is sourced', (h) => (h.put(`tools/${name}`, script(name)), h.put('env.sh', 'PATH="$PWD/tools:$PATH"\n')), null, null, (c) => `. ./env.sh && ${c}`],
  ['a function has its name', () => {}, null, null, (c) => `${name}() { echo done; }; ${c}`],
  ['an alias has its name', () => {}, null, null, (c) => `shopt -s expand_aliases\nalias ${name}='echo done'\n${c}`],
  ['a handler answers for it', () => {}, null, null, (c) => `command_not_found_handle() { echo done; }; ${c}`],
  ['a profile of a login shell puts it on PATH', (h) => (h.put(`${h.env.HOME}/own/${name}`, script(name)), h.put(`${h.env.HOME}/.bash_profile`, 'PATH="$HOME/own:$PATH"\n')), null, null, (c) => `bash -lc '${c}'`],
  ['another says that it failed', () => {}, null, null, (c) => `${c} || echo "not here"`],
]
const withEnv = (more, what) => [what ?? `${Object.keys(more).join(', ')} set in the environment`, () => {}, { more }]

export const ends = [
  {
    id: 'node',
    needs: 'node',
    files: {
      'package.json': json({ name: 'small', version: '1.0.0', type: 'commonjs', scripts: { ok: 'node ok.js', lint: 'lintish .', test: 'node --test test' } }),
      'ok.js': 'console.log("ok")\n',
      'app.js': 'require("left-padding-of-mine")\nconsole.log("ran")\n',
      'deep/app.js': 'require("other-of-mine/part")\n',
      'asks.js': 'if (!process.env.TOKEN_OF_MINE) { console.error("error: TOKEN_OF_MINE is not set"); process.exit(1) }\n',
      'tool.js': 'const known = ["--yes"]\nfor (const word of process.argv.slice(2)) if (!known.includes(word)) { console.error(`error: unknown option \'${word}\'`); process.exit(2) }\n',
      'cli.js': 'const { commands } = require("./commands.json")\nconst [name] = process.argv.slice(2)\nif (!commands.includes(name)) { console.error(`error: unknown command "${name}"`); process.exit(1) }\n',
      'commands.json': json({ commands: ['start'] }),
      'src/sum.js': 'exports.sum = (a, b) => a - b\n',
      'test/sum.test.js': 'const { test } = require("node:test"), assert = require("node:assert"), { sum } = require("../src/sum.js")\ntest("sum", () => assert.strictEqual(sum(2, 3), 5))\n',
    },
    ends: [
      { class: 'program-missing', command: 'eslintish src', fixes: [installed('eslintish'), ...inWords('eslintish'), ['it is put into node_modules/.bin', (h) => h.put('node_modules/.bin/eslintish', script('x'))], ['PATH gets the folder where it is', (h) => h.put('tools/eslintish', script('x')), (h) => ({ more: { PATH: `${h.root}/tools:${h.env.PATH}` } })]] },
      { class: 'program-missing', command: 'npm run lint', slow: true, fixes: [installed('lintish'), ['it is put into node_modules/.bin', (h) => h.put('node_modules/.bin/lintish', script('x'))], ['the script is another', (h) => h.put('package.json', json({ name: 'small', version: '1.0.0', scripts: { lint: 'node ok.js' } }))]] },
      { class: 'usage', command: 'npm run biuld', slow: true, fixes: [['the script is added', (h) => h.put('package.json', json({ name: 'small', version: '1.0.0', scripts: { biuld: 'node ok.js' } }))]] },
      { class: 'usage', command: 'npm frobnicate', slow: true, fixes: [] },
      { class: 'usage', command: 'node --no-such-flag-of-mine ok.js', fixes: [] },
      { class: 'usage', command: 'node tool.js --no', fixes: [file('tool.js', 'console.log("any")\n')] },
      { class: 'usage', command: 'node cli.js stop', fixes: [file('commands.json', json({ commands: ['start', 'stop'] }))] },
      { class: 'dependency', command: 'node app.js', fixes: [file('node_modules/left-padding-of-mine/index.js', '', 'the package is installed'), ['the package is installed one folder up', (h) => h.put(`${h.root}/../node_modules/left-padding-of-mine/index.js`, ''), null, (h) => h.remove(`${h.root}/../node_modules`)], file('app.js', 'console.log("ran")\n', 'the program does without it'), ['NODE_PATH leads to it', (h) => h.put('vendor/left-padding-of-mine/index.js', ''), (h) => ({ more: { NODE_PATH: `${h.root}/vendor` } })]] },
      { class: 'dependency', command: 'node deep/app.js', fixes: [file('deep/node_modules/other-of-mine/part.js', '', 'the package is installed beside it'), file('node_modules/other-of-mine/part.js', '', 'the package is installed at the top')] },
      { class: 'dependency', command: 'npm ls left-padding-of-mine', slow: true, fixes: [['the package is installed and named', (h) => (h.put('node_modules/left-padding-of-mine/package.json', json({ name: 'left-padding-of-mine', version: '1.0.0' })), h.put('package.json', json({ name: 'small', version: '1.0.0', dependencies: { 'left-padding-of-mine': '1.0.0' } })))]] },
      { class: 'dependency', command: 'npm ci', slow: true, fixes: [['a lockfile is written', (h) => h.put('package-lock.json', json({ name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': { name: 'small', version: '1.0.0' } } }))]] },
      { class: 'path-missing', command: 'node missing.js', fixes: [file('missing.js', '')] },
      { class: 'path-missing', command: 'node -r ./setup.js ok.js', fixes: [file('setup.js', '')] },
      { class: 'denied', command: 'node asks.js', fixes: [withEnv({ TOKEN_OF_MINE: 'x1' })], others: ['TOKEN_OF_MINE=1 node asks.js'] },
      { class: 'red', twice: true, command: 'npm test', slow: true, fixes: [file('src/sum.js', 'exports.sum = (a, b) => a + b\n', 'the source is put right')] },
    ],
  },
  {
    id: 'python',
    needs: 'python3',
    files: {
      'app.py': 'import module_of_mine\nprint("ran")\n',
      'args.py': 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--yes", action="store_true")\np.parse_args()\n',
      'sub.py': 'import argparse\nfrom names import NAMES\np = argparse.ArgumentParser()\ns = p.add_subparsers(required=True)\nfor n in NAMES:\n    s.add_parser(n)\np.parse_args()\n',
      'names.py': 'NAMES = ["start"]\n',
      'calc.py': 'def add(a, b):\n    return a - b\n',
      'test_calc.py': 'import unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n',
      'reads.py': 'print(open("settings.ini").read())\n',
    },
    ends: [
      { class: 'program-missing', command: 'ruffish check .', fixes: [installed('ruffish'), ...inWords('ruffish')] },
      { class: 'usage', command: 'python3 --no-such-flag app.py', fixes: [] },
      { class: 'usage', command: 'python3 args.py --no', fixes: [file('args.py', 'print("any")\n')] },
      { class: 'usage', command: 'python3 sub.py stop', fixes: [file('names.py', 'NAMES = ["start", "stop"]\n')] },
      { class: 'usage', command: 'python3 -m unittest --tpyo', fixes: [file('unittest/__main__.py', '', 'a module of that name is written here')] },
      { class: 'usage', command: 'python3 -m pip frobnicate', slow: true, fixes: [] },
      { class: 'dependency', command: 'python3 app.py', fixes: [file('module_of_mine.py', ''), ['PYTHONPATH leads to it', (h) => h.put('vendor/module_of_mine.py', ''), (h) => ({ more: { PYTHONPATH: `${h.root}/vendor` } })]] },
      { class: 'dependency', command: 'python3 -m module_of_mine', fixes: [file('module_of_mine.py', '')] },
      { class: 'path-missing', command: 'python3 missing.py', fixes: [file('missing.py', '')] },
      { class: 'path-missing', command: 'python3 reads.py', fixes: [file('settings.ini', '')] },
      { class: 'red', twice: true, command: 'python3 -m unittest', fixes: [file('calc.py', 'def add(a, b):\n    return a + b\n', 'the source is put right')] },
    ],
  },
  {
    id: 'pytest',
    needs: 'pytest',
    files: { 'test_ok.py': 'def test_ok():\n    assert True\n', 'pytest.ini': '[pytest]\n' },
    ends: [
      { class: 'usage', command: 'pytest --option-of-mine', fixes: [file('conftest.py', 'def pytest_addoption(parser):\n    parser.addoption("--option-of-mine", action="store_true")\n', 'conftest.py brings the option'), ['a plugin of the environment brings it', (h) => h.put('vendor/plug_of_mine.py', 'def pytest_addoption(parser):\n    parser.addoption("--option-of-mine", action="store_true")\n'), (h) => ({ more: { PYTHONPATH: `${h.root}/vendor`, PYTEST_PLUGINS: 'plug_of_mine' } })]] },
      { class: 'path-missing', command: 'pytest missing_test.py', fixes: [file('missing_test.py', 'def test_it():\n    pass\n')] },
    ],
  },
  {
    id: 'make',
    needs: 'make',
    files: {
      Makefile: 'include rules.mk\nall:\n\t@echo all\ndeploy:\n\t@shipper-of-mine now\ncheck:\n\t@cc -fsyntax-only calc.c\ntest:\n\t@sh test.sh\n',
      'rules.mk': 'extra:\n\t@echo extra\n',
      'calc.c': '#include "missing_of_mine.h"\nint main(void) { return 0; }\n',
      'link.c': 'int other(void);\nint main(void) { return other(); }\n',
      'test.sh': 'value=$(cat value.txt)\nif [ "$value" != 5 ]; then echo "FAIL: got $value, want 5"; exit 1; fi\n',
      'value.txt': '4\n',
    },
    ends: [
      { class: 'program-missing', command: 'make deploy', fixes: [installed('shipper-of-mine'), ['the target is another', (h) => h.put('Makefile', 'deploy:\n\t@echo ok\n')]] },
      { class: 'program-missing', command: 'cmakeish -B build', fixes: [installed('cmakeish')] },
      { class: 'usage', command: 'make tset', fixes: [['the target is added to an included file', (h) => h.put('rules.mk', 'tset:\n\t@echo tset\n')], ['a file of that name is written', (h) => h.put('tset', '')], ['a GNUmakefile is written', (h) => h.put('GNUmakefile', 'tset:\n\t@echo tset\n')]] },
      { class: 'usage', command: 'cc --no-such-flag-of-mine -c link.c', fixes: [] },
      { class: 'usage', command: 'make --no-such-flag', fixes: [] },
      { class: 'path-missing', command: 'make check', fixes: [file('missing_of_mine.h', '')] },
      { class: 'path-missing', command: 'cc -fsyntax-only calc.c', fixes: [file('missing_of_mine.h', ''), ['CPATH leads to it', (h) => h.put('inc/missing_of_mine.h', ''), (h) => ({ more: { CPATH: `${h.root}/inc` } })]] },
      { class: 'path-missing', command: 'make -f other.mk', fixes: [file('other.mk', 'all:\n\t@echo ok\n')] },
      { class: 'path-missing', command: 'cc -o out nope.c', fixes: [file('nope.c', 'int main(void) { return 0; }\n')] },
      { class: 'dependency', command: 'cc -o out link.c -lof_mine', fixes: [['the library is built, and LIBRARY_PATH leads to it', async (h) => void (await h.make('mkdir -p lib && echo "int other(void){return 0;}" > lib/o.c && cc -c -o lib/o.o lib/o.c && ar rcs lib/libof_mine.a lib/o.o')), (h) => ({ more: { LIBRARY_PATH: `${h.root}/lib` } })]] },
      { class: 'red', twice: true, command: 'make test', fixes: [file('value.txt', '5\n', 'what it reads is put right')] },
    ],
  },
  {
    id: 'shell',
    needs: 'bash',
    files: {
      'build.sh': 'set -e\n./step-of-mine\n',
      'ship.sh': '#!/bin/sh\nshipper-of-mine "$@"\n',
      'opts.sh': '#!/bin/sh\n. ./known.sh\ncase "$1" in $KNOWN) echo fine ;; *) echo "opts.sh: unknown option: $1" >&2; exit 2 ;; esac\n',
      'known.sh': 'KNOWN=--yes\n',
      'plain.sh': 'echo plain\n',
    },
    ends: [
      { class: 'program-missing', command: 'shellcheckish build.sh', fixes: [installed('shellcheckish'), ...inWords('shellcheckish')] },
      { class: 'program-missing', command: './ship.sh', fixes: [installed('shipper-of-mine'), file('ship.sh', '#!/bin/sh\necho ok\n', 'the script is another')] },
      { class: 'program-missing', command: './missing.sh', fixes: [file('missing.sh', '#!/bin/sh\necho ok\n')] },
      { class: 'program-missing', command: 'bash build.sh', fixes: [file('step-of-mine', '#!/bin/sh\necho ok\n')] },
      { class: 'path-missing', command: 'bash missing.sh', fixes: [file('missing.sh', 'echo ok\n')] },
      { class: 'denied', command: './plain.sh', fixes: [['it is made executable', (h) => h.put('plain.sh', '#!/bin/sh\necho plain\n', 0o755)], ['its mode alone is changed', (h) => h.make('chmod +x plain.sh')]] },
      { class: 'usage', command: './opts.sh --no', fixes: [file('known.sh', 'KNOWN="--no"\n')] },
      { class: 'usage', command: 'git psuh', fixes: [['an alias is made', (h) => h.git('config', 'alias.psuh', 'status')], installed('git-psuh')] },
      { class: 'usage', command: 'git status --no-such-flag', fixes: [] },
      { class: 'usage', command: 'ls --no-such-flag', fixes: [] },
      { class: 'usage', command: 'git log --no-such-flag', fixes: [] },
      { class: 'usage', command: 'tar --no-such-flag', fixes: [] },
      { class: 'usage', command: 'curl --no-such-flag-of-mine http://127.0.0.1:9/', fixes: [] },
      { class: 'usage', command: 'sqlite3 -nosuchflag of-mine.db', fixes: [] },
      { class: 'usage', command: 'bash --no-such-flag build.sh', fixes: [] },
      { class: 'program-missing', command: 'terraformish plan', fixes: [installed('terraformish')] },
      { class: 'program-missing', command: 'kubectlish get pods -o wide', fixes: [installed('kubectlish'), file('node_modules/.bin/kubectlish', script('kubectlish'), 'node_modules/.bin has it')] },
      { class: 'usage', command: 'git merge no-such-branch', fixes: [['the branch is made', (h) => h.git('branch', 'no-such-branch')]] },
      { class: 'usage', command: 'git push nowhere main', fixes: [['the remote is added', async (h) => (await h.git('init', '-q', '--bare', '../bare.git'), await h.git('remote', 'add', 'nowhere', '../bare.git'), await h.git('branch', '-f', 'main')), null, (h) => h.remove(`${h.root}/../bare.git`)]] },
    ],
  },
  {
    id: 'perl',
    needs: 'perl',
    files: {
      'use.pl': 'use lib "lib";\nuse Missing::OfMine;\nprint "ran\\n";\n',
      'opts.pl': 'use Getopt::Long;\nGetOptions("yes" => \\my $yes) or exit 2;\nprint "fine\\n";\n',
      'lib/Own.pm': 'package Own;\n1;\n',
    },
    ends: [
      { class: 'program-missing', command: 'perlcriticish lib', fixes: [installed('perlcriticish'), ...inWords('perlcriticish')] },
      { class: 'program-missing', command: 'perltidyish -b lib/Own.pm', fixes: [installed('perltidyish')] },
      { class: 'usage', command: 'perl --no-such-flag use.pl', fixes: [] },
      { class: 'usage', command: 'perl opts.pl --no', fixes: [file('opts.pl', 'print "any\\n";\n')] },
      { class: 'usage', command: 'prove --no-such-flag', fixes: [] },
      { class: 'dependency', command: 'perl use.pl', fixes: [file('lib/Missing/OfMine.pm', 'package Missing::OfMine;\n1;\n'), ['PERL5LIB leads to it', (h) => h.put('vendor/Missing/OfMine.pm', 'package Missing::OfMine;\n1;\n'), (h) => ({ more: { PERL5LIB: `${h.root}/vendor` } })]] },
      { class: 'path-missing', command: 'perl missing.pl', fixes: [file('missing.pl', '')] },
    ],
  },
  {
    id: 'java',
    needs: 'java',
    files: { 'Main.java': 'public class Main { public static void main(String[] a) { System.out.println("ran"); } }\n' },
    ends: [
      { class: 'program-missing', command: 'gradlish build', fixes: [installed('gradlish')] },
      { class: 'program-missing', command: './gradlew build', fixes: [file('gradlew', '#!/bin/sh\necho ok\n')] },
      { class: 'usage', command: 'java --no-such-flag Main.java', slow: true, fixes: [] },
      { class: 'path-missing', command: 'java Nope.java', slow: true, fixes: [file('Nope.java', 'public class Nope { public static void main(String[] a) { } }\n')] },
      { class: 'dependency', command: 'java -cp out Main', slow: true, fixes: [['it is compiled', (h) => h.make('javac -d out Main.java')]] },
    ],
  },
  {
    id: 'cargo',
    needs: 'cargo',
    slow: true,
    files: { 'Cargo.toml': '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n', 'src/main.rs': 'fn main() {}\n' },
    ends: [
      { class: 'usage', command: 'cargo tset', fixes: [installed('cargo-tset'), file('.cargo/config.toml', '[alias]\ntset = "version"\n', 'an alias is written')] },
      { class: 'usage', command: 'cargo check --no-such-flag', fixes: [] },
      { class: 'usage', command: 'cargo run --bin nope', fixes: [file('src/bin/nope.rs', 'fn main() {}\n')] },
      { class: 'path-missing', command: 'cargo check --manifest-path other/Cargo.toml', fixes: [['the package is written', (h) => (h.put('other/Cargo.toml', '[package]\nname = "other"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'), h.put('other/src/lib.rs', ''))]] },
      { class: 'usage', command: 'rustc --no-such-flag src/main.rs', fixes: [] },
    ],
  },
]

/** Changes that have nothing to do with any of the dead ends. */
export const unrelated = [
  ['nothing', () => {}],
  ['a file is edited that nothing reads', (h) => h.put('NOTES.md', `notes ${Math.random()}\n`)],
  ['a commit is made', async (h) => (h.put('docs/a.md', 'a\n'), await h.git('add', 'docs'), await h.git('commit', '-q', '-m', 'docs'))],
  ['another branch is checked out', (h) => h.git('checkout', '-q', '-b', 'side')],
  ['another program is installed', (h) => h.put(`${h.bin}/quite-another`, script('quite-another'))],
  ['a variable is set that nothing reads', () => {}, { more: { NOTHING_OF_MINE: '1' } }],
]

/** The same command, told otherwise. Where its status would be a filter's, it is made so that its own is seen. */
export const spellings = [
  ['behind an echo', (c) => `echo now && ${c}`],
  ['in bash -c', (c) => `bash -c '${c}'`],
  ['with its output filtered', (c) => `${c} | tail -50`, (c) => `set -o pipefail; ${c} | tail -50`],
  ['with its errors joined', (c) => `${c} 2>&1`],
]
/** Commands that are not that command. */
export const others = [
  ['in another folder', (c) => c, { below: true }],
  ['with another argument', (c) => `${c} one-more-of-mine`],
  ['with a variable before it', (c) => `NOTHING_OF_MINE=1 ${c}`],
  ['where a failure is allowed', (c) => `${c} || true`],
  ['where what it lacks is made first', (c, fix) => fix],
]
