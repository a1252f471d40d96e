import { describe, expect, it } from 'vitest'
import node from '../../src/signatures/node.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const STACK = `    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)`

const uncaught = (words: string, more = '') => `/repo/e.js:1
throw new Error('boom')
^

${words}
${STACK}${more}

Node.js v20.20.2
`
const required = (module: string, from: string) => `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '${module}'
Require stack:
- ${from}
${STACK} {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '${from}' ]
}

Node.js v20.20.2
`

describe('node', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['node x.js', 'node --version', 'npx tsx src/x.ts', 'bun src/x.ts', 'node -e 1']) expect(knowing(line)).toEqual(['node'])
    for (const line of ['node --test', 'bun test', 'deno lint', 'node node_modules/.bin/jest']) expect(node.knows(typed(line))).toBeNull()
  })

  it.each([
    ['node src/x.js data.json', false, ['tool:p/node', 'file:p/src/x.js', 'file:p/data.json']],
    ['node scripts/check.mjs', true, ['tool:p/node', 'file:p/scripts/check.mjs']],
    ['node --import tsx test.ts', true, ['tool:p/node', 'file:p/test.ts']],
    ['node --check src/x.js', true, ['tool:p/node', 'file:p/src/x.js']],
    ['node --version', true, ['tool:p/node']],
    ['node server.js', false, ['tool:p/node', 'file:p/server.js']],
    ['node latest.js', false, ['tool:p/node', 'file:p/latest.js']],
    ['node --watch test.js', false, ['tool:p/node', 'file:p/test.js']],
  ])('rests on node and the program: %s, a gate: %s', (line, verifies, keys) => {
    expect(node.knows(typed(line, 'p'))).toEqual({ verifies, readsSources: !line.includes('--version'), delegates: false, keys })
  })

  it('has no closing lines of its own', () => {
    expect(node.summary()).toBeNull()
  })

  it('says the error that ended a program, and its code', () => {
    expect(failureOf(node, 'node e.js', uncaught('Error: boom', " {\n  code: 'E_BOOM'\n}"))).toEqual({ class: 'red', lines: ['Error: boom', "code: 'E_BOOM'"], keys: [] })
    expect(failureOf(node, 'node f.js', `/repo/src/b.js:1\n\nError: no such row\n    at JSON.parse (<anonymous>)\n    at run (/repo/node_modules/x/i.js:1:2)\n    at load (file:///repo/src/b.js:4:5)\n    at node:internal/modules/esm/module_job:325:25\n\nNode.js v20.20.2\n`).lines).toEqual(['Error: no such row', 'at /repo/src/b.js'])
    expect(failureOf(node, 'node f.js', uncaught('SyntaxError: Unexpected end of input')).lines).toEqual(['SyntaxError: Unexpected end of input'])
  })

  it.each([
    ['a package', 'node a.js', required('lodash', '/repo/a.js'), 'dependency', ['lock:npm/lodash', 'absent:node_modules/lodash', 'tree:.']],
    ['a package, of a script below', 'node bin/a.js', required('lodash', '/repo/bin/a.js'), 'dependency', ['lock:npm/lodash', 'absent:node_modules/lodash', 'absent:bin/node_modules/lodash', 'tree:.']],
    ['a package, of a text', 'node -e require("x/y")', required('x/y', '/repo/[eval]'), 'dependency', ['lock:npm/x', 'absent:node_modules/x', 'tree:.']],
    ['a package, of a module', 'node c.mjs', uncaught("Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/b' imported from /repo/c.mjs"), 'dependency', ['lock:npm/@a/b', 'absent:node_modules/@a/b', 'tree:.']],
    ['the program itself', 'node nope.js', required('/repo/nope.js', ''), 'path-missing', ['absent:nope.js']],
    ['a file beside it', 'node sub/b.js', required('./y', '/repo/sub/b.js'), 'path-missing', ['', '.js', '.json', '.cjs', '.mjs', '.ts', '/index.js'].map((end) => `absent:sub/y${end}`)],
    ['a file beside a module', 'node d.mjs', uncaught("Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/repo/x.js' imported from /repo/d.mjs"), 'path-missing', ['absent:x.js']],
    ['a file beside another', 'node b.js', required('./y', '/repo/lib/c.js'), 'red', []],
    ['a file that it reads', 'node g.js', uncaught("Error: ENOENT: no such file or directory, open 'conf/x.json'"), 'red', ['absent:conf/x.json']],
    ['a program', 'node g.js', uncaught('Error: spawn convert ENOENT'), 'red', ['absent-tool:convert']],
    ['permission', 'node g.js', uncaught("Error: EACCES: permission denied, open '/srv/x'"), 'denied', ['privilege']],
  ])('tells what is missing: %s', (_, line, output, kind, keys) => {
    expect(failureOf(node, line, output)).toMatchObject({ class: kind, keys })
  })

  it('passes over the network', () => {
    expect(node.failure(ended('node h.js', uncaught('Error: connect ECONNREFUSED 127.0.0.1:1', " {\n  errno: -111,\n  code: 'ECONNREFUSED'\n}")))).toBe('transient')
  })

  it('finds no failure in an error that was printed and outlived, or quoted', () => {
    expect(node.failure(ended('node x.js', `Error: tolerated\n${STACK}\nand on it went\nbye\n`))).toBeNull()
    expect(node.failure(ended('node x.js', 'Error: quoted\n'))).toBeNull()
  })

  it('gives one signature under another path and line', () => {
    const output = required('lodash', '/repo/a.js')
    expect(settled(failureOf(node, 'node a.js', output.replaceAll('/repo', '/home/dev/x').replaceAll('1207', '9')))).toEqual(settled(failureOf(node, 'node a.js', output)))
  })
})
