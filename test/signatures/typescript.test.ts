import { describe, expect, it } from 'vitest'
import typescript from '../../src/signatures/typescript.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const PLAIN = `src/x.ts(2,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/x.ts(3,42): error TS2339: Property 'd' does not exist on type '{ c: string; }'.
src/x.ts(4,40): error TS2322: Type 'string' is not assignable to type 'number'.
`
const PRETTY = `src/x.ts:2:7 - error TS2322: Type 'string' is not assignable to type 'number'.

2 const a: number = 'x'
        ~

src/x.ts:3:42 - error TS2339: Property 'd' does not exist on type '{ c: string; }'.

3 export const f = (b: { c: string }) => b.d
                                           ~


Found 2 errors in the same file, starting at: src/x.ts:2

`
const MISSING = "src/x.ts(1,15): error TS2307: Cannot find module 'lodash' or its corresponding type declarations.\n"

describe('typescript', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['npx tsc --noEmit', 'tsc', 'yarn tsc', 'node node_modules/typescript/bin/tsc', 'npx vue-tsc']) expect(knowing(line)).toEqual(['typescript'])
    expect(typescript.knows(typed('npm run tsc'))).toBeNull()
  })

  it.each([
    ['npx tsc --noEmit', ['tool:p/tsc', 'file:p/tsconfig.json', 'file:tsconfig.json', 'lock:npm/typescript']],
    ['npx tsc -p tsconfig.build.json', ['tool:p/tsc', 'file:p/tsconfig.build.json', 'lock:npm/typescript']],
    ['npx tsc --project conf', ['tool:p/tsc', 'file:p/conf/tsconfig.json', 'lock:npm/typescript']],
    ['npx tsc -b', ['tool:p/tsc', 'file:p/tsconfig.json', 'file:tsconfig.json', 'lock:npm/typescript']],
  ])('rests on its configuration: %s', (line, keys) => {
    expect(typescript.knows(typed(line, 'p'))?.keys).toEqual(keys)
  })

  it.each([['tsc', true], ['tsc --version', true], ['tsc --watch', false], ['tsc -w', false], ['tsc --init', false], ['tsc --showConfig', false]])('verifies with %s: %s', (line, verifies) => {
    expect(typescript.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['pretty', PRETTY, { passed: false }],
    ['plain', PLAIN, { passed: false }],
    ['with an elaboration last', `${PLAIN}  Types of property 'a' are incompatible.\n`, { passed: false }],
    ['silence', '', null],
    ['other words last', `${PLAIN}\n> next\n`, null],
    ['a watcher', 'Found 2 errors. Watching for file changes.\n', null],
    ['no errors', 'Found 0 errors.\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(typescript.summary(output)).toEqual(summary)
  })

  it('says each code, message and file once, without the place', () => {
    const lines = ["src/x.ts: error TS2322: Type 'string' is not assignable to type 'number'.", "src/x.ts: error TS2339: Property 'd' does not exist on type '{ c: string; }'."]
    expect(failureOf(typescript, 'npx tsc', PLAIN)).toEqual({ class: 'red', lines, keys: [] })
    expect(failureOf(typescript, 'npx tsc', PRETTY)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('tells another fault by code or file', () => {
    const first = failureOf(typescript, 'npx tsc', PLAIN).lines
    expect(failureOf(typescript, 'npx tsc', PLAIN.replaceAll('TS2339', 'TS2551')).lines).not.toEqual(first)
    expect(failureOf(typescript, 'npx tsc', PLAIN.replaceAll('x.ts', 'y.ts')).lines).not.toEqual(first)
    expect(failureOf(typescript, 'npx tsc', PLAIN.replaceAll('(2,7)', '(20,1)')).lines).toEqual(first)
  })

  it('reads a path with brackets', () => {
    expect(failureOf(typescript, 'npx tsc', "app/(group)/page.tsx(1,2): error TS2304: Cannot find name 'x'.\n").lines).toEqual(["app/(group)/page.tsx: error TS2304: Cannot find name 'x'."])
  })

  it.each([
    ['npx tsc --foo', "error TS5023: Unknown compiler option '--foo'.\n", 'usage', ['tool:tsc']],
    ['npx tsc -p nope.json', "error TS5058: The specified path does not exist: 'nope.json'.\n", 'path-missing', ['absent:nope.json']],
    ['npx tsc -p conf', "error TS5057: Cannot find a tsconfig.json file at the specified directory: 'conf'.\n", 'path-missing', ['absent:conf/tsconfig.json']],
    ['npx tsc', "tsconfig.json(3,5): error TS5023: Unknown compiler option 'foo'.\n", 'red', []],
    ['npx tsc', MISSING, 'dependency', ['lock:npm/lodash', 'absent:node_modules/lodash', 'file:tsconfig.json']],
    ['npx tsc', MISSING + PLAIN, 'red', ['lock:npm/lodash', 'absent:node_modules/lodash']],
    ['npx tsc', MISSING.replace("'lodash'", "'./y.ts'"), 'red', []],
    ['npx tsc', MISSING.replace("'lodash'", "'fs'"), 'red', []],
  ])('tells classes apart: %s with %s', (line, output, kind, keys) => {
    expect(failureOf(typescript, line, output, 2)).toMatchObject({ class: kind, keys })
  })

  it('finds no failure in a file that was read', () => {
    expect(typescript.failure(ended('npx tsc', 'the error TS2322 means that a type does not fit\n'))).toBeNull()
  })
})
