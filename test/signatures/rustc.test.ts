import { describe, expect, it } from 'vitest'
import rustc from '../../src/signatures/rustc.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `error[E0308]: mismatched types
 --> a.rs:1:26
  |
1 | fn main() { let x: i32 = "a"; nope(); }
  |                    ---   ^^^ expected \`i32\`, found \`&str\`
  |                    |
  |                    expected due to this

error[E0425]: cannot find function \`nope\` in this scope
 --> a.rs:1:31
  |
1 | fn main() { let x: i32 = "a"; nope(); }
  |                               ^^^^ not found in this scope

error: aborting due to 2 previous errors

Some errors have detailed explanations: E0308, E0425.
For more information about an error, try \`rustc --explain E0308\`.
`
const LINES = ['error[E0308]: mismatched types --> a.rs: expected `i32`, found `&str`', 'error[E0425]: cannot find function `nope` in this scope --> a.rs: not found in this scope']
const aborted = (words: string) => `error: ${words}\n\nerror: aborting due to 1 previous error\n\n`

describe('rustc', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['rustc x.rs', 'rustc +nightly x.rs -o x', 'rustc --version', 'rustdoc x.rs']) expect(knowing(line)).toEqual(['rustc'])
    expect(rustc.knows(typed('cargo rustc'))).toBeNull()
  })

  it.each([
    ['rustc x.rs', true, ['tool:p/rustc', 'file:p/x.rs']],
    ['rustc --test src/x.rs -o out/x', true, ['tool:p/rustc', 'file:p/src/x.rs']],
    ['rustc --version', true, ['tool:p/rustc']],
    ['rustc --explain E0308', false, ['tool:p/rustc']],
    ['rustc --print cfg', false, ['tool:p/rustc']],
  ])('verifies with %s: %s', (line, verifies, keys) => {
    expect(rustc.knows(typed(line, 'p'))).toMatchObject({ verifies, delegates: false, keys })
  })

  it.each([['stopped', RED, { passed: false }], ['stopped, with warnings', 'error: aborting due to 3 previous errors; 1 warning emitted\n', { passed: false }], ['warned', 'warning: unused variable: `x`\n\nwarning: 1 warning emitted\n', null], ['silent', '', null]])('closes: %s', (_, output, summary) => {
    expect(rustc.summary(output)).toEqual(summary)
  })

  it('says each error with its file and what stands there, in its short format too', () => {
    expect(failureOf(rustc, 'rustc a.rs', RED)).toEqual({ class: 'red', lines: LINES, keys: [] })
    expect(failureOf(rustc, 'rustc a.rs', 'a.rs:1:26: error[E0308]: mismatched types: expected `i32`, found `&str`\nerror: aborting due to 1 previous error\n').lines).toEqual(['error[E0308]: mismatched types: expected `i32`, found `&str` --> a.rs'])
    expect(failureOf(rustc, 'rustc c.rs', 'error: unused variable: `unused`\n --> c.rs:2:17\n  |\n2 | fn main() { let unused = 1; }\n  |                 ^^^^^^ help: prefix it\n').lines).toEqual(['error: unused variable: `unused` --> c.rs: help: prefix it'])
  })

  it.each([
    ['rustc nope.rs', aborted("couldn't read `nope.rs`: No such file or directory (os error 2)"), 'path-missing', ['absent:p/nope.rs']],
    ['rustc ok.rs -C linker=nolinker', aborted('linker `nolinker` not found\n  |\n  = note: No such file or directory (os error 2)'), 'program-missing', ['absent-tool:p/nolinker', 'tool:p/rustc']],
    ['rustc --edition 2099 ok.rs', 'error: argument for `--edition` must be one of: <2015|2018|2021|2024|future>. (instead was `2099`)\n\n', 'usage', ['tool:p/rustc']],
    ['rustc --crate-type bogus ok.rs', 'error: unknown crate type: `bogus`, expected one of: `lib`, `rlib`\n\n', 'usage', ['tool:p/rustc']],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(rustc, line, output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('leaves unknown options to the fallback, and what others call an error', () => {
    expect(rustc.failure(ended('rustc --bogus ok.rs', "error: Unrecognized option: 'bogus'\n\n"))).toBeNull()
    expect(rustc.failure(ended('git push', "error: failed to push some refs to './up.git'\n"))).toBeNull()
  })

  it('gives one signature under another line', () => {
    expect(settled(failureOf(rustc, 'rustc a.rs', RED.replaceAll('a.rs:1', 'a.rs:77').replaceAll('1 |', '77 |')))).toEqual(settled(failureOf(rustc, 'rustc a.rs', RED)))
  })
})
