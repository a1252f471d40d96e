import { describe, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { sha256 } from '../../src/base/digest.ts'
import reads from '../../src/probes/reads.ts'
import { ground, program, read, valueOf } from './ground.ts'

type Files = Readonly<Record<string, string>>

const key = (command: string, folder = '.'): string => canonical([folder, ...command.split(' ')])

const JS: Files = {
  'package.json': '{"name":"root","version":"1.0.0","type":"module","scripts":{"test":"node --test test/","other":"node lib/a.js"}}',
  'lib/a.js': "// comment with require(x) and import(y)\nimport { b } from './b.js'\nexport const a = b / 2 / 1\n",
  'lib/b.js': "export { c as b } from './c.js'\n",
  'lib/c.js': 'export const c = 4\n',
  'lib/apart.js': 'export const apart = 1\n',
  'test/a.test.js': "import test from 'node:test'\nimport { a } from '../lib/a.js'\ntest('a', () => a)\n",
  'docs/page.md': 'words\n',
}
const FS = "import { readFileSync, readdirSync } from 'node:fs'\n"
const PYTHON: Files = {
  'pkg/__init__.py': '',
  'pkg/a.py': 'from .b import value\nimport re\nPATTERN = re.compile("x")\n',
  'pkg/b.py': 'value = 1  # open("x")\n',
  'pkg/apart.py': 'value = 2\n',
  'tests/test_a.py': 'import unittest\nfrom pkg.a import value\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(value, 1)\n',
  'docs/page.md': 'words\n',
}
const C: Files = {
  'Makefile': 'OBJS = $(patsubst %.c,%.o,$(wildcard src/*.c))\n-include local.mk\n\napp: $(OBJS)\n\t$(CC) -o $@ $^\n\nsrc/%.o: src/%.c\n\t$(CC) -Iinclude -c -o $@ $<\n\ntest: app\n\t./app < input.txt | cmp - expected.txt\n\n.PHONY: test\n',
  'src/main.c': '#include <stdio.h>\n#include "a.h"\nint main(void) { return A; }\n',
  'include/a.h': '#define A 0\n',
  'input.txt': '1\n',
  'expected.txt': '1\n',
  'docs/page.md': 'words\n',
}
const SHELL: Files = {
  'run.sh': '#!/bin/sh\ncd "$(dirname "$0")" || exit 1\n. ./lib.sh\nfor f in data/*.txt; do count "$f"; done\n[ -f local.conf ] && . ./local.conf\nexit 0\n',
  'lib.sh': 'count() { wc -l < "$1"; }\n',
  'data/a.txt': 'a\n',
  'data/note.md': 'note\n',
  'docs/page.md': 'words\n',
}
const RUST: Files = {
  'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n',
  'Cargo.lock': 'version = 3\n',
  'a/Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\n\n[dependencies]\nb = { path = "../b" }\n',
  'a/src/lib.rs': 'pub use b::two;\n',
  'b/Cargo.toml': '[package]\nname = "b"\nversion = "0.1.0"\n',
  'b/src/lib.rs': 'pub fn two() -> i32 { include_str!("two.txt").len() as i32 }\n',
  'b/src/two.txt': 'ab',
  'docs/page.md': 'words\n',
}

describe('reads', () => {
  it.each<[string, Files, string, [string, string][], [string, string][]]>([
    [
      'modules that are imported, and what decides how they are read',
      JS,
      'node lib/a.js',
      [['lib/c.js', 'export const c = 5\n'], ['package.json', '{"name":"root","type":"commonjs"}'], ['lib/package.json', '{}']],
      [['lib/apart.js', 'export const apart = 2\n'], ['docs/page.md', 'other\n'], ['package.json', JS['package.json']?.replace('1.0.0', '1.0.1') as string], ['lib/new.js', '1']],
    ],
    [
      'tests that a runner finds',
      JS,
      'npm test',
      [['test/b.test.js', ''], ['test/a.test.js', ''], ['lib/b.js', ''], ['.npmrc', 'loglevel=silent\n'], ['package.json', JS['package.json']?.replace('--test test/', '--test lib/') as string]],
      [['lib/apart.js', ''], ['docs/page.md', ''], ['lib/x.test.md', '']],
    ],
    [
      'files at places that a module works out from its own',
      { ...JS, 'data/a.txt': '', 'lib/a.js': `${FS}import { join, dirname } from 'node:path'\nconst here = import.meta.dirname\nreadFileSync(join(here, 'x.txt'))\nreadFileSync(new URL('../docs/y.txt', import.meta.url))\nfor (const n of readdirSync('data')) readFileSync(\`data/\${n}\`)\n` },
      'node lib/a.js',
      [['lib/x.txt', 'x'], ['docs/y.txt', 'y'], ['data/z.txt', 'z']],
      [['lib/z.txt', 'x'], ['docs/page.md', 'y']],
    ],
    [
      'programs that a module starts',
      { ...JS, 'lib/a.js': "import { execFileSync } from 'node:child_process'\nexecFileSync(process.execPath, ['lib/c.js'])\n" },
      'node lib/a.js',
      [['lib/c.js', '']],
      [['lib/b.js', '']],
    ],
    [
      'what require looks for, ending by ending',
      { 'a.js': "const b = require('./b')\nmodule.exports = b\n", 'b/index.js': '', 'c.js': '' },
      'node a.js',
      [['b.js', ''], ['b.json', '{}'], ['b/package.json', '{"main":"../c.js"}'], ['b/index.js', '1']],
      [['c.js', '1'], ['b/other.js', '']],
    ],
    [
      'installed packages that git ignores',
      { 'a.mjs': "import x from 'x'\n", '.gitignore': 'node_modules/\n', 'node_modules/x/package.json': '{"name":"x","version":"1.0.0","exports":{"import":"./x.mjs"}}', 'node_modules/x/x.mjs': 'export default 1\n' },
      'node a.mjs',
      [['node_modules/x/x.mjs', 'export default 2\n'], ['node_modules/x/package.json', '{"name":"x","version":"1.0.1","exports":{"import":"./x.mjs"}}']],
      [['node_modules/x/y.mjs', ''], ['node_modules/y/package.json', '{}']],
    ],
    [
      'modules of Python with their packages, and what could hide others',
      PYTHON,
      'python3 -m unittest tests.test_a',
      [['pkg/b.py', 'value = 2\n'], ['pkg/__init__.py', 'x = 1\n'], ['unittest.py', ''], ['difflib.py', ''], ['pkg/b/__init__.py', '']],
      [['pkg/apart.py', ''], ['docs/page.md', ''], ['notes.txt', ''], ['tests/test_b.py', '']],
    ],
    ['tests that unittest finds', { ...PYTHON, 'tests/__init__.py': '' }, 'python3 -m unittest discover -s tests -t .', [['tests/test_b.py', ''], ['pkg/b.py', '']], [['tests/other.py', ''], ['pkg/apart.py', '']]],
    ['settings of pytest that are not there', PYTHON, 'python3 -m pytest -q tests/test_a.py', [['conftest.py', ''], ['pytest.ini', '[pytest]\n'], ['tests/__init__.py', ''], ['pkg/b.py', '']], [['docs/page.md', ''], ['tests/notes.txt', '']]],
    [
      'files that Python opens beside a module',
      { 'a.py': 'import os\nopen(os.path.join(os.path.dirname(__file__), "x.txt"))\nfor n in os.listdir("data"):\n    open("data/" + n)\n', 'data/a.txt': '', 'docs/page.md': '' },
      'python3 a.py',
      [['x.txt', ''], ['data/b.txt', '']],
      [['y.txt', ''], ['docs/page.md', '1']],
    ],
    ...['$(MAKE) -C sub x', 'cd sub && make x', 'sh run.sh', 'for d in sub; do $(MAKE) -C $$d x; done'].map((recipe): [string, Files, string, [string, string][], [string, string][]] => [
      `what a make in a recipe does (${recipe})`,
      { Makefile: `test:\n\t${recipe}\n`, 'run.sh': 'exec make -C sub x\n', 'sub/Makefile': '-include local.mk\nx: a.txt\n\tcat a.txt\n', 'sub/a.txt': '', 'sub/b.txt': '', 'other/Makefile': '' },
      'make test',
      [['sub/Makefile', 'x:\n\tfalse\n'], ['sub/GNUmakefile', 'x:\n'], ['sub/local.mk', 'x: b.txt\n'], ['sub/a.txt', 'a']],
      [['sub/b.txt', 'b'], ['other/Makefile', 'x:\n']],
    ]),
    [
      'what make makes a target of, by its rules and recipes',
      C,
      'make test',
      [['include/a.h', '#define A 1\n'], ['src/new.c', ''], ['src/a.h', ''], ['local.mk', 'X = 1\n'], ['GNUmakefile', 'test:\n'], ['expected.txt', '2\n'], ['input.txt', '2\n'], ['src/main.y', '']],
      [['docs/page.md', ''], ['notes.txt', ''], ['src/notes.txt', '']],
    ],
    ['headers, where they are looked for', C, 'gcc -Iinclude -fsyntax-only src/main.c', [['include/a.h', ''], ['src/a.h', ''], ['include/stdio.h', '']], [['docs/page.md', ''], ['src/b.h', '']]],
    ['scripts with what they source, run and look for', SHELL, './run.sh', [['data/a.txt', ''], ['data/b.txt', ''], ['lib.sh', ''], ['local.conf', '']], [['docs/page.md', ''], ['data/note.md', ''], ['data/other.md', '']]],
    [
      'packages by path, and all manifests of the workspace',
      RUST,
      'cargo test --offline',
      [['b/src/lib.rs', 'pub fn two() {}'], ['b/src/two.txt', 'abc'], ['.cargo/config.toml', ''], ['b/build.rs', 'fn main() {}'], ['a/examples/x.rs', ''], ['Cargo.lock', '']],
      [['docs/page.md', '']],
    ],
  ])('knows %s', async (_, files, command, drifting, standing) => {
    const at = ground(files)
    if ('run.sh' in files) at.write('run.sh', files['run.sh'] as string, 0o755)
    const folder = 'Cargo.toml' in files ? 'a' : '.'
    const before = await valueOf(reads, key(command, folder), at.world())
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    for (const [list, same] of [[drifting, false], [standing, true]] as const)
      for (const [path, text] of list) {
        const old = files[path]
        at.write(path, text)
        expect([path, (await valueOf(reads, key(command, folder), at.world())) === before]).toEqual([path, same])
        if (old === undefined) at.git('clean', '-fdqx', '--', path)
        else at.write(path, old)
      }
  })

  it.each<[string, Files, string]>([
    ['a module that is worked out', { 'a.js': "require('./' + name)\n" }, 'node a.js'],
    ['an import that is worked out', { 'a.js': 'await import(`./${x}.js`)\n' }, 'node a.js'],
    ['require that is handed on', { 'a.js': 'const load = require\nload("x")\n' }, 'node a.js'],
    ['fs that is handed on', { 'a.js': "import fs from 'fs'\nrun(fs)\n" }, 'node a.js'],
    ['a function of fs that is handed on', { 'a.js': "const { readFileSync: r } = require('fs')\nnames.map(r)\n" }, 'node a.js'],
    ['a path from elsewhere', { 'a.js': "require('fs').readFileSync(x)\n" }, 'node a.js'],
    ['a path that may lead up', { 'a.js': "import { readFileSync } from 'fs'\nreadFileSync(`data/${x}`)\nconst y = ['../y']\n" }, 'node a.js'],
    ['a parameter with the name of a constant', { 'a.js': "import { readFileSync } from 'fs'\nconst p = 'x.txt'\nconst f = (p) => readFileSync(p)\n" }, 'node a.js'],
    ['eval', { 'a.js': 'eval(x)\n' }, 'node a.js'],
    ['a code in a template', { 'a.js': "const x = `${eval('1')}`\n" }, 'node a.js'],
    ['a module of Node that loads others', { 'a.js': "import { createRequire } from 'node:module'\n" }, 'node a.js'],
    ['a text that can not be parsed', { 'a.js': "const a = 'b\n" }, 'node a.js'],
    ['an option of node that nobody knows', { 'a.js': '' }, 'node --inspect-strange a.js'],
    ['a script that runs a program that may read anything', { 'package.json': '{"scripts":{"test":"strange-builder"}}', 'node_modules/.bin/strange-builder': '#!/bin/sh\n' }, 'npm test'],
    ['exec of Python', { 'a.py': 'exec(x)\n' }, 'python3 a.py'],
    ['a code in a text of Python', { 'a.py': 'x = f"{open(y).read()}"\n' }, 'python3 a.py'],
    ['open that is handed on', { 'a.py': 'f = open\n' }, 'python3 a.py'],
    ['a package of Python that a lockfile holds', { 'a.py': 'import yaml\n', 'requirements.txt': 'PyYAML==6.0\n' }, 'python3 a.py'],
    ['a search path', { 'a.py': 'import sys\nsys.path.insert(0, "x")\n' }, 'python3 a.py'],
    ['a fixture that nobody defines', { 'test_a.py': 'def test_a(datadir):\n    pass\n' }, 'pytest test_a.py'],
    ['settings of pytest', { 'test_a.py': '', 'pytest.ini': '[pytest]\naddopts = -p x\n' }, 'pytest test_a.py'],
    ['a makefile with conditions', { Makefile: 'ifdef X\nendif\ntest:\n\ttrue\n' }, 'make test'],
    ['a make within a make that sets variables', { Makefile: 'test:\n\t$(MAKE) -C sub x\n', 'sub/Makefile': 'CONF = dev\nx: $(CONF).txt\n\tcat $<\n' }, 'make test CONF=ci'],
    ['a shell in a makefile', { Makefile: 'X = $(shell ls)\ntest:\n\techo $(X)\n' }, 'make test'],
    ['a compiled program that opens files', { Makefile: 'a: a.c\n\tcc -o a a.c\ntest: a\n\t./a\n', 'a.c': '#include <stdio.h>\nint main(void) { fopen("x", "r"); return 0; }\n' }, 'make test'],
    ['an include that a macro says', { 'a.c': '#include NAME\n' }, 'gcc -c a.c'],
    ['a path that a shell works out', { 'a.sh': 'cat "$(head -1 list)"\n' }, 'sh a.sh'],
    ['a variable of the environment', { 'a.sh': 'cat "$FILE"\n' }, 'sh a.sh'],
    ['eval of a shell', { 'a.sh': 'eval "$x"\n' }, 'sh a.sh'],
    ['find that runs something', { 'a.sh': 'find src -exec cat {} +\n' }, 'sh a.sh'],
    ['a build script', { 'Cargo.toml': '[package]\nname = "a"\n', 'build.rs': 'fn main() {}\n', 'src/lib.rs': '' }, 'cargo test'],
    ['a package of others', { 'Cargo.toml': '[package]\nname = "a"\n[dependencies]\nserde = "1"\n', 'src/lib.rs': '' }, 'cargo test'],
    ['a program that nobody knows', {}, 'perl x'],
  ])('rests on all of the work tree for %s', async (_, files, command) => {
    const at = ground({ ...files, 'docs/page.md': 'words\n' })
    const before = await valueOf(reads, key(command), at.world())
    at.write('docs/page.md', 'others\n')
    expect(await valueOf(reads, key(command), at.world())).not.toBe(before)
  })

  it.each<[string, Files, string]>([
    ['a command', {}, 'git diff --exit-code'],
    ['a script', { 'a.sh': 'if true; then git describe --tags; fi\n' }, 'sh a.sh'],
    ['an npm script', { 'package.json': '{"scripts":{"test":"git status"}}' }, 'npm test'],
    ['a recipe', { Makefile: 'test:\n\tgit rev-parse HEAD\n' }, 'make test'],
    ['a variable of a makefile', { Makefile: 'V = $(shell git describe)\ntest:\n\techo $(V)\n' }, 'make test'],
    ['a module', { 'a.js': "import { execFileSync } from 'node:child_process'\nexecFileSync('git', ['status'], { cwd: x })\n" }, 'node a.js'],
    ['a module of Python', { 'a.py': 'import subprocess\nsubprocess.run(["git", "status"])\n' }, 'python3 a.py'],
    ['a script of another language', { 'a.pl': 'system("git status");\n' }, 'perl a.pl'],
    ['another program', { 'a.sh': 'ls | xargs git log\n' }, 'sh a.sh'],
    ['a look into its folder', { 'a.sh': 'cat .git/HEAD\n' }, 'sh a.sh'],
  ])('can not be told where git is started by %s', async (_, files, command) => {
    expect(await valueOf(reads, key(command), ground(files).world())).toBe("unreadable: it rests on git's own state")
  })

  it.each<[string, string, string]>([
    ['an absolute path', 'sh a.sh', 'cat BASE/x.txt\n'],
    ['a path of the home folder', 'sh a.sh', 'cat ~/x.txt\n'],
    ['the home folder by its variable', 'sh a.sh', '[ -n "$1" ] || grep -q x "$HOME/x.txt"\n'],
    ['a path that leads up', 'sh a.sh', 'cat ../home/x.txt\n'],
    ['a file for a program that may read anything', 'sh a.sh', 'perl x --from=BASE/x.txt\n'],
    ['a module', 'node a.js', "import { readFileSync } from 'node:fs'\nreadFileSync('BASE/x.txt')\n"],
    ['a module of Python', 'python3 a.py', "open('BASE/x.txt')\n"],
    ['a link', 'sh a.sh', 'cat link\n'],
    ['a link in all of the work tree', 'sh a.sh', 'cat "$FILE"\n'],
  ])('rests on what lies outside the repository where %s names it', async (_, command, text) => {
    const at = ground({ 'package.json': '{"type":"module"}' })
    const { symlinkSync, writeFileSync, rmSync, mkdirSync } = await import('node:fs')
    const outside = `${at.home}/x.txt`
    symlinkSync(outside, `${at.top}/link`)
    at.write(command.split(' ')[1] as string, text.replaceAll('BASE', at.home))
    writeFileSync(outside, 'a')
    const before = await valueOf(reads, key(command), at.world())
    expect(before).toMatch(/^[\da-f]{64}$/)
    expect(await valueOf(reads, key(command), at.world())).toBe(before)
    writeFileSync(outside, 'b')
    const other = await valueOf(reads, key(command), at.world())
    rmSync(outside)
    const absent = await valueOf(reads, key(command), at.world())
    expect(new Set([before, other, absent]).size).toBe(3)
    if (text.includes('"$FILE"')) return
    mkdirSync(outside)
    expect(await valueOf(reads, key(command), at.world())).toMatch(/^unreadable: it rests on ".*", which lies outside the repository$/)
  })

  it('does not rest on what a script made outside itself', async () => {
    const at = ground({ 'a.sh': 'echo x > /tmp/remnant-reads-none/x\ncat /tmp/remnant-reads-none/x\n' })
    expect(await valueOf(reads, key('sh a.sh'), at.world())).toBe(await valueOf(reads, key('sh a.sh'), at.world({ env: { HOME: '/' } })))
  })

  it('can not be told where a module asks for the home folder', async () => {
    expect(await valueOf(reads, key('node a.js'), ground({ 'a.js': "import { homedir } from 'node:os'\nread(homedir())\n" }).world())).toBe('unreadable: "a.js" looks into the home folder')
  })

  it('is what the page of the format says, for one file', async () => {
    const at = ground({ 'a.txt': 'a\n' })
    const program = (await at.world().program('cat', '.')) as NonNullable<Awaited<ReturnType<ReturnType<typeof at.world>['program']>>>
    const says = (await at.world().version(program)) as string
    expect(await valueOf(reads, key('cat a.txt b.txt'), at.world())).toBe(
      sha256(['100644 78981922613b2afb6025042ff6bd878ac1994e85 a.txt', 'absent b.txt', `program . cat ${sha256(says)}`].map((line) => `${line}\n`).join('')),
    )
  })

  it('drifts with the programs that a script starts, and starts none that it does not know', async () => {
    const at = ground({ 'a.sh': 'strange-program x | sort b.txt\ncommand -v other-program\n', 'b.txt': '' })
    const bin = `${at.home}/bin`
    const world = () => at.world({ env: { PATH: `${bin}:${process.env['PATH']}` } })
    const before = await valueOf(reads, key('sh a.sh'), world())
    program(`${bin}/other-program`, `${at.home}/log`, 'true')
    const between = await valueOf(reads, key('sh a.sh'), world())
    expect(between).not.toBe(before)
    program(`${bin}/sort`, `${at.home}/sorted`, 'echo sort 99.9')
    expect(await valueOf(reads, key('sh a.sh'), world())).not.toBe(between)
    expect(at.git('status', '--porcelain')).toBe('')
    const { existsSync } = await import('node:fs')
    expect(existsSync(`${at.home}/log`)).toBe(false)
  })

  it('tells when something of it last changed', async () => {
    const at = ground(JS)
    const first = await read(reads, key('node lib/a.js'), at.world())
    const before = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    at.write('docs/page.md', 'x')
    expect(await read(reads, key('node lib/a.js'), at.world())).toEqual(first)
    at.write('lib/c.js', 'export const c = 4\n')
    const later = await read(reads, key('node lib/a.js'), at.world())
    expect('changed' in later && (later.changed as number) > before).toBe(true)
  })

  it('counts the whole tree of a repository that is too large to follow, in time', async () => {
    const at = ground(Object.fromEntries([...Array(900)].map((_, i) => [`m${i}.js`, i === 0 ? '' : `import './m${i - 1}.js'\n`])))
    const before = await valueOf(reads, key('node m899.js'), at.world())
    at.write('docs/page.md', 'x')
    expect(await valueOf(reads, key('node m2099.js'), at.world())).not.toBe(before)
  })

  it.each([
    ['deep brackets', 'a.js', '('.repeat(50_000)],
    ['many templates', 'a.js', '`${'.repeat(50_000)],
    ['many slashes', 'a.js', '/'.repeat(50_001)],
    ['many names', 'a.js', `import ${'{a,'.repeat(50_000)}`],
    ['many quotes', 'a.py', '"'.repeat(50_001)],
    ['deep brackets of Python', 'a.py', '['.repeat(100_000)],
    ['many dollars', 'a.sh', '$('.repeat(5000)],
    ['many functions', 'a.sh', `f() { f; f; }\n${'f\n'.repeat(500)}`],
  ])('reads a hostile text of %s in time', async (_, path, text) => {
    const at = ground({ [path]: text })
    const world = at.world()
    await world.tree('.')
    const start = process.hrtime.bigint()
    await read(reads, key(`${path.endsWith('.js') ? 'node' : path.endsWith('.py') ? 'python3' : 'sh'} ${path}`), world)
    expect(Number(process.hrtime.bigint() - start) / 1e6).toBeLessThan(4000)
  })

  it('refuses what names no command', async () => {
    for (const argument of ['x', '[]', '["."]', '[1,2]', '{"a":1}']) expect(await valueOf(reads, argument, ground().world())).toBe('unreadable: it names no command')
  })
})
