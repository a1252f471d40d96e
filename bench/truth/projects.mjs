import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { env, home } from '../process.mjs'

/** What is wrong in a project and what puts it right; variants differ in name, operator and so in every signature. */
const FAULTS = [
  { name: 'add', wrong: 'a - b', tried: 'a - b - 0', right: 'a + b', want: 5, cause: 'subtracts its second argument' },
  { name: 'times', wrong: 'a + b', tried: 'b + a', right: 'a * b', want: 6, cause: 'adds its arguments where a product is promised' },
  { name: 'first', wrong: 'b', tried: 'b + 0', right: 'a', want: 2, cause: 'returns its second argument' },
]

/**
 * Small projects whose gate is red until one file is put right. `source(body)` is that file's content; `needs`: a program or a
 * file of this repository's node_modules. `missing`: a word mistyped; `lasts`: nothing can take it, and no edit of the session may
 * have made it known. `{plant}` in a failing message is whatever a session plants: it must never be stored.
 */
const KINDS = [
  {
    id: 'node-test',
    needs: 'node',
    gate: 'node --test test/{name}.test.js',
    path: 'src/{name}.js',
    source: (body) => `exports.{name} = (a, b) => ${body}\n`,
    files: {
      'test/{name}.test.js': `const { test } = require('node:test'), assert = require('node:assert'), { {name} } = require('../src/{name}.js')\ntest('{name} of 2 and 3', () => assert.strictEqual({name}(2, 3), {want}, 'wrong {name} ' + (process.env.PLANT ?? '')))\n`,
    },
    config: null,
  },
  {
    id: 'npm',
    needs: 'npm',
    gate: 'npm test',
    path: 'lib/{name}.js',
    source: (body) => `exports.{name} = (a, b) => ${body}\n`,
    files: {
      'package.json': `{ "name": "small", "version": "1.0.0", "scripts": { "test": "node --test" } }\n`,
      'test/{name}.test.js': `const { test } = require('node:test'), assert = require('node:assert'), { {name} } = require('../lib/{name}.js')\ntest('{name} of 2 and 3', () => assert.strictEqual({name}(2, 3), {want}, 'wrong {name} ' + (process.env.PLANT ?? '')))\n`,
    },
    config: { path: 'package.json', text: `{ "name": "small", "version": "1.0.1", "scripts": { "test": "node --test test/" } }\n` },
    missing: { command: 'npm run tpyecheck', class: 'usage', lasts: true },
  },
  {
    id: 'unittest',
    needs: 'python3',
    gate: 'python3 -m unittest',
    path: 'calc.py',
    source: (body) => `def {name}(a, b):\n    return ${body}\n`,
    files: {
      'test_{name}.py': `import os\nimport unittest\nfrom calc import {name}\n\n\nclass Test(unittest.TestCase):\n    def test_{name}(self):\n        self.assertEqual({name}(2, 3), {want}, "wrong {name} " + os.environ.get("PLANT", ""))\n`,
    },
    config: null,
  },
  {
    id: 'pytest',
    needs: 'pytest',
    gate: 'pytest -q',
    path: 'calc.py',
    source: (body) => `def {name}(a, b):\n    return ${body}\n`,
    files: {
      'test_{name}.py': `import os\nfrom calc import {name}\n\n\ndef test_{name}():\n    assert {name}(2, 3) == {want}, "wrong {name} " + os.environ.get("PLANT", "")\n`,
      'pytest.ini': '[pytest]\n',
    },
    config: { path: 'pytest.ini', text: '[pytest]\naddopts = -q\n' },
    missing: { command: 'pytest --tpyo', class: 'usage' },
  },
  {
    id: 'cargo',
    needs: 'cargo',
    slow: true,
    gate: 'cargo test --offline',
    path: 'src/lib.rs',
    source: (body) =>
      `pub fn {name}(a: i32, b: i32) -> i32 {\n    let _ = (a, b);\n    ${body}\n}\n\n#[test]\nfn {name}_of_two_and_three() {\n    assert_eq!({name}(2, 3), {want}, "wrong {name} {}", std::env::var("PLANT").unwrap_or_default());\n}\n`,
    files: { 'Cargo.toml': '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n' },
    config: { path: 'Cargo.toml', text: '[package]\nname = "small"\nversion = "0.1.1"\nedition = "2021"\n' },
    missing: { command: 'cargo tset', class: 'usage' },
  },
  {
    id: 'make',
    needs: 'make',
    gate: 'make test',
    path: 'calc.c',
    source: (body) => `int {name}(int a, int b) {\n    (void)a;\n    (void)b;\n    return ${body};\n}\n`,
    files: {
      Makefile: 'test: calc.c test.c\n\t@cc -o t calc.c test.c\n\t@./t\n',
      'test.c': `#include <stdio.h>\n#include <stdlib.h>\nint {name}(int, int);\nint main(void) {\n    const char *plant = getenv("PLANT");\n    int got = {name}(2, 3);\n    if (got != {want}) {\n        fprintf(stderr, "error: wrong {name}: %d is not {want} %s\\n", got, plant ? plant : "");\n        return 1;\n    }\n    puts("1 passed");\n    return 0;\n}\n`,
    },
    config: { path: 'Makefile', text: 'test: calc.c test.c\n\t@cc -O1 -o t calc.c test.c\n\t@./t\n' },
    missing: { command: 'make tset', class: 'usage' },
  },
  {
    id: 'typescript',
    needs: 'node_modules/typescript',
    slow: true,
    gate: 'npx tsc --noEmit -p .',
    path: 'src/calc.ts',
    modules: ['typescript'],
    source: (body) => `export const {name} = (a: number, b: number): number => {\n  void a\n  void b\n  return ${body}\n}\n`,
    // A type check is red for another reason: the body is wrong by its type.
    wrong: { wrong: '`${a}`', tried: '`${b}`', right: 'a' },
    files: { 'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [], "target": "es2022" }, "include": ["src"] }\n', 'package.json': '{ "name": "small" }\n' },
    config: { path: 'tsconfig.json', text: '{ "compilerOptions": { "strict": true, "types": [], "target": "es2023" }, "include": ["src"] }\n' },
  },
]

/** Every project that this machine can run, in each of its variants. */
export const projects = () => KINDS.filter(isHere).flatMap((kind) => FAULTS.slice(0, kind.slow ? 1 : 3).map((fault) => projectOf(kind, fault)))
export const absent = () => KINDS.filter((kind) => !isHere(kind)).map(({ id }) => id)

const isHere = ({ needs }) => (needs.startsWith('node_modules/') ? existsSync(join(home, needs)) : hasProgram(needs))
export const hasProgram = (name) => spawnSync(name, ['--version'], { env, stdio: 'ignore' }).error === undefined

function projectOf(kind, fault) {
  const filled = (text) => text.replaceAll('{name}', fault.name).replaceAll('{want}', String(fault.want))
  const body = { ...fault, ...kind.wrong }
  const source = (which) => filled(kind.source(body[which]))
  return {
    id: kind.id,
    variant: fault.name,
    gate: filled(kind.gate),
    path: filled(kind.path),
    modules: kind.modules ?? [],
    wrong: source('wrong'),
    tried: source('tried'),
    right: source('right'),
    files: Object.fromEntries([...Object.entries(kind.files).map(([path, text]) => [filled(path), filled(text)]), [filled(kind.path), source('wrong')]]),
    config: kind.config,
    missing: kind.missing ?? null,
    cause: `The function \`${fault.name}\` in ${filled(kind.path)} ${fault.cause}`,
  }
}
