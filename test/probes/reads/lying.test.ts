import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../../src/base/canonical.ts'
import reads from '../../../src/probes/reads.ts'
import { type Ground, ground, valueOf } from '../ground.ts'

type Files = Readonly<Record<string, string>>
type Change = (at: Ground) => void

const value = (at: Ground, command: string): Promise<string> => valueOf(reads, canonical(['.', ...command.split(' ')]), at.world())
const write = (path: string, text: string): Change => (at) => at.write(path, text)
const gone = (path: string): Change => (at) => rmSync(join(at.top, path), { recursive: true })
const link = (path: string, to: string): Change => (at) => symlinkSync(to, join(at.top, path))
const NODE = "import fs from 'node:fs'\nimport cp from 'node:child_process'\n"
const IGNORED: Files = { '.gitignore': 'dist/\n.env\n*.out\nnode_modules/\nout\n', 'dist/a.js': 'ok\n', 'dist/b/c.txt': 'c\n', '.env': 'A=1\n', 'docs/p.md': 'p\n' }

describe('reads', () => {
  it.each<[string, Files, string, Change]>([
    ['a folder of tests', { ...IGNORED, 'dist/a.test.js': '' }, 'node --test dist/', write('dist/a.test.js', '1\n')],
    ['tests that a runner finds', IGNORED, 'node --test', write('dist/test/x.js', '1\n')],
    ['tests that unittest finds', { ...IGNORED, 'tests/__init__.py': '', '.gitignore': 'local/\n' }, 'python3 -m unittest discover -s tests -t .', write('tests/local/test_b.py', 'x = 1\n')],
    ['a folder that is searched', IGNORED, 'grep -r ok dist', write('dist/b/c.txt', 'ok\n')],
    ['a folder that is listed', { ...IGNORED, 'a.mjs': `${NODE}fs.readdirSync('dist')\n` }, 'node a.mjs', write('dist/new.js', '')],
    ['a folder of which something is read', { ...IGNORED, 'a.mjs': `${NODE}for (const n of fs.readdirSync('dist')) fs.readFileSync('dist/' + n)\n` }, 'node a.mjs', write('dist/a.js', 'other\n')],
    ['a pattern of a shell', { ...IGNORED, 'a.sh': 'for f in dist/*.js; do cat "$f"; done\n' }, 'sh a.sh', write('dist/a.js', 'other\n')],
    ['a pattern that something new fits', { ...IGNORED, 'a.sh': 'cat dist/*/*.txt\n' }, 'sh a.sh', write('dist/b/d.txt', 'd\n')],
    ['what a text names for a path that only running tells', { ...IGNORED, 'a.mjs': `${NODE}fs.readFileSync(process.argv[2] ?? '.env')\n` }, 'node a.mjs', write('.env', 'A=2\n')],
    ['what a source names for a program that may read anything', { ...IGNORED, 'src/a.ts': "import '../dist/a'\n" }, 'no-such-or-tar cf /dev/null src', write('dist/a.js', 'other\n')],
    ['libraries in a folder', IGNORED, 'gcc -Ldist -lx main.c', write('dist/libx.a', 'x')],
    ['what make made of nothing', { ...IGNORED, 'Makefile': 'out:\n\tcat docs/p.md\n' }, 'make out', (at) => mkdirSync(join(at.top, 'out'))],
    ['what make left', { ...IGNORED, 'x.out': 'x', 'Makefile': 'check: x.out\n\tcat x.out\nx.out: docs/p.md\n\tcp docs/p.md x.out\n.PHONY: check\n' }, 'make check', write('x.out', 'y')],
    ['a search path of Node', { ...IGNORED, 'dist/m.js': '', 'a.cjs': "require('m')\n" }, 'env NODE_PATH=x:dist node a.cjs', write('dist/m.js', '1')],
    ['a search path of Node that is not there yet', { ...IGNORED, 'a.cjs': "require('m')\n" }, 'env NODE_PATH=out node a.cjs', write('out/m.js', '1')],
    ['a search path of Python', { ...IGNORED, 'dist/m.py': '', 'a.py': 'import m\n' }, 'env PYTHONPATH=dist python3 a.py', write('dist/m.py', '1')],
    ['a module in the options of Node', { ...IGNORED, 'a.cjs': '' }, 'env NODE_OPTIONS=--require=./dist/a.js node a.cjs', write('dist/a.js', '1')],
    ['what a shell reads first', { ...IGNORED, 'a.sh': 'true\n' }, 'env BASH_ENV=.env bash a.sh', write('.env', 'exit 3\n')],
    ['makefiles of the environment', { ...IGNORED, 'Makefile': 'check:\n\ttest $(A) = 1\n' }, 'env MAKEFILES=.env make check', write('.env', 'A=2\n')],
    ['a file in a variable of its own', { ...IGNORED, 'a.mjs': `${NODE}fs.readFileSync(process.env.CONFIG)\n` }, 'env CONFIG=dist/b/c.txt node a.mjs', write('dist/b/c.txt', 'd\n')],
    ['a package that is installed beside Node\'s own of its name', { ...IGNORED, 'node_modules/test/index.js': '1\n', 'a.cjs': "require('test')\n" }, 'node a.cjs', write('node_modules/test/index.js', '2\n')],
  ])('counts what git ignores: %s', async (_, files, command, change) => {
    const at = ground(files)
    const program = command.replace('no-such-or-', '')
    const before = await value(at, program)
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    change(at)
    expect(await value(at, program)).not.toBe(before)
  })

  it.each<[string, string, Change]>([
    ['that no text names', 'tar cf /dev/null docs', write('apart.out', 'x')],
    ['that a tool keeps for itself', 'ls .', write('__pycache__/a.pyc', 'x')],
    ['that is a log', 'tar cf /dev/null docs', write('debug.log', 'x')],
  ])('does not count what git ignores %s', async (_, command, change) => {
    const at = ground({ ...IGNORED, '.gitignore': '__pycache__/\n*.out\n*.log\ndist/\n', 'a.js': 'debug\n' })
    const before = await value(at, command)
    change(at)
    expect(await value(at, command)).toBe(before)
  })

  it('can not tell a folder with too much that git ignores', async () => {
    const at = ground(IGNORED)
    for (let i = 0; i < 2100; i++) at.write(`dist/many/${i}`, '')
    expect(await value(at, 'grep -r ok dist')).toMatch(/^unreadable: too much/)
  })

  it.each<[string, Files, string, Change]>([
    ['where it works', { 'sub/d': 'd', 'a.mjs': `${NODE}const o = { cwd: 'sub' }\ncp.execSync('cat d', o)\n` }, 'node a.mjs', write('sub/d', 'e')],
    ['how deep it lists', { 'src/a/x.js': '', 'a.mjs': `${NODE}const all = { recursive: true }\nfs.readdirSync('src', all)\n` }, 'node a.mjs', write('src/a/y.js', '')],
    ['that it makes a file anew', { 'lock': '', 'a.mjs': `${NODE}fs.writeFileSync('lock', '', { flag: 'wx' })\n` }, 'node a.mjs', gone('lock')],
    ['that it makes a folder', { 'a.mjs': `${NODE}fs.mkdirSync('fresh')\n` }, 'node a.mjs', (at) => mkdirSync(join(at.top, 'fresh'))],
    ['that Python makes a file anew', { 'lock': '', 'a.py': 'open("lock", "x").close()\n' }, 'python3 a.py', gone('lock')],
    ['that Python makes a folder', { 'a.py': 'import os\nos.mkdir("fresh")\n' }, 'python3 a.py', (at) => mkdirSync(join(at.top, 'fresh'))],
    ['a folder in which a shell writes', { 'a.sh': 'echo x > fresh/y\n' }, 'sh a.sh', (at) => mkdirSync(join(at.top, 'fresh'))],
    ['a file that argparse opens', { 'd': '', 'a.py': 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--f", type=argparse.FileType("r"), default="d")\n' }, 'python3 a.py', write('d', 'x')],
    ['who may run a file (shell)', { 'x.sh': '', 'a.sh': '[ -x x.sh ]\n' }, 'sh a.sh', (at) => chmodSync(join(at.top, 'x.sh'), 0o755)],
    ['who may run a file (Node)', { 'x.sh': '', 'a.mjs': `${NODE}fs.accessSync('x.sh', fs.constants.X_OK)\n` }, 'node a.mjs', (at) => chmodSync(join(at.top, 'x.sh'), 0o755)],
    ['who may write a file', { 'x': '', 'a.sh': 'test -w x\n' }, 'sh a.sh', (at) => chmodSync(join(at.top, 'x'), 0o444)],
    ['whether a file is a link', { 'x': '', 'a.sh': '[ -L l ]\n' }, 'sh a.sh', link('l', 'x')],
    ['what a shell tests in double brackets', { 'list': 'a\n', 'src/a': '', 'a.sh': 'for n in $(cat list); do [[ -f src/$n ]]; done\n' }, 'bash a.sh', gone('src/a')],
    ['a variable under another name', { 'd': '', 'a.sh': 'F=d\ndeclare -n r=F\ncat "$r"\n' }, 'bash a.sh', write('d', 'x')],
    ['a variable that printf sets', { 'd.t': '', 'e': '', 'a.sh': 'F=e\nprintf -v F "%s.t" d\ncat "$F"\n' }, 'bash a.sh', write('d.t', 'x')],
    ['a search path that is exported later', { 'lib/dep/index.js': '', 'x.js': "require('dep')\n", 'a.sh': 'NODE_PATH=./lib\nexport NODE_PATH\nnode x.js\n' }, 'sh a.sh', write('lib/dep/index.js', '1')],
    ['a search path of cd', { 'o/s/d': '', 's/d': '', 'a.sh': 'CDPATH=o\ncd s\ncat d\n' }, 'sh a.sh', write('o/s/d', 'x')],
    ['what is exported by a file', { 'h.js': '', 'x.js': '', 'e.sh': 'NODE_OPTIONS="--require ./h.js"\n', 'a.sh': 'set -a\n. ./e.sh\nnode x.js\n' }, 'sh a.sh', write('h.js', '1')],
    ['dates in a file', { 'd': '2020-01-01\n', 'a.sh': 'date -f d\n' }, 'sh a.sh', write('d', 'x')],
    ['a file that sed reads', { 'a': '', 'other': '', 'a.sh': 'sed "\\$rother" a\n' }, 'sh a.sh', write('other', 'x')],
    ['what may have been there already', { 'v': 'good', 'a.sh': '[ -f v ] || echo good > v\ncat v\n' }, 'sh a.sh', write('v', 'bad')],
    ['an include behind a comment', { 'v.h': '', 'm.c': '/* x */ #include "v.h"\n' }, 'gcc -fsyntax-only m.c', write('v.h', '1')],
    ['a header that was compiled before', { 'v.h': '', 'm.c': '#include "v.h"\n' }, 'gcc -fsyntax-only m.c', write('v.h.gch', '1')],
    ['a folder beside a module of its name', { 'lib.mjs': '', 'lib/index.js': '', 'a.js': "require('./lib')\n" }, 'node a.js', write('lib/index.js', '1')],
    ['a folder that is named as one', { 'lib.js': '', 'lib/index.js': '', 'a.js': "require('./lib/')\n" }, 'node a.js', write('lib/index.js', '1')],
    ['require by another name', { 'y.js': '', 'a.js': "module['require']('./y')\n" }, 'node a.js', write('y.js', '1')],
    ['a second makefile', { 'a.mk': 'V = a\n', 'b.mk': 'check:\n\techo $(V)\n' }, 'make -f a.mk -f b.mk check', write('a.mk', 'V = b\n')],
  ])('counts %s', async (_, files, command, change) => {
    const at = ground(files)
    const before = await value(at, command)
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    change(at)
    expect(await value(at, command)).not.toBe(before)
  })

  it.each(['fx', '.'])('counts what links under a folder lead to: %s', async (folder) => {
    const at = ground({ '.gitignore': 'gen/\n', 'other/d': 'good', 'gen/e': 'e', 'fx/a': '' })
    link('fx/d', '../other/d')(at)
    link('fx/e', '../gen/e')(at)
    for (const path of ['other/d', 'gen/e']) {
      const before = await value(at, `grep -r good ${folder}`)
      at.write(path, 'bad')
      expect(await value(at, `grep -r good ${folder}`), path).not.toBe(before)
    }
  })

  it.each(['[ a -nt b ]\n', '[[ a -ot b ]]\n', 'find . -newer a\n', 'date -r a\n', 'ls -t\n', 'stat a\n', 'stat -c %Y a\n', 'cp -u a b\n'])('can not tell what rests on times of files: %s', async (text) => {
    const at = ground({ 'a': '', 'b': '', 'a.sh': text })
    utimesSync(join(at.top, 'a'), 1, 1)
    expect(await value(at, 'bash a.sh')).toBe('unreadable: it rests on times of files')
  })

  it.each([['a.mjs', `${NODE}fs.statSync('b').mtimeMs\n`, 'node a.mjs'], ['a.py', 'import os\nos.path.getmtime("b")\n', 'python3 a.py']])('can not tell what asks for them in %s', async (path, text, command) => {
    expect(await value(ground({ [path]: text, 'b': '' }), command)).toBe('unreadable: it rests on times of files')
  })
})
