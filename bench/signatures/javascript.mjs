const LIB = `export const add = (a, b) => a + b\nexport const shout = (text) => text.toUpperCase() + '!'\nexport const user = (name) => ({ name, tags: ['new'] })\n`

/** One body per fault that a test can have, in the words of its assertion library. */
const inTests = ({ equal, deep, test, head, file, group }) => {
  const of = (name, body, path = file('sums')) => ({ [path]: `${head}${test(name, body)}` })
  return [
    { name: 'a sum', is: 'red', files: of('adds', equal('add(1, 1)', '3')) },
    { name: 'another sum', is: 'red', files: of('adds', equal('add(1, 1)', '4')) },
    { name: 'a sum in another test', is: 'red', files: of('adds up', equal('add(1, 1)', '3')) },
    { name: 'a sum in another file', is: 'red', files: of('adds', equal('add(1, 1)', '3'), file('totals')) },
    { name: 'a text', is: 'red', files: of('shouts', equal(`shout('hey')`, `'HEY'`)) },
    { name: 'another text', is: 'red', files: of('shouts', equal(`shout('hey')`, `'hey!'`)) },
    { name: 'an object', is: 'red', files: of('makes users', deep(`user('ann')`, `{ name: 'ann', tags: [] }`)) },
    { name: 'another object', is: 'red', files: of('makes users', deep(`user('ann')`, `{ name: 'bob', tags: ['new'] }`)) },
    { name: 'an error', is: 'red', files: of('loads', `throw new Error('the cache is cold')`) },
    { name: 'another message', is: 'red', files: of('loads', `throw new Error('the cache is full')`) },
    { name: 'another type of error', is: 'red', files: of('loads', `throw new RangeError('the cache is cold')`) },
    { name: 'a property of nothing', is: 'red', files: of('loads', `const x = undefined; x.size`) },
    { name: 'a name that is not there', is: 'red', files: of('loads', `missingThing()`) },
    { name: 'in a group', is: 'red', files: { [file('sums')]: `${head}${group('arithmetic', test('adds', equal('add(1, 1)', '3')))}` } },
    { name: 'in another group', is: 'red', files: { [file('sums')]: `${head}${group('numbers', test('adds', equal('add(1, 1)', '3')))}` } },
    { name: 'two at once', is: 'red', files: { [file('sums')]: `${head}${test('adds', equal('add(1, 1)', '3'))}${test('shouts', equal(`shout('a')`, `'b'`))}` } },
    { name: 'a package that is not installed', is: 'dependency', files: { [file('sums')]: `import pad from 'left-padding'\n${head}${test('pads', equal('pad', '1'))}` } },
    { name: 'another package that is not installed', is: 'dependency', files: { [file('sums')]: `import pad from 'right-padding'\n${head}${test('pads', equal('pad', '1'))}` } },
    { name: 'a file that is not there', is: 'red', files: { [file('sums')]: `import { x } from '../src/nowhere.js'\n${head}${test('pads', equal('x', '1'))}` } },
  ]
}

const nodeTest = {
  head: `import assert from 'node:assert/strict'\nimport { test, describe } from 'node:test'\nimport { add, shout, user } from '../src/lib.js'\n`,
  equal: (a, b) => `assert.equal(${a}, ${b})`,
  deep: (a, b) => `assert.deepEqual(${a}, ${b})`,
  test: (name, body) => `test('${name}', () => {\n  ${body}\n})\n`,
  group: (name, body) => `describe('${name}', () => {\n${body}})\n`,
  file: (name) => `test/${name}.test.js`,
}
const vitest = { ...nodeTest, head: `import { test, expect, describe } from 'vitest'\nimport { add, shout, user } from '../src/lib.js'\n`, equal: (a, b) => `expect(${a}).toBe(${b})`, deep: (a, b) => `expect(${a}).toEqual(${b})` }
const mocha = { ...nodeTest, head: `import assert from 'node:assert/strict'\nimport { add, shout, user } from '../src/lib.js'\n`, test: (name, body) => nodeTest.test(name, body).replace(/^test/, 'it') }

const manifest = (more = {}) => JSON.stringify({ name: 'app', version: '1.0.0', type: 'module', ...more }, null, 2)
const program = (name, is, text, more = {}) => ({ name, is, files: { 'main.js': text, ...more } })
const typed = (name, text, path = 'src/a.ts') => ({ name, is: 'red', files: { [path]: text } })
const script = (name, is, files, argv) => ({ name, is, files, ...(argv === undefined ? {} : { argv }) })

export const javascript = [
  { id: 'node-test', needs: 'node', argv: ['node', '--test'], files: { 'package.json': manifest(), 'src/lib.js': LIB }, grown: { 'test/more.test.js': `${nodeTest.head}${nodeTest.test('is fine', '')}` }, faults: inTests(nodeTest) },
  { id: 'vitest', needs: 'node_modules/vitest', modules: ['vitest', '.bin'], argv: ['node_modules/.bin/vitest', 'run'], files: { 'package.json': manifest(), 'src/lib.js': LIB }, grown: { 'test/more.test.js': `${vitest.head}${vitest.test('is fine', '')}` }, faults: inTests(vitest) },
  { id: 'mocha', needs: 'node_modules/mocha', modules: ['mocha', '.bin'], argv: ['node_modules/.bin/mocha', 'test/*.test.js'], files: { 'package.json': manifest(), 'src/lib.js': LIB }, grown: { 'test/more.test.js': `${mocha.head}${mocha.test('is fine', '')}` }, faults: inTests(mocha) },
  {
    id: 'node',
    needs: 'node',
    argv: ['node', 'main.js'],
    files: { 'package.json': manifest(), 'src/lib.js': LIB },
    faults: [
      program('an error', 'red', `throw new Error('the cache is cold')\n`),
      program('another message', 'red', `throw new Error('the cache is full')\n`),
      program('another type', 'red', `throw new TypeError('the cache is cold')\n`),
      program('in a file that is imported', 'red', `import { run } from './src/one.js'\nrun()\n`, { 'src/one.js': `export const run = () => { throw new Error('no such row') }\n` }),
      program('in another file', 'red', `import { run } from './src/two.js'\nrun()\n`, { 'src/two.js': `export const run = () => { throw new Error('no such row') }\n` }),
      program('a rejection', 'red', `await Promise.reject(new Error('refused by the bank'))\n`),
      program('with a code', 'red', `throw Object.assign(new Error('bad row'), { code: 'E_ROW' })\n`),
      program('with another code', 'red', `throw Object.assign(new Error('bad row'), { code: 'E_COLUMN' })\n`),
      program('a property of nothing', 'red', `const x = undefined\nx.size\n`),
      program('another property', 'red', `const x = undefined\nx.length\n`),
      program('an assertion', 'red', `import assert from 'node:assert'\nassert.equal(1, 2)\n`),
      program('another assertion', 'red', `import assert from 'node:assert'\nassert.equal(1, 3)\n`),
      program('a missing package', 'dependency', `import 'left-padding'\n`),
      program('another missing package', 'dependency', `import 'right-padding'\n`),
      program('a missing file', 'path-missing', `import './nowhere.js'\n`),
      program('another missing file', 'path-missing', `import './elsewhere.js'\n`),
      program('syntax', 'red', `const a = {\n`),
      program('other syntax', 'red', `const a = 1 1\n`),
      program('a file to read', 'red', `import { readFileSync } from 'node:fs'\nreadFileSync('data/rows.json')\n`),
      program('another file to read', 'red', `import { readFileSync } from 'node:fs'\nreadFileSync('data/columns.json')\n`),
      program('JSON', 'red', `JSON.parse('{"a":')\n`),
      { ...script('a script that is not there', 'path-missing', {}), argv: ['node', 'nowhere.js'] },
    ],
  },
  {
    id: 'typescript',
    needs: 'node_modules/typescript',
    modules: ['typescript', '.bin'],
    argv: ['node_modules/.bin/tsc', '--noEmit'],
    files: { 'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, target: 'es2022', module: 'nodenext', lib: ['es5'], types: [] }, include: ['src'] }), 'src/ok.ts': 'export const ok = 1\n' },
    faults: [
      typed('a type', `export const a: number = 'x'\n`),
      typed('another type', `export const a: boolean = 'x'\n`),
      typed('in another file', `export const a: number = 'x'\n`, 'src/b.ts'),
      typed('a name', `export const a = nope\n`),
      typed('another name', `export const a = never1\n`),
      typed('a property', `export const a = { x: 1 }.y\n`),
      typed('another property', `export const a = { x: 1 }.z\n`),
      typed('a missing argument', `const f = (a: number) => a\nexport const b = f()\n`),
      typed('an implicit any', `export const f = (x) => x\n`),
      typed('possibly undefined', `declare const m: { get(key: string): { n: number } | undefined }\nexport const n = m.get('a').n\n`),
      typed('syntax', `export const a = (\n`),
      typed('an unknown export', `import { nope } from './ok.js'\nexport const a = nope\n`),
      { ...typed('a missing package', `import x from 'left-padding'\nexport default x\n`), is: 'dependency' },
      { ...typed('another missing package', `import x from 'right-padding'\nexport default x\n`), is: 'dependency' },
      { name: 'an option', is: 'usage', argv: ['node_modules/.bin/tsc', '--nopeOption'] },
      { name: 'a project', is: 'path-missing', argv: ['node_modules/.bin/tsc', '-p', 'nope.json'] },
    ],
  },
  {
    id: 'npm',
    needs: 'npm',
    argv: ['npm', 'test'],
    files: { 'src/lib.js': LIB },
    faults: [
      script('no script', 'usage', { 'package.json': manifest() }, ['npm', 'run', 'lint']),
      script('no other script', 'usage', { 'package.json': manifest() }, ['npm', 'run', 'typecheck']),
      script('no manifest', 'path-missing', {}, ['npm', 'test']),
      script('no lockfile', 'path-missing', { 'package.json': manifest() }, ['npm', 'ci']),
      script('a missing program', 'program-missing', { 'package.json': manifest({ scripts: { test: 'nope-runner --all' } }) }),
      script('another missing program', 'program-missing', { 'package.json': manifest({ scripts: { test: 'nope-linter --all' } }) }),
      script('a red test', 'red', { 'package.json': manifest({ scripts: { test: 'node --test' } }), ...inTests(nodeTest)[0].files }),
      script('another red test', 'red', { 'package.json': manifest({ scripts: { test: 'node --test' } }), ...inTests(nodeTest)[2].files }),
      script('a program that throws', 'red', { 'package.json': manifest({ scripts: { test: 'node main.js' } }), 'main.js': `throw new Error('the cache is cold')\n` }),
      script('a program that says why', 'red', { 'package.json': manifest({ scripts: { test: 'node main.js' } }), 'main.js': `console.error('error: 3 rows are wrong')\nprocess.exit(1)\n` }),
      script('a program that says something else', 'red', { 'package.json': manifest({ scripts: { test: 'node main.js' } }), 'main.js': `console.error('error: no rows')\nprocess.exit(1)\n` }),
      script('last words', 'red', { 'package.json': manifest({ scripts: { test: 'node main.js' } }), 'main.js': `console.log('3 rows differ from the plan')\nprocess.exit(1)\n` }),
      script('a broken manifest', 'red', { 'package.json': '{ "name": "app", ' }),
      script('an unknown verb', 'usage', { 'package.json': manifest() }, ['npm', 'frobnicate']),
    ],
  },
]
