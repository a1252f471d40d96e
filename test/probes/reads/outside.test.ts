import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../../src/base/canonical.ts'
import reads from '../../../src/probes/reads.ts'
import { type Ground, ground, valueOf } from '../ground.ts'

type Files = Readonly<Record<string, string>>

const value = (at: Ground, argv: readonly string[]): Promise<string> => valueOf(reads, canonical(['.', ...argv]), at.world())
const PYTHON = spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).stdout.trim()

/** Lies beside the repository: `node_modules/…`, or a module of the user's own Python. */
function beside(at: Ground, path: string, text = ''): string {
  const whole = join(path.endsWith('.py') ? join(at.home, `.local/lib/python${PYTHON}/site-packages`) : dirname(at.top), path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, text)
  return whole
}

const ended = (at: Ground, [program = '', ...args]: readonly string[]): number | null =>
  spawnSync(program, args, { cwd: at.top, env: { PATH: process.env['PATH'], HOME: at.home, PYTHONDONTWRITEBYTECODE: '1' }, stdio: 'ignore' }).status

const JS = 'node_modules/upm/index.js'

describe('reads, of what lies outside', () => {
  it.each<[string, string, Files, readonly string[]]>([
    ['a module of the user in a text', 'upm.py', {}, ['python3', '-c', 'import upm']],
    ['a module of the user in a script', 'upm.py', { 'a.py': 'from upm import __name__\n' }, ['python3', 'a.py']],
    ['a part of a package of the user', 'upm/sub.py', {}, ['python3', '-c', 'from upm.sub import __name__ as x']],
    ['a package of the user that is run', 'upm/__main__.py', {}, ['python3', '-m', 'upm']],
    ['a module of the user by a text', 'upm.py', {}, ['python3', '-c', "import importlib\nimportlib.import_module('upm')"]],
    ['a module of the user in a module of the repository', 'upm.py', { 'lib/__init__.py': 'import upm\n', 'a.py': 'import lib\n' }, ['python3', 'a.py']],
    ['a module of the user that a test imports', 'upm.py', { 'test_a.py': 'import unittest, upm\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n' }, ['python3', '-m', 'unittest', 'test_a']],
    ['a script of Python', '../x.py', {}, ['python3', '../x.py']],
    ['a package above the repository', JS, {}, ['node', '-e', "console.log(require('upm'))"]],
    ['a package above that a module imports', JS, { 'a.mjs': "import 'upm'\n" }, ['node', 'a.mjs']],
    ['a package above that is imported when it runs', JS, { 'a.mjs': "await import('upm')\n" }, ['node', 'a.mjs']],
    ['a package above that is only looked for', JS, { 'a.cjs': "require.resolve('upm')\n" }, ['node', 'a.cjs']],
    ['a package above by a require of its own', JS, { 'a.mjs': "import { createRequire } from 'node:module'\nconst load = createRequire(import.meta.url)\nload('upm')\n" }, ['node', 'a.mjs']],
    ['a package above by a name that is worked out', JS, { 'a.cjs': "const names = ['upm']\nfor (const name of names) require(name)\n" }, ['node', 'a.cjs']],
    ['a package above that is loaded first', JS, { 'a.js': '' }, ['node', '-r', 'upm', 'a.js']],
    ['a package above that is imported first', JS, { 'a.js': '' }, ['node', '--import', 'upm', 'a.js']],
    ['a package above behind what reads anything', JS, { 'a.cjs': "require('x')\nrequire('./b.cjs')\n", 'b.cjs': "require('./c.cjs')\n", 'c.cjs': "require('upm')\n", 'node_modules/x/index.js': "eval('1')\nrequire('./y')\n", 'node_modules/x/y.js': '' }, ['node', 'a.cjs']],
    ['a module that is named by its path', 'x.js', { 'a.cjs': "require('../x.js')\n" }, ['node', 'a.cjs']],
    ['a script of Node', 'x.js', {}, ['node', '../x.js']],
    ['a script of a shell', 'x.sh', {}, ['sh', '../x.sh']],
    ['a script that is sourced', 'x.sh', { 'a.sh': '. ../x.sh\n' }, ['sh', 'a.sh']],
    ['a folder in which a script works', 'y/x', { 'a.sh': 'cd ../y && cat x\n' }, ['sh', 'a.sh']],
  ])('can not be told: %s', async (_, path, files, argv) => {
    const at = ground(files)
    const made = path.startsWith('../') ? beside(at, 'x') && join(dirname(at.top), 'x.py') : beside(at, path)
    if (path.startsWith('../')) writeFileSync(made, '')
    expect(ended(at, argv)).toBe(0)
    expect(await value(at, argv)).toMatch(/^unreadable: (?:it loads ".*", which lies|a script works in a folder) outside the repository$/)
    rmSync(made)
    expect(ended(at, argv)).not.toBe(0)
  })

  it.each<[string, Files, readonly string[]]>([
    ['a tool that is fetched', {}, ['npx', '-y', 'cowsay', 'x']],
    ['a tool that is fetched by npm', {}, ['npm', 'exec', 'cowsay', 'x']],
  ])('can not be told: %s', async (_, files, argv) => {
    expect(await value(ground(files), argv)).toMatch(/^unreadable: it loads ".*", which lies outside the repository$/)
  })

  it.each<[string, Files, readonly string[]]>([
    ['modules of Python itself', { 'a.py': 'import csv, xml.etree.ElementTree\nfrom concurrent import futures\n' }, ['python3', 'a.py']],
    ['a module beside a script', { 'a.py': 'import upm\n', 'upm.py': '' }, ['python3', 'a.py']],
    ['a module that a lockfile holds', { 'a.py': 'import upm\n', 'requirements.txt': 'upm==1.0 \\\n  --hash=sha256:00\n' }, ['python3', 'a.py']],
    ['a module that a lockfile of tables holds', { 'a.py': 'import up_m\n', 'poetry.lock': '[[package]]\nname = "up-m"\nversion = "1"\n' }, ['python3', 'a.py']],
    ['a module that a lockfile of objects holds', { 'a.py': 'import upm\n', 'Pipfile.lock': '{"default": {"upm": {"version": "==1"}}}' }, ['python3', 'a.py']],
    ['a project that is installed where it lies', { 'tests/test_a.py': 'import upm\n', 'src/upm/__init__.py': '' }, ['python3', '-m', 'pytest', 'tests']],
    ['a module where the program says to look', { 'a.py': 'import sys\nsys.path.insert(0, "parts")\nimport upm\n', 'parts/upm.py': '' }, ['python3', 'a.py']],
    ['an installed package', { 'a.cjs': "require('upm')\n", 'node_modules/upm/index.js': '' }, ['node', 'a.cjs']],
    ['a package that is nowhere', { 'a.cjs': "require('nowhere-at-all')\n" }, ['node', 'a.cjs']],
    ['a tool that is installed', { 'node_modules/.bin/cowsay': '#!/usr/bin/env node\n' }, ['npx', 'cowsay']],
  ])('can be told: %s', async (_, files, argv) => {
    const at = ground(files)
    beside(at, 'upm.py')
    beside(at, JS)
    expect(await value(at, argv)).toMatch(/^[\da-f]{64}$/)
  })

  it.each<[string, Files, readonly string[]]>([
    ['a place beside a module', { 'a.mjs': "import { readFileSync } from 'node:fs'\nreadFileSync(new URL('../ext.cfg', import.meta.url))\n" }, ['node', 'a.mjs']],
    ['a place that is handed on', { 'a.mjs': "import { readFileSync } from 'node:fs'\nconst load = (at) => readFileSync(at)\nload(new URL('../ext.cfg', import.meta.url))\n" }, ['node', 'a.mjs']],
    ['a joined path', { 'lib/a.cjs': "const fs = require('fs')\nconst path = require('path')\nfs.readFileSync(path.join(__dirname, '..', '..', 'ext.cfg'))\n" }, ['node', 'lib/a.cjs']],
    ['a folder above a folder', { 'a.cjs': "const fs = require('fs')\nconst path = require('path')\nfs.readFileSync(path.join(path.dirname(path.dirname(__filename)), 'ext.cfg'))\n" }, ['node', 'a.cjs']],
    ['a parent of a parent', { 'a.py': "from pathlib import Path\n(Path(__file__).parent.parent / 'ext.cfg').read_text()\n" }, ['python3', 'a.py']],
    ['parents by number', { 'lib/a.py': "import pathlib\npathlib.Path(__file__).resolve().parents[2].joinpath('ext.cfg').read_text()\n" }, ['python3', 'lib/a.py']],
    ['a path on a constant', { 'a.py': "from pathlib import Path\nHERE = Path(__file__).parent\ntext = (HERE / '..' / 'ext.cfg').read_text()\n" }, ['python3', 'a.py']],
    ['a path of Python', { 'a.py': "import os\nopen(os.path.join(os.path.dirname(__file__), '..', 'ext.cfg'))\n" }, ['python3', 'a.py']],
    ['a folder of a folder of Python', { 'a.py': "import os\nopen(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'ext.cfg'))\n" }, ['python3', 'a.py']],
    ['a constant of Python', { 'a.py': "import os\nHERE = os.path.dirname(__file__)\nopen(os.path.join(HERE, '..', 'ext.cfg'))\n" }, ['python3', 'a.py']],
    ['a folder of a script', { 'a.sh': 'cat "$(dirname "$0")/../ext.cfg"\n' }, ['sh', 'a.sh']],
    ['a folder of a script in a variable', { 'a.sh': 'HERE=$(dirname "$0")\ncat "$HERE/../ext.cfg"\n' }, ['sh', 'a.sh']],
  ])('says nothing that stays the same without what a path leads to: %s', async (_, files, argv) => {
    const at = ground(files)
    const made = beside(at, 'ext.cfg', 'a')
    expect(ended(at, argv)).toBe(0)
    const before = await value(at, argv)
    rmSync(made)
    expect(ended(at, argv)).not.toBe(0)
    // A folder outside that is worked out on the way can't be told at all.
    if (!/^unreadable: it rests on ".*", which lies outside the repository$/.test(before)) {
      expect(before).toMatch(/^[\da-f]{64}$/)
      expect(await value(at, argv)).not.toBe(before)
    }
  })
})
