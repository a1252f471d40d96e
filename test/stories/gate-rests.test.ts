import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)
const TEST = 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(True)\n'

/** The verdict on a gate that was witnessed and sealed, after something was done. */
function after(files: Readonly<Record<string, string>>, gate: string, act: (made: Clone) => void): string {
  const made = clone()
  made.write('.gitignore', '*.local\n.npmrc\n__pycache__/\n')
  for (const [path, text] of Object.entries(files)) made.write(path, text)
  made.git('add', '-A')
  made.git('commit', '-qm', 'first')
  expect(made.remnant('run', '--', ...gate.split(' '))).toMatchObject({ status: 0 })
  expect(made.remnant('teardown').status).toBe(0)
  expect(json(made, 'resolve').remnants[0].verdict).toBe('NO_DRIFT')
  act(made)
  const [{ retained_claims, drifted_keys }] = json(made, 'resolve').remnants
  return retained_claims.length === 1 ? 'holds' : drifted_keys.join(' ')
}

/** Packages that one manifest holds together, found by what theirs say. */
const WORKSPACES = { 'package.json': '{"private":true,"workspaces":["packages/*"]}\n', 'packages/a/package.json': '{"name":"a","scripts":{"test":"true"}}\n', 'packages/a/main.js': '' }
const remove = (path: string) => (made: Clone) => void made.run(['rm', '-r', path])
const write = (path: string, text: string) => (made: Clone) => void made.write(path, text)

describe('a gate', () => {
  it.each<[string, Readonly<Record<string, string>>, string, (made: Clone) => void, RegExp]>([
    ['its module goes', { 'tests/__init__.py': '', 'tests/x.py': TEST }, 'python3 -m unittest tests.x', remove('tests/x.py'), /^exists:tests\/x\.py$/],
    ['its module is edited', { 'tests/__init__.py': '', 'tests/x.py': TEST }, 'python3 -m unittest tests.x', write('tests/x.py', `${TEST}\n`), /^holds$/],
    ['its folder of tests goes', { 'tests/test_x.py': TEST }, 'python3 -m unittest discover -s tests', remove('tests'), /^exists:tests$/],
    ['its test file goes', { 'test/a.test.mjs': "import 'node:test'\n" }, 'node --test test/a.test.mjs', remove('test/a.test.mjs'), /^exists:test\/a\.test\.mjs$/],
    ['its test file is edited', { 'test/a.test.mjs': "import 'node:test'\n" }, 'node --test test/a.test.mjs', write('test/a.test.mjs', "import 'node:test'\n\n"), /^holds$/],
    ['its script goes', { 'scripts/check.sh': 'true\n' }, 'sh scripts/check.sh', remove('scripts/check.sh'), /^file:scripts\/check\.sh$/],
    ['its program goes', { 'tools/check.py': '' }, 'python3 tools/check.py', remove('tools/check.py'), /^file:tools\/check\.py$/],
    ['its makefile goes', { 'other.mk': 'test:\n\ttrue\n' }, 'make -f other.mk test', remove('other.mk'), /^file:other\.mk makefiles:/],
    ['an included makefile changes', { Makefile: 'include rules.inc\n', 'rules.inc': 'test:\n\ttrue\n' }, 'make test', write('rules.inc', 'test:\n\t@:\n'), /^makefiles:\["\."\]$/],
    ['a makefile comes that git ignores', { Makefile: '-include my.local\ntest:\n\ttrue\n' }, 'make test', write('my.local', 'MAKEFLAGS = -i\n'), /^makefiles:\["\."\]$/],
    ['a makefile comes that make takes first', { Makefile: 'test:\n\ttrue\n' }, 'make test', write('GNUmakefile', 'test:\n\ttrue\n'), /^file:GNUmakefile makefiles:/],
    ['a source of a workspace changes', WORKSPACES, 'npm -w a test', write('packages/a/main.js', 'export {}\n'), /^holds$/],
    ['the manifest of a workspace changes', WORKSPACES, 'npm -w a test', write('packages/a/package.json', '{"name":"a","scripts":{"test":"true "}}\n'), /^manifests:package\.json$/],
    ['another workspace takes its name', WORKSPACES, 'npm -w a test', write('packages/b/package.json', '{"name":"a","scripts":{"test":"true"}}\n'), /^manifests:package\.json$/],
    ['a workspace goes', WORKSPACES, 'npm test --workspaces', remove('packages/a'), /^manifests:package\.json$/],
    ['a source of make changes', { Makefile: 'test:\n\ttrue\n', 'a.c': '' }, 'make test', write('a.c', 'int a;\n'), /^holds$/],
  ])('rests on what defines it, not on what sources hold: %s', (_, files, gate, act, told) => {
    expect(after(files, gate, act)).toMatch(told)
  })
})
